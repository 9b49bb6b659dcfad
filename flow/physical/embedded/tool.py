"""The embedded tool: its steps from a synthesized netlist to a layout with wires."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from rsaxcel.flow.errors import FlowError, NoRoom
from rsaxcel.flow.files import read_json, write_json
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.physical.array_netlist import FN, PORT_KINDS, ArrayNetlist, N, read_array_netlist
from rsaxcel.flow.physical.checks import check_clock, check_connections, check_placement
from rsaxcel.flow.physical.embedded.capacity import Congestion
from rsaxcel.flow.physical.embedded.finish import (
    check_skew,
    congestion,
    placed_figures,
    trees_of,
    write_layout,
)
from rsaxcel.flow.physical.embedded.session import Clock, Session, pace, session
from rsaxcel.flow.physical.embedded.static_timing import mean_latency_ns
from rsaxcel.flow.physical.equivalence import check_equivalent
from rsaxcel.flow.physical.floorplan import CoreArea, fixed_cells, make_core, utilisation_of
from rsaxcel.flow.physical.interface import CLOCK as CLOCK_FILE
from rsaxcel.flow.physical.interface import (
    CLOCK_TREE,
    FLOORPLAN,
    MEAN_LATENCIES,
    NETLIST,
    PLACE,
    REPAIR,
    REPAIR_TIMING,
    SPEF,
    WIRES,
    PhysicalTool,
    PlacementTask,
)
from rsaxcel.flow.physical.lef import geometry
from rsaxcel.flow.physical.ports import assign_ports, places_of_cells, spread_ports
from rsaxcel.flow.power.liberty import Library


def share_ties(netlist: ArrayNetlist, library: Library) -> ArrayNetlist:
    """Exchange the flip-flops of tie cells by place, and put each tie cell between its own.

    Synthesis shares tie cells by the names of registers. No tie cell gets more flip-flops than the
    one that has the most.
    """
    start, pins = netlist.net_pins
    px, py = netlist.pin_places()
    pin_net, x, y = netlist.pin_net.copy(), netlist.x.copy(), netlist.y.copy()
    for nets in _tied(netlist, library):
        sinks = [pins[start[net] + 1 : start[net + 1]] for net in nets]
        groups = _parts(np.concatenate(sinks), px, py, len(nets), max(map(len, sinks)))
        for net, group in zip(nets, groups, strict=True):
            own = int(netlist.pin_instance[pins[start[net]]])
            pin_net[group] = net
            x[own] = round(float(px[group].mean())) - netlist.width[own] // 2
            y[own] = round(float(py[group].mean())) - netlist.height[own] // 2
    np.maximum(x, 0, out=x), np.maximum(y, 0, out=y)
    return replace(netlist, pin_net=pin_net, x=x, y=y)


def _tied(netlist: ArrayNetlist, library: Library) -> Iterator[list[int]]:
    """Yield the nets from each kind of tie cell to resets and sets alone."""
    cells = [library.cells.get(kind.name) for kind in netlist.kinds]
    forcing = np.array(
        [
            cell is not None and pin.name in cell.forcing_pins
            for kind, cell in zip(netlist.kinds, cells, strict=True)
            for pin in kind.pins
        ]
    )
    start, pins = netlist.net_pins
    is_forced = forcing[netlist.pin_type[pins]]
    for at, cell in enumerate(cells):
        if cell is None or cell.inputs or not cell.outputs or cell.sequential:
            continue
        own = np.flatnonzero(netlist.kind == at)
        driven = netlist.pin_net[netlist.pin_start[own]]
        nets = [
            net
            for net in driven[driven >= 0].tolist()
            if start[net + 1] - start[net] > 1 and is_forced[start[net] + 1 : start[net + 1]].all()
        ]
        if nets:
            yield nets


def _parts(
    pins: np.ndarray, px: np.ndarray, py: np.ndarray, count: int, most: int
) -> list[np.ndarray]:
    """Divide pins by place into ``count`` groups of at most ``most``."""
    if count == 1:
        return [pins]
    wide = np.ptp(px[pins]) >= np.ptp(py[pins])
    along, across = (px[pins], py[pins]) if wide else (py[pins], px[pins])
    pins = pins[np.lexsort((pins, across, along))]
    low = count // 2
    high = count - low
    at = round(len(pins) * low / count)
    at = min(max(at, low, len(pins) - high * most), low * most, len(pins) - high)
    return [*_parts(pins[:at], px, py, low, most), *_parts(pins[at:], px, py, high, most)]


# Greatest density of a place with cells. At 1, wires would be 3 % shorter, but inserted cells of
# repairs would push other cells far away.
_LOCAL_DENSITY = 0.9

_MOST_DENSITY = 0.95  #: greatest density of the core, with the space around cells

_COMFORTABLE = 0.9  #: share of the tracks in use up to which a place needs no more space

# A place with a times the comfortable wires gets a**1.5 times its space; a is limited to this range
# in a round. If no wire led out of the place, a**2 would be right: the wires of a place that grows
# get longer by about the root of its growth.
_RANGE = (0.8, 1.6)

_RADIUS = 2  #: squares on either side over which a square's wires are averaged


def equal_space(netlist: ArrayNetlist) -> np.ndarray:
    """Return the ratio of space to area for each instance, for a placement before any wires."""
    return np.full(netlist.count, 1 / _LOCAL_DENSITY)


def space_for_wires(
    netlist: ArrayNetlist, core: CoreArea, space: np.ndarray, routed: Congestion
) -> np.ndarray:
    """Return the ratio of space to area for each instance, for the next placement."""
    usage = _usage(routed)
    rows, columns = usage.shape
    column = (netlist.x + netlist.width // 2).astype(np.int64) * columns // core.width
    row = (netlist.y + netlist.height // 2).astype(np.int64) * rows // core.height
    used = usage[np.clip(row, 0, rows - 1), np.clip(column, 0, columns - 1)]
    least = 1 / _LOCAL_DENSITY
    lack = np.clip(used / _COMFORTABLE, *_RANGE)
    # a**1.5 and scalar products differ in their last bits between machines.
    wanted = np.maximum(space * lack * np.sqrt(lack), least)
    share = netlist.width.astype(float) * netlist.height / (float(core.width) * core.height)
    density, needed = float((share * wanted).sum()), float(share.sum()) * least
    if density > _MOST_DENSITY:
        wanted = least + (wanted - least) * max(0.0, _MOST_DENSITY - needed) / (density - needed)
    return wanted


def _usage(routed: Congestion) -> np.ndarray:
    """Share of the tracks in use around each square, of the direction that has less left."""
    shares = []
    for demand, tracks in (
        (routed.horizontal[:, :-1], routed.horizontal_tracks[:, :-1]),
        (routed.vertical[:-1], routed.vertical_tracks[:-1]),
    ):
        if not demand.size:
            continue
        share = _averaged(demand) / np.maximum(_averaged(tracks), 1e-9)
        missing = np.array(routed.horizontal.shape) - share.shape
        shares.append(np.pad(share, [(0, n) for n in missing], mode="edge"))
    return np.max(shares, axis=0) if shares else np.zeros(routed.horizontal.shape)


def _averaged(values: np.ndarray) -> np.ndarray:
    """Mean over the neighbours in a square window; at the sides, the outermost values repeat."""
    window = 2 * _RADIUS + 1
    padded = np.pad(values, _RADIUS, mode="edge")
    return sliding_window_view(padded, (window, window)).mean(axis=(2, 3))


_ARRAYS = ("kind", "pin_net", "x", "y", "orient")


@dataclass
class Checkpoint:
    """State of a design between two steps."""

    netlist: ArrayNetlist
    core: CoreArea
    clock: Clock = field(default_factory=Clock)
    copies: dict[str, str] = field(default_factory=dict)  #: original of each copied cell, by name
    #: Replaced gate for each output pin of adder cells, by the cell's name.
    adders: dict[str, dict[str, str]] = field(default_factory=dict)
    counts: dict[str, Any] = field(default_factory=dict)  #: figures of the steps so far

    def write(self, path: Path) -> None:
        """Write the checkpoint; equal checkpoints give equal files."""
        netlist = self.netlist
        about: Mapping[str, Any] = {
            "top": netlist.top,
            "ports": dict(netlist.ports),
            "names": netlist.names,
            "nets": netlist.nets,
            "core": asdict(self.core),
            "clock": asdict(self.clock),
            "copies": self.copies,
            "adders": self.adders,
            "counts": self.counts,
        }
        text = np.frombuffer(json.dumps(about).encode(), np.uint8)
        arrays = {name: getattr(netlist, name) for name in _ARRAYS}
        with path.open("wb") as file:
            np.savez(file, about=text, **arrays)

    @classmethod
    def read(cls, path: Path, kit: Kit) -> Checkpoint:
        """Read a checkpoint of a design of the kit's cells.

        Arrays are checked: otherwise the C++ code would read and write past them.
        """
        with np.load(path) as file:
            about = json.loads(file["about"].tobytes())
            arrays = {name: file[name] for name in _ARRAYS}
        netlist = ArrayNetlist(
            top=about["top"],
            kinds=(*geometry(kit).kinds, *PORT_KINDS),
            names=about["names"],
            nets=about["nets"],
            ports=about["ports"],
            **arrays,
        )
        core, clock = CoreArea(**about["core"]), Clock(**about["clock"])
        if not _is_sound(netlist, core):
            raise FlowError(f"{path}: not a design of this library")
        return cls(netlist, core, clock, about["copies"], about["adders"], about["counts"])


def _is_sound(netlist: ArrayNetlist, core: CoreArea) -> bool:
    """Whether each array has the right type, length and range."""
    ranges = {
        "kind": (np.int32, 0, len(netlist.kinds) - 1),
        "x": (np.int32, 0, core.width),
        "y": (np.int32, 0, core.height),
        "orient": (np.uint8, N, FN),
        "pin_net": (np.int32, -1, len(netlist.nets) - 1),
    }
    for name, (kind, least, most) in ranges.items():
        array = getattr(netlist, name)
        # The number of pins is known only if the kinds, which come first, are right.
        count = int(netlist.pin_start[-1]) if name == "pin_net" else netlist.count
        if array.dtype != kind or array.shape != (count,):
            return False
        if not np.all((least <= array) & (array <= most)):
            return False
    return True


CLOCK = "clk"

_PLACER = 1  #: version of the placer: Coloquinte placed before version 1

_ROUNDS = 40
# Rounds before the second placement, whose slacks are then those of paths that sizes cannot mend.
_ROUNDS_TO_PLACE = 10
_HOLD_MARGIN_NS = 0.008  #: cells are moved to legal places after hold is repaired; see `pace`
#: Share of the margin that legal places must leave in a library slower than NanGate45: behind
#: resistances, drivers see less than the whole load, so that early edges are earlier than taken.
_HOLD_KEPT = 0.6
#: Margin of repairs for speed below the period, and the margin's greatest share of the period.
_MARGIN_NS = 0.02
_MARGIN = 0.02
# Slew at the output of a driver that is repaired after the clock tree: near the library's limit,
# because buffers that came before it have kept to a smaller one, for speed.
_LATE_SLEW_NS = 0.17
_LEGAL_ROUNDS = 5
_LEAST_GAIN_NS = 0.001  #: least gain for which another round of repair is made
#: Share of the tracks that spreading leaves free: repairs and the clock tree add wires.
_EARLY_SPARE = 0.2
#: Most placements after the first one, and rounds of negotiation that show where wires crowd.
_PLACEMENTS = 3
_EARLY_ROUNDS = 4


class EmbeddedTool(PhysicalTool):
    """Places, repairs, builds the clock tree and estimates wires by this package's own code."""

    name = "embedded"

    def version(self) -> str:
        """Version of the placer; the digest of this package's code tells more."""
        return f"placer {_PLACER}"

    def run(
        self, step: str, task: PlacementTask, before: Path | None, folder: Path, work: Path
    ) -> dict[str, Any]:
        if step == FLOORPLAN:
            state = _floorplan(task)
        else:
            assert before is not None
            state = Checkpoint.read(before, task.kit)
        if step in _STEPS:
            _STEPS[step](task, state)
        if step != FLOORPLAN:
            _check(task, state)
        if step == WIRES:
            return _wires(task, state, folder)
        state.write(folder / f"{step}.db")
        return state.counts


