"""What the flow asks of a subject."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flow.power.activity import Activity
from flow.power.netlist import Netlist
from sim.translate import VerilogModule


@dataclass(frozen=True)
class Simulated:
    """Operations of one kind on the netlist; their results were right.

    Parameters
    ----------
    name
        Key in the record.
    activity
        Toggles of all of them.
    operations
        How many they were.
    figures
        What else the record tells about this kind, units in the names.
    """

    name: str
    activity: Activity
    operations: int
    figures: Mapping[str, Any]


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

    @abstractmethod
    def simulate(
        self, netlist: Netlist, interface: VerilogModule, exponents: Mapping[str, int]
    ) -> Iterator[Simulated]:
        """Do the work on the netlist.

        Parameters
        ----------
        netlist
            Of library cells.
        interface
            Messages of the ports.
        exponents
            Exponent of each type of operation.

        Raises
        ------
        FlowError
            If a result, or the number of cycles to it, is not the expected one.
        """
