"""BusUnloader: final subtraction of a result in words, and its output digit by digit."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff, zext

from rsaxcel.fl.status import STATUS_NBITS
from rsaxcel.rtl.lib.word_lane import index_nbits

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
