"""Registers that software writes and reads, and the port that decodes the accesses."""

from pymtl3 import Bits1, Bits32, Component, InPort, OutPort, Wire, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL

from rsaxcel.fl.bus import AccessReqMsg, AccessRespMsg
from rsaxcel.fl.register_map import ADDRESS_NBITS, WORD_NBYTES


class HeldWord(Component):
    """Register with a mask of the bits to write.

    Parameters
    ----------
    nbits : int; width in bits

    Ports
    -----
    write : in, 1 bit
    data, mask : in, nbits bits each; bits outside the mask keep their values
    clear : in, 1 bit; has priority over ``write``
    value : out, nbits bits; 0 after reset
    """

    def construct(s, nbits):
        Word = mk_bits(nbits)
        s.write = InPort(1)
        s.data = InPort(Word)
        s.mask = InPort(Word)
        s.clear = InPort(1)
        s.value = OutPort(Word)
        s.value_reg = Wire(Word)
        s.value //= s.value_reg

        @update_ff
        def seq_value():
            if s.reset | s.clear:
                s.value_reg <<= 0
            elif s.write:
                s.value_reg <<= (s.value_reg & ~s.mask) | (s.data & s.mask)


class AccessPort(Component):
    """Tells which register is written, and answers reads.

    Parameters
    ----------
    count : int; number of registers, in consecutive words from address 0

    Ports
    -----
    access : minion; req {type_, addr, data, strb}, resp {type_, error, data}; error for an address
        without a register
    written : out, 1 bit each; the register is written in this cycle
    mask : out, 32 bits; ones in each byte whose strobe is 1
    data : out, 32 bits; data of the write, 0 outside the mask
    values : in, 32 bits each; value that a read of the register returns

    Latency: 1 cycle; an access per cycle while responses are taken. A read sees all earlier writes.
    """

    def construct(s, count):
        s.access = MinionIfcRTL(AccessReqMsg, AccessRespMsg)
        s.written = [OutPort(1) for _ in range(count)]
        s.mask = OutPort(32)
        s.data = OutPort(32)
        s.values = [InPort(32) for _ in range(count)]
        end = count * WORD_NBYTES

        s.accepts = Wire(Bits1)
        s.exists = Wire(Bits1)
        s.writes = Wire(Bits1)
        s.value = Wire(Bits32)
        s.response = Wire(AccessRespMsg)
        s.full_reg = Wire(Bits1)
        s.response_reg = Wire(AccessRespMsg)
        s.access.resp.val //= s.full_reg
        s.access.resp.msg //= s.response_reg

        @update
        def comb_request():
            s.access.req.rdy @= ~s.full_reg | s.access.resp.rdy
            s.accepts @= s.access.req.val & s.access.req.rdy
            s.exists @= (s.access.req.msg.addr[0:2] == 0) & (s.access.req.msg.addr < end)
            s.writes @= s.accepts & s.access.req.msg.type_ & s.exists & (s.access.req.msg.strb != 0)

        @update
        def comb_write():
            s.mask @= 0
            for i in range(WORD_NBYTES):
                if s.access.req.msg.strb[i]:
                    s.mask[8 * i : 8 * i + 8] @= 0xFF
            s.data @= s.access.req.msg.data & s.mask
            for i in range(count):
                s.written[i] @= s.writes & (s.access.req.msg.addr[2:ADDRESS_NBITS] == i)

        @update
        def comb_read():
            s.value @= 0
            for i in range(count):
                if s.access.req.msg.addr[2:ADDRESS_NBITS] == i:
                    s.value @= s.values[i]
            s.response.type_ @= s.access.req.msg.type_
            s.response.error @= ~s.exists
            s.response.data @= 0
            if s.exists & ~s.access.req.msg.type_:
                s.response.data @= s.value

        @update_ff
        def seq_response():
            if s.reset:
                s.full_reg <<= 0
            elif s.accepts:
                s.full_reg <<= 1
            elif s.access.resp.rdy:
                s.full_reg <<= 0
            if s.accepts:
                s.response_reg <<= s.response
