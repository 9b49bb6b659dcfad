"""Control of a lane: a state machine for passes, one for reductions, and their counter."""

from pymtl3 import Bits1, Bits3, Component, InPort, OutPort, Wire, mk_bits, update, update_ff

from rsaxcel.fl.multipliers import MontOrup
from rsaxcel.plan.kept_results import LOAD_CYCLES
from rsaxcel.rtl.lib.adjust import connect_named

IDLE, LOAD, FETCH, DECODE, ITERATE = range(5)  #: states of a ``PassControl``


class ReductionControl(Component):
    """Divides B by ``2**k`` modulo m several times, and then adds m if B is negative.

    B is the register of the last result. ``fl.multipliers.MontOrup`` defines k (bits of a digit),
    d (delay of the quotient digits, 1 or 2 iterations) and M2.

    After a product (``reduce``), the machine reduces B to a value below m; this takes d + 2 digits,
    one after the other. For a new modulus (``prepare``), B is 1 at first, and becomes M2 after
    d + 1 digits and the last pass.

    For each digit, the machine forms an x from the low digit of B, so that ``B + x * m`` is
    divisible by 2**k. Then a pass of n = d + 2 iterations (one more with row registers) adds
    ``x * m`` and divides by 2**k::

        cycle            pass     what happens
        ---------------  -------  ------------------------------------------------------
        0                IDLE     ``loads_digit``: the low digit of B is taken
        1 ... k          IDLE     ``forms_digit``: a bit of x in each cycle; ``divides`` in k
        k + 1            LOAD
        k + 2            FETCH    x enters the rows as a digit of the quotient
        k + 3            DECODE
        k+4 ... k+n+2    ITERATE  ``x * m`` is added to B, and the sum divided by 2**k
        k + n + 3        IDLE     the last iteration
        then 2 cycles    IDLE     carries of B are resolved
        k + n + 6        IDLE     cycle 0 of the next digit

    After the digits, the last pass adds m if B is negative::

        cycle            pass     what happens
        ---------------  -------  ------------------------------------------------------
        0                IDLE     ``takes_sign``: the sign of B is taken; ``divides``
        1                LOAD
        2, 3             FETCH, DECODE
        4 ... n + 1      ITERATE  m, or nothing, is added to B, without a division
        n + 2            IDLE     the last iteration
        then 2 cycles    IDLE     carries of B are resolved
        n + 5            IDLE     ``completes``

    If the multiples of M2 need 3 M2, they need 3 m in a reduction. Either is formed digit by digit
    in the cycles after ``triples``: 3 m before the first digit is formed, 3 M2 after the last pass
    for a new modulus, before ``completes``.

    Parameters
    ----------
    golden : fl.multipliers.MontOrup; golden model of the lane: widths, numbers of digits
        and of registers

    Ports
    -----
    prepare : in, 1 bit; the modulus is new in this cycle, and M2 is formed
    reduce : in, 1 bit; a product answers in this cycle, and its result has to be reduced
    resolved : in, 1 bit; B is complete (``PassControl``), or 3 m or 3 M2 is
    last : in, 1 bit; last cycle of forming a digit, by the counter
    reducing : out, 1 bit; the machine runs
    adding : out, 1 bit; the pass adds m or nothing
    loads_digit : out, 1 bit; the low digit of B is taken, to form a digit of the reduction from it
    takes_m : out, 1 bit; m is loaded into the M2 register, which the last product no longer needs
    forms_digit : out, 1 bit; a bit of the digit is formed
    takes_sign : out, 1 bit; the digit is the sign of B
    divides : out, 1 bit; a pass starts
    completes : out, 1 bit; B is the reduced result
    takes_m2 : out, 1 bit; B, which has become M2, is loaded into the M2 register
    triples : out, 1 bit; the M2 register takes a number whose triple is formed
    reduced : out, 1 bit; ``completes`` after a product: B is not M2
    """

    def construct(s, golden: MontOrup):
        final_digits, first_digits = golden.final_digits, golden.final_digits - 1
        for name in ("prepare", "reduce", "resolved", "last"):
            setattr(s, name, InPort(1))
        for name in (
            "reducing",
            "adding",
            "loads_digit",
            "forms_digit",
            "takes_sign",
            "divides",
            "completes",
            "takes_m",
            "takes_m2",
            "triples",
            "reduced",
        ):
            setattr(s, name, OutPort(1))

        s.reducing_reg = Wire(Bits1)
        s.preparing_reg = Wire(Bits1)  #: B is replaced by M2
        s.adding_reg = Wire(Bits1)
        s.forms_reg = Wire(Bits1)
        #: digits of the reduction that remain
        s.left_reg = Wire(mk_bits(golden.final_digits.bit_length()))
        s.reducing //= s.reducing_reg
        s.adding //= s.adding_reg
        s.forms_digit //= s.forms_reg

        s.digit_follows = Wire(Bits1)
        s.starts = Wire(Bits1)
        s.goes_on = Wire(Bits1)
        s.add_triples(golden)

        @update
        def comb_digits():
            s.digit_follows @= s.reducing_reg & s.goes_on & ~s.adding_reg
            s.loads_digit @= s.digit_follows & (s.left_reg != 0)
            s.takes_sign @= s.digit_follows & (s.left_reg == 0)
            s.divides @= s.takes_sign | (s.forms_reg & s.last)

        @update
        def comb_completes():
            s.completes @= s.reducing_reg & s.goes_on & s.adding_reg
            s.reduced @= s.completes & ~s.preparing_reg
            s.starts @= s.prepare | s.reduce

        @update_ff
        def seq_machine():
            s.forms_reg <<= (s.loads_digit | (s.forms_reg & ~s.last)) & ~s.reset & ~s.prepare
            if s.reset:
                s.reducing_reg <<= 0
                s.preparing_reg <<= 0
            elif s.starts:
                s.reducing_reg <<= 1
                s.preparing_reg <<= s.prepare
            elif s.completes:
                s.reducing_reg <<= 0
                s.preparing_reg <<= 0

        @update_ff
        def seq_digits():
            if s.starts:
                s.adding_reg <<= 0
                s.left_reg <<= final_digits
                if s.prepare:
                    s.left_reg <<= first_digits
            elif s.takes_sign:
                s.adding_reg <<= 1
            elif s.loads_digit:
                s.left_reg <<= s.left_reg - 1

    def add_triples(s, golden: MontOrup) -> None:
        """Add the cycles in which 3 m and 3 M2 are formed, if they are needed."""
        if not golden.triple_digits:
            s.goes_on //= s.resolved
            s.triples //= 0

            @update
            def comb_takes():
                s.takes_m @= s.loads_digit
                s.takes_m2 @= s.completes & s.preparing_reg

            return
        s.untripled_reg = Wire(Bits1)  #: a triple is formed before the reduction goes on

        @update
        def comb_triples():
            s.goes_on @= s.resolved & ~s.untripled_reg
            s.triples @= s.reducing_reg & s.resolved & s.untripled_reg
            s.takes_m @= s.triples & ~s.adding_reg
            s.takes_m2 @= s.triples & s.adding_reg

        @update_ff
        def seq_triples():
            if s.starts:
                s.untripled_reg <<= 1
            elif s.triples:
                s.untripled_reg <<= 0
            elif s.takes_sign:
                s.untripled_reg <<= s.preparing_reg


