"""Scans of the exponent: in a register, maybe one that forgets it, or in words of a memory."""

from typing import Any

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff, zext

from rsaxcel.plan.scan import Scan
from rsaxcel.rtl.lib.lanes import index_nbits
from rsaxcel.rtl.lib.port_ram import PortRam


def add_forgetting(s: Any, scan: Scan, given_nbits: int) -> None:
    """Add an exponent register that can load only if ``vacant`` is 1, and shift only if it is 0.

    With ``given_nbits``, digits of that width are shifted in at the top before the scan. Where the
    last digit reaches above the register, ``above_reg`` has these bits of the digits before it,
    each for one cycle; those of the last digit are 0.

    The register is shifted one cycle after a digit ends: the end of a digit is known late in its
    cycle, too late to drive all bits of the register. ``next_exponent`` is valid one cycle later. A
    counting register is decremented if a digit begins (``enters``), else shifted: shifts erase it
    in as many cycles as it has bits, decrements would take as many as its value.
    """
    s.vacant = InPort(1)
    s.shifts_reg = Wire(Bits1)
    s.shifted = Wire(s.exponent_reg._dsl.Type)
    nbits, by = scan.register_nbits, scan.digit_nbits
    kept, free = slice(by, nbits), slice(0, by)
    if not scan.from_top:
        kept, free = slice(0, nbits - by), slice(nbits - by, nbits)
    s.erased = Wire(s.exponent_reg._dsl.Type)
    s.erased[free] //= 0
    if nbits > by:
        s.erased[kept] //= s.exponent_reg[by - kept.start : nbits - kept.start]
    if scan.counts:
        s.enters_reg = Wire(Bits1)

        @update
        def comb_counted():
            s.shifted @= s.erased
            if s.enters_reg:
                s.shifted @= s.exponent_reg - 1

        @update_ff
        def seq_enters():
            s.enters_reg <<= s.enters

    else:
        s.shifted //= s.erased

    if given_nbits:
        whole = -(-scan.exponent_nbits // given_nbits) * given_nbits
        low, above = whole - given_nbits, max(whole - nbits, 0)
        s.gives = InPort(1)
        s.given = InPort(given_nbits)
        s.held = Wire(mk_bits(nbits + above))
        s.filled = Wire(mk_bits(nbits + above))
        s.held[0:nbits] //= s.exponent_reg
        if above:
            s.above_reg = Wire(mk_bits(above))  #: bits above those that are scanned
            s.held[nbits:whole] //= s.above_reg

            @update_ff
            def seq_above():
                if s.shifts_reg:
                    s.above_reg <<= 0
                elif s.gives:
                    s.above_reg <<= s.filled[nbits:whole]

        s.filled[low:whole] //= s.given
        if low:
            s.filled[0:low] //= s.held[given_nbits:whole]
        if nbits > whole:
            s.filled[whole:nbits] //= 0

        @update_ff
        def seq_exponent_given():
            s.shifts_reg <<= s.advance & s.shift
            if s.vacant:
                if s.load:
                    s.exponent_reg <<= s.first
            elif s.shifts_reg:
                s.exponent_reg <<= s.shifted
            elif s.gives:
                s.exponent_reg <<= s.filled[0:nbits]

    else:

        @update_ff
        def seq_exponent_forgotten():
            s.shifts_reg <<= s.advance & s.shift
            if s.vacant:
                if s.load:
                    s.exponent_reg <<= s.first
            elif s.shifts_reg:
                s.exponent_reg <<= s.shifted


class ExponentScan(Component):
    """Register that scans the exponent digit by digit, from either end, or counts it down to 0.

    Where the scan ``counts``, the register is decremented when a digit ends, not shifted.

    Parameters
    ----------
    scan : plan.scan.Scan; direction, length and digits
    forgets : bool; the exponent can be erased by shifting it out: no register keeps bits of it
        after that. The outputs for the next digit are then valid from the second cycle after a
        digit ends
    word_nbits : int; width in bits of a word, if the exponent comes word by word; 0: it comes in
        one cycle. (The words have nothing to do with the digits that are scanned.)
    given_nbits : int; width in bits of the digits in which a lane gives the exponent after
        ``load``; 0: the exponent comes with ``load``. Only with ``forgets``

    Ports
    -----
    load : in, 1 bit; the exponent is registered at the end of this cycle; with ``word_nbits``, the
        register has all words
    vacant : in, 1 bit; only with ``forgets``; 1: an exponent may be loaded; 0: the exponent in the
        register may be shifted
    exponent : in, scan.exponent_nbits bits; with ``word_nbits``, a word of the exponent
    fill : in, 1 bit; only with ``word_nbits``; the word ``fill_index`` is registered at the end of
        this cycle
    fill_index : in, index_nbits(number of words) bits; only with ``word_nbits``
    gives : in, 1 bit; only with ``given_nbits``; ``given`` is shifted in at the end of this cycle,
        above the digits that came before; the scan has not begun
    given : in, given_nbits bits; only with ``given_nbits``
    shift : in, 1 bit; the current digit ends
    enters : in, 1 bit; a digit begins; 0: the current digit goes on
    advance : in, 1 bit; the effect of ``shift`` and ``enters`` is registered at the end of this
        cycle
    left : out, scan.exponent_nbits bits; the part of the exponent that has not been scanned
    ended : out, 1 bit; no digit is left; depends combinationally on ``shift``
    set, more, later : out, 1 bit each; conditions of the digit that begins or goes on
        (``plan.steps.When``)
    passes : out, 1 bit; the digit that begins or goes on is a leading zero that is passed over
    index : out, scan.index_nbits bits; table index of the digit that begins or goes on; with
        ``scan.odd``, the one of the step that begins
    passing : out, 1 bit; the registered digit, before ``advance``, is a leading zero that is passed
        over

    ``set``, ``more``, ``later``, ``passes`` and ``index`` depend combinationally on ``shift`` and
    ``enters``.
    """

    def construct(s, scan: Scan, forgets=False, word_nbits=0, given_nbits=0):
        nbits, digit_nbits = scan.register_nbits, scan.digit_nbits
        exponent_nbits = scan.exponent_nbits
        Exponent = mk_bits(nbits)
        counted = scan.from_top or scan.fixed
        s.load = InPort(1)
        s.exponent = InPort(word_nbits or exponent_nbits)
        add_scan_ports(s, scan)

        s.exponent_reg = Wire(Exponent)
        s.next_exponent = Wire(Exponent)
        s.left //= s.exponent_reg[0:exponent_nbits]
        if not word_nbits:
            s.first = Wire(Exponent)
            s.first[0:exponent_nbits] //= s.exponent
            if nbits > exponent_nbits:
                s.first[exponent_nbits:nbits] //= 0

        if scan.counts:

            @update
            def comb_count_down():
                s.next_exponent @= s.exponent_reg
                if s.shift:
                    s.next_exponent @= s.exponent_reg - 1

        elif scan.from_top:

            @update
            def comb_shift_up():
                s.next_exponent @= s.exponent_reg
                if s.shift:
                    s.next_exponent @= s.exponent_reg << digit_nbits

        else:

            @update
            def comb_shift_down():
                s.next_exponent @= s.exponent_reg
                if s.shift:
                    s.next_exponent @= s.exponent_reg >> 1

        if forgets:
            s.add_register(scan, given_nbits)
        elif word_nbits:
            add_words(s, scan, word_nbits)
        else:

            @update_ff
            def seq_exponent():
                if s.advance:
                    s.exponent_reg <<= s.next_exponent
                elif s.load:
                    s.exponent_reg <<= s.first

        if counted:
            s.add_count(scan.ndigits)
        else:

            @update
            def comb_ended():
                s.ended @= s.next_exponent == 0

        if scan.from_top:
            s.more //= 0
        elif scan.counts:

            @update
            def comb_more_counts():
                s.more @= s.next_exponent > 1

        else:

            @update
            def comb_more():
                s.more @= (s.next_exponent >> 1) != 0

        s.digit = Wire(mk_bits(digit_nbits))
        low = nbits - digit_nbits if scan.from_top else 0
        s.digit //= s.next_exponent[low : low + digit_nbits]

        add_begun(s, scan.from_top and not scan.fixed)

        if scan.sliding_nbits:
            add_windows(s, scan, forgets)
        elif scan.odd:
            add_odd_powers(s, digit_nbits)
        else:
            s.index //= s.digit

        if scan.counts:
            s.set //= 1
        elif not scan.sliding_nbits:

            @update
            def comb_set():
                s.set @= s.digit != 0

    def add_register(s, scan: Scan, given_nbits: int) -> None:
        add_forgetting(s, scan, given_nbits)

    def add_count(s, ndigits: int) -> None:
        Count = mk_bits(clog2(ndigits + 2))
        s.count_reg = Wire(Count)  #: digits left, the current one included
        s.next_count = Wire(Count)
        s.add_next_count()

        @update_ff
        def seq_count():
            if s.advance:
                s.count_reg <<= s.next_count
            elif s.load:
                s.count_reg <<= ndigits

    def add_next_count(s) -> None:
        @update
        def comb_count():
            s.next_count @= s.count_reg
            if s.shift:
                s.next_count @= s.count_reg - 1
            s.ended @= s.next_count == 0


def add_scan_ports(s: Any, scan: Scan) -> None:
    """Declare the ports of ``ExponentScan`` that do not depend on how the exponent is loaded."""
    for name in ("shift", "enters", "advance"):
        setattr(s, name, InPort(1))
    s.left = OutPort(scan.exponent_nbits)
    for name in ("ended", "set", "more", "later", "passes", "passing"):
        setattr(s, name, OutPort(1))
    s.index = OutPort(scan.index_nbits)


def add_begun(s: Any, skips_zeros: bool) -> None:
    """Add the registers and outputs that tell whether a digit follows the leading zeros.

    Without ``skips_zeros``, leading zeros are scanned as any digit.
    """
    skips = int(skips_zeros)
    #: begun_reg: the current digit is no leading zero. later_reg: the current digit is no
    #: leading zero, and not the first digit after the leading zeros either.
    s.begun_reg = Wire(Bits1)
    s.later_reg = Wire(Bits1)
    s.next_begun = Wire(Bits1)
    s.begins = Wire(Bits1)

    @update
    def comb_begun():
        s.begins @= 1
        if skips:
            s.begins @= s.digit != 0
        s.next_begun @= s.begun_reg
        s.later @= s.later_reg
        if s.enters:
            s.next_begun @= s.begun_reg | s.begins
            s.later @= s.begun_reg
        s.passes @= ~s.next_begun
        s.passing @= ~s.begun_reg

    @update_ff
    def seq_begun():
        if s.advance:
            s.begun_reg <<= s.next_begun
            s.later_reg <<= s.later
        elif s.load:
            s.begun_reg <<= 0
            s.later_reg <<= 0


def add_words(s: ExponentScan, scan: Scan, word_nbits: int) -> None:
    """Add an exponent register that is loaded word by word, least significant word first.

    Bits of the top word above the register are kept, but not scanned.
    """
    nbits, words = scan.register_nbits, -(-scan.exponent_nbits // word_nbits)
    whole = max(nbits, words * word_nbits)
    s.fill = InPort(1)
    s.fill_index = InPort(index_nbits(words))
    s.word_reg = [Wire(mk_bits(word_nbits)) for _ in range(words)]
    s.next_word = [Wire(mk_bits(word_nbits)) for _ in range(words)]
    s.whole = Wire(mk_bits(whole))
    s.next_whole = Wire(mk_bits(whole))
    for i in range(words):
        s.whole[i * word_nbits : (i + 1) * word_nbits] //= s.word_reg[i]
        s.next_word[i] //= s.next_whole[i * word_nbits : (i + 1) * word_nbits]
    if whole > words * word_nbits:
        # The top digit of the scan can extend beyond the last word: the bits beyond are zeros.
        s.above_reg = Wire(mk_bits(whole - words * word_nbits))
        s.whole[words * word_nbits : whole] //= s.above_reg
    s.exponent_reg //= s.whole[0:nbits]
    s.next_whole[0:nbits] //= s.next_exponent
    if whole > nbits:
        s.next_whole[nbits:whole] //= 0

    @update_ff
    def seq_exponent_words():
        for i in range(words):
            if s.fill & (s.fill_index == i):
                s.word_reg[i] <<= s.exponent
            elif s.advance:
                s.word_reg[i] <<= s.next_word[i]

    if whole > words * word_nbits:
        above = words * word_nbits

        @update_ff
        def seq_exponent_above():
            if s.load:
                s.above_reg <<= 0
            elif s.advance:
                s.above_reg <<= s.next_whole[above:whole]


def add_odd_powers(s: ExponentScan, width: int) -> None:
    """Find the entry that each step of a digit of ``width`` bits reads (``Scan.odd``).

    The step in which ``enters`` is 1 reads no entry; each of the next steps belongs to a bit of the
    digit, the highest one first.
    """
    Digit, Place = mk_bits(width), mk_bits(width + 1)
    one = 1 << width - 1
    itself = min(one + 1, (1 << width) - 1)  # digits of one bit do not need it
    s.place_reg = Wire(Place)  #: number (one-hot) of the current step in its digit; 0: no digit
    s.next_place = Wire(Place)
    #: For each bit, the highest one first: the bit, those below, and the index of the power of this
    #: bit and those above.
    s.digit_bit = [Wire(Bits1) for _ in range(width)]
    s.below = [Wire(Digit) for _ in range(width)]
    s.power = [Wire(Digit) for _ in range(width)]
    for i in range(width):
        low = width - 1 - i
        s.digit_bit[i] //= s.digit[low]
        for wire, begin, end in ((s.below[i], 0, low), (s.power[i], low + 1, width)):
            count = end - begin
            if count:
                wire[0:count] //= s.digit[begin:end]
            wire[count:width] //= 0

    @update
    def comb_place():
        s.next_place @= s.place_reg << 1
        if s.enters:
            s.next_place @= 1

    @update
    def comb_index():
        s.index @= itself
        if s.next_place[width] & (s.digit == 0):
            s.index @= one
        for i in range(width):
            if s.next_place[i + 1] & s.digit_bit[i] & (s.below[i] == 0):
                s.index @= s.power[i]

    @update_ff
    def seq_place():
        if s.advance:
            s.place_reg <<= s.next_place
        elif s.load:
            s.place_reg <<= 0


def add_windows(s: ExponentScan, scan: Scan, forgets: bool) -> None:
    """Find windows of up to ``scan.sliding_nbits`` bits, which begin and end with a 1.

    A window begins with the first set bit after the previous window. The window ends with the last
    set bit among the ``scan.sliding_nbits`` bits that begin there. The steps of this last bit form
    the window's product.
    """
    width = scan.sliding_nbits
    Left = mk_bits(clog2(width + 1))
    Index = mk_bits(scan.index_nbits)
    s.left_reg = Wire(Left)  #: bits of the window left to scan, with the current bit; 0: no window
    s.index_reg = Wire(Index)
    s.next_left = Wire(Left)
    s.window = Wire(mk_bits(width))
    taken = min(width, scan.register_nbits)
    s.window[width - taken : width] //= s.next_exponent[
        scan.register_nbits - taken : scan.register_nbits
    ]
    if taken < width:
        s.window[0 : width - taken] //= 0
    #: indices[j]: bits of ``window`` above bit j, the table index of a window that ends with bit j.
    #: lengths[j]: the constant j + 1, the length of a window of j + 1 bits.
    s.indices = [Wire(Index) for _ in range(width)]
    s.lengths = [Wire(Left) for _ in range(width)]
    for j in range(width):
        s.lengths[j] //= j + 1
        count = width - j - 1
        if count:
            s.indices[j][0:count] //= s.window[j + 1 : width]
        if count < Index.nbits:
            s.indices[j][count : Index.nbits] //= 0
    first = width - 1

    @update
    def comb_windows():
        s.next_left @= s.left_reg
        s.index @= s.index_reg
        if s.enters:
            if s.left_reg > 1:
                s.next_left @= s.left_reg - 1
            else:
                s.next_left @= 0
                if s.digit != 0:
                    for k in range(width):
                        if s.window[first - k]:
                            s.next_left @= s.lengths[k]
                            s.index @= s.indices[first - k]
        s.set @= s.next_left == 1

    if forgets:

        @update_ff
        def seq_windows_forgotten():
            if s.advance:
                s.left_reg <<= s.next_left
                s.index_reg <<= s.index
            elif s.load:
                s.left_reg <<= 0
                s.index_reg <<= 0

    else:

        @update_ff
        def seq_windows():
            if s.advance:
                s.left_reg <<= s.next_left
                s.index_reg <<= s.index
            elif s.load:
                s.left_reg <<= 0


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
