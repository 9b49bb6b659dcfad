"""Interface of a synthesizer: what a tool must provide to take the place of Yosys.

A synthesizer maps the Verilog of a circuit to cells of a library. The flow sets the target delay
and selects the best netlist (``flow.nodes.synthesis``): it asks for one netlist after the other,
times each of them, and keeps one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from rsaxcel.flow.kit import Kit


@dataclass(frozen=True)
class Source:
    """The circuit to map, and the library.

    Parameters
    ----------
    verilog, top
        SystemVerilog of all modules, as PyMTL3 writes it, and the name of the top module. Messages
        are packed structs; registers take their values at the clock's rising edge.
    kit
        The library.
    """

    verilog: Path
    top: str
    kit: Kit


class Mapper(ABC):
    """A circuit that a synthesizer has read; ``map`` makes a netlist of it for a target delay."""

    @abstractmethod
    def map(self, adders: str, target_ns: float, folder: Path) -> None:
        """Write a netlist: ``netlist.v`` in Verilog, and ``netlist.json`` in Yosys's JSON form.

        The netlist is one flat module with the name and the ports of the top module. Each instance
        is a cell of the kit, and none of ``kit.unusable``; a circuit with a latch is refused. Each
        net has a driver. The cells ``kit.tie_high`` and ``kit.tie_low``, if the kit has them, drive
        constants. Names are the same in both files: ``a.b.cell`` belongs to the instance ``a.b``,
        and the flip-flop of the bit 3 of the register ``a.b.x_reg`` is called ``a.b.x_reg[3]_ff``
        (``flow.names``), because areas, powers and paths are reported by these names. Instances of
        modules with a stream of their own (ports ``X__val`` and ``X__rdy``) must not be flattened
        before they are mapped.

        Equal arguments give equal netlists.

        Parameters
        ----------
        adders
            Structure of the carries: one of the synthesizer's ``adders``.
        target_ns
            Delay to aim at between registers or ports, in ns. A netlist that misses the delay is no
            error.
        folder
            Folder of the netlists and the log.

        Raises
        ------
        FlowError
            If the tool fails; the message has the reason and the name of the log.
        """


class Synthesizer(ABC):
    """A tool that maps circuits to cells.

    Attributes
    ----------
    name
        Name of the tool in records.
    adders
        Structures of the carries in adders, the smallest first; the flow tries the next one if the
        netlist does not meet the clock period.
    """

    name: ClassVar[str]
    adders: ClassVar[Sequence[str]]

    @abstractmethod
    def version(self) -> str:
        """Version of the tool, which is part of the key of every netlist.

        Raises
        ------
        FlowError
            If the tool is missing, with the command that installs it.
        """

    @abstractmethod
    def open(self, source: Source, work: Path) -> AbstractContextManager[Mapper]:
        """Read a circuit. The end of the context ends all processes of the tool.

        Parameters
        ----------
        source
            The circuit.
        work
            Folder of logs and temporary files.

        Raises
        ------
        FlowError
            If the tool fails; the message has the reason and the name of the log.
        """
