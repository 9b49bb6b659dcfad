"""Takes a request, and gives a result, digit by digit."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff, zext

from rsaxcel.fl.status import STATUS_NBITS, InputRules
from rsaxcel.rtl.lib.lanes import index_nbits
from rsaxcel.rtl.stores.request_check import WordCheck


class BusLoader(Component):
    """Counts the digits of a request (``fl.digit_bus``), and compares base and modulus.

    Parameters
    ----------
    digit_nbits, digits : int; width of a digit in bits, digits of an operand
    constants : tuple of str; names of the constants that the host sends

    Ports
    -----
    comes : in, 1 bit; a digit is taken in this cycle
    digit : in, digit_nbits bits
    modulus : in, digit_nbits bits; digit ``index`` of the modulus that was loaded
    writes : out, 1 bit each; the digit belongs to this operand: a constant, the modulus, the
        exponent, or the base, in the order in which they come
    index : out; number of the digit within its operand; 0 while none is expected
    compares : out, 1 bit; the digit is one of the base, with which that of the modulus is compared
    loaded : out, 1 bit; the last digit of the request is taken in this cycle
    status : out, STATUS_NBITS bits; valid from the second cycle after ``loaded`` until the next
        request comes
    """

    def construct(s, digit_nbits, digits, constants, rules: InputRules):
        Digit = mk_bits(digit_nbits)
        exponent_digits = -(-rules.exponent_nbits // digit_nbits)
        counts = [1, *(digits for _ in constants), digits, exponent_digits, digits]
        nfields = len(counts)
        noperands = nfields - 1
        base_field, exponent_field, modulus_field = nfields - 1, nfields - 2, nfields - 3
        Index = mk_bits(index_nbits(max(counts)))
        Field = mk_bits(clog2(nfields + 1))
        flagged = int(bool(constants))
        s.comes = InPort(1)
        s.digit = InPort(Digit)
        s.modulus = InPort(Digit)
        s.writes = [OutPort(1) for _ in range(noperands)]
        s.index = OutPort(Index)
        s.compares = OutPort(1)
        s.loaded = OutPort(1)
        s.status = OutPort(STATUS_NBITS)

        s.field_reg = Wire(Field)
        s.index_reg = Wire(Index)
        s.index //= s.index_reg
        s.last = [Wire(Index) for _ in range(nfields)]
        for last, count in zip(s.last, counts, strict=True):
            last //= count - 1
        s.number = [Wire(Field) for _ in range(noperands)]
        for i, number in enumerate(s.number):
            number //= i + 1
        s.ends = Wire(Bits1)

        @update
        def comb_fields():
            s.ends @= 0
            for i in range(nfields):
                if (s.field_reg == i) & (s.index_reg == s.last[i]):
                    s.ends @= s.comes
            for i in range(noperands):
                s.writes[i] @= s.comes & (s.field_reg == s.number[i])
            s.compares @= s.comes & (s.field_reg == base_field)
            s.loaded @= s.ends & (s.field_reg == base_field)

        @update_ff
        def seq_fields():
            if s.reset | s.loaded:
                s.field_reg <<= 0
                s.index_reg <<= 0
            elif s.ends:
                s.field_reg <<= s.field_reg + 1
                s.index_reg <<= 0
            elif s.comes:
                s.index_reg <<= s.index_reg + 1

        # Bits of modulus and exponent that must be 0: those above the width of the operand.
        excess = [
            (field, i, _excess(i, digit_nbits, nbits))
            for field, count, nbits in (
                (modulus_field, digits, rules.modulus_nbits),
                (exponent_field, exponent_digits, rules.exponent_nbits),
            )
            for i in range(count)
        ]
        excess = [x for x in excess if x[2]]
        nexcess = len(excess)
        s.excess_field = [Wire(Field) for _ in excess]
        s.excess_index = [Wire(Index) for _ in excess]
        s.excess_mask = [Wire(Digit) for _ in excess]
        for i, (field, index, mask) in enumerate(excess):
            s.excess_field[i] //= field
            s.excess_index[i] //= index
            s.excess_mask[i] //= mask
        s.exceeds = Wire(Bits1)

        @update
        def comb_excess():
            s.exceeds @= 0
            for i in range(nexcess):
                if (s.field_reg == s.excess_field[i]) & (s.index_reg == s.excess_index[i]):
                    s.exceeds @= (s.digit & s.excess_mask[i]) != 0

        s.wide_reg = Wire(Bits1)
        s.missing_reg = Wire(Bits1)

        @update_ff
        def seq_flags():
            if s.comes:
                if s.field_reg == 0:
                    s.missing_reg <<= s.digit[0] & flagged
                    s.wide_reg <<= (s.digit >> flagged) != 0
                elif s.exceeds:
                    s.wide_reg <<= 1

        s.check = WordCheck(digit_nbits, rules)
        s.check.comes //= s.compares
        s.check.base //= s.digit
        s.check.modulus //= s.modulus
        s.check.wide //= s.wide_reg
        s.check.missing //= s.missing_reg
        s.check.status //= s.status

        @update
        def comb_first():
            s.check.first @= s.index_reg == 0


def _excess(index: int, digit_nbits: int, nbits: int) -> int:
    """Mask of the bits of a digit that are at or above ``nbits`` in its operand."""
    free = min(max(nbits - index * digit_nbits, 0), digit_nbits)
    return (1 << digit_nbits) - (1 << free)


IDLE, COMPARE, SEND = range(3)


class BusUnloader(Component):
    """Sends a status and a result; the modulus is subtracted unless the result is below it.

    It reads the result twice: first to compare it with the modulus, then to send it. No register
    holds the whole result.

    Parameters
    ----------
    digit_nbits, digits : int; width of a digit in bits, digits of the result

    Ports
    -----
    start : in, 1 bit; the comparison begins in the next cycle
    refuse : in, 1 bit; the status and zeros are sent from the next cycle on
    status : in, STATUS_NBITS bits; stable until ``ends``
    index : out, index_nbits(digits) bits; index of the digit to read, 0 while nothing is read
    value, modulus : in, digit_nbits bits each; digit ``index`` of the result and of the modulus
    val : out, 1 bit; a digit is offered: the status, then those of the result
    rdy : in, 1 bit
    digit : out, digit_nbits bits
    ends : out, 1 bit; the last digit is taken in this cycle

    Latency: ``digits + 1`` cycles from ``start`` to the status, then a digit per cycle.
    """

    def construct(s, digit_nbits, digits):
        Digit = mk_bits(digit_nbits)
        Wider = mk_bits(digit_nbits + 1)
        Index = mk_bits(index_nbits(digits))
        Count = mk_bits(clog2(digits + 2))
        last = digits - 1
        s.start = InPort(1)
        s.refuse = InPort(1)
        s.status = InPort(STATUS_NBITS)
        s.index = OutPort(Index)
        s.value = InPort(Digit)
        s.modulus = InPort(Digit)
        s.val = OutPort(1)
        s.rdy = InPort(1)
        s.digit = OutPort(Digit)
        s.ends = OutPort(1)

        s.phase_reg = Wire(mk_bits(2))
        #: index of the digit to read; in the phase SEND, it is also the number of the offered digit
        s.count_reg = Wire(Count)
        s.subtracts_reg = Wire(Bits1)  #: the comparison reads a digit in the previous cycle
        s.keep_reg = Wire(Bits1)  #: the result is below the modulus
        s.zeros_reg = Wire(Bits1)  #: the request is refused
        s.value_reg = Wire(Digit)
        s.modulus_reg = Wire(Digit)
        s.borrow_reg = Wire(Bits1)
        s.subtrahend = Wire(Digit)
        s.difference = Wire(Wider)
        s.takes = Wire(Bits1)
        s.in_range = Wire(Bits1)

        @update
        def comb_control():
            s.val @= s.phase_reg == SEND
            s.takes @= s.val & s.rdy
            s.ends @= s.takes & (s.count_reg == digits)
            s.in_range @= s.count_reg != digits

        @update
        def comb_index():
            s.index @= 0
            if s.in_range:
                s.index @= s.count_reg[0 : Index.nbits]

        @update
        def comb_difference():
            s.subtrahend @= s.modulus_reg
            if s.keep_reg:
                s.subtrahend @= 0
            s.difference @= (
                zext(s.value_reg, Wider) - zext(s.subtrahend, Wider) - zext(s.borrow_reg, Wider)
            )

        @update
        def comb_digit():
            s.digit @= s.difference[0:digit_nbits]
            if s.count_reg == 0:
                s.digit @= zext(s.status, Digit)
            elif s.zeros_reg:
                s.digit @= 0

        @update_ff
        def seq_phase():
            if s.reset | s.ends:
                s.phase_reg <<= IDLE
                s.count_reg <<= 0
            elif s.start:
                s.phase_reg <<= COMPARE
            elif s.refuse:
                s.phase_reg <<= SEND
            elif s.phase_reg == COMPARE:
                s.count_reg <<= s.count_reg + 1
                if s.count_reg == last:
                    s.phase_reg <<= SEND
                    s.count_reg <<= 0
            elif s.takes:
                s.count_reg <<= s.count_reg + 1

        @update_ff
        def seq_difference():
            s.subtracts_reg <<= (s.phase_reg == COMPARE) & ~s.reset
            if (s.phase_reg == COMPARE) | (s.count_reg == 0) | s.takes:
                s.value_reg <<= s.value
                s.modulus_reg <<= s.modulus
            if s.phase_reg == IDLE:
                s.zeros_reg <<= s.refuse
                s.keep_reg <<= 0
            elif s.subtracts_reg & (s.phase_reg == SEND):
                s.keep_reg <<= s.difference[digit_nbits]
            if s.phase_reg == COMPARE:
                s.borrow_reg <<= s.subtracts_reg & s.difference[digit_nbits]
            elif s.count_reg == 0:
                s.borrow_reg <<= 0
            elif s.takes:
                s.borrow_reg <<= s.difference[digit_nbits]
