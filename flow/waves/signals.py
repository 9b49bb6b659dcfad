"""Reads the signals of a netlist, with their names in the flow's Verilog."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rsaxcel.flow.files import read_json
from rsaxcel.flow.names import SEPARATOR
from rsaxcel.flow.power.netlist import Bit


@dataclass(frozen=True)
class Signal:
    """A net or a bus with a name.

    Parameters
    ----------
    name
        Name in the netlist, preceded by the path of its module.
    bits
        Net of each bit of the signal, the least significant bit first.
    lowest
        Index of the least significant bit.
    is_bus
        Whether the signal has a range in the Verilog. A bus can be of one bit, such as ``[0:0]``.
    """

    name: str
    bits: tuple[Bit, ...]
    lowest: int
    is_bus: bool

    @property
    def path(self) -> tuple[str, ...]:
        """Names of the modules around the signal, from the top on, and its own name."""
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
    """Read the signals of a flat netlist from the JSON that Yosys wrote beside the Verilog.

    Names are those in the Verilog. Nets that have no name in the Verilog are left out.
    """
    nets: Mapping[str, Any] = read_json(path)["modules"][top]["netnames"]
    return [
        Signal(name, tuple(net["bits"]), net.get("offset", 0), _is_bus(net))
        for name, net in sorted(nets.items())
        if not net.get("hide_name")
    ]


def _is_bus(net: Mapping[str, Any]) -> bool:
    return len(net["bits"]) > 1 or "single_bit_vector" in net.get("attributes", {})
