"""Components around the processor for its tests."""

from pymtl3 import Bits1, Bits5, Bits16, Bits32, Component, Wire, concat, update, update_ff
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL

from rsaxcel.fl.xcel import XcelReqMsg, XcelRespMsg
from rsaxcel.proc.kinds import ProcXcel


class SlowRegisters(Component):
    """Accelerator of 32 registers with random delays of requests and responses."""

    def construct(s):
        s.xcel = MinionIfcRTL(XcelReqMsg, XcelRespMsg)
        s.registers = [Wire(Bits32) for _ in range(32)]
        s.full_reg = Wire(Bits1)
        s.shown_reg = Wire(Bits1)
        s.write_reg = Wire(Bits1)
        s.address_reg = Wire(Bits5)
        s.random_reg = Wire(Bits16)

        @update
        def comb_ports():
            s.xcel.req.rdy @= ~s.full_reg & (s.random_reg[0] | s.random_reg[5])
            s.xcel.resp.val @= s.full_reg & (s.shown_reg | (s.random_reg[2:4] == 0))
            s.xcel.resp.msg.type_ @= s.write_reg
            s.xcel.resp.msg.data @= s.registers[s.address_reg]

        @update_ff
        def seq_registers():
            if s.reset:
                for i in range(32):
                    s.registers[i] <<= 0
            elif s.xcel.req.val & s.xcel.req.rdy & s.xcel.req.msg.type_:
                s.registers[s.xcel.req.msg.addr] <<= s.xcel.req.msg.data

        @update_ff
        def seq_request():
            if s.reset:
                s.full_reg <<= 0
                s.shown_reg <<= 0
            elif s.xcel.req.val & s.xcel.req.rdy:
                s.full_reg <<= 1
                s.shown_reg <<= 0
            elif s.xcel.resp.val:
                s.full_reg <<= ~s.xcel.resp.rdy
                s.shown_reg <<= 1
            if s.xcel.req.val & s.xcel.req.rdy:
                s.write_reg <<= s.xcel.req.msg.type_
                s.address_reg <<= s.xcel.req.msg.addr

        @update_ff
        def seq_random():
            if s.reset:
                s.random_reg <<= 0xACE1
            else:
                s.random_reg <<= concat(
                    s.random_reg[0:15],
                    s.random_reg[15] ^ s.random_reg[13] ^ s.random_reg[12] ^ s.random_reg[10],
                )

    def line_trace(s):
        return f"{s.xcel.req}(){s.xcel.resp}"


class PlainRegisters:
    """Golden model of ``SlowRegisters``."""

    def __init__(self) -> None:
        self.registers = [0] * 32

    def write(self, address: int, data: int) -> None:
        self.registers[address] = data

    def read(self, address: int) -> int:
        return self.registers[address]


class Watched(ProcXcel):
    """A system that records violations: waiting requests that its processor withdraws or changes.

    Instruction fetches are exempt, because a jump changes the fetched address.
    """

    def construct(s, processor, accelerator):
        ProcXcel.construct(s, processor, accelerator)
        s.violations = []
        s.waits = 0
        s.waiting = {}

        @update_ff
        def seq_watch():
            s.note()

    def note(s):
        streams = {"dmem": s.proc.dmem.req, "xcel": s.proc.xcel.req, "proc2mngr": s.proc.proc2mngr}
        for name, stream in streams.items():
            offer = str(stream.msg) if stream.val and not s.reset else None
            if s.waiting.get(name) not in (None, offer):
                s.violations.append((name, s.waiting[name], offer))
            s.waiting[name] = None if stream.rdy else offer
            s.waits += s.waiting[name] is not None
