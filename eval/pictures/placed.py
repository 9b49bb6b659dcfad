"""Reads the files of a placed circuit for pictures, and groups its modules for their colours."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from rsaxcel.eval.facts.points import BUILD
from rsaxcel.flow.earlier import record_files
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.files import read_json
from rsaxcel.flow.libraries import find_kit
from rsaxcel.flow.names import SEPARATOR, module_path
from rsaxcel.flow.nodes.placed_power import CELL_ENERGIES
from rsaxcel.flow.physical.array_netlist import DBU_PER_UM, FN, FS, CellKind, S
from rsaxcel.flow.physical.def_file import PlacedCells, read_places
from rsaxcel.flow.physical.interface import CLOCK, NETLIST
from rsaxcel.flow.physical.lef import geometry
from rsaxcel.flow.physical.placed import LATENCIES
from rsaxcel.flow.power.energy import CellEnergies, read_energies
from rsaxcel.flow.record import Record
from rsaxcel.flow.yosys_json import read_module

UM = 1 / DBU_PER_UM


@dataclass(frozen=True)
class Critical:
    """Critical path: places of its pins in um (rows of x and y), and the delay in ns."""

    points: np.ndarray
    delay_ns: float


class DrawnCore:
    """Core of a placed circuit, whose wires need not fit; lengths are in um."""

    def __init__(self, design: str, nbits: int, stage: str, files: Mapping[str, Path]) -> None:
        self.design, self.nbits, self.stage, self.files = design, nbits, stage, files
        self._places: PlacedCells = read_places(self.file("placed.def"))
        self.width, self.height = self._places.width * UM, self._places.height * UM

    def file(self, name: str) -> Path:
        """Path of a file; ``FlowError`` if the run has none."""
        if name not in self.files:
            raise FlowError(f"{self.design}: its run has no file {name}")
        return self.files[name]


def placed_of(record: Record) -> Placed:
    """Return the placed circuit of a record whose files are in ``build``."""
    found = record_files(BUILD / "flow")(record.hash)
    if found is None:
        raise FlowError(f"{record.design}: the files of its placement are gone")
    return Placed(record, found[1])


class Placed(DrawnCore):
    """A placed circuit; places are in um from the lower left corner of the core."""

    def __init__(self, record: Record, files: Mapping[str, Path]) -> None:
        super().__init__(record.design, record.nbits, record.stage, files)
        self.record = record
        self.names, self.kinds = self._places.names, self._places.kinds
        self._kinds = {kind.name: kind for kind in geometry(find_kit(record.library)).kinds}
        if unknown := sorted({*self.kinds} - {*self._kinds}):
            raise FlowError(f"placed.def: the library has no geometry of {unknown[0]}")
        self.x, self.y = self._places.x * UM, self._places.y * UM

    @cached_property
    def sizes(self) -> np.ndarray:
        """Width and height of each cell, in rows."""
        sizes = {name: (kind.width * UM, kind.height * UM) for name, kind in self._kinds.items()}
        return np.array([sizes[name] for name in self.kinds]).reshape(-1, 2)

    @cached_property
    def modules(self) -> list[str]:
        return [module_path(name) for name in self.names]

    @cached_property
    def areas(self) -> dict[str, float]:
        """Area of each module with all modules inside it, by path; ``""`` is the circuit."""
        return {"": self.record.area_um2, **self.record.area_by_module}

    @cached_property
    def groups(self) -> list[CellGroup]:
        """Groups of modules that have a colour each."""
        return module_groups(self.areas)

    @cached_property
    def group(self) -> np.ndarray:
        """Number of each cell's group."""
        numbers = group_of(self.groups)
        return np.array([numbers[path] for path in self.modules], np.int32)

    @cached_property
    def energies(self) -> dict[str, CellEnergies]:
        """Energy of each cell, by type of operation."""
        return read_energies(self.file(CELL_ENERGIES), self.names)

    @cached_property
    def critical(self) -> Critical:
        """Path that decides the smallest period."""
        path = read_json(self.file("placed-timing.json"))["critical_path"]
        points = [self.pin(name) for name, _ in path.get("points", ())]
        return Critical(np.array(points).reshape(-1, 2), path["delay_ns"])

    @cached_property
    def _number(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.names)}

    def pin(self, name: str) -> tuple[float, float]:
        """Place of a pin ``INSTANCE/PIN``, or of a port."""
        instance, _, pin = name.rpartition("/")
        at = self._number.get(instance)
        if at is None:
            port = self._places.ports.get(name)
            if port is None:
                raise FlowError(f"placed.def has no cell or port of the pin {name}")
            return port[0] * UM, port[1] * UM
        kind: CellKind = self._kinds[self.kinds[at]]
        own = next((x for x in kind.pins if x.name == pin), None)
        across, up = (own.x, own.y) if own else (kind.width // 2, kind.height // 2)
        orient = self._places.orient[at]
        across = kind.width - across if orient in (S, FN) else across
        up = kind.height - up if orient in (FS, S) else up
        return self.x[at] + across * UM, self.y[at] + up * UM


MOST_GROUPS = 11
#: Smallest share of the circuit's area that a group of its own has; the rest is one group.
LEAST_SHARE = 0.025

OTHERS = "all others"  #: label of the group with all that is too small for a group of its own


@dataclass(frozen=True)
class CellGroup:
    """Group of cells with one colour."""

    label: str  #: in the legend
    own: frozenset[str]  #: paths of the modules whose cells belong to the group


def module_groups(areas: Mapping[str, float]) -> list[CellGroup]:
    """Divide modules into groups: as few levels as show where the area is.

    The largest group is divided until there are enough groups, or none has a part of
    ``LEAST_SHARE`` of the circuit. A group has a module with all inside it, or a module's rest
    beside its larger parts. The last group has all modules that are too small.
    """
    tree = _Tree(areas)
    whole = areas[""]
    found: dict[str, list[str]] = {"": []}  #: by module: its parts that are groups of their own
    while True:
        for path in sorted(found, key=lambda path: -tree.own(path, found)):
            more = {module: list(parts) for module, parts in found.items()}
            for around, inner in tree.large_parts(path, LEAST_SHARE * whole, set(found)):
                more[around].append(inner)
                more[inner] = []
            shown = sum(tree.own(x, more) >= LEAST_SHARE * whole for x in more)
            if len(more) > len(found) and shown <= MOST_GROUPS:
                found = more
                break
        else:
            break
    large = [x for x in found if tree.own(x, found) >= LEAST_SHARE * whole]
    small = [x for x in found if x not in large]
    members = tree.members(found)
    groups = [CellGroup(_label(x, found[x]), frozenset(members[x])) for x in sorted(large)]
    rest = frozenset(path for x in small for path in members[x])
    if sum(tree.own(x, found) for x in small) > 1e-6 * whole:
        return [*groups, CellGroup(OTHERS, rest)]
    # Modules without cells of their own.
    return [CellGroup(groups[0].label, groups[0].own | rest), *groups[1:]]


def parent(path: str, known: Container[str]) -> str:
    """Path of the nearest known module around a path; ``""``, the circuit, if there is none."""
    while path:
        path = path.rpartition(SEPARATOR)[0]
        if path in known:
            return path
    return ""


def parts_of(paths: Iterable[str]) -> dict[str, list[str]]:
    """Modules inside each module, without those inside another one of them."""
    found: dict[str, list[str]] = {path: [] for path in paths}
    for path in filter(None, found):
        found[parent(path, found)].append(path)
    return found


def group_of(groups: Sequence[CellGroup]) -> dict[str, int]:
    """Return the number of each module's group."""
    return {path: index for index, group in enumerate(groups) for path in group.own}


class _Tree:
    """Modules as a tree, with their areas."""

    def __init__(self, areas: Mapping[str, float]) -> None:
        self.areas = areas
        self.inner = parts_of(areas)

    def own(self, path: str, found: Mapping[str, Sequence[str]]) -> float:
        """Area of a module without those of its parts that are groups of their own."""
        return self.areas[path] - sum(self.areas[x] for x in found[path])

    def large_parts(self, path: str, least_um2: float, seen: set[str]) -> list[tuple[str, str]]:
        """Pairs of a module and a large part of it, to divide a group into."""
        # A shell, which has one large part and little else, is divided only with that part.
        parts = [x for x in self.inner[path] if self.areas[x] >= least_um2 and x not in seen]
        if not parts:
            return []
        pairs = [(path, x) for x in parts]
        left = self.areas[path] - sum(self.areas[x] for x in self.inner[path])
        others = sum(self.areas[x] for x in self.inner[path] if x not in parts)
        if len(parts) == 1 and left + others < least_um2:
            more = self.large_parts(parts[0], least_um2, seen)
            return [*pairs, *more] if more else []
        return pairs

    def members(self, found: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        """Modules of each group, by the group's outermost module."""
        result: dict[str, list[str]] = {path: [] for path in found}
        for path in self.areas:
            result[path if path in found else parent(path, found)].append(path)
        return result


def _label(path: str, parts: Sequence[str]) -> str:
    name = path or "top level"
    return f"{name}, the rest" if parts and path else name


@dataclass(frozen=True)
class Branch:
    """Wire of the tree, from the pin of its driver to one driven pin."""

    source: tuple[float, float]
    sink: tuple[float, float]
    level: int  #: number of buffers and clock gates before the wire


class ClockTree:
    """Clock tree of a placed circuit; ``FlowError`` if its sinks are not those with latencies."""

    def __init__(self, placed: Placed, clock: str = "clk") -> None:
        self._placed, self._clock = placed, clock
        about = read_json(placed.file(CLOCK))
        #: Latency of each sink: of flip-flops and of clock gates, by INSTANCE/PIN.
        self.latency_ns: dict[str, float] = about[LATENCIES]
        # The record has the skew that the timer finds; the physical tool's own may differ.
        timed: dict[str, float] = dict(placed.record.physical or {})
        self.skew_ns: float = timed.get("skew_ns", about["skew_ns"])
        self.insertion_delay_ns: float = about["insertion_delay_ns"]
        module = read_module(placed.file(NETLIST), placed.record.design)
        self._library = find_kit(placed.record.library).library.cells
        self._cells = module.cells
        self._root = module.ports[clock]["bits"][0]
        self._level: dict[int, int] = {self._root: 0}

    @cached_property
    def _drivers(self) -> dict[int, tuple[str, str]]:
        """Instance and pin that drive each net."""
        found = {}
        for name, cell in self._cells.items():
            for pin in self._library[cell["type"]].outputs:
                if bits := cell["connections"].get(pin.name):
                    found[bits[0]] = name, pin.name
        return found

    def _clock_pin(self, name: str) -> str:
        """Pin at which a buffer or a clock gate reads the clock."""
        pins = [x.name for x in self._library[self._cells[name]["type"]].inputs]
        if len(pins) > 1:
            pins = [pin for pin in pins if f"{name}/{pin}" in self.latency_ns]
        if len(pins) != 1:
            raise FlowError(f"{CLOCK}: cell {name} is in the clock tree, but no buffer or gate")
        return pins[0]

    def _net(self, name: str, pin: str) -> int:
        return self._cells[name]["connections"][pin][0]

    @cached_property
    def inner(self) -> dict[str, int]:
        """Level of each buffer and clock gate: number of buffers and gates before it."""
        found: dict[str, int] = {}
        for sink in self.latency_ns:
            name, _, pin = sink.rpartition("/")
            chain = []
            net = self._net(name, pin)
            while net not in self._level:
                driver, _ = self._drivers[net]
                chain.append((driver, net))
                net = self._net(driver, self._clock_pin(driver))
            for driver, driven in reversed(chain):
                found[driver] = self._level[net]
                self._level[driven] = self._level[net] + 1
                net = driven
        for sink in self.latency_ns:  # clock gates without a flip-flop behind them
            name, _, pin = sink.rpartition("/")
            if self._is_gate(name):
                found.setdefault(name, self._level[self._net(name, pin)])
        return found

    @property
    def gates(self) -> list[str]:
        return [x for x in self.inner if self._is_gate(x)]

    @property
    def buffers(self) -> list[str]:
        return [x for x in self.inner if not self._is_gate(x)]

    @cached_property
    def flip_flops(self) -> tuple[np.ndarray, np.ndarray]:
        """Places of the flip-flops' clock pins (rows of x and y in um), and latencies in ns."""
        points = np.array([self._placed.pin(x) for x in self._sinks]).reshape(-1, 2)
        return points, np.array([self.latency_ns[x] for x in self._sinks])

    @cached_property
    def _sinks(self) -> list[str]:
        """Clock pins of the flip-flops."""
        return [x for x in self.latency_ns if not self._is_gate(x.rpartition("/")[0])]

    def _is_gate(self, name: str) -> bool:
        return self._library[self._cells[name]["type"]].clock_gate is not None

    def branches(self) -> Iterator[Branch]:
        inner = [f"{name}/{self._clock_pin(name)}" for name in self.inner]
        place = self._placed.pin
        for pin in (*self._sinks, *inner):
            name, _, own = pin.rpartition("/")
            net = self._net(name, own)
            source = self._clock if net == self._root else "/".join(self._drivers[net])
            yield Branch(place(source), place(pin), self._level[net])
