"""AxiAccelerator: an accelerator with an AXI4-Lite slave, whose ports have AXI's names."""

from pymtl3 import Component, InPort, OutPort

from rsaxcel.rtl.axi.interface import ADDRESS, READ_DATA, WRITE_DATA, WRITE_RESP
from rsaxcel.rtl.axi.slave import AxiLiteSlave

PREFIX = "s_axi_"

#: For each channel: direction of payload and valid at the slave, and fields with widths in bits.
CHANNELS = {
    "aw": (InPort, ADDRESS),
    "w": (InPort, WRITE_DATA),
    "b": (OutPort, WRITE_RESP),
    "ar": (InPort, ADDRESS),
    "r": (OutPort, READ_DATA),
}


def add_axi_pins(s: Component) -> None:
    """Add the ports of an AXI4-Lite slave, such as ``s_axi_awaddr``, without protection bits.

    A slave that ignores protection bits may omit these.
    """
    for channel, (payload, fields) in CHANNELS.items():
        for name, nbits in (*fields, ("valid", 1)):
            setattr(s, f"{PREFIX}{channel}{name}", payload(nbits))
        ready = OutPort if payload is InPort else InPort
        setattr(s, f"{PREFIX}{channel}ready", ready(1))


def axi_pins() -> list[str]:
    """Names of the ports of an AXI4-Lite slave."""
    return [
        f"{PREFIX}{channel}{name}"
        for channel, (_, fields) in CHANNELS.items()
        for name in (*(field for field, _ in fields), "valid", "ready")
    ]


def connect_axi_pins(s: Component, axi) -> None:
    for channel, (_, fields) in CHANNELS.items():
        stream = getattr(axi, channel)
        for name, _ in fields:
            signal = getattr(stream.msg, name)
            signal //= getattr(s, f"{PREFIX}{channel}{name}")
        valid, ready = stream.val, stream.rdy
        valid //= getattr(s, f"{PREFIX}{channel}valid")
        ready //= getattr(s, f"{PREFIX}{channel}ready")


class AxiAccelerator(Component):
    """An accelerator on a bus, for a system on chip.

    Parameters
    ----------
    accelerator : Component; accelerator with the ports ``access`` (minion), ``entropy`` and
        ``interrupt``; a component that PyMTL3 has not elaborated

    Ports
    -----
    s_axi_* : AXI4-Lite slave, 32 bits; synchronous to ``clk``; ``reset`` is active high
    entropy_data, entropy_valid : in, 8 bits and 1 bit; random bytes
    entropy_ready : out, 1 bit
    interrupt : out, 1 bit; level-sensitive
    """

    def construct(s, accelerator):
        add_axi_pins(s)
        s.entropy_data = InPort(8)
        s.entropy_valid = InPort(1)
        s.entropy_ready = OutPort(1)
        s.interrupt = OutPort(1)
        s.slave = AxiLiteSlave()
        connect_axi_pins(s, s.slave.axi)
        s.accelerator = accelerator
        s.slave.access //= s.accelerator.access
        s.accelerator.entropy.msg //= s.entropy_data
        s.accelerator.entropy.val //= s.entropy_valid
        s.accelerator.entropy.rdy //= s.entropy_ready
        s.accelerator.interrupt //= s.interrupt

    def line_trace(s):
        return s.accelerator.line_trace()
