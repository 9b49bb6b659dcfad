"""WordSelect: selects one word of a value by its index."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update

from rsaxcel.rtl.lib.word_lane import index_nbits


class WordSelect(Component):
    """Multiplexer over the words of a value, least significant first.

    Parameters
    ----------
    nbits : int; width of the value in bits; the words are padded with zeros
    word_nbits, words : int; width of a word in bits, number of words

    Ports
    -----
    value : in, nbits bits
    index : in, index_nbits(words) bits
    word : out, word_nbits bits; word ``index`` of the value

    Combinational.
    """

    def construct(s, nbits, word_nbits, words):
        s.value = InPort(nbits)
        s.index = InPort(index_nbits(words))
        s.word = OutPort(word_nbits)
        s.words = [Wire(mk_bits(word_nbits)) for _ in range(words)]
        for i in range(words):
            low = i * word_nbits
            width = max(0, min(word_nbits, nbits - low))
            if width:
                s.words[i][0:width] //= s.value[low : low + width]
            if width < word_nbits:
                s.words[i][width:word_nbits] //= 0

        @update
        def comb_word():
            s.word @= s.words[s.index]