def _target_ns(task: PlacementTask) -> float:
    """Period of repairs for speed: shorter, because legal places and the clock tree take time."""
    return task.period_ns - min(_MARGIN_NS, _MARGIN * task.period_ns)


def _floorplan(task: PlacementTask) -> Checkpoint:
    """Read the netlist without its buffers, and make a core for the netlist with them."""
    netlist = read_array_netlist(task.netlist, task.top, geometry(task.kit).kinds)
    core = make_core(netlist, task.kit, task.utilisation)
    with session(netlist, task.kit) as opened:
        removed = opened.remove_buffers()
        netlist, _ = opened.read()
    spread_ports(netlist, core, task.kit)
    own = ~netlist.is_port
    netlist.x[own], netlist.y[own] = core.width // 2, core.height // 2
    return Checkpoint(netlist, core, counts={"synthesis_buffers_removed": removed})


def _place(task: PlacementTask, state: Checkpoint) -> None:
    """Place by wire length, then with ports near their cells and nets weighted by slack.

    The second netlist has buffers, so that driven cells stand together. Where wires crowd, cells
    get more space, until the wires fit.
    """
    _spread(task, state, equal_space(state.netlist))
    assign_ports(state.netlist, state.core, task.kit, places_of_cells(state.netlist))
    routed = _routed(task, state)
    with session(state.netlist, task.kit) as opened:
        buffered = opened.repair(task.period_ns)
        faster = opened.repair(task.period_ns, limit=False, rounds=_ROUNDS_TO_PLACE)
        state.netlist, _ = opened.read()
    space = equal_space(state.netlist)
    for _ in range(_PLACEMENTS):
        if routed.overflow:
            space = space_for_wires(state.netlist, state.core, space, routed)
        _spread(task, state, space, task.period_ns)
        routed = _routed(task, state)
        if not routed.overflow:
            break
    _legalize(task, state)
    trees = trees_of(state.netlist)
    state.counts |= {
        "place_buffers": buffered.inserted + faster.inserted - faster.removed,
        "resized": buffered.resized + faster.resized,
        **placed_figures(trees, congestion(trees, state.core, task.kit)),
    }


