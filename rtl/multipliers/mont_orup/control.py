"""LaneControl: which cycle of a product, or of a final reduction, a lane is in."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff

from rsaxcel.fl.multipliers.mont_orup import MontOrup
from rsaxcel.plan.kept_results import LOAD_CYCLES
from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.multipliers.mont_orup.passes import PassControl
from rsaxcel.rtl.multipliers.mont_orup.reduction import ReductionControl

# Outputs of LaneControl, 1 bit each.
OUTPUTS = (
    "accepts",
    "answers",
    "begins",
    "fetches",
    "decodes",
    "iterates",
    "accumulates",
    "keeps_low",
    "quotient",
    "takes_b",
    "takes_m_as_b",
    "doubling",
    "gives",
    "gives_order",
    "takes_less",
    "adds",
    "finds_carries",
    "increments",
    "kept",
    "reducing",
    "reduced",
    "injects",
    "loads_digit",
    "forms_digit",
    "takes_sign",
    "takes_m",
    "takes_m2",
)


class LaneControl(Component):
    """Controls a lane by two state machines, for passes and for reductions, with one counter.

    A pass is a series of iterations. Each iteration adds rows to the running sum: multiples of
    operand B and of M2, a number that depends on the modulus (``MontOrup``). A product is one pass
    (``PassControl``). A reduction is a series of passes (``ReductionControl``), with a digit formed
    before each pass. One counter suffices for both machines, because no digit is formed while a
    pass runs.

    Parameters
    ----------
    golden : fl.multipliers.mont_orup.MontOrup; golden model of the lane: widths, numbers of digits
        and of registers
    doubles : bool; there are products whose operand a has twice the digits of a residue
    whole_digits : int; number of digits of a product that is formed without a reduction; 0: there
        is no such product
    order_digits : int; number of digits of such a product whose operand B is m - 1; 0: there is
        none

    Ports
    -----
    prepare : in, 1 bit; the modulus is new in this cycle; a product or a reduction is aborted
    offered : in, 1 bit; a product is offered
    loads : in, 1 bit; with ``offered``: operand B of the product is loaded
    doubles : in, 1 bit; with ``offered``: operand a of the product has twice the digits
    whole : in, 1 bit; with ``offered`` and ``loads``: the product is formed without a reduction,
        and its operand B is m
    less : in, 1 bit; with ``whole``: operand B is m - 1 (``plan.steps.ORDER``), as for a blinded
        exponent
    reduce : in, 1 bit; with ``answers``: the result of the product is reduced
    accepts : out, 1 bit; a product that is offered is accepted
    answers : out, 1 bit; last iteration of a product; the next one may be accepted one cycle later

    Ports about a pass, 1 bit each:

    begins : out; the first digit of operand a is fetched in the next cycle
    fetches : out; the first digit of operand a is fetched in this cycle
    decodes : out; the first digit of operand a is recoded
    iterates : out; rows are added, and further digits of operand a are fetched
    accumulates : out; the running sum takes the rows of an iteration
    keeps_low : out; the low digit of the running sum belongs to the result
    quotient : out; the low digit of the running sum is the next digit of the quotient
    takes_b, takes_m_as_b : out; B is loaded from ``b_first``; B becomes m
    doubling : out; operand a of the product has twice the digits
    gives, gives_order : out; the low digit of the running sum is a digit of a product without a
        reduction whose operand B is m, or m - 1
    takes_less : out; with ``takes_m_as_b``: B becomes m - 1
    adds, finds_carries, increments : out; the three cycles in which carries are resolved
    kept : out; from this cycle on, the register B holds the complete product, or reduced result

    Ports about a reduction, 1 bit each:

    reducing : out; a reduction runs
    injects : out; the running sum becomes the digit of the reduction
    loads_digit, forms_digit, takes_sign, takes_m, takes_m2, reduced : out; see
        ``ReductionControl``
    """

    def construct(s, golden: MontOrup, doubles=False, whole_digits=0, order_digits=0):
        delay, k = golden.quotient_delay, golden.digit_nbits
        late = int(golden.row_registers > 0)
        early = int(delay > late + 1)  # the quotient's digit is registered before it is decoded
        timely = 1 - early
        product = golden.iterations + late
        division = delay + 2 + late
        addition = delay + 1 + late
        longest = product + golden.digits * int(doubles)
        whole = whole_digits + 1 + late
        order = order_digits + 1 + late
        Count = mk_bits(max(longest, whole, order, k, LOAD_CYCLES).bit_length())

        for name in ("prepare", "offered", "loads", "reduce", "doubles", "whole", "less"):
            setattr(s, name, InPort(1))
        for name in OUTPUTS:
            setattr(s, name, OutPort(1))

        # Cycles left, the current one included, in the state LOAD or ITERATE of ``PassControl``, or
        # until a digit of a reduction is formed.
        s.count_reg = Wire(Count)
        s.starts = Wire(Bits1)
        s.last = Wire(Bits1)
        s.passes = PassControl(golden)
        s.passes.prepare //= s.prepare
        s.passes.start //= s.starts
        s.passes.waits //= s.loads
        s.passes.last //= s.last
        connect_named(s, s.passes, "begins", "fetches", "decodes", "iterates", "accumulates")
        connect_named(s, s.passes, "adds", "finds_carries", "increments")
        s.reduction = ReductionControl(golden)
        s.reduction.prepare //= s.prepare
        s.reduction.resolved //= s.passes.resolved
        s.reduction.last //= s.last
        s.passes.divides //= s.reduction.divides
        connect_named(
            s, s.reduction, "reducing", "reduced", "loads_digit", "forms_digit", "takes_sign"
        )
        connect_named(s, s.reduction, "takes_m", "takes_m2")

        # Kind of the current product. During a reduction, these registers are 0, except
        # ``loads_reg``.
        s.loads_reg = Wire(Bits1)
        s.doubles_reg = Wire(Bits1)
        s.whole_reg = Wire(Bits1)
        s.less_reg = Wire(Bits1)
        s.takes_less //= s.less_reg
        s.answers_reg = Wire(Bits1)
        s.answers //= s.answers_reg
        s.doubling //= s.doubles_reg

        @update
        def comb_accepts():
            s.accepts @= s.passes.idle & ~s.reducing
            s.starts @= s.accepts & s.offered

        @update
        def comb_reduce():
            s.reduction.reduce @= s.answers_reg & s.reduce

        @update
        def comb_counter():
            s.last @= s.count_reg == 1
            s.passes.next_last @= s.count_reg == 2

        @update
        def comb_product():
            s.keeps_low @= s.iterates & ((s.count_reg <= delay) | s.whole_reg)
            s.takes_b @= s.decodes & s.loads_reg & ~s.reducing & ~s.whole_reg & ~s.prepare
            s.takes_m_as_b @= s.decodes & s.whole_reg & ~s.prepare
            s.gives @= s.iterates & s.whole_reg & ~s.less_reg & (s.count_reg <= whole_digits)
            s.gives_order @= s.iterates & s.less_reg & (s.count_reg <= order_digits)
            s.kept @= s.passes.resolved & (~s.reducing | s.reduction.completes)

        @update
        def comb_quotient():
            s.quotient @= s.accumulates & ~s.keeps_low
            s.injects @= s.reducing & ((s.fetches & timely) | (s.passes.loads & early))
            if s.reducing:
                s.quotient @= (s.decodes & timely) | (s.fetches & early)

        @update_ff
        def seq_count():
            if s.decodes:
                s.count_reg <<= product
                if s.doubles_reg:
                    s.count_reg <<= longest
                if s.whole_reg:
                    s.count_reg <<= whole
                if s.less_reg:
                    s.count_reg <<= order
                if s.reducing:
                    s.count_reg <<= division
                    if s.reduction.adding:
                        s.count_reg <<= addition
            elif s.loads_digit:
                s.count_reg <<= k
            elif s.starts:
                s.count_reg <<= LOAD_CYCLES
            elif s.reduction.divides:
                s.count_reg <<= 1
            else:
                s.count_reg <<= s.count_reg - 1

        @update_ff
        def seq_product():
            # ``answers`` is a register, set one cycle ahead, because long paths through the store
            # and the sequencer begin at it.
            s.answers_reg <<= s.passes.ending & ~s.reducing
            if s.prepare:
                s.loads_reg <<= 0
            elif s.starts:
                s.loads_reg <<= s.loads
            if s.reset | s.prepare | s.answers_reg:
                s.doubles_reg <<= 0
                s.whole_reg <<= 0
                s.less_reg <<= 0
            elif s.starts:
                s.doubles_reg <<= s.doubles
                s.whole_reg <<= s.whole
                s.less_reg <<= s.less

    def line_trace(s):
        return f"{int(s.passes.state_reg)}:{int(s.count_reg)}"
