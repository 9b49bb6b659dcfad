"""DigitReader: selects a digit of an operand for a lane."""

from typing import Any

from pymtl3 import (
    Bits1,
    Component,
    InPort,
    OutPort,
    Wire,
    concat,
    connect,
    mk_bits,
    update,
    update_ff,
)

from rsaxcel.fl.multipliers.contract import DigitMultiplier
from rsaxcel.plan.kept_results import KEPT
from rsaxcel.plan.steps import FACTOR, MESSAGE, MINUS_ONE, ONE, REFERENCE
from rsaxcel.rtl.stores.lane_sources import LaneSources

#: Digits that are selected at once. A lane's last result is complete (`kept`) three cycles after
#: the next product was accepted, when digit 2 is selected. So digit 3 is the first one that can be
#: selected a cycle ahead.
AT_ONCE = 3


class DigitReader(Component):
    """Selects a source, and the digit of this source that the lane requests.

    A source is a register, the last result, a residue of the other lane, a constant, or the
    message, which is given digit by digit. The last digit of a residue is extended by its sign.

    Parameters
    ----------
    golden : fl.multipliers.contract.DigitMultiplier; contract of the lane: widths and numbers of
        digits
    sources : rtl.stores.lane_sources.LaneSources; sources of the lane
    message_digits : int; digits of the message; 0: there is none

    Ports
    -----
    source, tail : in, a bit per source; source (one-hot) of the operand's first digits, and of its
        second digits, if it has twice the digits of a residue
    second : in, 1 bit; ``select`` is the number of a second digit
    select : in, golden.digits bits; number (one-hot) of the digit; 0: none
    residues : in, residue_nbits bits each; contents of the registers
    last : in, residue_nbits bits; last result of the lane
    others : in, residue_nbits bits each; residues of the other lane
    message : in, digit_nbits bits; the lowest digit of the message that has not been taken
    digit : out, digit_nbits bits; the digit; 0 if none is selected
    takes : out, 1 bit; ``message`` is taken

    Combinational.
    """

    def construct(s, golden: DigitMultiplier, sources: LaneSources, message_digits):
        k, ndigits, final = golden.digit_nbits, golden.digits, golden.final_digits
        residue_nbits = golden.residue_nbits
        Residue, Digit = mk_bits(residue_nbits), mk_bits(k)
        Sources = mk_bits(sources.count)
        s.tail = InPort(Sources)
        wide = add_reader(s, golden, sources)
        nwide = len(wide)

        s.active = Wire(Sources)

        @update
        def comb_active():
            s.active @= s.source
            if s.second:
                s.active @= s.tail

        #: ``operand``: all bits of the residue from which a digit is taken. An AND-OR selects it
        #: among the sources that products of the program read digit by digit.
        s.is_read = [Wire(Bits1) for _ in wide]
        s.values = [Wire(Residue) for _ in wide]
        for i, (number, port) in enumerate(wide):
            s.is_read[i] //= s.active[number]
            connect(s.values[i], port)
        s.operand = Wire(Residue)

        @update
        def comb_operand():
            s.operand @= 0
            for i in range(nwide):
                if s.is_read[i]:
                    s.operand @= s.operand | s.values[i]

        s.digits = [Wire(Digit) for _ in range(ndigits)]
        connect_digits(s.digits, s.operand)
        add_constants(s, golden, message_digits)
        one, factor = sources.number(ONE), sources.number(FACTOR)
        minus_one, of_message = sources.number(MINUS_ONE), sources.number(MESSAGE)

        @update
        def comb_digit():
            s.digit @= 0
            for i in range(ndigits):
                if s.select[i]:
                    s.digit @= s.digit | s.digits[i]
            if (s.active[one] & s.select[0]) | (s.active[factor] & s.select[final]):
                s.digit @= 1
            if s.active[minus_one] & (s.select != 0):
                s.digit @= s.all_ones
            if s.takes:
                s.digit @= s.message

        @update
        def comb_takes():
            s.takes @= s.active[of_message] & ((s.select & s.first_digits) != 0)
            if s.second:
                s.takes @= s.active[of_message] & ((s.select & s.second_digits) != 0)


