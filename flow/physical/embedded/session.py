"""A design in the C++ code: timed, repaired and read back."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from rsaxcel.flow.compiled import load_recorded
from rsaxcel.flow.fo4 import fo4_ns
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.names import module_path
from rsaxcel.flow.physical.array_netlist import ArrayNetlist, FreshNames, name_port_nets
from rsaxcel.flow.physical.embedded.library_arrays import library_arrays
from rsaxcel.flow.physical.embedded.records import (
    RECORDS,
    ClockArrays,
    ClockTreeOptions,
    DesignArrays,
    LibraryArrays,
    PlaceOptions,
    Reading,
    RepairOptions,
    RowArrays,
    Summary,
    design_arrays,
)
from rsaxcel.flow.physical.embedded.wires import wires_of
from rsaxcel.flow.physical.floorplan import CoreArea, PhysicalCells
from rsaxcel.store.foreign import ForeignLibrary

_REPEATER_PINS = 2


def compressed(
    before: ArrayNetlist, arrays: dict[str, np.ndarray], nets: int
) -> tuple[ArrayNetlist, dict[str, str], dict[str, dict[str, str]]]:
    """Make a design of the instances that are left, with names for inserted ones.

    ``nets`` counts removed nets, too. The result has the original of each copy, and the replaced
    gate for each output pin of each adder cell.
    """
    kind, second = arrays["kind"], arrays["second"].tolist()
    kept = kind >= 0
    own_pins = np.diff(arrays["first_pin"], append=len(arrays["pin_net"]))
    pin_net = arrays["pin_net"][np.repeat(kept, own_pins)]
    used = np.unique(pin_net[pin_net >= 0])
    number = np.full(nets, -1, np.int32)
    number[used] = np.arange(len(used), dtype=np.int32)
    fresh_name, fresh_net = FreshNames(before.names), FreshNames(before.nets)
    names, net_names = list(before.names), list(before.nets)
    copies: dict[str, str] = {}
    adders: dict[str, dict[str, str]] = {}
    for at, parent in enumerate(arrays["parent"][before.count :].tolist(), before.count):
        original = before.names[parent] if parent >= 0 else ""
        module = module_path(original)
        # inserted and removed again: such an instance needs no name, and is no copy
        if kind[at] < 0:
            names.append("")
        elif second[at] >= 0:
            outputs = [pin.name for pin in before.kinds[kind[at]].pins if pin.is_output]
            stem = "adder" if len(outputs) > 1 else "not"
            names.append(fresh_name(f"{module}.{stem}" if module else stem))
            gates = original, before.names[second[at]]
            adders[names[-1]] = dict(zip(outputs, gates, strict=False))
        elif len(before.kinds[kind[at]].pins) == _REPEATER_PINS:
            names.append(fresh_name(f"{module}.rb" if module else "rb"))
        else:
            names.append(fresh_name(f"{original}_copy"))
            copies[names[-1]] = original
    for _ in range(nets - len(before.nets)):
        net_names.append(fresh_net("rn"))
    after = ArrayNetlist(
        before.top,
        before.kinds,
        [name for name, keep in zip(names, kept, strict=True) if keep],
        [net_names[i] for i in used],
        kind[kept],
        np.where(pin_net >= 0, number[pin_net], -1).astype(np.int32),
        arrays["x"][kept],
        arrays["y"][kept],
        arrays["orient"][kept],
        before.ports,
    )
    name_port_nets(after, lambda _: fresh_net("rn"))
    return after, copies, adders


_SOURCES = (
    "session.cpp",
    "repair.h",
    "adders.h",
    "adder_plan.h",
    "adder_timing.h",
    "adder_library.h",
    "cuts.h",
    "sizing.h",
    "buffering.h",
    "buffer_tree.h",
    "clock_tree.h",
    "clusters.h",
    "hold.h",
    "mirror.h",
    "legal.h",
    "shorten.h",
    "spread.h",
    "wirelength.h",
    "electrostatics.h",
    "fourier.h",
    "weights.h",
    "timer.h",
    "order.h",
    "netlist.h",
    "cells.h",
    "wires.h",
    "steiner.h",
)


_FO4_NS = 0.0214  #: FO4 delay of NanGate45, for which the slews and times of repairs were found


@lru_cache(maxsize=4)
def pace(kit: Kit) -> float:
    """Return how much slower a library's gates are than NanGate45's; slews are in proportion."""
    return round(fo4_ns(kit) / _FO4_NS, 1) or 1.0


@dataclass(frozen=True)
class Clock:
    """The clock of a design, times in ns."""

    is_ideal: bool = True  #: no clock tree yet: the clock reaches all registers at time 0
    #: By how much an ideal clock's edge is earlier at clock gates than at registers; see `pace`.
    gate_lead_ns: float = 0.08
    slew_ns: float = 0.04  #: slew of the ideal clock; see `pace`
    port_latency_ns: float = 0.0  #: latency of the circuits that are connected to the ports


_IDEAL = Clock()


class Session:
    """A design in the C++ code.

    ``adders`` has the adder cells before the last ``read``, and gates whose output is the
    complement of a replaced gate's: by name, the replaced gate for each output pin.
    """

    def __init__(self, netlist: ArrayNetlist, kit: Kit, clock: Clock = _IDEAL) -> None:
        self.netlist = netlist
        self.adders: dict[str, dict[str, str]] = {}
        self._code = _library()
        self._pace = pace(kit)
        self._keep = (
            library_arrays(kit, netlist.kinds),
            wires_of(kit).array,
            ClockArrays(
                ideal=clock.is_ideal,
                gate_lead_ns=clock.gate_lead_ns * self._pace,
                slew_ns=clock.slew_ns * self._pace,
                port_latency_ns=clock.port_latency_ns,
            ),
            design_arrays(netlist),
        )
        arrays, model, timed, given = self._keep
        self._at = ctypes.c_void_p(
            self._code.physical_open(
                ctypes.byref(arrays), _address(model), ctypes.byref(timed), ctypes.byref(given)
            )
        )

    def close(self) -> None:
        self._code.physical_close(self._at)

    def time(self, period_ns: float, derate: float = 0.0) -> Summary:
        """Time all paths for a clock period; hold with a derate of early and late paths."""
        return self._summary("time", period_ns, derate)

    def set_port_latency(self) -> float:
        """Give the ports' clock the mean latency of all registers; return this latency in ns."""
        return round(self._code.physical_set_port_latency(self._at), 9)

    def remove_buffers(self) -> int:
        """Remove the buffers of the data; return their number."""
        return self._summary("remove_buffers").removed

    def repair(
        self,
        period_ns: float,
        *,
        limit: bool = True,
        rounds: int = 0,
        adders: bool = False,
        recover: bool = False,
        slew_ns: float = 0.1,
    ) -> Summary:
        """Repair loads and slews (``limit``), then speed; then use adder cells and smaller cells.

        ``rounds`` limits the repairs for speed. Adder cells and smaller cells (``recover``) leave a
        slack. ``slew_ns`` is the largest at a driver; see ``pace``.
        """
        options = RepairOptions(
            limit=limit,
            rounds=rounds,
            adders=adders,
            recover=recover,
            period_ns=period_ns,
            slew_ns=slew_ns * self._pace,
            margin_ns=0.02,
        )
        return self._summary("repair", ctypes.byref(options))

    def clock_tree(self, period_ns: float) -> Summary:
        """Insert a clock tree; from then on, clock edges arrive with its latencies."""
        options = ClockTreeOptions(
            most_sinks=32,  # registers behind a leaf
            most_leaves=16,  # leaves behind a lowest node
            leaf_load_ff=45.0,  # loads are approximate
            node_load_ff=60.0,
            slew_ns=0.1 * self._pace,  # the largest at a leaf
            period_ns=period_ns,
        )
        return self._summary("clock_tree", ctypes.byref(options))

    def repair_hold(self, period_ns: float, margin_ns: float, derate: float = 0.0) -> Summary:
        """Delay data whose register takes them less than ``margin_ns`` after the hold time.

        With `derate`, data are faster by this fraction, and the clock is slower.
        """
        return self._summary("hold", period_ns, margin_ns, derate)

    def clock_latencies(self) -> dict[str, float]:
        """Latency in ns of each clock sink, by ``INSTANCE/PIN``; of registers and clock gates."""
        arrival, _, _ = self.pins()
        clock_pin = self._keep[0].arrays["kind_rows"][:, 4][self.netlist.kind]
        found = {}
        for at in np.flatnonzero(clock_pin >= 0):
            pin = int(self.netlist.pin_start[at] + clock_pin[at])
            instance, name = self.netlist.pin_name(pin)
            found[f"{instance}/{name}"] = round(float(arrival[pin, 0]), 6)
        return found

    def pins(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return arrival, slew and required time in ns of each pin, by edge.

        Nothing arrives at a pin if the arrival is minus infinity.
        """
        _, pins, _ = self._sizes()
        arrays = np.empty((3, pins, 2))
        self._code.physical_pins(self._at, *map(_address, arrays))
        return arrays[0], arrays[1], arrays[2]

    def mirror(self) -> np.ndarray:
        """Mirror cells where that makes wires shorter; return the orientation of each instance."""
        orient = np.empty(self._sizes()[0], np.uint8)
        self._code.physical_mirror(self._at, _address(orient))
        return orient

    def spread(
        self,
        core: CoreArea,
        fixed: PhysicalCells,
        seed: int,
        space: np.ndarray,
        period_ns: float | None = None,
    ) -> None:
        """Place all cells near the cells that they connect to; places may still overlap.

        `space` is by area. With `period_ns`, slow nets get more weight, and cells start at their
        places. Without, cells start anew, and ports do not draw cells, so that the ports can
        follow.
        """
        options = PlaceOptions(seed=seed, is_first=period_ns is None, period_ns=period_ns or 0.0)
        rows, given = _rows(core, fixed), np.ascontiguousarray(space, float)
        self._code.physical_spread(
            self._at, ctypes.byref(rows), ctypes.byref(options), _address(given)
        )

    def weights(self, period_ns: float) -> np.ndarray:
        """Return a weight of each net for placement: more on slow paths."""
        weights = np.empty(self._sizes()[2])
        self._code.physical_weights(self._at, period_ns, _address(weights))
        return weights

    def legalize(self, core: CoreArea, fixed: PhysicalCells) -> bool:
        """Move all cells to legal places near their own; return whether they fit into the core."""
        return bool(self._code.physical_legalize(self._at, ctypes.byref(_rows(core, fixed))))

    def shorten(self, core: CoreArea, fixed: PhysicalCells, weights: np.ndarray) -> int:
        """Move cells on legal places for shorter wires; return the number of changes.

        With a clock tree, its cells and the cells that these drive stay.
        """
        nets = np.ascontiguousarray(weights, float)
        rows = ctypes.byref(_rows(core, fixed))
        changes = self._code.physical_shorten(self._at, rows, _address(nets))
        return int(changes)

    def read(self) -> tuple[ArrayNetlist, dict[str, str]]:
        """Return the design as it is now, and the original of each copy.

        An inserted buffer or inverter belongs to the module of the instance that drives it.
        """
        instances, pins, nets = self._sizes()
        arrays = {name: np.empty(instances, np.int32) for name in _READ}
        arrays["pin_net"], arrays["orient"] = (
            np.empty(pins, np.int32),
            np.empty(instances, np.uint8),
        )
        self._code.physical_read(self._at, ctypes.byref(Reading(**arrays)))
        after, copies, self.adders = compressed(self.netlist, arrays, nets)
        return after, copies

    def _summary(self, step: str, *given: Any) -> Summary:
        """Do a step; return its summary."""
        summary = Summary()
        getattr(self._code, f"physical_{step}")(self._at, *given, ctypes.byref(summary))
        return summary

    def _sizes(self) -> tuple[int, int, int]:
        sizes = np.empty(3, np.int64)
        self._code.physical_sizes(self._at, _address(sizes))
        return int(sizes[0]), int(sizes[1]), int(sizes[2])


_AT, _REAL = ctypes.c_void_p, ctypes.c_double
_SUMMARY = ctypes.POINTER(Summary)
#: Result and arguments of each function of session.cpp; arrays and the session are addresses.
_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "open": (
        _AT,
        ctypes.POINTER(LibraryArrays),
        _AT,
        ctypes.POINTER(ClockArrays),
        ctypes.POINTER(DesignArrays),
    ),
    "close": (None, _AT),
    "time": (None, _AT, _REAL, _REAL, _SUMMARY),
    "set_port_latency": (_REAL, _AT),
    "remove_buffers": (None, _AT, _SUMMARY),
    "repair": (None, _AT, ctypes.POINTER(RepairOptions), _SUMMARY),
    "clock_tree": (None, _AT, ctypes.POINTER(ClockTreeOptions), _SUMMARY),
    "hold": (None, _AT, _REAL, _REAL, _REAL, _SUMMARY),
    "move": (None, _AT, _AT, _AT, _AT),
    "mirror": (None, _AT, _AT),
    "spread": (None, _AT, ctypes.POINTER(RowArrays), ctypes.POINTER(PlaceOptions), _AT),
    "weights": (None, _AT, _REAL, _AT),
    "legalize": (ctypes.c_int64, _AT, ctypes.POINTER(RowArrays)),
    "shorten": (ctypes.c_int64, _AT, ctypes.POINTER(RowArrays), _AT),
    "sizes": (None, _AT, _AT),
    "read": (None, _AT, ctypes.POINTER(Reading)),
    "pins": (None, _AT, _AT, _AT, _AT),
}
_READ = ("kind", "x", "y", "parent", "second", "first_pin")


@contextmanager
def session(netlist: ArrayNetlist, kit: Kit, clock: Clock = _IDEAL) -> Iterator[Session]:
    """Open a design in the C++ code."""
    opened = Session(netlist, kit, clock)
    try:
        yield opened
    finally:
        opened.close()


def _rows(core: CoreArea, fixed: PhysicalCells) -> RowArrays:
    return RowArrays(
        fixed_x=np.ascontiguousarray(fixed.x),
        fixed_y=np.ascontiguousarray(fixed.y),
        fixed_width=np.ascontiguousarray(fixed.width),
        fixed=fixed.count,
        rows=core.rows,
        sites=core.sites,
        site_width=core.site_width,
        row_height=core.row_height,
    )


def _address(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


@cache
def _library() -> ForeignLibrary:
    code = load_recorded("physical", Path(__file__).parent, _SOURCES, RECORDS)
    for name, (result, *arguments) in _FUNCTIONS.items():
        code.declare(f"physical_{name}", result, *arguments)
    return code