class PassControl(Component):
    """State machine of a pass: n iterations add rows, then the carries of the sum are resolved.

    The rows are multiples of B and M2 (``ProductRows``). The carries are resolved in segments of
    bits (``CarryResolve``). The table shows a pass of n iterations,
    and a next pass that starts as early as it can::

        cycle        state    this pass                            the next pass
        -----------  -------  -----------------------------------  -----------------------------
        0            IDLE     ``start``
        1            FETCH    ``a_0`` (of operand a) is fetched
        2            DECODE   this digit is decoded
        3 ... n + 1  ITERATE  rows are added; ``ends`` in n + 1
        n + 2        IDLE     ``drains``: the last rows are added  ``start``
        n + 3        FETCH    ``adds``: segments are added         the first digit is fetched
        n + 4        DECODE   ``increments`` segments              this digit is decoded
        n + 5        ITERATE  ``resolved``: the result is there    rows are added

    After ``start`` with ``waits``, and after ``divides``, the state ``LOAD`` comes before
    ``FETCH``, for the number of cycles to which the counter of ``LaneControl`` is set.

    Parameters
    ----------
    golden : fl.multipliers.MontOrup; golden model of the lane: widths, numbers of digits
        and of registers

    Ports
    -----
    prepare : in, 1 bit; the pass is aborted
    start : in, 1 bit; a pass starts; only while ``idle``
    waits : in, 1 bit; with ``start``: operand B is loaded first
    divides : in, 1 bit; a pass of a reduction starts, and passes through the state ``LOAD``
    last : in, 1 bit; this cycle is the last one in ``LOAD`` or ``ITERATE`` (the counter of
        ``LaneControl`` is 1)
    next_last : in, 1 bit; the next cycle is the last one in ``LOAD`` or ``ITERATE``
    idle, loads : out, 1 bit each; state ``IDLE``; state ``LOAD``
    begins : out, 1 bit; ``FETCH`` follows
    fetches, decodes, iterates : out, 1 bit each; states ``FETCH``, ``DECODE`` and ``ITERATE``
    accumulates : out, 1 bit; the running sum takes the rows of an iteration
    ending : out, 1 bit; the next cycle is the last one of ``ITERATE``, unless a reset comes
    drains : out, 1 bit; last iteration
    adds, increments : out, 1 bit each; the two cycles of resolving carries
    resolved : out, 1 bit; 1 for one cycle: the result is complete from this cycle on. Also 1 in the
        cycle after ``prepare``, so that the first digit of the reduction is formed
    """

    def construct(s, golden: MontOrup):
        late = int(golden.row_registers > 0)
        for name in ("prepare", "start", "waits", "divides", "last", "next_last"):
            setattr(s, name, InPort(1))
        for name in (
            "idle",
            "loads",
            "begins",
            "fetches",
            "decodes",
            "iterates",
            "accumulates",
            "ending",
            "drains",
            "adds",
            "increments",
            "resolved",
        ):
            setattr(s, name, OutPort(1))

        s.state_reg = Wire(Bits3)
        s.fresh_reg = Wire(Bits1)  #: first cycle of ITERATE
        s.ends = Wire(Bits1)  #: last cycle of ITERATE
        s.drain_reg = Wire(Bits1)
        s.add_reg = Wire(Bits1)
        s.increment_reg = Wire(Bits1)
        s.resolved_reg = Wire(Bits1)
        s.drains //= s.drain_reg
        s.resolved //= s.resolved_reg

        @update
        def comb_states():
            s.idle @= s.state_reg == IDLE
            s.loads @= s.state_reg == LOAD
            s.fetches @= s.state_reg == FETCH
            s.decodes @= s.state_reg == DECODE
            s.iterates @= s.state_reg == ITERATE

        @update
        def comb_begins():
            s.begins @= (s.start & ~s.waits) | (s.loads & s.last)

        @update
        def comb_iterations():
            s.accumulates @= (s.iterates & ~(s.fresh_reg & late)) | s.drain_reg
            s.ends @= s.iterates & s.last
            s.ending @= s.iterates & s.next_last & ~s.reset & ~s.prepare

        @update
        def comb_resolve():
            s.adds @= s.add_reg
            s.increments @= s.increment_reg

        @update_ff
        def seq_state():
            if s.reset | s.prepare:
                s.state_reg <<= IDLE
            elif s.start:
                s.state_reg <<= FETCH
                if s.waits:
                    s.state_reg <<= LOAD
            elif s.begins:
                s.state_reg <<= FETCH
            elif s.fetches:
                s.state_reg <<= DECODE
            elif s.decodes:
                s.state_reg <<= ITERATE
            elif s.ends:
                s.state_reg <<= IDLE
            elif s.divides:
                s.state_reg <<= LOAD

        @update_ff
        def seq_pass():
            s.fresh_reg <<= s.decodes
            s.drain_reg <<= s.ends & ~s.reset & ~s.prepare
            s.add_reg <<= s.drain_reg & ~s.reset & ~s.prepare
            s.increment_reg <<= s.add_reg & ~s.reset & ~s.prepare
            s.resolved_reg <<= (s.increment_reg | s.prepare) & ~s.reset


