"""Base class of the flow's subjects: a circuit with its workload."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.gates.level import GateLevel
from rsaxcel.flow.gates.simulated import Simulated
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.sim.translate import VerilogModule, translate
from rsaxcel.sim.translator import TranslationError
from rsaxcel.store.code import code_digest, without_comments


def pymtl3_version() -> str:
    """Version of PyMTL3."""
    return version("pymtl3")


class Subject(ABC):
    """A circuit with its workload.

    Attributes
    ----------
    design
        Name of the design, which is also the name of the top module.
    nbits
        Width of operands in bits.
    params
        Parameters by name.
    name
        Name for the subject's folders, which contains design, width and parameters.
    sources
        Source files and folders of the circuit.
    exponent_nbits
        Width of exponents in bits; 0 for a multiplier.
    """

    design: str
    nbits: int
    params: Mapping[str, Any]
    name: str
    sources: Sequence[Path]
    exponent_nbits: int

    @abstractmethod
    def component(self) -> Any:
        """Return a new PyMTL3 component at RTL, not elaborated."""

    @property
    @abstractmethod
    def check(self) -> Callable[[Any], object]:
        """Function that raises ``ValueError`` if an elaborated component lacks needed interfaces.

        A design or multiplier needs the streams ``recv`` and ``send``; for a processor system, see
        ``check_system``.
        """

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
        """Translate the circuit to Verilog.

        Comments are removed from the Verilog: they quote lines of the Python source, and a line
        that is only written in another way must not change the key of a result.

        Raises
        ------
        FlowError
            If PyMTL3 cannot translate the circuit.
        """
        try:
            module = translate(self.component(), self.design, check=self.check)
        except TranslationError as error:
            raise FlowError(str(error)) from error
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

    def run_fresh(self, netlist: Netlist, interface: VerilogModule) -> dict[str, int]:
        """Run operations that are drawn now on the netlist; a system has none.

        Returns
        -------
        dict
            ``operations`` and ``seed``: number of operations, and the seed from which they were
            drawn.

        Raises
        ------
        WrongNetlist
            If the netlist gives a wrong answer; the message has the operands.
        """
        return {}

    @property
    def remarks(self) -> Sequence[str]:
        """Lines of text on what the workload leaves out."""
        return ()

    @abstractmethod
    def simulate(
        self, level: GateLevel, interface: VerilogModule, exponents: Mapping[str, int]
    ) -> Iterator[Simulated]:
        """Run the workload on the netlist.

        Parameters
        ----------
        level
            The netlist and the options of its simulation.
        interface
            Messages of the ports.
        exponents
            Exponent of each type of operation.

        Raises
        ------
        FlowError
            If a result, or its number of cycles, differs from the expected one.
        """
