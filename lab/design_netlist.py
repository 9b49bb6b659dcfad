"""The netlist of a design with the messages of its ports: base of faults and traces."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rsaxcel.circuit import Circuit
from rsaxcel.flow.interface import read_interface
from rsaxcel.flow.job import circuit_job
from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY
from rsaxcel.flow.layout import NOT_PLACED, Layout
from rsaxcel.flow.outline import NETLIST, read_netlist
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.run import run
from rsaxcel.flow.runner import Progress
from rsaxcel.flow.subjects.circuits import pack, unpack
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.translate import VerilogModule


class DesignNetlist:
    """The netlist of a design, with its operands and results as messages of its ports."""

    def __init__(self, configuration: Circuit, netlist: Netlist, interface: VerilogModule) -> None:
        self.configuration, self.netlist, self.interface = configuration, netlist, interface

    def request(self, operands: Operands) -> int:
        return pack(self.interface.request, self.configuration.request(*operands))

    def response(self, message: int) -> tuple[int, ...]:
        return unpack(self.interface.response, message)

    @property
    def digits(self) -> tuple[int, int]:
        """Digits in which a request and a response are sent."""
        return self.interface.request.digits, self.interface.response.digits


def netlist_files(
    configuration: Circuit,
    library: str = DEFAULT_LIBRARY,
    clock_ns: float = CLOCK_NS,
    tell: Progress | None = None,
    directory: Path | None = None,
    layout: Layout = NOT_PLACED,
) -> tuple[Mapping[str, Path], str]:
    """Return the files of a design's netlist (and layout) and their key, from the store or flow."""
    job = circuit_job(configuration.whole, library, clock_ns, layout=layout, directory=directory)
    found = run(job, NETLIST, tell)
    return found.files, found.key


def read_files(
    files: Mapping[str, Path], library: str, layout: Layout = NOT_PLACED
) -> tuple[Netlist, VerilogModule]:
    """Read netlist and messages from the files that ``netlist_files`` returns for a layout."""
    interface = read_interface(files["interface.json"])
    return read_netlist(files, library, interface.top, layout), interface
