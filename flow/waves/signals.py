"""Reads the signals of a netlist, with their names in the flow's Verilog."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rsaxcel.flow.names import SEPARATOR
from rsaxcel.flow.yosys_json import Bit, read_module


@dataclass(frozen=True)
class Signal:
    """A net or a bus with a name."""

    name: str  # in the netlist, after the path of its module
    bits: tuple[Bit, ...]  # nets, least significant first
    lowest: int  # index of the least significant bit
    is_bus: bool  # has a range in the Verilog, maybe [0:0]

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(self.name.split(SEPARATOR))

    @property
    def range(self) -> str:
        """Range of a bus as in Verilog, such as ``[7:0]``; empty for a single net."""
        return f"[{self.lowest + len(self.bits) - 1}:{self.lowest}]" if self.is_bus else ""

    @property
    def bit_names(self) -> list[str]:
        """Name of each bit: ``name[index]`` for a bus; for a single net, the signal's name."""
        if not self.is_bus:
            return [self.name]
        return [f"{self.name}[{self.lowest + at}]" for at in range(len(self.bits))]


def read_signals(path: Path, top: str) -> list[Signal]:
    """Read the signals with names in the Verilog from the JSON that Yosys wrote beside it."""
    return [
        Signal(name, tuple(net["bits"]), net.get("offset", 0), _is_bus(net))
        for name, net in sorted(read_module(path, top).public_nets)
    ]


def _is_bus(net: Mapping[str, Any]) -> bool:
    return len(net["bits"]) > 1 or "single_bit_vector" in net.get("attributes", {})
