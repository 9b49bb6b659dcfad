"""DigitReader: selects a digit of an operand for a lane."""

from typing import Any

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, connect, mk_bits, update, update_ff

from rsaxcel.fl.contract import DigitMultiplier
from rsaxcel.plan.kept_results import KEPT
from rsaxcel.plan.steps import FACTOR, MINUS_ONE, ONE
from rsaxcel.rtl.stores.lane_sources import LaneSources

#: Digits that are selected at once. A lane's last result is complete (`kept`) three cycles after
#: the next product was accepted, when digit 2 is selected. So digit 3 is the first one that can be
#: selected a cycle ahead.
AT_ONCE = 3


class DigitReader(Component):
    """Selects a source, and the digit of this source that the lane requests.

    A source is a register, the last result, a residue of the other lane, a constant, or the
    message, which is given digit by digit. The last digit of a residue is extended by its sign.

    The source is selected first, then its digit. All digits but the first ``AT_ONCE`` are selected
    a cycle ahead, and held in a register. Whether one of many digits is selected is known a cycle
    ahead, too, except for the lowest digit.

    Parameters
    ----------
    golden : fl.contract.DigitMultiplier; contract of the lane: widths and numbers of
        digits
    sources : rtl.stores.lane_sources.LaneSources; sources of the lane
    message_digits : int; digits of the message; 0: there is none. The message may have fewer digits
        than two residues

    Ports
    -----
    source : in, a bit per source; source (one-hot) of the digit that is selected
    second : in, 1 bit; ``select`` is the number of a second digit
    select : in, golden.digits bits; number (one-hot) of the digit; 0: none
    shifts : in, 1 bit; in the next cycle, the digit after the one that is selected is selected
    residues : in, residue_nbits bits each; contents of the registers
    last : in, residue_nbits bits; last result of the lane
    others : in, residue_nbits bits each; residues of the other lane
    message : in, digit_nbits bits; the lowest digit of the message that has not been taken
    digit : out, digit_nbits bits; the digit; 0 if none is selected
    takes : out, 1 bit; ``message`` is taken

    ``select`` goes through the digits in their order, one in each cycle. A digit and its source are
    valid one cycle before the digit is selected, except the first ``AT_ONCE`` digits.
    """

    def construct(s, golden: DigitMultiplier, sources: LaneSources, message_digits):
        final, ndigits = golden.final_digits, golden.digits
        k = golden.digit_nbits
        Digit, Select = mk_bits(k), mk_bits(ndigits)
        Residue = mk_bits(golden.residue_nbits)
        s.source = InPort(mk_bits(sources.count))
        s.second = InPort(1)
        s.select = InPort(Select)
        s.shifts = InPort(1)
        s.residues = [InPort(Residue) for _ in range(sources.registers)]
        s.last = InPort(Residue)
        s.others = [InPort(Residue) for _ in sources.from_other_lane]
        s.message = InPort(Digit)
        s.digit = OutPort(Digit)
        s.takes = OutPort(1)
        fetched = [(i, s.residues[i]) for i in sorted(sources.fetched)]
        others = zip(map(sources.number, sources.from_other_lane), s.others, strict=True)
        wide = [*fetched, (sources.number(KEPT), s.last), *others]
        s.is_read = [Wire(Bits1) for _ in wide]
        s.values = [Wire(Residue) for _ in wide]
        for i, (number, port) in enumerate(wide):
            s.is_read[i] //= s.source[number]
            connect(s.values[i], port)
        s.all_ones = Wire(Digit)
        s.all_ones //= (1 << k) - 1
        one, factor, minus_one = map(sources.number, (ONE, FACTOR, MINUS_ONE))
        s.messages = Wire(mk_bits(sources.count))
        s.messages //= sources.messages

        #: Groups of digits above the lowest one. A register per group says whether one of its
        #: digits is selected (none, if the product was aborted). Group 0 has all digits, 1 those
        #: that are selected ahead, 2 and 3 those that the message has as first and as second
        #: digits.
        s.groups = [Wire(Select) for _ in range(4)]
        every, at_once = (1 << ndigits) - 1, min(AT_ONCE, ndigits)
        s.groups[0] //= every
        s.groups[1] //= every & ~((1 << at_once) - 1)
        s.groups[2] //= (1 << min(message_digits, ndigits)) - 1
        s.groups[3] //= (1 << max(message_digits - ndigits, 0)) - 1
        s.in_group_reg = [Wire(Bits1) for _ in range(4)]

        @update_ff
        def seq_in_group():
            for i in range(4):
                s.in_group_reg[i] <<= s.shifts & (((s.select << 1) & s.groups[i]) != 0)

        s.operand = Wire(Residue)
        s.digits = [Wire(Digit) for _ in range(ndigits)]
        connect_digits(s.digits, s.operand)
        s.first_digit = Wire(Digit)
        s.late_digit = Wire(Digit)
        s.late_reg = Wire(Digit)
        s.constant_digit = Wire(Digit)
        s.taken = Wire(Bits1)  #: the number of the digit is within the message

        s.add_selection()

        @update
        def comb_read_digits():
            s.first_digit @= 0
            s.late_digit @= 0
            for i in range(at_once):
                if s.select[i]:
                    s.first_digit @= s.first_digit | s.digits[i]
            for i in range(at_once, ndigits):
                if s.select[i - 1]:
                    s.late_digit @= s.late_digit | s.digits[i]

        @update_ff
        def seq_late():
            s.late_reg <<= s.late_digit

        s.residue_digit = Wire(Digit)

        @update
        def comb_residue_digit():
            s.residue_digit @= s.first_digit
            if s.in_group_reg[1]:
                s.residue_digit @= s.first_digit | s.late_reg

        @update
        def comb_constant_digit():
            s.constant_digit @= 0
            if s.source[minus_one] & (s.select[0] | s.in_group_reg[0]):
                s.constant_digit @= s.all_ones
            if (s.source[one] & s.select[0]) | (s.source[factor] & s.select[final]):
                s.constant_digit @= 1

        @update
        def comb_takes():
            s.taken @= (s.select[0] & s.groups[2][0]) | s.in_group_reg[2]
            if s.second:
                s.taken @= (s.select[0] & s.groups[3][0]) | s.in_group_reg[3]
            s.takes @= ((s.source & s.messages) != 0) & s.taken

        @update
        def comb_digit():
            s.digit @= s.residue_digit | s.constant_digit
            if s.takes:
                s.digit @= s.residue_digit | s.constant_digit | s.message

    def add_selection(s) -> None:
        """Add the selection of the operand among the sources."""
        nwide = len(s.values)

        @update
        def comb_operand():
            s.operand @= 0
            for i in range(nwide):
                if s.is_read[i]:
                    s.operand @= s.operand | s.values[i]


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