#: Ports of the control to a lane's circuits, 1 bit each.
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
    "takes_low",
    "adds",
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
    "triples",
    "tripling",
)


class LaneControl(Component):
    """Controls a lane by two state machines, for passes and for reductions, with one counter.

    A pass is a series of iterations. Each iteration adds rows to the running sum: multiples of
    operand B and of M2, a number that depends on the modulus (``MontOrup``). A product is one pass
    (``PassControl``). A reduction is a series of passes (``ReductionControl``), with a digit formed
    before each pass. One counter suffices for both machines, because no digit is formed while a
    pass runs. The counter also counts the digits of a triple.

    Parameters
    ----------
    golden : fl.multipliers.MontOrup; golden model of the lane: widths, numbers of digits
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
    answers : out, 1 bit; the last iteration but one of a product; the next product may be accepted
        one cycle later

    Ports about a pass, 1 bit each:

    begins : out; the first digit of operand a is fetched in the next cycle
    fetches : out; the first digit of operand a is fetched in this cycle
    decodes : out; the first digit of operand a is recoded
    iterates : out; rows are added, and further digits of operand a are fetched
    accumulates : out; the running sum takes the rows of an iteration
    keeps_low : out; the low digit of the running sum belongs to the result
    takes_low : out; B takes this digit; no iteration that follows adds B
    quotient : out; the low digit of the running sum is the next digit of the quotient
    takes_b, takes_m_as_b : out; B is loaded from ``b_first``; B becomes m
    doubling : out; operand a of the product has twice the digits
    gives, gives_order : out; the low digit of the running sum is a digit of a product without a
        reduction whose operand B is m, or m - 1
    takes_less : out; with ``takes_m_as_b``: B becomes m - 1
    adds, increments : out; the two cycles in which carries are resolved
    kept : out; from this cycle on, the register B holds the complete product, or reduced result

    Ports about a reduction, 1 bit each:

    reducing : out; a reduction runs
    injects : out; the running sum becomes the digit of the reduction
    loads_digit, forms_digit, takes_sign, takes_m, takes_m2, triples, reduced : out; see
        ``ReductionControl``
    tripling : out; a digit of the M2 register is tripled
    """

    def construct(s, golden: MontOrup, doubles=False, whole_digits=0, order_digits=0):
        delay, k = golden.quotient_delay, golden.digit_nbits
        late = int(golden.row_registers > 0)
        early = int(delay > late + 1)  # the quotient's digit is registered before it is decoded
        timely = 1 - early
        # Cycles of ITERATE: all but the last iteration; and all of a product without a reduction,
        # whose last one gives a digit.
        product = golden.iterations - 1 + late
        division = delay + 1 + late
        addition = delay + late
        longest = product + golden.digits * int(doubles)
        whole = whole_digits + 1 + late
        order = order_digits + 1 + late
        triple = golden.triple_digits
        Count = mk_bits(max(longest, whole, order, k, triple, LOAD_CYCLES).bit_length())

        for name in ("prepare", "offered", "loads", "reduce", "doubles", "whole", "less"):
            setattr(s, name, InPort(1))
        for name in OUTPUTS:
            setattr(s, name, OutPort(1))

        #: Cycles left, the current one included, in the state LOAD or ITERATE of ``PassControl``,
        #: or until a digit of a reduction is formed.
        s.count_reg = Wire(Count)
        s.starts = Wire(Bits1)
        s.last = Wire(Bits1)
        s.passes = PassControl(golden)
        s.passes.prepare //= s.prepare
        s.passes.start //= s.starts
        s.passes.waits //= s.loads
        s.passes.last //= s.last
        connect_named(s, s.passes, "begins", "fetches", "decodes", "iterates", "accumulates")
        connect_named(s, s.passes, "adds", "increments")
        s.reduction = ReductionControl(golden)
        s.reduction.prepare //= s.prepare
        s.resolved = Wire(Bits1)  #: B is complete, or a triple is
        s.reduction.resolved //= s.resolved
        s.reduction.last //= s.last
        s.passes.divides //= s.reduction.divides
        connect_named(
            s, s.reduction, "reducing", "reduced", "loads_digit", "forms_digit", "takes_sign"
        )
        connect_named(s, s.reduction, "takes_m", "takes_m2", "triples")
        if triple:
            s.tripling_reg = Wire(Bits1)
            s.tripled_reg = Wire(Bits1)
            s.tripling //= s.tripling_reg

            @update
            def comb_resolved():
                s.resolved @= s.passes.resolved | s.tripled_reg

            @update_ff
            def seq_tripling():
                s.tripling_reg <<= (s.triples | (s.tripling_reg & ~s.last)) & ~s.reset & ~s.prepare
                s.tripled_reg <<= s.tripling_reg & s.last & ~s.reset & ~s.prepare

        else:
            s.resolved //= s.passes.resolved
            s.tripling //= 0

        #: Kind of the current product. During a reduction, these registers are 0, except
        #: ``loads_reg``.
        s.loads_reg = Wire(Bits1)
        s.doubles_reg = Wire(Bits1)
        s.whole_reg = Wire(Bits1)
        s.less_reg = Wire(Bits1)
        s.ends_soon = Wire(Bits1)  #: an iteration whose low digit belongs to the result
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
            s.ends_soon @= (s.iterates & (s.count_reg < delay)) | s.passes.drains
            s.keeps_low @= s.ends_soon | (s.iterates & s.whole_reg)
            s.takes_low @= s.ends_soon
            s.takes_b @= s.decodes & s.loads_reg & ~s.reducing & ~s.whole_reg
            s.takes_m_as_b @= s.decodes & s.whole_reg
            s.gives @= s.iterates & s.whole_reg & ~s.less_reg & (s.count_reg <= whole_digits)
            s.gives_order @= s.iterates & s.less_reg & (s.count_reg <= order_digits)
            s.kept @= s.resolved & (~s.reducing | s.reduction.completes)

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
            elif s.triples:
                s.count_reg <<= triple
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
