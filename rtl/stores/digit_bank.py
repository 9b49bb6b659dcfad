"""DigitBank: a lane that keeps its last result, and registers for what is not that."""

from collections.abc import Callable, Iterator

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, connect, mk_bits, update, update_ff

from plan.kept_results import KEPT, Fetch, KeptResults
from plan.programs import Program
from plan.steps import FACTOR, MESSAGE, MINUS_ONE, ONE, Kind
from rtl.lib.adjust import connect_low
from rtl.lib.slots import Slots
from rtl.stores.digit_choice import OUTSIDE, DigitChoice


class DigitBank(Component):
    """The residues of a lane.

    One of the lane's operands is its last result, or is loaded as a whole; digits of the other one
    come from a register, from the last result while that is not in its register yet, or from
    outside. Residues whose lives do not overlap share a register (``plan.kept_results``).

    Parameters
    ----------
    nbits : int
        Width of the lane's moduli in bits.
    program : plan.programs.Program
        Residues and steps.
    lane : int
        Which of its lanes.
    multiplier : catalog.units.Unit
        The lane (``rtl.lib.digit_lane``).
    widths : tuple of int
        Widths of ``given`` in bits.
    message_nbits : int
        Width of the message that comes digit by digit; 0: there is none.

    Ports
    -----
    modulus : in, nbits bits; of the current turn; new with the cycle before ``prepare``
    idle : in, 1 bit; there is no request
    load : in, 1 bit; with ``idle``: residues are given
    blank : in, 1 bit; those that are only given become zeros
    clears : in, 1 bit; so does everything else: with ``prepare``, for a modulus of zeros
    given : in, one each; values of ``arrivals(program, lane)``
    prepare : in, 1 bit; the lane prepares for a new modulus
    half : in, 1 bit; which half's turn it is; read where both are the lane's
    offer, chosen, accept, answer, index : as those of a lane of ``rtl.stores.ports``
    message : in, digit_nbits bits; the lowest digit of the message that has not been taken
    takes : out, 1 bit; it is taken
    outside : in, residue_nbits bits each; residues of ``foreign(program, lane)``
    shown : out, residue_nbits bits each; residues of ``foreign(program, 1 - lane)``
    gives, digit : out, 1 and digit_nbits bits; a digit of the result of both halves
    base : out, nbits bits; the residue b, where it is given
    result : out, nbits bits; the reduced result
    """

    def construct(s, nbits, program: Program, lane, multiplier, widths, message_nbits=0):
        slots, kept = Slots(program), KeptResults(program, lane)
        per_lane, count = slots.per_lane, kept.count
        products = [p for j in range(per_lane) if (p := slots.product(lane, j))]
        kinds = {p.kind for p in products}
        golden = multiplier.build("fl", nbits)
        k = golden.digit_nbits
        message_digits = -(-message_nbits // k)
        doubles = Kind.DOUBLE in kinds
        wholes = message_digits if Kind.WHOLE in kinds else 0
        extra = {"doubles": doubles, "whole_digits": wholes} if program.split else {}
        names = foreign(program, lane)
        others = (*OUTSIDE, *names)
        place = {name: count + i for i, name in enumerate(others)}
        last = place[KEPT]
        Residue = mk_bits(golden.residue_nbits)
        Registers = mk_bits(count)
        Sources = mk_bits(count + len(others))
        last_result = 1 << last

        s.modulus = InPort(nbits)
        s.idle = InPort(1)
        s.load = InPort(1)
        s.blank = InPort(1)
        s.clears = InPort(1)
        s.prepare = InPort(1)
        s.half = InPort(1)
        s.offer = InPort(1)
        s.chosen = InPort(per_lane)
        s.accept = OutPort(1)
        s.answer = OutPort(1)
        s.index = InPort(program.scan.index_nbits)
        s.message = InPort(k)
        s.takes = OutPort(1)
        s.gives = OutPort(1)
        s.digit = OutPort(k)
        s.result = OutPort(nbits)
        s.base = OutPort(nbits)
        s.outside = [InPort(Residue) for _ in names]
        s.shown = [OutPort(Residue) for _ in foreign(program, 1 - lane)]

        s.lane = multiplier.build("rtl", nbits, **extra)
        s.lane.m //= s.modulus
        s.lane.prepare //= s.prepare
        s.lane.offered //= s.offer
        s.accept //= s.lane.accepts
        s.result //= s.lane.b[0:nbits]

        s.choice = DigitChoice(program, lane, names)
        s.choice.half //= s.half
        s.choice.chosen //= s.chosen
        s.choice.index //= s.index
        s.lane.loads //= s.choice.loads

        # The product under way, and the result that has not come yet.
        s.source_reg = Wire(Sources)
        s.tail_reg = Wire(Sources)
        s.load_reg = Wire(Registers)
        s.write_reg = Wire(Registers)
        s.result_reg = Wire(Registers)
        s.outstanding_reg = Wire(Bits1)
        s.reduced_reg = Wire(Bits1)
        s.lane.reduce //= s.reduced_reg
        s.forwards = Wire(Bits1)

        @update
        def comb_forwards():
            s.forwards @= (
                s.outstanding_reg
                & ~s.choice.loads
                & ((s.choice.source[0:count] & s.result_reg) != 0)
            )

        @update
        def comb_answer():
            s.answer @= (s.lane.answers & ~s.reduced_reg) | s.lane.reduced

        @update_ff
        def seq_product():
            if s.offer & s.accept:
                s.source_reg <<= s.choice.source
                if s.forwards:
                    s.source_reg <<= last_result
                s.tail_reg <<= s.choice.tail
                s.load_reg <<= s.choice.loaded
                s.write_reg <<= s.choice.written
                s.reduced_reg <<= s.choice.reduced
            if s.prepare:  # what it held at power-up, or before a reset, must not take the message
                s.source_reg <<= 0
                s.tail_reg <<= 0
            if s.lane.answers:
                s.result_reg <<= s.write_reg
            if s.clears:
                s.load_reg <<= 0
                s.write_reg <<= 0
                s.result_reg <<= 0
                s.reduced_reg <<= 0

        @update_ff
        def seq_outstanding():
            if s.reset | s.load | s.lane.kept:
                s.outstanding_reg <<= 0
            elif s.lane.answers:
                s.outstanding_reg <<= 1

        # Registers hold what is given, or results.
        s.residue_reg = [Wire(Residue) for _ in range(count)]
        s.first = [Wire(Residue) for _ in range(count)]
        s.holds_first = [Wire(Bits1) for _ in range(count)]
        ones = {kept.register(x, half) for x in program.ones for half in kept.halves}
        s.given = [InPort(width) for width in widths]
        given = {
            kept.register(name, half): port
            for (_, name, half), port in zip(arrivals(program, lane), s.given, strict=True)
        }
        for i in range(count):
            s.holds_first[i] //= int(i in given or i in ones)
            if i in given:
                connect_low(s.first[i], given[i])
            else:
                s.first[i] //= int(i in ones)

        base = kept.register("b", 0) if "b" in program.receives and not program.split else None
        connect(s.base, 0 if base is None else s.residue_reg[base][0:nbits])

        # Zeros come from the lane, or take the place of what is given.
        s.is_formed = [Wire(Bits1) for _ in range(count)]
        results = {name for product in products for name in kept.may_be(product.dst)}
        formed = {kept.register(name, half) for name in results for half in kept.halves}
        for i in range(count):
            s.is_formed[i] //= int(i in formed)

        @update_ff
        def seq_registers():
            for i in range(count):
                if s.blank & ~s.is_formed[i]:
                    s.residue_reg[i] <<= 0
                elif s.idle & s.holds_first[i]:  # chosen by that register alone
                    if s.load:
                        s.residue_reg[i] <<= s.first[i]
                elif s.lane.kept & s.is_formed[i]:
                    if s.clears | (s.outstanding_reg & s.result_reg[i]):
                        s.residue_reg[i] <<= s.lane.b

        # What is read: digits from one source, an operand that is loaded from another.
        s.active = Wire(Sources)
        s.operand = Wire(Residue)
        s.b_first = Wire(Residue)
        s.lane.b_first //= s.b_first
        are_fetched = set(registers_read(kept, lambda fetch: (fetch.digits, fetch.tail)))
        are_loaded = set(registers_read(kept, lambda fetch: (fetch.loads,)))
        wide = [*range(count), last, *(place[name] for name in names)]
        values = [s.residue_reg[i] if i in are_fetched else 0 for i in range(count)]
        nwide = len(wide)
        s.fetched = [Wire(Residue) for _ in wide]
        s.is_fetched = [Wire(Bits1) for _ in wide]
        for i, value in enumerate((*values, s.lane.b, *s.outside)):
            connect(s.fetched[i], value)
            s.is_fetched[i] //= s.active[wide[i]]
        s.loadable = [Wire(Residue) for _ in range(count)]
        for i in range(count):
            connect(s.loadable[i], s.residue_reg[i] if i in are_loaded else 0)
        for port, name in zip(s.shown, foreign(program, 1 - lane), strict=True):
            port //= s.residue_reg[kept.registers[name, lane]]

        @update
        def comb_operand():
            s.operand @= 0
            for i in range(nwide):
                if s.is_fetched[i]:
                    s.operand @= s.operand | s.fetched[i]

        @update
        def comb_first():
            s.b_first @= 0
            for i in range(count):
                if s.load_reg[i]:
                    s.b_first @= s.b_first | s.loadable[i]

        if doubles:
            s.lane.doubles //= s.choice.doubles
            s.lane.follows //= s.choice.follows

            @update
            def comb_active():
                s.active @= s.source_reg
                if s.lane.second:
                    s.active @= s.tail_reg

        else:
            s.active //= s.source_reg
        if wholes:
            s.lane.whole //= s.choice.whole
            s.gives //= s.lane.gives
            s.digit //= s.lane.digit
        else:
            s.gives //= 0
            s.digit //= 0

        # The digit that is selected; the last one is extended by its sign.
        ndigits, final = golden.digits, golden.final_digits
        Digit, Select = mk_bits(k), mk_bits(ndigits)
        s.digits = [Wire(Digit) for _ in range(ndigits)]
        sign = s.operand[golden.residue_nbits - 1]
        for i in range(ndigits):
            low = i * k
            high = min(low + k, golden.residue_nbits)
            if high > low:
                s.digits[i][0 : high - low] //= s.operand[low:high]
            for bit in range(max(high - low, 0), k):
                s.digits[i][bit] //= sign
        one, factor, minus_one = place[ONE], place[FACTOR], place[MINUS_ONE]
        s.minus_one = Wire(Digit)
        s.minus_one //= (1 << k) - 1

        @update
        def comb_digit():
            s.lane.a_digit @= 0
            for i in range(ndigits):
                if s.lane.select[i]:
                    s.lane.a_digit @= s.lane.a_digit | s.digits[i]
            if (s.active[one] & s.lane.select[0]) | (s.active[factor] & s.lane.select[final]):
                s.lane.a_digit @= 1
            if s.active[minus_one] & (s.lane.select != 0):
                s.lane.a_digit @= s.minus_one
            if s.takes:
                s.lane.a_digit @= s.message

        # Digits of the message: no more of them than there are.
        source = place[MESSAGE]
        if message_nbits and doubles:
            s.first_digits = Wire(Select)
            s.second_digits = Wire(Select)
            s.first_digits //= (1 << min(message_digits, ndigits)) - 1
            s.second_digits //= (1 << max(message_digits - ndigits, 0)) - 1

            @update
            def comb_takes():
                s.takes @= s.active[source] & ((s.lane.select & s.first_digits) != 0)
                if s.lane.second:
                    s.takes @= s.active[source] & ((s.lane.select & s.second_digits) != 0)

        else:
            s.takes //= 0

    def line_trace(s):
        return s.lane.line_trace()


def arrivals(program: Program, lane: int) -> list[tuple[str, str, int]]:
    """Values of the request that a lane keeps: field, residue and half."""
    halves = KeptResults(program, lane).halves
    return [each for each in program.arrivals if each[2] in halves]


def foreign(program: Program, lane: int) -> tuple[str, ...]:
    """Residues that the halves of a lane read and the other lane has."""
    if program.lanes == 1 or lane not in range(program.lanes):
        return ()
    read = {name for step in program.steps for p in step if p.is_of(lane) for name in p.operands}
    return tuple(sorted(x for x in read if program.owners.get(x, lane) != lane))


def registers_read(
    kept: KeptResults, names_of: Callable[[Fetch], tuple[str, ...]]
) -> Iterator[int]:
    """Give the registers that products read in the roles that ``names_of`` picks."""
    for fetch in kept.fetches.values():
        for name in names_of(fetch):
            for half in kept.halves:
                for each in kept.may_be(name):
                    register = kept.register(each, half)
                    if register is not None:
                        yield register
