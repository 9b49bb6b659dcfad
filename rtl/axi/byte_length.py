"""ByteLength: length in bytes of a number that is written word by word."""

from pymtl3 import Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff

from rsaxcel.fl.register_map import WORD_NBITS, WORD_NBYTES


class ByteLength(Component):
    """Counts the bytes of a number without its leading zero bytes, while the words are written.

    Parameters
    ----------
    words : int; words of the number; further words are ignored

    Ports
    -----
    write : in, 1 bit; a word is written
    position : in, clog2(words + 1) bits; index of the word
    data : in, 32 bits; the word
    nbytes : out, clog2(4 * words + 1) bits; length of the number, valid from the cycle after its
        last word is written; 0 after reset
    """

    def construct(s, words):
        Length = mk_bits(clog2(WORD_NBYTES * words + 1))
        Position = mk_bits(clog2(words + 1))
        Wide = mk_bits(Position.nbits + 2)
        s.write = InPort(1)
        s.position = InPort(Position)
        s.data = InPort(WORD_NBITS)
        s.nbytes = OutPort(Length)
        s.nbytes_reg = Wire(Length)
        s.nbytes //= s.nbytes_reg
        s.used = Wire(Wide)  # bytes of the word, without leading zeros

        @update
        def comb_used():
            s.used @= 0
            if s.data[24:32] != 0:
                s.used @= 4
            elif s.data[16:24] != 0:
                s.used @= 3
            elif s.data[8:16] != 0:
                s.used @= 2
            elif s.data[0:8] != 0:
                s.used @= 1

        s.sum = Wire(Wide)
        s.first = Wire(Wide)
        s.first[0:2] //= 0
        s.first[2 : Wide.nbits] //= s.position

        @update
        def comb_sum():
            s.sum @= s.first + s.used

        @update_ff
        def seq_nbytes():
            if s.reset:
                s.nbytes_reg <<= 0
            elif s.write & (s.position != words):
                if s.used != 0:
                    s.nbytes_reg <<= s.sum[0 : Length.nbits]
                elif s.position == 0:
                    s.nbytes_reg <<= 0
