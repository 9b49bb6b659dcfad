"""OutputWindow: selects a word of the result for software."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, clog2, mk_bits, update, zext

from rsaxcel.fl.register_map import WORD_NBITS, WORD_NBYTES
from rsaxcel.fl.word_serial import words_per_operand
from rsaxcel.rtl.lib.word_lane import index_nbits
from rsaxcel.rtl.lib.word_select import WordSelect


class OutputWindow(Component):
    """Selects a word of a result for software, or a byte of it for the circuit that scans it.

    The port ``looks`` tells which of them is valid. Bytes of the word beyond the output are 0.

    Parameters
    ----------
    nbits : int; width of the result in bits

    Ports
    -----
    value : in, nbits bits; the result
    address : in, 32 bits; index of the word
    length : in, clog2(4 * words + 1) bits; number of bytes of the output
    word : out, 32 bits; word ``address``, with zeros beyond ``length``; valid if ``looks`` is 0
    looks : in, 1 bit; 1: a byte is read; 0: a word is read
    index : in, index_nbits(4 * words) bits; index of the byte
    octet : out, 8 bits; byte ``index`` of the result; valid if ``looks`` is 1

    Combinational.
    """

    def construct(s, nbits):
        words = words_per_operand(nbits)
        nbytes = WORD_NBYTES * words
        Length = mk_bits(clog2(nbytes + 1))
        Index = mk_bits(index_nbits(nbytes))
        s.value = InPort(nbits)
        s.address = InPort(WORD_NBITS)
        s.length = InPort(Length)
        s.word = OutPort(WORD_NBITS)
        s.looks = InPort(1)
        s.index = InPort(Index)
        s.octet = OutPort(8)

        s.select = WordSelect(nbits, WORD_NBITS, words)
        s.select.value //= s.value
        Word = mk_bits(index_nbits(words))
        s.looked_at = Wire(Word)
        if words > 1:
            s.looked_at //= s.index[2 : Index.nbits]
        else:
            s.looked_at //= 0

        @update
        def comb_select():
            s.select.index @= 0
            if s.looks:
                s.select.index @= s.looked_at
            elif s.address < words:
                s.select.index @= s.address[0 : Word.nbits]

        Whole = mk_bits(Length.nbits - 2)
        s.whole = Wire(Whole)  # number of words that belong to the output with all bytes
        s.whole //= s.length[2 : Length.nbits]
        s.at = Wire(Whole)
        s.seen = [Wire(Bits1) for _ in range(WORD_NBYTES)]

        @update
        def comb_seen():
            s.at @= zext(s.select.index, Whole)
            for i in range(WORD_NBYTES):
                s.seen[i] @= (s.address < words) & (
                    (s.at < s.whole) | ((s.at == s.whole) & (s.length[0:2] > i))
                )

        @update
        def comb_word():
            s.word @= 0
            for i in range(WORD_NBYTES):
                if s.seen[i]:
                    s.word[8 * i : 8 * i + 8] @= s.select.word[8 * i : 8 * i + 8]

        @update
        def comb_byte():
            s.octet @= 0
            for i in range(WORD_NBYTES):
                if s.index[0:2] == i:
                    s.octet @= s.select.word[8 * i : 8 * i + 8]
