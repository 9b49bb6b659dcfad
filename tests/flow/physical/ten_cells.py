"""Ten placed cells by hand: a chain of inverters with a branch, ports of two bits, and its SPEF."""

from pathlib import Path

import numpy as np

from rsaxcel.flow.physical.embedded.wires import Names, Nets, WireModel, build_trees, write_spef

UM = 2000
"""Database units per um."""

VERILOG = Path(__file__).with_name("ten.v").read_text("utf-8")

CELLS = {
    r"core.g[1]": (0, 0),
    r"core.g[2]": (20, 10),
    "g3": (20, -10),
    "g/4": (40, 0),
    "g5": (50, 14),
    "g6": (10, 40),
    "g7": (60, 30),
    "g8": (60, 30),
    "g9": (80, 150),
    "g10": (90, 8.4),
}
PORTS = {"a[0]": (-30, 0), "a[1]": (-30, 40), "y[0]": (100, 150), "y[1]": (100, 8.4)}
"""Positions in um; all pins of a cell are at the same place, and g8's input is at g7's output."""

NETS = {
    "a[0]": ["a[0]", "core.g[1]:A"],
    "a[1]": ["a[1]", "g6:A"],
    "core.n1[3]": ["core.g[1]:ZN", "core.g[2]:A", "g3:A"],
    "core.lanes__0.n2": ["core.g[2]:ZN", "g/4:A1"],
    "n$3": ["g3:ZN", "g/4:A2"],
    "p[0].q[1]": ["g/4:ZN", "g5:A", "g10:A2"],
    "n5": ["g5:ZN", "g7:A1"],
    "n6": ["g6:ZN", "g7:A2"],
    "n7": ["g7:ZN", "g8:A", "g10:A1"],
    "n8": ["g8:ZN", "g9:A"],
    "y[0]": ["g9:ZN", "y[0]"],
    "y[1]": ["g10:ZN", "y[1]"],
}

PIN_NAMES = ["A", "A1", "A2", "ZN"]


class TenCells:
    """The ten cells as arrays; ``nets``, ``trees`` and ``names`` as in the wires' interface."""

    def __init__(self) -> None:
        places = CELLS | PORTS
        instances = list(places)
        pins = [pin for net in NETS.values() for pin in net]
        drivers = {net[0] for net in NETS.values()}
        split = [pin.partition(":") for pin in pins]
        where = np.array([places[name] for name, _, _ in split]) * UM
        start = np.cumsum([0, *map(len, NETS.values())])
        self.nets = Nets(start, np.arange(len(pins)), where[:, 0], where[:, 1])
        self.trees = build_trees(self.nets)
        self.names = Names(
            design="ten",
            nets=list(NETS),
            instances=instances,
            pins=PIN_NAMES,
            pin_instance=np.array([instances.index(name) for name, _, _ in split]),
            pin_name=np.array([PIN_NAMES.index(pin) if pin else -1 for _, _, pin in split]),
            pin_is_output=np.array([pin in drivers for pin in pins]),
        )
        self.is_clock = np.zeros(len(NETS), bool)

    def write(self, path: Path, model: WireModel | None = None) -> None:
        write_spef(path, self.nets, self.trees, self.names, self.is_clock, model or WireModel())
