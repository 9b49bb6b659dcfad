"""Interrupts: counts ends of operations until they are acknowledged."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update, update_ff

from rsaxcel.fl.register_map import INTERRUPTS_NBITS, WORD_NBITS


class Interrupts(Component):
    """Counts the ends of operations that software has not acknowledged.

    An end in the cycle of an acknowledgement is counted and is not acknowledged by it.

    Ports
    -----
    ends : in, 1 bit; an operation ends
    acknowledge : in, 1 bit; ``count`` ends are acknowledged
    count : in, 32 bits
    waiting : out, INTERRUPTS_NBITS bits; ends not acknowledged; the number saturates; 0 after reset
    """

    def construct(s):
        Count = mk_bits(INTERRUPTS_NBITS)
        most = (1 << INTERRUPTS_NBITS) - 1
        s.ends = InPort(1)
        s.acknowledge = InPort(1)
        s.count = InPort(WORD_NBITS)
        s.waiting = OutPort(Count)
        s.waiting_reg = Wire(Count)
        s.waiting //= s.waiting_reg
        s.left = Wire(Count)

        @update
        def comb_left():
            s.left @= s.waiting_reg
            if s.acknowledge:
                s.left @= s.waiting_reg - s.count[0:INTERRUPTS_NBITS]
                if (s.count[INTERRUPTS_NBITS:WORD_NBITS] != 0) | (
                    s.count[0:INTERRUPTS_NBITS] > s.waiting_reg
                ):
                    s.left @= 0

        @update_ff
        def seq_waiting():
            if s.reset:
                s.waiting_reg <<= 0
            elif s.ends & (s.left != most):
                s.waiting_reg <<= s.left + 1
            else:
                s.waiting_reg <<= s.left
