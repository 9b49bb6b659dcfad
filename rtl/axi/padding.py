"""Padding: fills a block with a PKCS#1 v1.5 padding, or finds the end of a padding."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL

from rsaxcel.fl.bus_unit import EntropyMsg
from rsaxcel.fl.pkcs1 import PADDING_NBYTES, BlockType
from rsaxcel.fl.register_map import WORD_NBYTES
from rsaxcel.rtl.lib.word_lane import index_nbits

ENCRYPTION, SIGNATURE = int(BlockType.ENCRYPTION), int(BlockType.SIGNATURE)


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
        s.left_reg = Wire(Length)  # bytes that are left: the next byte is the highest of them
        s.position = Wire(Length)
        s.is_top = Wire(Bits1)
        s.is_type = Wire(Bits1)
        s.is_padding = Wire(Bits1)  # only valid while filling
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

        # What the scan has found in the bytes that it has read.
        s.bad_reg = Wire(Bits1)
        s.zero_reg = Wire(Bits1)  # the padding has ended
        s.found_reg = Wire(Length)
        s.above = Wire(Above)  # number of bytes above the scanned byte
        s.short = Wire(Bits1)  # the padding is too short if it ends with the scanned byte
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
