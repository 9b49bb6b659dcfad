"""Kinds of systems: a processor alone, with an accelerator beside it, or with one on a bus."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pymtl3 import Component, connect

from rsaxcel.catalog.configuration import Exponentiator
from rsaxcel.fl.bus import BusRegisters
from rsaxcel.fl.xcel import NullRegisters, RegisterUnit, XcelRegisters
from rsaxcel.plan.parameters import Parameter
from rsaxcel.proc.bus.bridge import BusBridge
from rsaxcel.proc.bus.device import BusDevice
from rsaxcel.proc.bus.entropy import EntropySource
from rsaxcel.proc.bus.interrupt import InterruptPort, InterruptRegisters
from rsaxcel.proc.parameters import PROCESSOR_PARAMETERS, SOFTWARE
from rsaxcel.proc.ports import SYSTEM_PORTS, add_system_ports
from rsaxcel.proc.run import Devices
from rsaxcel.rtl.axi.slave import connect_axi_pins
from rsaxcel.rtl.xcel import NullXcel


class ProcXcel(Component):
    """A processor with an accelerator at its xcel interface; both are not elaborated.

    ``processor`` has the ports of ``proc.ports``, of which all but ``xcel`` are ports of the whole;
    ``accelerator`` has the minion port ``xcel``.
    """

    def construct(s, processor, accelerator):
        add_system_ports(s)

        s.proc = processor
        s.xcel = accelerator
        s.proc.xcel //= s.xcel.xcel
        for name in SYSTEM_PORTS:
            connect(getattr(s, name), getattr(s.proc, name))

    def line_trace(s):
        return f"{s.proc.line_trace()} {s.xcel.line_trace()}"


class ProcBus(Component):
    """A processor with an accelerator on a bus at the processor's data port.

    Both are not elaborated.

    ``processor`` has the ports of ``proc.ports``, of which all but ``xcel`` are ports of the whole;
    ``accelerator`` is ``rtl.axi.slave.AxiAccelerator``. A program reads the interrupt as a control
    register (``proc.bus.interrupt``); random bytes come from ``proc.bus.entropy``.
    """

    def construct(s, processor, accelerator):
        add_system_ports(s)

        s.proc = processor
        s.bridge = BusBridge()
        s.accelerator = accelerator
        s.interrupt = InterruptPort()
        s.entropy = EntropySource()
        s.proc.dmem //= s.bridge.proc
        s.bridge.mem //= s.dmem
        connect_axi_pins(s.accelerator, s.bridge.axi)
        s.proc.xcel //= s.interrupt.xcel
        s.interrupt.interrupt //= s.accelerator.interrupt
        s.entropy.send.msg //= s.accelerator.entropy_data
        s.entropy.send.val //= s.accelerator.entropy_valid
        s.entropy.send.rdy //= s.accelerator.entropy_ready
        for name in SYSTEM_PORTS:
            if name != "dmem":
                connect(getattr(s, name), getattr(s.proc, name))

    def line_trace(s):
        return f"{s.proc.line_trace()} {s.accelerator.line_trace()}"


@dataclass(frozen=True)
class SystemKind:
    """A kind of system: connection of processor and accelerator, programs, models."""

    prefix: str
    summary: str
    programs: tuple[str, ...]  #: programs that exponentiate on such a system
    parameters: tuple[Parameter, ...]  #: parameters other than the accelerator's
    #: Makes Python models of the devices at the processor, from the accelerator's configuration, if
    #: any.
    devices: Callable[[Any], Devices]
    #: Makes the component at the xcel interface or on the bus, from configuration (if any) and
    #: level.
    accelerator: Callable[[Any, str], Component]
    join: type[Component]  #: component with processor and accelerator


def _null_accelerator(_configuration: Exponentiator | None, level: str) -> Component:
    return RegisterUnit(NullRegisters) if level == "fl" else NullXcel()


def _bus_devices(configuration: Exponentiator) -> Devices:
    bus = BusDevice(BusRegisters(configuration))
    return Devices(InterruptRegisters(bus), bus)


NULL = SystemKind(
    "proc_",
    "the processor on its own, with software",
    ("naive", "montgomery"),
    (*PROCESSOR_PARAMETERS, SOFTWARE),
    lambda _: Devices(),
    _null_accelerator,
    ProcXcel,
)
XCEL = SystemKind(
    "proc_",
    "the processor with an accelerator; widths and parameters of the design",
    ("xcel",),
    (*PROCESSOR_PARAMETERS, SOFTWARE),
    lambda configuration: Devices(XcelRegisters(configuration)),
    Exponentiator.accelerator,
    ProcXcel,
)
BUS = SystemKind(
    "axi_",
    "the processor with an accelerator on a bus (AXI4-Lite); widths of the design",
    ("axi", "axi_interrupt"),
    PROCESSOR_PARAMETERS,
    _bus_devices,
    Exponentiator.axi_accelerator,
    ProcBus,
)
#: kinds with an accelerator, by prefix of the systems' names
ATTACHED = {kind.prefix: kind for kind in (XCEL, BUS)}
