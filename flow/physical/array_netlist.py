"""A placed netlist as arrays: kinds of cells, instances with places, nets, pins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.yosys_json import read_module, without_collection

DBU_PER_UM = 2000  #: unit of all lengths of the physical half

#: Orientations: as drawn, flipped about the x axis, turned by 180 degrees, about the y axis.
N, FS, S, FN = range(4)

_TIES = "places are for cells, and a library with tie cells is needed"


@dataclass(frozen=True)
class KindPin:
    """A signal pin of a kind; ``x`` and ``y`` from the lower left corner in orientation N."""

    name: str
    is_output: bool
    x: int = 0
    y: int = 0


@dataclass(frozen=True)
class CellKind:
    """A kind of instance: a library cell, or one of ``PORT_KINDS``; sizes in database units."""

    name: str
    width: int
    height: int
    pins: tuple[KindPin, ...]


INPUT_PORT = CellKind("PORT_IN", 0, 0, (KindPin("P", is_output=True),))
OUTPUT_PORT = CellKind("PORT_OUT", 0, 0, (KindPin("P", is_output=False),))
PORT_KINDS = (INPUT_PORT, OUTPUT_PORT)  #: A bit of a port is an instance without size, with one pin


@dataclass
class ArrayNetlist:
    """A netlist with places.

    An input port drives its net: it is an ``INPUT_PORT`` with an output pin. Pins are numbered
    through, instance by instance, in the order of the kind's pins.
    """

    top: str
    kinds: tuple[CellKind, ...]  #: `PORT_KINDS` are the last two
    names: list[str]  #: names of instances; a port's bit is `port` or `port[3]`
    nets: list[str]
    kind: np.ndarray  #: index of each instance's kind; int32
    pin_net: np.ndarray  #: net of each pin; -1: not connected; int32
    x: np.ndarray  #: lower left corner of each instance; int32
    y: np.ndarray
    orient: np.ndarray  #: orientation of each instance; uint8
    #: Widths of ports in bits, in the order of the header.
    ports: Mapping[str, int] = field(default_factory=dict)

    # The shape of a netlist is fixed: code that changes it makes a new netlist.

    @property
    def count(self) -> int:
        return len(self.names)

    @cached_property
    def _tables(self) -> tuple[np.ndarray, ...]:
        pins = [pin for kind in self.kinds for pin in kind.pins]
        counts = np.array([len(kind.pins) for kind in self.kinds])
        starts = np.concatenate(([0], np.cumsum(counts)))
        about = [(pin.is_output, pin.x, pin.y) for pin in pins]
        output, x, y = (np.array(column) for column in zip(*about, strict=True))
        sizes = np.array([(kind.width, kind.height) for kind in self.kinds])
        return counts, starts, output, x, y, sizes

    @cached_property
    def pin_start(self) -> np.ndarray:
        """First pin of each instance, and the number of all pins; int64."""
        counts = self._tables[0][self.kind]
        return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)

    @cached_property
    def pin_instance(self) -> np.ndarray:
        return np.repeat(np.arange(self.count, dtype=np.int32), np.diff(self.pin_start))

    @cached_property
    def pin_type(self) -> np.ndarray:
        """Index of each pin among the pins of all kinds."""
        first = self._tables[1][self.kind][self.pin_instance]
        return first + np.arange(len(self.pin_net)) - self.pin_start[self.pin_instance]

    @cached_property
    def pin_is_output(self) -> np.ndarray:
        """Whether each pin is an output of its instance."""
        return self._tables[2][self.pin_type]

    @property
    def width(self) -> np.ndarray:
        return self._tables[5][self.kind, 0].astype(np.int32)

    @property
    def height(self) -> np.ndarray:
        return self._tables[5][self.kind, 1].astype(np.int32)

    def pin_offsets(self) -> tuple[np.ndarray, np.ndarray]:
        """Return x and y of each pin from its instance's lower left corner, in orientation N."""
        return self._tables[3][self.pin_type], self._tables[4][self.pin_type]

    def pin_places(self) -> tuple[np.ndarray, np.ndarray]:
        """Return x and y of each pin (int32), from places and orientations of the instances."""
        own = self.pin_instance
        across, up = self.pin_offsets()
        orient = self.orient[own]
        turned, flipped = np.isin(orient, (S, FN)), np.isin(orient, (FS, S))
        px = self.x[own] + np.where(turned, self.width[own] - across, across)
        py = self.y[own] + np.where(flipped, self.height[own] - up, up)
        return px.astype(np.int32), py.astype(np.int32)

    @cached_property
    def net_pins(self) -> tuple[np.ndarray, np.ndarray]:
        """Pins of each net: start of each net in the list (int64), and pins, the driver first."""
        connected = np.flatnonzero(self.pin_net >= 0)
        keys = 2 * self.pin_net[connected].astype(np.int64) + ~self.pin_is_output[connected]
        order = connected[np.argsort(keys, kind="stable")]
        counts = np.bincount(self.pin_net[connected], minlength=len(self.nets))
        return np.concatenate(([0], np.cumsum(counts))).astype(np.int64), order.astype(np.int32)

    @property
    def is_port(self) -> np.ndarray:
        """Whether each instance is a bit of a port."""
        return self.kind >= len(self.kinds) - len(PORT_KINDS)

    def pin_name(self, pin: int) -> tuple[str, str]:
        """Names of a pin's instance and of the pin itself."""
        at = int(self.pin_instance[pin])
        return self.names[at], self.kinds[self.kind[at]].pins[pin - int(self.pin_start[at])].name


