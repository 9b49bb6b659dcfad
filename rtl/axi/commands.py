"""Commands: passes on software's writes while the accelerator is idle, else drops them."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, update, update_ff

from rsaxcel.fl.register_map import CLEAR, DECRYPT, DROPPED, REWIND, START, WORD_NBITS

# PyMTL3's update blocks accept plain integers only, not fields of objects.
START_BIT, DECRYPT_BIT, DROPPED_BIT = START.lsb, DECRYPT.lsb, DROPPED.lsb
REWIND_BIT, CLEAR_BIT = REWIND.lsb, CLEAR.lsb


class Commands(Component):
    """Passes on what software writes while the accelerator is idle; while it is busy, drops it.

    A dropped write sets ``dropped``, except a write to the bit DECRYPT. The command ``clear`` is
    given even while the accelerator is busy.

    Parameters
    ----------
    blocked : int; number of registers that are not written while busy
    words : int; size of the buffer of the message in words of 32 bits

    Ports
    -----
    busy : in, 1 bit; an operation or a clearing runs
    data, mask : in, 32 bits each; data of the write, and which bits are written
    status, control : in, 1 bit each; the register STATUS is written; the register CONTROL is
        written
    asks : in, 1 bit each; software writes to this blocked register. The first blocked register is
        special: ``data`` is then the index at which a word is stored in the buffer
    takes : out, 1 bit each; the write to this blocked register has an effect: not busy
    stores : out, 1 bit; a word is stored in the buffer; 0 if the buffer does not have the index
    start, clear, rewind : out, 1 bit each; software gives this command by its write
    decrypt : out, 1 bit; the bit DECRYPT of STATUS, held
    dropped : out, 1 bit; a write was dropped; held until software clears the bit DROPPED
    """

    def construct(s, blocked, words):
        s.busy = InPort(1)
        s.data = InPort(WORD_NBITS)
        s.mask = InPort(WORD_NBITS)
        s.status = InPort(1)
        s.control = InPort(1)
        s.asks = [InPort(1) for _ in range(blocked)]
        s.takes = [OutPort(1) for _ in range(blocked)]
        s.stores = OutPort(1)
        s.start = OutPort(1)
        s.clear = OutPort(1)
        s.rewind = OutPort(1)
        s.decrypt = OutPort(1)
        s.dropped = OutPort(1)
        s.drops = Wire(Bits1)
        s.rewinds = Wire(Bits1)
        s.decrypt_reg = Wire(Bits1)
        s.dropped_reg = Wire(Bits1)
        s.decrypt //= s.decrypt_reg
        s.dropped //= s.dropped_reg

        @update
        def comb_commands():
            s.start @= s.status & s.data[START_BIT] & ~s.busy
            s.clear @= s.control & s.data[CLEAR_BIT]
            s.rewinds @= s.control & s.data[REWIND_BIT] & ~s.data[CLEAR_BIT]
            s.rewind @= s.rewinds & ~s.busy
            s.stores @= s.asks[0] & ~s.busy & (s.data < words)

        @update
        def comb_drops():
            s.drops @= s.asks[0] & ~s.stores
            if s.busy & (s.rewinds | (s.status & s.data[START_BIT])):
                s.drops @= 1
            for i in range(blocked):
                s.takes[i] @= s.asks[i] & ~s.busy
                if s.asks[i] & s.busy:
                    s.drops @= 1

        @update_ff
        def seq_decrypt():
            if s.reset:
                s.decrypt_reg <<= 0
            elif s.status & s.mask[DECRYPT_BIT] & ~s.busy:
                s.decrypt_reg <<= s.data[DECRYPT_BIT]

        @update_ff
        def seq_dropped():
            if s.reset:
                s.dropped_reg <<= 0
            elif s.drops:
                s.dropped_reg <<= 1
            elif s.status & s.data[DROPPED_BIT]:
                s.dropped_reg <<= 0
