"""LaneControl: which cycle of a product, or of a final reduction, a lane is in."""

from pymtl3 import Bits1, Bits3, Component, InPort, OutPort, Wire, mk_bits, update, update_ff

from fl.multipliers.mont_orup import MontOrup
from plan.kept_results import LOAD_CYCLES

IDLE, LOAD, FETCH, DECODE, ITERATE, RESOLVE, SERIAL = range(7)


class LaneControl(Component):
    """Sequences passes over the rows: products, digits that make divisible, additions of m.

    A pass is fetched and decoded (a cycle each), iterates, and its result is resolved in three
    cycles more, in which the next product begins already. A reduction is a pass per digit, each
    preceded by a cycle per bit of the digit, and one that adds m to what is negative. It follows
    a product (``reduce``), or it forms M2 of a new modulus from 1 (``prepare``).

    Parameters
    ----------
    golden : fl.multipliers.mont_orup.MontOrup
        The lane's numbers.
    doubles : bool
        Whether there are products of twice the digits.
    whole_digits : int
        Digits of the result of a product as an integer; 0: there are none.

    Ports
    -----
    prepare : in, 1 bit; the modulus is new with the next cycle; whatever was going on is given up
    offered, loads : in, 1 bit each; a product is offered, and needs its own B
    doubles, whole : in, 1 bit each; it has twice the digits; is one as an integer, whose B is m
    accepts : out, 1 bit; it begins, if offered
    reduce : in, 1 bit; with ``answers``: its result is reduced
    answers : out, 1 bit; the last iteration of a product; the next one may begin in the next cycle
    begins, fetches, decodes, iterates : out, 1 bit each; a pass begins with the next cycle; its
        first digit is fetched; decoded; it iterates (and fetches)
    accumulates : out, 1 bit; the running sum takes an iteration
    keeps_low, quotient : out, 1 bit each; its digit stays as it is; is used
    takes_b, takes_m_as_b : out, 1 bit each; B is loaded; becomes m
    doubling, gives : out, 1 bit each; the product has twice the digits; a digit of the result as an
        integer is there, as the low one of the running sum
    adds, increments : out, 1 bit each; the result's segments are added up; their carries are
    finds_carries : out, 1 bit; between them
    kept : out, 1 bit; B is a product or a reduced result from this cycle on
    reducing : out, 1 bit
    reduced : out, 1 bit; with ``kept``: B is a reduced result
    injects : out, 1 bit; the running sum is the quotient's digit with the next cycle
    loads_digit, forms_digit, takes_sign : out, 1 bit each; the digit is to be determined from B;
        a bit of it is; it is B's sign
    takes_m, takes_m2 : out, 1 bit each; the rows' modulus becomes m; becomes B
    """

    def construct(s, golden: MontOrup, doubles=False, whole_digits=0):
        delay, k = golden.quotient_delay, golden.digit_nbits
        late = int(golden.row_registers > 0)
        early = int(delay > late + 1)  # the quotient's digit is registered before it is decoded
        timely = 1 - early
        product = golden.iterations + late
        division = delay + 2 + late
        addition = delay + 1 + late
        longest = product + golden.digits * int(doubles)
        whole = whole_digits + 1 + late
        Count = mk_bits(max(longest, whole, k, LOAD_CYCLES).bit_length())
        Digits = mk_bits(golden.final_digits.bit_length())
        final_digits, first_digits = golden.final_digits, golden.final_digits - 1

        for name in ("prepare", "offered", "loads", "reduce", "doubles", "whole"):
            setattr(s, name, InPort(1))
        for name in (
            *("accepts", "answers", "begins", "fetches", "decodes", "iterates", "accumulates"),
            *("keeps_low", "quotient", "takes_b", "adds", "finds_carries", "increments", "kept"),
            *("reducing", "injects", "loads_digit", "forms_digit", "takes_sign"),
            *("takes_m", "takes_m2", "takes_m_as_b", "doubling", "gives", "reduced"),
        ):
            setattr(s, name, OutPort(1))

        s.state_reg = Wire(Bits3)
        s.count_reg = Wire(Count)  # cycles left in LOAD, ITERATE and SERIAL, this one included
        s.fresh_reg = Wire(Bits1)  # first cycle of ITERATE
        s.add_reg = Wire(Bits1)  # the three cycles of resolving, and the one after them
        s.carries_reg = Wire(Bits1)
        s.increment_reg = Wire(Bits1)
        s.resolved_reg = Wire(Bits1)
        s.loads_reg = Wire(Bits1)
        s.doubles_reg = Wire(Bits1)
        s.whole_reg = Wire(Bits1)
        s.reducing_reg = Wire(Bits1)
        s.preparing_reg = Wire(Bits1)
        s.adding_reg = Wire(Bits1)  # the pass adds m or nothing
        s.left_reg = Wire(Digits)  # digits of the reduction
        s.ends_reg = Wire(Bits1)  # last cycle of ITERATE
        s.answers_reg = Wire(Bits1)  # of a product
        s.starts = Wire(Bits1)
        s.divides = Wire(Bits1)
        s.completes = Wire(Bits1)

        s.answers //= s.answers_reg

        @update
        def comb_accepts():
            s.accepts @= s.state_reg == IDLE

        @update
        def comb_begins():
            s.starts @= (s.state_reg == IDLE) & s.offered
            s.begins @= (s.starts & ~s.loads) | ((s.state_reg == LOAD) & (s.count_reg == 1))

        @update
        def comb_pass():
            s.fetches @= s.state_reg == FETCH
            s.decodes @= s.state_reg == DECODE
            s.iterates @= s.state_reg == ITERATE
            s.accumulates @= s.iterates & ~(s.fresh_reg & late)
            s.keeps_low @= s.iterates & ((s.count_reg <= delay) | s.whole_reg)
            s.takes_m_as_b @= s.decodes & s.whole_reg & ~s.prepare
            s.takes_b @= s.decodes & s.loads_reg & ~s.reducing_reg & ~s.whole_reg & ~s.prepare
            s.doubling @= s.doubles_reg
            s.gives @= s.iterates & s.whole_reg & (s.count_reg <= whole_digits)
            s.injects @= s.reducing_reg & ((s.fetches & timely) | ((s.state_reg == LOAD) & early))

        @update
        def comb_quotient():
            s.quotient @= s.accumulates & ~s.keeps_low
            if s.reducing_reg:
                s.quotient @= (s.decodes & timely) | (s.fetches & early)

        @update
        def comb_resolve():
            s.adds @= s.add_reg & ~s.prepare
            s.finds_carries @= s.carries_reg
            s.increments @= s.increment_reg & ~s.prepare
            s.reducing @= s.reducing_reg
            s.kept @= s.resolved_reg & (~s.reducing_reg | s.completes)

        @update
        def comb_reduction():
            s.divides @= s.reducing_reg & s.resolved_reg & ~s.adding_reg
            s.loads_digit @= s.divides & (s.left_reg != 0)
            s.takes_sign @= s.divides & (s.left_reg == 0)
            s.completes @= s.reducing_reg & s.resolved_reg & s.adding_reg
            s.forms_digit @= s.state_reg == SERIAL
            s.takes_m @= s.prepare | (s.answers & s.reduce)
            s.takes_m2 @= s.completes & s.preparing_reg
            s.reduced @= s.completes & ~s.preparing_reg

        @update_ff
        def seq_state():
            if s.reset:
                s.state_reg <<= IDLE
            elif s.prepare:
                s.state_reg <<= RESOLVE
            elif s.starts:
                s.state_reg <<= FETCH
                if s.loads:
                    s.state_reg <<= LOAD
            elif s.begins:
                s.state_reg <<= FETCH
            elif s.fetches:
                s.state_reg <<= DECODE
            elif s.decodes:
                s.state_reg <<= ITERATE
            elif s.ends_reg:
                s.state_reg <<= IDLE
                if s.reducing_reg | s.reduce:
                    s.state_reg <<= RESOLVE
            elif s.loads_digit:
                s.state_reg <<= SERIAL
            elif s.takes_sign | (s.forms_digit & (s.count_reg == 1)):
                s.state_reg <<= LOAD
            elif s.completes:
                s.state_reg <<= IDLE

        @update_ff
        def seq_count():
            s.fresh_reg <<= s.decodes
            # known a cycle before, for those who wait: a pass iterates twice or more
            s.ends_reg <<= s.iterates & (s.count_reg == 2) & ~s.reset & ~s.prepare
            s.answers_reg <<= (
                s.iterates & (s.count_reg == 2) & ~s.reducing_reg & ~s.reset & ~s.prepare
            )
            if s.decodes:
                s.count_reg <<= product
                if s.doubles_reg:
                    s.count_reg <<= longest
                if s.whole_reg:
                    s.count_reg <<= whole
                if s.reducing_reg:
                    s.count_reg <<= division
                    if s.adding_reg:
                        s.count_reg <<= addition
            elif s.loads_digit:
                s.count_reg <<= k
            elif s.starts:
                s.count_reg <<= LOAD_CYCLES
            elif s.takes_sign | (s.forms_digit & (s.count_reg == 1)):
                s.count_reg <<= 1
            else:
                s.count_reg <<= s.count_reg - 1
            if s.prepare:
                s.loads_reg <<= 0
            elif s.starts:
                s.loads_reg <<= s.loads
            # A reduction is none of these.
            if s.reset | s.prepare | s.answers_reg:
                s.doubles_reg <<= 0
                s.whole_reg <<= 0
            elif s.starts:
                s.doubles_reg <<= s.doubles
                s.whole_reg <<= s.whole

        @update_ff
        def seq_resolve():
            s.add_reg <<= s.ends_reg & ~s.reset & ~s.prepare
            s.carries_reg <<= s.add_reg & ~s.reset & ~s.prepare
            s.increment_reg <<= s.carries_reg & ~s.reset & ~s.prepare
            s.resolved_reg <<= (s.increment_reg | s.prepare) & ~s.reset

        @update_ff
        def seq_reduction():
            if s.reset:
                s.reducing_reg <<= 0
                s.preparing_reg <<= 0
            elif s.takes_m:
                s.reducing_reg <<= 1
                s.preparing_reg <<= s.prepare
            elif s.completes:
                s.reducing_reg <<= 0
                s.preparing_reg <<= 0
            if s.takes_m:
                s.adding_reg <<= 0
                s.left_reg <<= final_digits
                if s.prepare:
                    s.left_reg <<= first_digits
            elif s.takes_sign:
                s.adding_reg <<= 1
            elif s.loads_digit:
                s.left_reg <<= s.left_reg - 1

    def line_trace(s):
        return f"{int(s.state_reg)}:{int(s.count_reg)}"
