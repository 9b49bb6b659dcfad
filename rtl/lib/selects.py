"""Selection of a word or an entry by its index."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update

from rsaxcel.rtl.lib.lanes import index_nbits


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


class TableRead(Component):
    """Selects an entry by its index: OR of all entries, each masked unless it is selected.

    Every entry takes the same path, independent of the index.

    Parameters
    ----------
    nbits : int; width of an entry in bits
    first, last : int; indices of the first and of the last entry
    index_nbits : int; width of an index

    Ports
    -----
    entries : in, nbits bits each; from index ``first`` on
    index : in, index_nbits bits
    value : out, nbits bits; 0 for an index without an entry

    Combinational.
    """

    def construct(s, nbits, first, last, index_nbits):
        count = last - first + 1
        Value = mk_bits(nbits)
        s.entries = [InPort(Value) for _ in range(count)]
        s.index = InPort(index_nbits)
        s.value = OutPort(Value)
        s.masked = [Wire(Value) for _ in range(count)]

        @update
        def comb_masked():
            for i in range(count):
                s.masked[i] @= 0
                if s.index == i + first:
                    s.masked[i] @= s.entries[i]

        @update
        def comb_value():
            s.value @= 0
            for i in range(count):
                s.value @= s.value | s.masked[i]
