"""Interface of a synthesizer: what a tool must provide to take the place of Yosys.

The flow (``flow.nodes.synthesis``) asks for netlists at target delays, times them, and keeps one.
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
class MappingSource:
    """The circuit to map, and the library."""

    #: SystemVerilog as PyMTL3 writes it: messages are packed structs; registers take values at the
    #: clock's rising edge.
    verilog: Path
    top: str
    kit: Kit


class Mapper(ABC):
    """A circuit that a synthesizer has read; ``map`` makes a netlist of it for a target delay."""

    @abstractmethod
    def map(self, adders: str, target_ns: float, folder: Path) -> None:
        """Write a netlist: ``netlist.v`` in Verilog, and ``netlist.json`` in Yosys's JSON form.

        It is one flat module with the ports of the top module, of cells of the kit without
        ``kit.unusable``; a latch is refused. Each net has a driver; ``kit.tie_high`` and
        ``kit.tie_low`` drive constants. Both files have the same names: ``a.b.cell`` in the
        instance ``a.b``; bit 3 of ``a.b.x_reg`` is the flip-flop ``a.b.x_reg[3]_ff``
        (``flow.names``): areas, powers and paths are reported by them. Modules with a stream of
        their own (``X__val``, ``X__rdy``) must not be flattened before they are mapped.

        Equal arguments give equal netlists. ``adders`` is one of the synthesizer's; a netlist may
        miss ``target_ns``, the delay between registers or ports. ``FlowError`` has the reason and
        the log.
        """


class Synthesizer(ABC):
    """A tool that maps circuits to cells."""

    name: ClassVar[str]
    #: Structures of carries, the smallest first; the flow tries the next one to meet the clock.
    adders: ClassVar[Sequence[str]]
    last_resort: ClassVar[str]  #: likewise, tried if the clock is missed by far; costs much area

    @abstractmethod
    def version(self) -> str:
        """Version of the tool, for keys of netlists; ``FlowError`` says how to install it."""

    @abstractmethod
    def open(self, source: MappingSource, work: Path) -> AbstractContextManager[Mapper]:
        """Read a circuit. The end of the context ends all processes of the tool."""
