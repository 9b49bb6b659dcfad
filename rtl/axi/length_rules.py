"""LengthRules: checks the lengths of key and message."""

from pymtl3 import (
    Bits1,
    Bits32,
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    mk_bits,
    trunc,
    update,
    zext,
)

from rsaxcel.fl.pkcs1 import OVERHEAD_NBYTES, UNPADDED_NBYTES
from rsaxcel.fl.register_map import WORD_NBITS, WORD_NBYTES
from rsaxcel.fl.status import STATUS_NBITS, Status

OK, KEY_TOO_SHORT = int(Status.OK), int(Status.KEY_TOO_SHORT)
MESSAGE_TOO_LONG, LENGTH_WRONG = int(Status.MESSAGE_TOO_LONG), int(Status.LENGTH_WRONG)


class LengthRules(Component):
    """Checks the lengths of an operation before it begins, as ``fl.bus.BusRegisters`` does.

    Parameters
    ----------
    words : int; words of 32 bits of the longest block

    Ports
    -----
    written : in, 32 bits; length of the message in bytes, as written by software
    block : in, clog2(4 * words + 1) bits; bytes of the modulus
    decrypt, unpadded, signature : in, 1 bit each; bit DECRYPT of the register STATUS, bits UNPADDED
        and SIGNATURE of the register MODE
    padded : out, 1 bit; blocks have a padding
    removes : out, 1 bit; the padding is removed after the exponentiation, not added before it
    length : out, clog2(4 * words + 1) bits; ``written``, or the greatest length allowed if
        ``exceeds`` is 1
    exceeds : out, 1 bit; ``written`` is above the greatest length allowed
    status : out, STATUS_NBITS bits; 0, or the status with which the operation is refused

    Combinational.
    """

    def construct(s, words):
        # Wide enough for the length of a block, and for OVERHEAD_NBYTES, with which it is compared.
        Length = mk_bits(max(clog2(WORD_NBYTES * words + 1), clog2(OVERHEAD_NBYTES + 1)))
        Port = mk_bits(clog2(WORD_NBYTES * words + 1))
        s.written = InPort(WORD_NBITS)
        s.block = InPort(Port)
        s.decrypt = InPort(1)
        s.unpadded = InPort(1)
        s.signature = InPort(1)
        s.padded = OutPort(1)
        s.removes = OutPort(1)
        s.length = OutPort(Port)
        s.exceeds = OutPort(1)
        s.status = OutPort(STATUS_NBITS)
        s.short = Wire(Bits1)
        s.most = Wire(Length)
        s.wide_block = Wire(Length)

        @update
        def comb_padded():
            s.wide_block @= zext(s.block, Length)
            s.padded @= ~s.unpadded & (s.wide_block > UNPADDED_NBYTES)
            s.short @= s.padded & (s.wide_block < OVERHEAD_NBYTES)
            s.removes @= s.padded & (s.decrypt ^ s.signature)

        @update
        def comb_length():
            s.most @= s.wide_block
            if s.padded & ~s.removes:
                s.most @= 0
                if ~s.short:
                    s.most @= s.wide_block - OVERHEAD_NBYTES
            s.exceeds @= s.written > zext(s.most, Bits32)
            s.length @= trunc(s.most, Port)
            if ~s.exceeds:
                s.length @= trunc(s.written, Port)

        @update
        def comb_status():
            s.status @= OK
            if s.short:
                s.status @= KEY_TOO_SHORT
            elif s.exceeds:
                s.status @= MESSAGE_TOO_LONG
            elif s.removes & (s.length != s.block):
                s.status @= LENGTH_WRONG
