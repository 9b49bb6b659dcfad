"""AxiBench: the accelerator with its checker; ports have the names that cocotb's master needs."""

from pymtl3 import Component, InPort, OutPort, connect

from rsaxcel.lab.proofs.surroundings import AxiLiteChecker
from rsaxcel.rtl.axi.slave import add_axi_pins, axi_pins


class AxiBench(Component):
    """Top of a simulation; the device is an ``AxiAccelerator``, not elaborated."""

    def construct(s, device):
        add_axi_pins(s)
        s.entropy_data = InPort(8)
        s.entropy_valid = InPort(1)
        s.entropy_ready = OutPort(1)
        s.interrupt = OutPort(1)
        s.forget = InPort(1)
        s.slave_broke = OutPort(1)
        s.master_broke = OutPort(1)
        s.device = device
        s.watch = AxiLiteChecker()
        for name in axi_pins():
            connect(getattr(s, name), getattr(s.device, name))
        for name in [n for n in axi_pins() if isinstance(getattr(s, n), InPort)]:
            connect(getattr(s, name), getattr(s.watch, name))
        for name in [n for n in axi_pins() if isinstance(getattr(s, n), OutPort)]:
            connect(getattr(s.device, name), getattr(s.watch, name))
        for name in ("entropy_data", "entropy_valid", "entropy_ready", "interrupt"):
            connect(getattr(s, name), getattr(s.device, name))
        for name in ("forget", "slave_broke", "master_broke"):
            connect(getattr(s, name), getattr(s.watch, name))