class HeldDigitReader(Component):
    """``DigitReader`` of a program with many products: the source comes from a register.

    Many products read many registers. So each residue's digit is selected first, then the residue:
    a bit of ``source`` drives the bits of a digit, instead of all bits of a residue. And all digits
    but the first ``AT_ONCE`` are selected a cycle ahead, and held in a register. Whether one of
    many digits is selected is known a cycle ahead, too, except for the lowest digit.

    Parameters
    ----------
    golden, sources, message_digits : see ``DigitReader``

    Ports
    -----
    Those of ``DigitReader`` except ``tail``: ``source`` is that of the digit that is selected. And:

    shifts : in, 1 bit; in the next cycle, the digit after the one that is selected is selected
    refers : out, 1 bit; ``message`` has to be a digit of the copy of the message

    ``select`` goes through the digits in their order, one in each cycle. A digit and its source are
    valid one cycle before the digit is selected, except the first ``AT_ONCE`` digits.
    """

    def construct(s, golden: DigitMultiplier, sources: LaneSources, message_digits):
        final, ndigits = golden.final_digits, golden.digits
        k = golden.digit_nbits
        Digit, Select = mk_bits(k), mk_bits(ndigits)
        s.shifts = InPort(1)
        s.refers = OutPort(1)
        wide = add_reader(s, golden, sources)
        nwide = len(wide)
        s.is_read = [Wire(Bits1) for _ in wide]
        s.residue_digits = [EarlyDigit(golden) for _ in wide]
        for i, (number, port) in enumerate(wide):
            s.is_read[i] //= s.source[number]
            s.residue_digits[i].residue //= port
            s.residue_digits[i].select //= s.select
        add_constants(s, golden, message_digits)
        one, factor = sources.number(ONE), sources.number(FACTOR)
        minus_one, of_message = sources.number(MINUS_ONE), sources.number(MESSAGE)
        of_reference = sources.number(REFERENCE)
        s.refers //= s.source[of_reference]

        #: Groups of digits above the lowest one. A register per group says whether one of its
        #: digits is selected (none, if the product was aborted). Group 0 has all digits, 1 those
        #: that are selected ahead, 2 and 3 those that the message has as first and as second
        #: digits.
        s.groups = [Wire(Select) for _ in range(4)]
        every, at_once = (1 << ndigits) - 1, min(AT_ONCE, ndigits)
        s.groups[0] //= every
        s.groups[1] //= every & ~((1 << at_once) - 1)
        s.groups[2] //= s.first_digits
        s.groups[3] //= s.second_digits
        s.in_group_reg = [Wire(Bits1) for _ in range(4)]

        @update_ff
        def seq_in_group():
            for i in range(4):
                s.in_group_reg[i] <<= s.shifts & (((s.select << 1) & s.groups[i]) != 0)

        # Sources are one-hot, so that an OR joins them.
        nodes = 2 * nwide - 1
        #: selected digit of each source, below the digit that is selected a cycle ahead; then the
        #: nodes of a tree of ORs
        s.read_digits = [Wire(mk_bits(2 * k)) for _ in range(nodes)]
        s.late_reg = Wire(Digit)
        s.constant_digit = Wire(Digit)
        s.taken = Wire(Bits1)  #: the number of the digit is within the message

        @update
        def comb_read_digits():
            for i in range(nwide):
                s.read_digits[i] @= 0
                if s.is_read[i]:
                    s.read_digits[i] @= concat(
                        s.residue_digits[i].next_late, s.residue_digits[i].first
                    )
            for i in range(nwide - 1):
                s.read_digits[nwide + i] @= s.read_digits[2 * i] | s.read_digits[2 * i + 1]

        @update_ff
        def seq_late():
            s.late_reg <<= s.read_digits[nodes - 1][k : 2 * k]

        s.residue_digit = Wire(Digit)

        @update
        def comb_residue_digit():
            s.residue_digit @= s.read_digits[nodes - 1][0:k]
            if s.in_group_reg[1]:
                s.residue_digit @= s.read_digits[nodes - 1][0:k] | s.late_reg

        @update
        def comb_constant_digit():
            s.constant_digit @= 0
            if s.source[minus_one] & (s.select[0] | s.in_group_reg[0]):
                s.constant_digit @= s.all_ones
            if (s.source[one] & s.select[0]) | (s.source[factor] & s.select[final]):
                s.constant_digit @= 1

        @update
        def comb_held_takes():
            s.taken @= (s.select[0] & s.first_digits[0]) | s.in_group_reg[2]
            if s.second:
                s.taken @= (s.select[0] & s.second_digits[0]) | s.in_group_reg[3]
            s.takes @= (s.source[of_message] | s.source[of_reference]) & s.taken

        @update
        def comb_held_digit():
            s.digit @= s.residue_digit | s.constant_digit
            if s.takes:
                s.digit @= s.residue_digit | s.constant_digit | s.message


