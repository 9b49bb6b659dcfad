"""Base class of the flow's subjects: a circuit with its workload."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from rsaxcel.circuit import Target
from rsaxcel.flow.shells import verilog_of
from rsaxcel.sim.translate import VerilogModule, translate
from rsaxcel.store.code import code_digest, without_comments

if TYPE_CHECKING:  # slow to import, and a result that is there needs no simulation
    from rsaxcel.flow.gates.level import GateLevel
    from rsaxcel.flow.power.activity import Simulated
    from rsaxcel.flow.power.netlist import Netlist


def pymtl3_version() -> str:
    return version("pymtl3")


@dataclass(frozen=True)
class Tried:
    """Operations that a netlist computed as its circuit does."""

    operations: int
    seed: int
    faults: tuple[str, ...] = ()  #: faults of the circuit; see ``flow.answers``


class Subject(ABC):
    """Base class of subjects."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.design = target.design_name  #: also the name of the top module
        self.nbits = target.nbits
        self.params = target.params
        self.name = target.name
        self.sources = target.sources
        self.exponent_nbits = target.exponent_nbits

    @property
    @abstractmethod
    def check(self) -> Callable[[Any], object]:
        """Function that raises ``ValueError`` if a component lacks needed interfaces."""

    @cached_property
    def circuit(self) -> Any:
        """Description of the circuit; circuits with equal descriptions have equal Verilog."""
        return self.design, self.nbits, dict(self.params), self._code

    @cached_property
    def _code(self) -> str:
        return code_digest(self.sources)

    @property
    def tools(self) -> Mapping[str, str]:
        """Versions of the tools that ``verilog`` calls, by name."""
        return {"pymtl3": pymtl3_version()}

    def verilog(self) -> VerilogModule:
        """Translate the circuit to Verilog."""
        # Comments quote the Python source, whose form must not change a result's key.
        shelled = self.target.shelled
        if shelled is None:
            module = translate(self.target.operator(), self.design, check=self.check)
        else:
            module = verilog_of(shelled, self.design, self.check)
        return replace(module, text=without_comments(module.text, ".v"))

    @abstractmethod
    def work(self, exponents: Mapping[str, int]) -> Any:
        """Return values for JSON that describe the workload; equal values mean equal workloads."""

    def operations(self, exponents: Mapping[str, int]) -> list[str]:
        """Names of the types of operations, in the order of ``simulate``."""
        return list(exponents)

    @property
    def is_foreign(self) -> bool:
        """Whether the circuit, or a part of it, is not from this project."""
        return False

    def run_fresh(self, netlist: Netlist, interface: VerilogModule) -> Tried | None:
        """Run operations that no circuit knows; None for a system."""
        return None

    def faults(self, exponents: Mapping[str, int]) -> list[str]:
        """Faults of the circuit in its workload, which its netlist has, too; see ``flow.answers``.

        Circuits of this project have none: a fault ends the flow.
        """
        return []

    @property
    def remarks(self) -> Sequence[str]:
        """Lines of text on operations or programs that the workload leaves out."""
        return ()

    @abstractmethod
    def simulate(
        self, level: GateLevel, interface: VerilogModule, exponents: Mapping[str, int]
    ) -> Iterator[Simulated]:
        """Run the workload on the netlist; ``FlowError`` if a result or its cycles are wrong."""
