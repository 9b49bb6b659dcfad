"""What the flow asks of a subject."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from flow.gates.level import GateLevel
from flow.gates.simulated import Simulated
from sim.translate import VerilogModule


class Circuit(ABC):
    """What can be translated.

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
    """

    design: str
    nbits: int
    params: Mapping[str, Any]
    name: str
    sources: Sequence[Path]

    @abstractmethod
    def component(self) -> Any:
        """Make the PyMTL3 component at RTL, not elaborated."""

    @property
    @abstractmethod
    def check(self) -> Callable[[Any], object]:
        """Function that refuses an elaborated component without the interfaces."""


class Subject(Circuit):
    """A circuit with its work.

    Attributes
    ----------
    exponent_nbits
        Width of exponents in bits; 0 of a multiplier, which has none.
    module
        File of the class, whose code decides what is simulated.
    """

    exponent_nbits: int
    module: Path

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
