"""A part of a digit bank alone, for tests."""

import rsaxcel.rtl.measures  # noqa: F401  # adds itself to the parts of circuits
from rsaxcel import catalog
from rsaxcel.rtl.stores.lane_sources import LaneSources
from rsaxcel.sim.pymtl_engine import prepare

DESIGNS = [("orup_window", 0), ("crt_window", 0), ("crt_window", 1), ("crt_window_shared", 0)]
NBITS = 24
CHECKED = {"check": "public_exponent"}


class Part:
    """A component of a lane, with the lane's golden model; driven cycle by cycle."""

    def __init__(self, name: str, lane: int, make, **params):
        configuration = catalog.get(name).configure(NBITS, digit_nbits=4, **params)
        (program,) = configuration.programs
        self.golden = configuration.multiplier.build("fl", program.product_nbits(NBITS))
        self.sources = LaneSources(program, lane)
        self.program = program
        self.top = make(self)
        self.top.elaborate()
        prepare(self.top, None)
        self.drive(reset=1)
        self.cycle()
        self.drive(reset=0)

    def drive(self, **ports: int) -> None:
        """Set input ports; signed values, too."""
        for name, value in ports.items():
            port = getattr(self.top, name)
            port @= value & (1 << port.nbits) - 1
        self.top.sim_settle()

    def cycle(self, **ports: int) -> None:
        """Set ports, apply a clock edge, and set these ports to 0 again."""
        self.drive(**ports)
        self.top.sim_edge()
        self.drive(**dict.fromkeys(ports, 0))