def _repair(task: PlacementTask, state: Checkpoint) -> None:
    """Repair loads and slews, then speed; take area back; make the places legal."""
    with session(state.netlist, task.kit, state.clock) as opened:
        limited = opened.repair(task.period_ns)
        faster = opened.repair(_target_ns(task), limit=False, rounds=_ROUNDS)
        smaller = opened.repair(task.period_ns, limit=False, adders=True, recover=True)
        state.netlist, copies = opened.read()
        state.adders |= opened.adders
    state.copies |= copies
    _legalize(task, state)
    state.counts["repair_buffers"] = limited.inserted + faster.inserted - faster.removed
    state.counts["resized"] += limited.resized + faster.resized + smaller.resized
    state.counts["adder_cells"] = smaller.adders


def _clock_tree(task: PlacementTask, state: Checkpoint) -> None:
    """Insert the clock tree, and make the places legal."""
    with session(state.netlist, task.kit, state.clock) as opened:
        tree = opened.clock_tree(task.period_ns)
        state.netlist, copies = opened.read()
    state.copies |= copies
    state.clock = Clock(is_ideal=False)
    _legalize(task, state)
    with session(state.netlist, task.kit, state.clock) as opened:
        state.clock = Clock(is_ideal=False, port_latency_ns=opened.set_port_latency())
        check_skew(opened.time(task.period_ns).skew_ns, task.kit)
    state.counts |= {"clock_buffers": tree.inserted, "clock_gate_copies": tree.copied}


