"""Systems of the processor with an accelerator, by their names."""

from dataclasses import dataclass
from pathlib import Path

import cl
import designs
import fl
import proc
import rtl
from eval.errors import UserError
from eval.options import DEFAULT_NBITS, configure
from fl.xcel import NullRegisters, Registers, XcelRegisters
from proc.systems import ProcXcel, build_system
from sim.engine import EngineName
from sim.system import open_system
from sim.system_run import System as SimulatedSystem

NULL_SYSTEM = "proc_null"
_PREFIX = "proc_"


@dataclass(frozen=True)
class System:
    """A processor with an accelerator.

    Parameters
    ----------
    name : str
        ``proc_`` and the design, or ``proc_null``.
    configuration : designs.Configuration or None
        The accelerator; None where there is none.
    """

    name: str
    configuration: designs.Configuration | None

    @property
    def key(self) -> str:
        """Name with the width and the parameters of the accelerator."""
        return self.name if self.configuration is None else _PREFIX + self.configuration.name

    def registers(self) -> Registers:
        """Make the accelerator's registers in plain Python."""
        if self.configuration is None:
            return NullRegisters()
        return XcelRegisters(self.configuration)

    def component(self) -> ProcXcel:
        """Make the PyMTL3 component at RTL, not elaborated."""
        return build_system("rtl", self.configuration)

    def open(self, engine: EngineName = "native") -> SimulatedSystem:
        """Make the circuit ready to run programs; what was compiled before is used again.

        Raises
        ------
        ToolError, CacheError
            If it can't be compiled or stored.
        """
        sources = [Path(designs.__file__), *(Path(p.__file__).parent for p in (fl, cl, rtl, proc))]
        return open_system(engine, self.component, key=self.key, sources=sources)


def find_system(name: str, nbits: int = DEFAULT_NBITS) -> System:
    """System by its name, or by that of its design.

    Raises
    ------
    UserError
        For an unknown name or a width that the design does not have.
    """
    design = name.removeprefix(_PREFIX)
    if design == NULL_SYSTEM.removeprefix(_PREFIX):
        return System(NULL_SYSTEM, None)
    if design not in designs.DESIGNS:
        systems = ", ".join((NULL_SYSTEM, *(_PREFIX + known for known in designs.DESIGNS)))
        raise UserError(f"system {name!r} is unknown; allowed: {systems}")
    return System(_PREFIX + design, configure(designs.get, design, nbits, {}))
