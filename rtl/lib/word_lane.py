"""WordLane: interface between a multiplier and a store of words, for one lane."""

from pymtl3 import InPort, Interface, OutPort, clog2, mk_bits


def index_nbits(words: int) -> int:
    """Width in bits of an index that selects one of ``words`` words, at least 1."""
    return max(1, clog2(words))


class WordLane(Interface):
    """Ports of a word-serial multiplier for one lane, seen from the multiplier.

    Parameters
    ----------
    word_nbits : int; width of a word in bits
    words : int; words of an operand
    slot_nbits : int; width in bits of a token. A token stands for a product: it is the product's
        number (slot, one-hot) with a table index, if any; the multiplier does not decode it

    Ports
    -----
    See ``rtl.stores.words`` for directions and widths.
    """

    def construct(s, word_nbits: int, words: int, slot_nbits: int):
        Word = mk_bits(word_nbits)
        Index = mk_bits(index_nbits(words))
        Slot = mk_bits(slot_nbits)
        s.offered = InPort(1)
        s.slot = InPort(Slot)
        s.accepts = OutPort(1)
        s.answers = OutPort(1)
        s.read_slot = OutPort(Slot)
        s.a_index = OutPort(Index)
        s.b_index = OutPort(Index)
        s.m_index = OutPort(Index)
        s.a_word = InPort(Word)
        s.b_word = InPort(Word)
        s.m_word = InPort(Word)
        s.write = OutPort(1)
        s.write_slot = OutPort(Slot)
        s.write_index = OutPort(Index)
        s.write_word = OutPort(Word)