def _repair_timing(task: PlacementTask, state: Checkpoint) -> None:
    """Repair limits, setup and hold with the clock tree, on legal places, as long as that helps."""
    # In the order of their weight, as rounds are compared: allowed slews and loads, then slack.
    best: tuple[bool, float, Checkpoint] | None = None
    hold_buffers = 0
    kept_ns = _HOLD_KEPT * _HOLD_MARGIN_NS * max(0.0, pace(task.kit) - 1)
    least_ns = task.uncertainty_ns + kept_ns
    for _ in range(_LEGAL_ROUNDS):
        with session(state.netlist, task.kit, state.clock) as opened:
            opened.repair(_target_ns(task), rounds=_ROUNDS, slew_ns=_LATE_SLEW_NS)
            opened.repair(task.period_ns, limit=False, recover=True)
            if task.hold_kit is None:
                hold_buffers += _repair_hold(task, opened)
            state.netlist, copies = opened.read()
        state.copies |= copies
        if task.hold_kit is not None:
            with session(state.netlist, task.hold_kit, state.clock) as opened:
                opened.set_port_latency()
                hold_buffers += _repair_hold(task, opened)
                state.netlist, copies = opened.read()
            state.copies |= copies
        _legalize(task, state)
        with session(state.netlist, task.kit, state.clock) as opened:
            # The tree has moved, too.
            state.clock = Clock(is_ideal=False, port_latency_ns=opened.set_port_latency())
            timed = opened.time(task.period_ns, task.derate)
        hold_ns = timed.hold_ns
        if task.hold_kit is not None:
            with session(state.netlist, task.hold_kit, state.clock) as opened:
                opened.set_port_latency()
                hold_ns = opened.time(task.period_ns, task.derate).hold_ns
        state.counts["hold_buffers"] = hold_buffers
        if hold_ns < least_ns:
            continue
        allowed = not (timed.slew_violations or timed.load_violations)
        if best is None or (allowed, timed.worst_ns - _LEAST_GAIN_NS) > best[:2]:
            kept = replace(state, copies=dict(state.copies), counts=dict(state.counts))
            best = allowed, timed.worst_ns, kept
            if allowed and timed.worst_ns >= -_LEAST_GAIN_NS:
                break
        elif best[0]:
            break
    if best is None:
        lacking_ns = least_ns - hold_ns
        raise FlowError(f"hold times are not kept: {1e3 * lacking_ns:.1f} ps are lacking")
    kept = best[2]
    state.netlist, state.clock = kept.netlist, kept.clock
    state.copies, state.counts = kept.copies, kept.counts


