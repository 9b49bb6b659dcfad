"""HeldWord: a register that software writes as a whole or byte by byte."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update_ff


class HeldWord(Component):
    """Register with a mask of the bits to write.

    Parameters
    ----------
    nbits : int; width in bits

    Ports
    -----
    write : in, 1 bit
    data, mask : in, nbits bits each; bits outside the mask keep their values
    clear : in, 1 bit; has priority over ``write``
    value : out, nbits bits; 0 after reset
    """

    def construct(s, nbits):
        Word = mk_bits(nbits)
        s.write = InPort(1)
        s.data = InPort(Word)
        s.mask = InPort(Word)
        s.clear = InPort(1)
        s.value = OutPort(Word)
        s.value_reg = Wire(Word)
        s.value //= s.value_reg

        @update_ff
        def seq_value():
            if s.reset | s.clear:
                s.value_reg <<= 0
            elif s.write:
                s.value_reg <<= (s.value_reg & ~s.mask) | (s.data & s.mask)
