"""DigitReader: the digit of an operand that a lane selects."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, connect, mk_bits, update

from fl.multipliers.contract import DigitMultiplier
from plan.kept_results import KEPT
from plan.steps import FACTOR, MESSAGE, MINUS_ONE, ONE, REFERENCE
from rtl.stores.lane_sources import LaneSources


class DigitReader(Component):
    """Selects a source, and the digit of this source that the lane requests.

    A source is a register, the last result, a residue of the other lane, a constant, or the
    message, which is given digit by digit. The last digit of a residue is extended by its sign.

    Parameters
    ----------
    golden : fl.multipliers.contract.DigitMultiplier
        Contract of the lane: widths and numbers of digits.
    sources : rtl.stores.lane_sources.LaneSources
        Sources of the lane.
    message_digits : int
        Digits of the message; 0: there is none.

    Ports
    -----
    source, tail : in, a bit per source; source (one-hot) of the operand's first digits, and of its
        second digits, if it has twice the digits of a residue; with a check, both are the source of
        the digit that is selected
    second : in, 1 bit; ``select`` is the number of a second digit
    select : in, golden.digits bits; number (one-hot) of the digit; 0: none
    residues : in, residue_nbits bits each; contents of the registers
    last : in, residue_nbits bits; last result of the lane
    others : in, residue_nbits bits each; residues of the other lane
    message : in, digit_nbits bits; the lowest digit of the message that has not been taken
    digit : out, digit_nbits bits; the digit; 0 if none is selected
    takes : out, 1 bit; ``message`` is taken
    refers : out, 1 bit; only with a check of the result: ``message`` has to be a digit of the copy
        of the message

    Combinational.
    """

    def construct(s, golden: DigitMultiplier, sources: LaneSources, message_digits):
        k, ndigits, final = golden.digit_nbits, golden.digits, golden.final_digits
        residue_nbits, count = golden.residue_nbits, sources.registers
        Residue, Digit, Select = mk_bits(residue_nbits), mk_bits(k), mk_bits(ndigits)
        Sources = mk_bits(sources.count)
        s.source = InPort(Sources)
        s.tail = InPort(Sources)
        s.second = InPort(1)
        s.select = InPort(Select)
        s.residues = [InPort(Residue) for _ in range(count)]
        s.last = InPort(Residue)
        s.others = [InPort(Residue) for _ in sources.from_other_lane]
        s.message = InPort(Digit)
        s.digit = OutPort(Digit)
        s.takes = OutPort(1)

        s.active = Wire(Sources)

        @update
        def comb_active():
            s.active @= s.source
            if s.second:
                s.active @= s.tail

        # ``operand``: all bits of the residue from which a digit is taken. An AND-OR selects it
        # among the sources that products of the program read digit by digit.
        wide = [*sorted(sources.fetched), sources.number(KEPT)]
        wide += [sources.number(name) for name in sources.from_other_lane]
        nwide = len(wide)
        s.is_read = [Wire(Bits1) for _ in wide]
        s.values = [Wire(Residue) for _ in wide]
        ports = [*(s.residues[i] for i in sorted(sources.fetched)), s.last, *s.others]
        for i, port in enumerate(ports):
            s.is_read[i] //= s.active[wide[i]]
            connect(s.values[i], port)
        s.operand = Wire(Residue)

        @update
        def comb_operand():
            s.operand @= 0
            for i in range(nwide):
                if s.is_read[i]:
                    s.operand @= s.operand | s.values[i]

        s.digits = [Wire(Digit) for _ in range(ndigits)]
        for i in range(ndigits):
            low, high = i * k, min((i + 1) * k, residue_nbits)
            width = max(high - low, 0)
            if width:
                s.digits[i][0:width] //= s.operand[low:high]
            for bit in range(width, k):
                s.digits[i][bit] //= s.operand[residue_nbits - 1]
        one, factor = sources.number(ONE), sources.number(FACTOR)
        minus_one, of_message = sources.number(MINUS_ONE), sources.number(MESSAGE)
        s.all_ones = Wire(Digit)
        s.all_ones //= (1 << k) - 1

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

        # Masks of the first and second digits that exist in the message: it may have fewer digits
        # than two residues.
        s.first_digits = Wire(Select)
        s.second_digits = Wire(Select)
        s.first_digits //= (1 << min(message_digits, ndigits)) - 1
        s.second_digits //= (1 << max(message_digits - ndigits, 0)) - 1

        if sources.program.check:
            s.refers = OutPort(1)
            of_reference = sources.number(REFERENCE)
            # With a check, ``source`` is that of the digit that is selected.
            s.refers //= s.source[of_reference]

            @update
            def comb_takes_either():
                s.takes @= 0
                if s.source[of_message] | s.source[of_reference]:
                    s.takes @= (s.select & s.first_digits) != 0
                    if s.second:
                        s.takes @= (s.select & s.second_digits) != 0

        else:

            @update
            def comb_takes():
                s.takes @= s.active[of_message] & ((s.select & s.first_digits) != 0)
                if s.second:
                    s.takes @= s.active[of_message] & ((s.select & s.second_digits) != 0)
