"""Blocks: their bytes, the circuit that fills and scans a padding, and the words of the result."""

from pymtl3 import (
    Bits1,
    Bits8,
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    mk_bits,
    update,
    update_ff,
    zext,
)
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL

from rsaxcel.fl.bus import EntropyMsg
from rsaxcel.fl.pkcs1 import PADDING_NBYTES, BlockType
from rsaxcel.fl.register_map import WORD_NBITS, WORD_NBYTES
from rsaxcel.fl.word_serial import words_per_operand
from rsaxcel.rtl.lib.lanes import index_nbits
from rsaxcel.rtl.lib.selects import WordSelect

ENCRYPTION, SIGNATURE = int(BlockType.ENCRYPTION), int(BlockType.SIGNATURE)


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
        s.whole = Wire(Whole)  #: number of words all bytes of which belong to the output
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


class Padding(Component):
    """Fills or scans a block, one byte per cycle, the most significant one first.

    ``fl.pkcs1`` describes the format of a block.

    Parameters
    ----------
    words : int; words of 32 bits of the longest block

    Ports
    -----
    fill : in, 1 bit; begin to fill the block above the message
    scan : in, 1 bit; begin to scan a block
    cancel : in, 1 bit; stop filling
    padded : in, 1 bit; the block gets a padding; if 0, it is filled with zeros; stable while active
    signature : in, 1 bit; the padding is of block type 1 (bytes 0xFF); if 0, it is of type 2
        (random bytes); stable while active
    length, block : in, clog2(4 * words + 1) bits each; bytes of the message (fill) and of the
        modulus; stable while active
    active : out, 1 bit; from the cycle after ``fill`` or ``scan`` to the end
    entropy : random bytes; ready while a byte is needed; zeros are taken and skipped
    index : out, index_nbits(4 * words) bits; index of the byte that is written or scanned
    write : out, 1 bit; ``octet`` is written
    octet : out, 8 bits
    seen : in, 8 bits; byte ``index`` of the scanned block, in the same cycle
    good : out, 1 bit; the block has a correct padding
    found : out, clog2(4 * words + 1) bits; bytes of the message in the block; this port and
        ``good`` are held until the next scan

    Filling takes a cycle per byte of the buffer above the message, one more, and the cycles in
    which it waits for random bytes. Scanning takes a cycle per byte of the block and one more,
    independent of the values of the bytes.
    """

    def construct(s, words):
        nbytes = WORD_NBYTES * words
        Length = mk_bits(clog2(nbytes + 1))
        Above = mk_bits(max(Length.nbits, clog2(PADDING_NBYTES + 3)))
        s.fill = InPort(1)
        s.scan = InPort(1)
        s.cancel = InPort(1)
        s.padded = InPort(1)
        s.signature = InPort(1)
        s.length = InPort(Length)
        s.block = InPort(Length)
        s.active = OutPort(1)
        s.entropy = RecvIfcRTL(EntropyMsg)
        s.index = OutPort(index_nbits(nbytes))
        s.write = OutPort(1)
        s.octet = OutPort(8)
        s.seen = InPort(8)
        s.good = OutPort(1)
        s.found = OutPort(Length)

        s.filling_reg = Wire(Bits1)
        s.scanning_reg = Wire(Bits1)
        #: bytes that are not filled or scanned yet: the next byte is the highest of these
        s.left_reg = Wire(Length)
        s.position = Wire(Length)
        s.is_top = Wire(Bits1)
        s.is_type = Wire(Bits1)
        s.is_padding = Wire(Bits1)  #: only valid while filling
        s.block_type = Wire(8)
        s.ends = Wire(Bits1)
        s.draws = Wire(Bits1)
        s.advances = Wire(Bits1)
        s.active //= lambda: s.filling_reg | s.scanning_reg
        s.index //= s.position[0 : index_nbits(nbytes)]

        @update
        def comb_position():
            s.ends @= s.left_reg == 0
            if s.filling_reg:
                s.ends @= s.left_reg == s.length
            s.position @= s.left_reg - 1
            if s.ends:
                s.position @= 0
            s.is_top @= s.left_reg == s.block
            s.is_type @= s.left_reg == s.block - 1
            s.is_padding @= (s.left_reg < s.block - 1) & (s.position != s.length)
            s.block_type @= ENCRYPTION
            if s.signature:
                s.block_type @= SIGNATURE

        @update
        def comb_fill():
            s.draws @= s.filling_reg & ~s.ends & s.padded & s.is_padding & ~s.signature
            s.entropy.rdy @= s.draws
            s.octet @= 0
            if s.padded & s.is_type:
                s.octet @= s.block_type
            elif s.padded & s.is_padding:
                s.octet @= 0xFF
                if ~s.signature:
                    s.octet @= s.entropy.msg
            s.advances @= ~s.draws | (s.entropy.val & (s.entropy.msg != 0))
            s.write @= s.filling_reg & ~s.ends & s.advances

        @update_ff
        def seq_phase():
            if s.reset:
                s.filling_reg <<= 0
                s.scanning_reg <<= 0
            elif s.fill | s.scan:
                s.filling_reg <<= s.fill
                s.scanning_reg <<= s.scan
            elif s.ends | s.cancel:
                s.filling_reg <<= 0
                s.scanning_reg <<= 0

        @update_ff
        def seq_left():
            if s.fill:
                s.left_reg <<= nbytes
            elif s.scan:
                s.left_reg <<= s.block
            elif s.active & ~s.ends & s.advances:
                s.left_reg <<= s.left_reg - 1

        #: Findings of the scan about the bytes that it has read.
        s.bad_reg = Wire(Bits1)
        s.zero_reg = Wire(Bits1)  #: the zero byte that ends the padding has been scanned
        s.found_reg = Wire(Length)
        s.above = Wire(Above)  #: number of bytes above the scanned byte
        s.short = Wire(Bits1)  #: the padding is too short if it ends with the scanned byte
        s.good //= lambda: s.zero_reg & ~s.bad_reg
        s.found //= s.found_reg

        @update
        def comb_short():
            s.above @= zext(s.block - s.left_reg, Above)
            s.short @= s.above < PADDING_NBYTES + 2

        @update_ff
        def seq_scan():
            if s.scan:
                s.bad_reg <<= 0
                s.zero_reg <<= 0
            elif s.scanning_reg & ~s.ends:
                if s.is_top:
                    s.bad_reg <<= s.bad_reg | (s.seen != 0)
                elif s.is_type:
                    s.bad_reg <<= s.bad_reg | (s.seen != s.block_type)
                elif ~s.zero_reg:
                    if s.seen == 0:
                        s.zero_reg <<= 1
                        s.found_reg <<= s.position
                        s.bad_reg <<= s.bad_reg | s.short
                    elif s.signature & (s.seen != 0xFF):
                        s.bad_reg <<= 1
