"""Interrupt registers: a program reads the bus's interrupt, or waits for one.

The processor has no interrupt input. Its control registers ``xcel0`` to ``xcel31`` access its xcel
interface: an accelerator or, in a system with a bus, the interrupt registers.
"""

from enum import IntEnum
from typing import Protocol

from pymtl3 import Bits1, Component, InPort, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL

from rsaxcel.fl.xcel import XcelReqMsg, XcelRespMsg
from rsaxcel.proc.bus.device import BUS_BASE


class InterruptRegister(IntEnum):
    """Numbers of the interrupt registers: 5 is ``xcel5``."""

    #: All other registers read 0, and writes have no effect. From 0 in `xcel1`, the driver for an
    #: accelerator at the xcel interface (`proc/programs/xcel.h`) concludes that there is none.
    WAIT = 0  #: read: waits until the interrupt is high, and returns 1
    LEVEL = 5  #: read: 1 if the interrupt is high, without waiting
    BUS = 7  #: read: first address of the bus; 0 without a bus


WAIT, LEVEL, BUS = (int(register) for register in InterruptRegister)


class Line(Protocol):
    """Source of an interrupt, such as ``proc.bus.device.BusDevice``."""

    @property
    def interrupt(self) -> bool:
        """Whether the interrupt line is high."""


class InterruptRegisters:
    """Model of the interrupt registers in plain Python.

    The model has no timing: an interrupt that is low when a program begins to wait never rises.
    """

    def __init__(self, source: Line) -> None:
        self._source = source

    def write(self, address: int, data: int) -> None:
        """Do nothing: writes have no effect."""

    def read(self, address: int) -> int | None:
        """Return None if the read would wait forever."""
        if address == InterruptRegister.WAIT:
            return 1 if self._source.interrupt else None
        if address == InterruptRegister.LEVEL:
            return int(self._source.interrupt)
        return BUS_BASE if address == InterruptRegister.BUS else 0


class InterruptPort(Component):
    """Circuit of the interrupt registers (``InterruptRegister``), for the xcel interface.

    Ports
    -----
    xcel : minion; req {type_, addr, data}, resp {type_, data}
    interrupt : in, 1 bit; the interrupt line, which stays high until software acknowledges it

    Latency: 1 cycle; one request per cycle while responses are taken. A read of ``WAIT`` is
    answered in the first cycle in which the interrupt is high.
    """

    def construct(s):
        s.xcel = MinionIfcRTL(XcelReqMsg, XcelRespMsg)
        s.interrupt = InPort(1)
        s.full_reg = Wire(Bits1)
        s.write_reg = Wire(Bits1)
        #: 1: the pending request reads the register of this name (WAIT, LEVEL, BUS).
        s.wait_reg = Wire(Bits1)
        s.level_reg = Wire(Bits1)
        s.bus_reg = Wire(Bits1)
        s.waits = Wire(Bits1)

        @update
        def comb_ports():
            s.waits @= s.wait_reg & ~s.interrupt
            s.xcel.req.rdy @= ~s.full_reg | (s.xcel.resp.rdy & ~s.waits)
            s.xcel.resp.val @= s.full_reg & ~s.waits

        @update
        def comb_response():
            s.xcel.resp.msg.type_ @= s.write_reg
            s.xcel.resp.msg.data @= 0
            if s.wait_reg | (s.level_reg & s.interrupt):
                s.xcel.resp.msg.data @= 1
            elif s.bus_reg:
                s.xcel.resp.msg.data @= BUS_BASE

        @update_ff
        def seq_request():
            if s.reset:
                s.full_reg <<= 0
            elif s.xcel.req.rdy:
                s.full_reg <<= s.xcel.req.val
            if s.xcel.req.rdy & s.xcel.req.val:
                s.write_reg <<= s.xcel.req.msg.type_
                s.wait_reg <<= ~s.xcel.req.msg.type_ & (s.xcel.req.msg.addr == WAIT)
                s.level_reg <<= ~s.xcel.req.msg.type_ & (s.xcel.req.msg.addr == LEVEL)
                s.bus_reg <<= ~s.xcel.req.msg.type_ & (s.xcel.req.msg.addr == BUS)

    def line_trace(s):
        return f"{s.xcel.req}({int(s.interrupt)}){s.xcel.resp}"