def _repair_hold(task: PlacementTask, opened: Session) -> int:
    """Repair hold with its margins; return the number of buffers."""
    margin_ns = task.uncertainty_ns + _HOLD_MARGIN_NS * pace(task.kit)
    return opened.repair_hold(task.period_ns, margin_ns, task.derate).inserted


def _check(task: PlacementTask, state: Checkpoint) -> None:
    """Check places, connections and the clock's reach; prove that the netlist is equivalent."""
    netlist, library = state.netlist, task.kit.library
    check_placement(netlist, state.core, [fixed_cells(state.core, task.kit)])
    check_connections(netlist)
    check_clock(netlist, CLOCK, library)
    given = read_array_netlist(task.netlist, task.top, geometry(task.kit).kinds)
    check_equivalent(netlist, given, library, state.copies, state.adders)


def _wires(task: PlacementTask, state: Checkpoint, folder: Path) -> dict[str, Any]:
    """Write netlist, places, wires, clock and capacity."""
    buffers = state.counts["clock_buffers"]
    found = write_layout(state.netlist, state.core, task.kit, task.clock_ns, buffers, folder)
    if task.corners:
        about = read_json(folder / CLOCK_FILE)
        files = folder / NETLIST, task.top, folder / SPEF
        latencies = {x.setup: mean_latency_ns(*files, x) for x in task.corners}
        write_json(folder / CLOCK_FILE, {**about, MEAN_LATENCIES: latencies})
    return {**state.counts, **found}


_STEPS: dict[str, Callable[[PlacementTask, Checkpoint], None]] = {
    PLACE: _place,
    REPAIR: _repair,
    CLOCK_TREE: _clock_tree,
    REPAIR_TIMING: _repair_timing,
}


def _spread(
    task: PlacementTask, state: Checkpoint, space: np.ndarray, period_ns: float | None = None
) -> None:
    fixed = fixed_cells(state.core, task.kit)
    with session(state.netlist, task.kit) as opened:
        opened.spread(state.core, fixed, task.seed, space, period_ns)
        state.netlist, _ = opened.read()
    state.netlist = share_ties(state.netlist, task.kit.library)


def _routed(task: PlacementTask, state: Checkpoint) -> Congestion:
    """Route a placement that is not final, to see where wires crowd."""
    trees = trees_of(state.netlist)
    return congestion(trees, state.core, task.kit, _EARLY_SPARE, _EARLY_ROUNDS)


def _legalize(task: PlacementTask, state: Checkpoint) -> None:
    """Move all cells to legal places; ``NoRoom`` if the core is too small."""
    fixed = fixed_cells(state.core, task.kit)
    with session(state.netlist, task.kit) as opened:
        if not opened.legalize(state.core, fixed):
            used = utilisation_of(state.netlist, state.core, fixed)
            raise NoRoom(f"the cells do not fit into the core: utilisation {used:.3f}")
        state.netlist, _ = opened.read()
    _shorten(task, state)


def _shorten(task: PlacementTask, state: Checkpoint) -> None:
    """Move and mirror cells on legal places for shorter wires.

    With a clock tree, moves that make the slowest path slower, and too slow, are taken back.
    """
    fixed, is_guarded = fixed_cells(state.core, task.kit), not state.clock.is_ideal
    with session(state.netlist, task.kit, state.clock) as opened:
        weights = opened.weights(task.period_ns)
        opened.mirror()
        if is_guarded:
            before_ns = opened.time(task.period_ns).worst_ns
            kept, _ = opened.read()
        opened.shorten(state.core, fixed, weights)
        opened.mirror()
        state.netlist, _ = opened.read()
        if is_guarded and opened.time(task.period_ns).worst_ns < min(before_ns, 0.0):
            state.netlist = kept
