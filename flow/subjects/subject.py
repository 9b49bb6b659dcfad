"""Interfaces of circuits and subjects in the flow."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from flow.gates.level import GateLevel
from flow.gates.simulated import Simulated
from sim.translate import VerilogModule


class Circuit(ABC):
    """A circuit that can be translated.

    Attributes
    ----------
    design
        Name of the design, which is also the name of the top module.
    nbits
        Width of operands in bits.
    params
        Parameters by name.
    name
        Name for folders, with width and parameters.
    sources
        Source files and folders of the circuit.
    """

    design: str
    nbits: int
    params: Mapping[str, Any]
    name: str
    sources: Sequence[Path]

    @abstractmethod
    def component(self) -> Any:
        """Return a new PyMTL3 component at RTL, not elaborated."""

    @property
    @abstractmethod
    def check(self) -> Callable[[Any], object]:
        """Function that raises for an elaborated component without the required interfaces."""


class Subject(Circuit):
    """A circuit with its workload.

    Attributes
    ----------
    exponent_nbits
        Width of exponents in bits; 0 for a multiplier.
    module
        File of the class, whose code determines the simulation.
    """

    exponent_nbits: int
    module: Path

    @abstractmethod
    def work(self, exponents: Mapping[str, int]) -> Any:
        """Return values for JSON that are equal only for equal workloads."""

    def operations(self, exponents: Mapping[str, int]) -> list[str]:
        """Names of the types of operations, in the order of ``simulate``."""
        return list(exponents)

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
