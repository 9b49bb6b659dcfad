"""WordScan: scans an exponent that is in the words of a memory, from its least significant bit."""

from pymtl3 import Bits1, Component, InPort, Wire, clog2, mk_bits, update, update_ff, zext

from rsaxcel.plan.scan import Scan
from rsaxcel.rtl.exponentiators.exponent_scan import add_begun, add_scan_ports
from rsaxcel.rtl.lib.port_ram import PortRam
from rsaxcel.rtl.lib.word_lane import index_nbits


def is_word_by_word(scan: Scan) -> bool:
    """Whether ``WordScan`` supports a scan: bit by bit, from the bottom, significant bits only."""
    others = scan.from_top or scan.fixed or scan.sliding_nbits or scan.counts
    return scan.digit_nbits == 1 and not others


class WordScan(Component):
    """Memory of the exponent's words, with the word of the current bit in a register.

    The scan ends when the register has no ones left and its word is the last one that is not 0. A
    register notes this last word while the words come.

    Parameters
    ----------
    scan : plan.scan.Scan; A scan for which ``is_word_by_word`` holds
    word_nbits : int; width of a word in bits

    Ports
    -----
    The ports of ``ExponentScan`` with ``word_nbits``. Word 0 comes first. ``left`` has the bits
    that are left of the current word.
    """

    def construct(s, scan: Scan, word_nbits):
        words = -(-scan.exponent_nbits // word_nbits)
        last_bit = word_nbits - 1
        Word = mk_bits(word_nbits)
        Index = mk_bits(index_nbits(words))
        Count = mk_bits(clog2(words + 2))
        shown = min(word_nbits, scan.exponent_nbits)
        s.load = InPort(1)
        s.exponent = InPort(Word)
        s.fill = InPort(1)
        s.fill_index = InPort(Index)
        add_scan_ports(s, scan)

        # One port is enough: no bit is scanned while words are written.
        s.memory = PortRam(word_nbits, words, 1)
        s.memory.write //= s.fill
        s.memory.word //= s.exponent
        s.word_reg = Wire(Word)
        s.bit_reg = Wire(mk_bits(clog2(word_nbits)))
        s.following_reg = Wire(Count)  #: number of the word after the current one
        s.top_reg = Wire(Count)  #: number of the last word that is not 0
        s.next_word = Wire(Word)
        s.next_following = Wire(Count)
        s.ends_word = Wire(Bits1)
        s.at_top = Wire(Bits1)
        s.digit = Wire(Bits1)
        s.left[0:shown] //= s.word_reg[0:shown]
        if shown < scan.exponent_nbits:
            s.left[shown : scan.exponent_nbits] //= 0

        @update
        def comb_read():
            s.memory.address[0] @= 0
            if s.fill:
                s.memory.address[0] @= s.fill_index
            elif s.following_reg < words:
                s.memory.address[0] @= s.following_reg[0 : Index.nbits]

        @update
        def comb_next():
            s.ends_word @= s.shift & (s.bit_reg == last_bit)
            s.next_word @= s.word_reg
            s.next_following @= s.following_reg
            if s.ends_word:
                s.next_word @= 0
                if s.following_reg <= s.top_reg:
                    s.next_word @= s.memory.read[0]
                s.next_following @= s.following_reg + 1
            elif s.shift:
                s.next_word @= s.word_reg >> 1

        @update
        def comb_ended():
            s.at_top @= s.next_following > s.top_reg
            s.ended @= s.at_top & (s.next_word == 0)
            s.more @= ~s.at_top | ((s.next_word >> 1) != 0)
            s.digit @= s.next_word[0]
            s.set @= s.digit

        s.index //= s.digit

        @update_ff
        def seq_word():
            if s.fill & (s.fill_index == 0):
                s.word_reg <<= s.exponent
                s.bit_reg <<= 0
                s.following_reg <<= 1
            elif s.advance:
                s.word_reg <<= s.next_word
                s.following_reg <<= s.next_following
                if s.ends_word:
                    s.bit_reg <<= 0
                elif s.shift:
                    s.bit_reg <<= s.bit_reg + 1

        @update_ff
        def seq_top():
            if s.fill:
                if s.fill_index == 0:
                    s.top_reg <<= 0
                elif s.exponent != 0:
                    s.top_reg <<= zext(s.fill_index, Count)

        add_begun(s, False)