class EarlyDigit(Component):
    """Selects a digit of one residue among the first ones, and the next digit among the others.

    The first digits may be those of a result that a lane completes while the next product begins.

    Parameters
    ----------
    golden : fl.multipliers.contract.DigitMultiplier; contract of the lane: widths and numbers of
        digits

    Ports
    -----
    residue : in, residue_nbits bits
    select : in, golden.digits bits; number (one-hot) of the digit; 0: none
    first : out, digit_nbits bits; the digit, if it is one of the first ``AT_ONCE``; otherwise 0
    next_late : out, digit_nbits bits; the digit after that one, if it is not one of the first
        ``AT_ONCE``; otherwise 0

    Combinational.
    """

    def construct(s, golden: DigitMultiplier):
        ndigits, Digit = golden.digits, mk_bits(golden.digit_nbits)
        at_once = min(AT_ONCE, ndigits)
        s.residue = InPort(golden.residue_nbits)
        s.select = InPort(ndigits)
        s.first = OutPort(Digit)
        s.next_late = OutPort(Digit)
        s.digits = [Wire(Digit) for _ in range(ndigits)]
        connect_digits(s.digits, s.residue)

        @update
        def comb_first():
            s.first @= 0
            for i in range(at_once):
                if s.select[i]:
                    s.first @= s.first | s.digits[i]

        @update
        def comb_next_late():
            s.next_late @= 0
            for i in range(at_once, ndigits):
                if s.select[i - 1]:
                    s.next_late @= s.next_late | s.digits[i]


def add_reader(s: Any, golden: DigitMultiplier, sources: LaneSources) -> list[tuple[int, Any]]:
    """Add the ports of both kinds of readers; return the sources that are read digit by digit."""
    residue_nbits = golden.residue_nbits
    Residue, Digit = mk_bits(residue_nbits), mk_bits(golden.digit_nbits)
    s.source = InPort(mk_bits(sources.count))
    s.second = InPort(1)
    s.select = InPort(golden.digits)
    s.residues = [InPort(Residue) for _ in range(sources.registers)]
    s.last = InPort(Residue)
    s.others = [InPort(Residue) for _ in sources.from_other_lane]
    s.message = InPort(Digit)
    s.digit = OutPort(Digit)
    s.takes = OutPort(1)
    others = zip(map(sources.number, sources.from_other_lane), s.others, strict=True)
    fetched = [(i, s.residues[i]) for i in sorted(sources.fetched)]
    return [*fetched, (sources.number(KEPT), s.last), *others]


def add_constants(s: Any, golden: DigitMultiplier, message_digits: int) -> None:
    """Add a digit of all ones, and masks of the first and the second digits of the message.

    The message may have fewer digits than two residues.
    """
    ndigits, Digit = golden.digits, mk_bits(golden.digit_nbits)
    s.all_ones = Wire(Digit)
    s.all_ones //= (1 << golden.digit_nbits) - 1
    s.first_digits = Wire(mk_bits(ndigits))
    s.second_digits = Wire(mk_bits(ndigits))
    s.first_digits //= (1 << min(message_digits, ndigits)) - 1
    s.second_digits //= (1 << max(message_digits - ndigits, 0)) - 1


def connect_digits(digits: list[Any], residue: Any) -> None:
    """Connect wires to the digits of a residue; its sign extends the last ones."""
    residue_nbits = residue._dsl.Type.nbits
    for i, digit in enumerate(digits):
        k = digit._dsl.Type.nbits
        low, high = i * k, min((i + 1) * k, residue_nbits)
        width = max(high - low, 0)
        if width:
            digit[0:width] //= residue[low:high]
        for bit in range(width, k):
            digit[bit] //= residue[residue_nbits - 1]
