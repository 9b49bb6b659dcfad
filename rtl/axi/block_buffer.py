"""BlockBuffer: bytes of a block; the bus writes words, the padding writes bytes."""

from pymtl3 import Bits8, Component, InPort, OutPort, Wire, update_ff

from rsaxcel.fl.register_map import WORD_NBITS, WORD_NBYTES
from rsaxcel.rtl.lib.word_lane import index_nbits


class BlockBuffer(Component):
    """Registers that hold a block (a padded message), and are all read in parallel.

    Parameters
    ----------
    words : int; words of 32 bits

    Ports
    -----
    write_word : in, 1 bit; ``word`` is written at ``word_index``
    word_index : in, index_nbits(words) bits
    word : in, 32 bits
    write_byte : in, 1 bit; ``octet`` is written at ``byte_index``; not together with ``write_word``
    byte_index : in, index_nbits(4 * words) bits
    octet : in, 8 bits
    value : out, 32 * words bits; least significant byte first; 0 after reset
    """

    def construct(s, words):
        nbytes = WORD_NBYTES * words
        s.write_word = InPort(1)
        s.word_index = InPort(index_nbits(words))
        s.word = InPort(WORD_NBITS)
        s.write_byte = InPort(1)
        s.byte_index = InPort(index_nbits(nbytes))
        s.octet = InPort(8)
        s.value = OutPort(8 * nbytes)
        s.byte_reg = [Wire(Bits8) for _ in range(nbytes)]
        s.word_byte = [Wire(Bits8) for _ in range(nbytes)]
        for i in range(nbytes):
            low = 8 * (i % WORD_NBYTES)
            s.word_byte[i] //= s.word[low : low + 8]
            s.value[8 * i : 8 * i + 8] //= s.byte_reg[i]
        s.word_of = [Wire(index_nbits(words)) for _ in range(nbytes)]
        for i in range(nbytes):
            s.word_of[i] //= i // WORD_NBYTES

        @update_ff
        def seq_bytes():
            for i in range(nbytes):
                if s.reset:
                    s.byte_reg[i] <<= 0
                elif s.write_word & (s.word_index == s.word_of[i]):
                    s.byte_reg[i] <<= s.word_byte[i]
                elif s.write_byte & (s.byte_index == i):
                    s.byte_reg[i] <<= s.octet