def bit_name(port: str, index: int, width: int) -> str:
    return port if width == 1 else f"{port}[{index}]"


@without_collection()
def read_array_netlist(
    path: Path, top: str, kinds: Sequence[CellKind], *, constants: bool = False
) -> ArrayNetlist:
    """Read a flat netlist in Yosys's JSON form; all instances lie at (0, 0).

    A net has the name of its port, or else its first public name. Only with ``constants``, pins and
    ports may be constants, which have no net; else tie cells drive them.
    """
    module = read_module(path, top)
    known = {kind.name: index for index, kind in enumerate(kinds)}
    number: dict[Any, int] = {}
    named: dict[Any, str] = {}
    ports = {name: len(port["bits"]) for name, port in module.ports.items()}
    for name, port in module.ports.items():
        for index, bit in enumerate(port["bits"]):
            named.setdefault(bit, bit_name(name, index, ports[name]))
    for name, net in module.public_nets:
        for index, bit in enumerate(net["bits"]):
            named.setdefault(bit, bit_name(name, index, len(net["bits"])))
    names, kind, pin_net = [], [], []
    for name, cell in module.cells.items():
        if cell["type"] not in known:
            raise FlowError(
                f"cell {name} of type {cell['type']}: the library has no geometry of it"
            )
        index = known[cell["type"]]
        names.append(name)
        kind.append(index)
        for pin in kinds[index].pins:
            bits = cell["connections"].get(pin.name)
            if not bits:
                pin_net.append(-1)
                continue
            if constants and not isinstance(bits[0], int):
                pin_net.append(-1)
                continue
            if not isinstance(bits[0], int):
                raise FlowError(f"pin {pin.name} of cell {name} is the constant {bits[0]}: {_TIES}")
            pin_net.append(number.setdefault(bits[0], len(number)))
    for name, port in module.ports.items():
        for index, bit in enumerate(port["bits"]):
            if constants and not isinstance(bit, int):
                continue
            names.append(bit_name(name, index, ports[name]))
            kind.append(len(kinds) + (port["direction"] == "output"))
            if not isinstance(bit, int):
                raise FlowError(f"port {names[-1]} is the constant {bit}: {_TIES}")
            pin_net.append(number.setdefault(bit, len(number)))
    zeros = np.zeros(len(names), np.int32)
    return ArrayNetlist(
        top,
        (*kinds, *PORT_KINDS),
        names,
        [named[bit] for bit in number],
        np.array(kind, np.int32),
        np.array(pin_net, np.int32),
        zeros,
        zeros.copy(),
        np.zeros(len(names), np.uint8),
        ports,
    )


def name_port_nets(netlist: ArrayNetlist, fresh: Callable[[str], str]) -> None:
    """Name each net at a port after the port's bit; rename a net that has lost its port.

    ``fresh`` gives the new name in place of one that belongs to a port's bit.
    """
    ports = np.flatnonzero(netlist.is_port).tolist()
    bits = {netlist.names[at] for at in ports}
    named: dict[int, str] = {}
    for at, net in zip(ports, netlist.pin_net[netlist.pin_start[ports]].tolist(), strict=True):
        if net >= 0 and (net not in named or netlist.nets[net] == netlist.names[at]):
            named[net] = netlist.names[at]
    for net, name in enumerate(netlist.nets):
        if net in named:
            netlist.nets[net] = named[net]
        elif name in bits:
            netlist.nets[net] = fresh(name)


class FreshNames:
    """Makes names that are not taken: a stem and a number."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def __call__(self, stem: str) -> str:
        for number in count(self._next.get(stem, 0)):
            name = f"{stem}{number}"
            if name not in self._taken:
                self._next[stem] = number + 1
                return name
        raise AssertionError
