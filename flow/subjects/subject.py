"""What the flow asks of a subject."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from flow.errors import FlowError
from flow.gates.level import GateLevel
from flow.gates.simulated import Simulated
from sim.translate import VerilogModule, translate
from sim.translator import TranslationError
from store.code import code_digest, without_comments


def pymtl3_version() -> str:
    """Version of PyMTL3."""
    return version("pymtl3")


class Subject(ABC):
    """A circuit with its work.

    Attributes
    ----------
    design
        Name by which users know it; the name of the top module.
    nbits
        Width of operands in bits.
    params
        Parameters by name.
    name
        Name for folders: with width and parameters.
    sources
        Files and folders that the circuit is made of.
    exponent_nbits
        Width of exponents in bits; 0 of a multiplier, which has none.
    """

    design: str
    nbits: int
    params: Mapping[str, Any]
    name: str
    sources: Sequence[Path]
    exponent_nbits: int

    @abstractmethod
    def component(self) -> Any:
        """Make the PyMTL3 component at RTL, not elaborated."""

    @property
    @abstractmethod
    def check(self) -> Callable[[Any], object]:
        """Function that refuses an elaborated component without the interfaces."""

    @cached_property
    def circuit(self) -> Any:
        """Describe the circuit, so that two descriptions are equal only for equal Verilog."""
        return self.design, self.nbits, dict(self.params), self._code

    @cached_property
    def _code(self) -> str:
        return code_digest(self.sources)

    @property
    def tools(self) -> Mapping[str, str]:
        """Versions of the tools that ``verilog`` calls, by name."""
        return {"pymtl3": pymtl3_version()}

    def verilog(self) -> VerilogModule:
        """Translate the circuit.

        The Verilog has no comments: they tell the lines of the source, which must not decide
        anything.

        Raises
        ------
        FlowError
            Where PyMTL3 refuses to write Verilog.
        """
        try:
            module = translate(self.component(), self.design, check=self.check)
        except TranslationError as error:
            raise FlowError(str(error)) from error
        return replace(module, text=without_comments(module.text, ".v"))

    @abstractmethod
    def work(self, exponents: Mapping[str, int]) -> Any:
        """Describe the work, so that two descriptions are equal only for equal work; for JSON."""

    def operations(self, exponents: Mapping[str, int]) -> list[str]:
        """Names of the types of operations that ``simulate`` gives, in its order."""
        return list(exponents)

    @abstractmethod
    def simulate(
        self, level: GateLevel, interface: VerilogModule, exponents: Mapping[str, int]
    ) -> Iterator[Simulated]:
        """Do the work on the netlist.

        Parameters
        ----------
        level
            The netlist, and how it is simulated.
        interface
            Messages of the ports.
        exponents
            Exponent of each type of operation.

        Raises
        ------
        FlowError
            If a result, or the number of cycles to it, is not the expected one.
        """
