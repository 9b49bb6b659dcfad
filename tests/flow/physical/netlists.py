"""Small netlists as dictionaries, which tests change before they make designs of them."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

from rsaxcel.flow.libraries import find_kit
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.physical.array_netlist import ArrayNetlist, bit_name, read_array_netlist
from rsaxcel.flow.physical.lef import geometry

KIT = find_kit("freepdk-45nm")


def library():
    return kept_library(KIT.liberty)


@dataclass
class Netlist:
    """Cells by name, each a kind and the nets of its pins; ports are nets of their names."""

    inputs: dict[str, int]
    outputs: dict[str, int]
    cells: dict[str, tuple[str, dict[str, str]]] = field(default_factory=dict)

    def copy(self) -> Netlist:
        return deepcopy(self)

    def move(self, cell: str, pin: str, net: str) -> None:
        """Connect a pin to another net."""
        self.cells[cell][1][pin] = net

    def resize(self, cell: str, kind: str) -> None:
        self.cells[cell] = (kind, self.cells[cell][1])

    def design(self, folder: Path) -> ArrayNetlist:
        """Write the netlist as Yosys does, and read it."""
        numbers: dict[str, int] = {}
        names: dict[str, dict] = {}
        ports = {}
        for direction, group in (("input", self.inputs), ("output", self.outputs)):
            for name, width in group.items():
                bits = [bit_name(name, index, width) for index in range(width)]
                ports[name] = {
                    "direction": direction,
                    "bits": [numbers.setdefault(bit, len(numbers) + 2) for bit in bits],
                }
                names[name] = {"hide_name": 0, "bits": ports[name]["bits"]}
        cells = {}
        for name, (kind, pins) in self.cells.items():
            connections = {}
            for pin, net in pins.items():
                if net not in numbers:
                    numbers[net] = len(numbers) + 2
                    names[net] = {"hide_name": 0, "bits": [numbers[net]]}
                connections[pin] = [numbers[net]]
            cells[name] = {"type": kind, "connections": connections}
        module = {"ports": ports, "cells": cells, "netnames": names}
        path = folder / "netlist.json"
        path.write_text(json.dumps({"modules": {"top": module}}))
        return read_array_netlist(path, "top", geometry(KIT).kinds)


def small() -> Netlist:
    """A gated register, a few gates, and a buffer and two inverters between them."""
    return Netlist(
        {"clk": 1, "enable": 1, "a": 4},
        {"y": 2, "z": 1},
        {
            "gate": ("CLKGATE_X1", {"E": "enable", "CK": "clk", "GCK": "gated"}),
            "state_reg[0]": ("DFF_X1", {"D": "next", "CK": "gated", "Q": "q", "QN": "qn"}),
            "state_reg[1]": ("DFF_X1", {"D": "a[3]", "CK": "clk", "Q": "y[0]"}),
            "top/aoi": ("AOI21_X1", {"A": "q", "B1": "a[0]", "B2": "a[1]", "ZN": "n1"}),
            "nand": ("NAND2_X1", {"A1": "n1", "A2": "far", "ZN": "next"}),
            "buf": ("BUF_X1", {"A": "a[2]", "Z": "far"}),
            "inv1": ("INV_X1", {"A": "qn", "ZN": "n2"}),
            "inv2": ("INV_X1", {"A": "n2", "ZN": "n3"}),
            "or": ("OR2_X1", {"A1": "n3", "A2": "low", "ZN": "z"}),
            "tie": ("LOGIC0_X1", {"Z": "low"}),
            "inv3": ("INV_X1", {"A": "q", "ZN": "y[1]"}),
        },
    )


def random_netlist(count: int, seed: int, ports: int = 8) -> Netlist:
    """A number of gates and flip-flops with inputs from nets before them."""
    draw = random.Random(seed)
    made = Netlist({"clk": 1, "a": ports}, {"y": ports})
    nets = [f"a[{index}]" for index in range(ports)]
    gates = ("NAND2_X1", "XOR2_X1", "AOI21_X2", "INV_X4", "OAI22_X1", "FA_X1", "BUF_X8")
    by_name = {kind.name: kind for kind in geometry(KIT).kinds}
    for number in range(count):
        kind = by_name[draw.choice((*gates, "DFF_X1"))]
        last = count - 1 - number
        pins = {}
        for pin in kind.pins:
            if pin.is_output:
                out = f"y[{last}]" if last < ports and f"y[{last}]" not in nets else ""
                pins[pin.name] = out or f"n{number}{pin.name}"
                nets.append(pins[pin.name])
            else:
                pins[pin.name] = "clk" if pin.name == "CK" else draw.choice(nets)
        made.cells[f"u{number}"] = (kind.name, pins)
    return made
