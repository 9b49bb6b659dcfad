"""The embedded tool: its steps from a synthesized netlist to a layout with wires."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rsaxcel.flow.errors import FlowError, NoRoom
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.physical.array_netlist import DBU_PER_UM, read_array_netlist
from rsaxcel.flow.physical.checks import check_clock, check_connections, check_placement
from rsaxcel.flow.physical.embedded.capacity import Congestion
from rsaxcel.flow.physical.embedded.checkpoint import Checkpoint
from rsaxcel.flow.physical.embedded.finish import check_skew, write_layout
from rsaxcel.flow.physical.embedded.layout_files import congestion, trees_of
from rsaxcel.flow.physical.embedded.session import Clock, session
from rsaxcel.flow.physical.embedded.spreading import equal_space, space_for_wires
from rsaxcel.flow.physical.equivalence import check_equivalent
from rsaxcel.flow.physical.floorplan import fixed_cells, make_core, utilisation_of
from rsaxcel.flow.physical.interface import (
    CLOCK_TREE,
    FLOORPLAN,
    PLACE,
    REPAIR,
    REPAIR_TIMING,
    WIRES,
    PhysicalTool,
    PlacementTask,
)
from rsaxcel.flow.physical.lef import kinds
from rsaxcel.flow.physical.ports import assign_ports, places_of_cells, spread_ports

CLOCK = "clk"  # the clock's port

_PLACER = 1  # Coloquinte placed before version 1

_ROUNDS = 40
# Rounds before the second placement, whose slacks are then those of paths that sizes cannot mend.
_ROUNDS_TO_PLACE = 10
_HOLD_MARGIN_NS = 0.008  # cells are moved to legal places after hold is repaired
# What repairs for speed reach below the period, and its greatest share.
_MARGIN_NS = 0.02
_MARGIN = 0.02
# Slew at the output of a driver that is repaired after the clock tree: near the library's limit,
# because buffers that came before it have kept to a smaller one, for speed.
_LATE_SLEW_NS = 0.17
_LEGAL_ROUNDS = 5
_LEAST_GAIN_NS = 0.001  # for which another round of repair is made
# Share of the tracks that spreading leaves free: repairs and the clock tree add wires.
_EARLY_SPARE = 0.2
# Most placements after the first one, and rounds of negotiation that show where wires crowd.
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
    """Period that repairs for speed aim at: legal places and the clock tree take some of it."""
    return task.period_ns - min(_MARGIN_NS, _MARGIN * task.period_ns)


def _floorplan(task: PlacementTask) -> Checkpoint:
    """Read the netlist without its buffers, and make a core for the netlist with them."""
    design = read_array_netlist(task.netlist, task.top, kinds(task.kit))
    core = make_core(design, task.kit, task.utilisation)
    with session(design, task.kit) as opened:
        removed = opened.remove_buffers()
        design, _ = opened.read()
    spread_ports(design, core, task.kit)
    own = ~design.is_port
    design.x[own], design.y[own] = core.width // 2, core.height // 2
    return Checkpoint(design, core, counts={"synthesis_buffers_removed": removed})


def _place(task: PlacementTask, state: Checkpoint) -> None:
    """Place by wire length, then with ports near their cells and nets weighted by slack.

    The second netlist has buffers, so that driven cells stand together. Where wires crowd, cells
    get more space, until the wires fit.
    """
    _spread(task, state, equal_space(state.design))
    assign_ports(state.design, state.core, task.kit, places_of_cells(state.design))
    routed = _routed(task, state)
    with session(state.design, task.kit) as opened:
        buffered = opened.repair(task.period_ns)
        faster = opened.repair(task.period_ns, limit=False, rounds=_ROUNDS_TO_PLACE)
        state.design, _ = opened.read()
    space = equal_space(state.design)
    for _ in range(_PLACEMENTS):
        if routed.overflow:
            space = space_for_wires(state.design, state.core, space, routed)
        _spread(task, state, space, task.period_ns)
        routed = _routed(task, state)
        if not routed.overflow:
            break
    _legalize(task, state)
    trees = trees_of(state.design)
    found = congestion(trees, state.core, task.kit)
    state.counts |= {
        "place_buffers": buffered.inserted + faster.inserted - faster.removed,
        "resized": buffered.resized + faster.resized,
        "overflow": found.overflow,
        "routing_demand": round(found.demand, 4),
        "placed_wire_length_mm": round(trees.length_dbu / DBU_PER_UM / 1e3, 3),
    }


def _repair(task: PlacementTask, state: Checkpoint) -> None:
    """Repair loads and slews, then speed; take area back; make the places legal."""
    with session(state.design, task.kit, state.clock) as opened:
        limited = opened.repair(task.period_ns)
        faster = opened.repair(_target_ns(task), limit=False, rounds=_ROUNDS)
        smaller = opened.repair(task.period_ns, limit=False, adders=True, recover=True)
        state.design, copies = opened.read()
        state.adders |= opened.adders
    state.copies |= copies
    _legalize(task, state)
    state.counts["repair_buffers"] = limited.inserted + faster.inserted - faster.removed
    state.counts["resized"] += limited.resized + faster.resized + smaller.resized
    state.counts["adder_cells"] = smaller.adders


def _clock_tree(task: PlacementTask, state: Checkpoint) -> None:
    """Insert the clock tree, and make the places legal."""
    with session(state.design, task.kit, state.clock) as opened:
        tree = opened.clock_tree(task.period_ns)
        state.design, copies = opened.read()
    state.copies |= copies
    state.clock = Clock(is_ideal=False)
    _legalize(task, state)
    with session(state.design, task.kit, state.clock) as opened:
        state.clock = Clock(is_ideal=False, port_latency_ns=opened.set_port_latency())
        check_skew(opened.time(task.period_ns).skew_ns)
    state.counts |= {"clock_buffers": tree.inserted, "clock_gate_copies": tree.copied}


def _repair_timing(task: PlacementTask, state: Checkpoint) -> None:
    """Repair limits, setup and hold with the clock tree, on legal places, as long as that helps."""
    # Whether all slews and loads are allowed, worst slack, and layout.
    best: tuple[bool, float, Checkpoint] | None = None
    hold_buffers = 0
    for _ in range(_LEGAL_ROUNDS):
        with session(state.design, task.kit, state.clock) as opened:
            opened.repair(_target_ns(task), rounds=_ROUNDS, slew_ns=_LATE_SLEW_NS)
            opened.repair(task.period_ns, limit=False, recover=True)
            held = opened.repair_hold(
                task.period_ns, task.uncertainty_ns + _HOLD_MARGIN_NS, task.derate
            )
            hold_buffers += held.inserted
            state.design, copies = opened.read()
        state.copies |= copies
        _legalize(task, state)
        with session(state.design, task.kit, state.clock) as opened:
            # The tree has moved, too.
            state.clock = Clock(is_ideal=False, port_latency_ns=opened.set_port_latency())
            timed = opened.time(task.period_ns, task.derate)
        state.counts["hold_buffers"] = hold_buffers
        if timed.hold_ns < task.uncertainty_ns:
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
        lacking_ns = task.uncertainty_ns - timed.hold_ns
        raise FlowError(f"hold times are not kept: {1e3 * lacking_ns:.1f} ps are lacking")
    kept = best[2]
    state.design, state.clock = kept.design, kept.clock
    state.copies, state.counts = kept.copies, kept.counts


def _check(task: PlacementTask, state: Checkpoint) -> None:
    """Check places, connections and the clock's reach; prove that the netlist is equivalent."""
    design, library = state.design, kept_library(task.kit.liberty)
    check_placement(design, state.core, [fixed_cells(state.core, task.kit)])
    check_connections(design)
    check_clock(design, CLOCK, library)
    given = read_array_netlist(task.netlist, task.top, kinds(task.kit))
    check_equivalent(design, given, library, state.copies, state.adders)


def _wires(task: PlacementTask, state: Checkpoint, folder: Path) -> dict[str, Any]:
    """Write netlist, places, wires, clock and capacity."""
    buffers = state.counts["clock_buffers"]
    found = write_layout(state.design, state.core, task.kit, task.clock_ns, buffers, folder)
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
    with session(state.design, task.kit) as opened:
        opened.spread(state.core, fixed, task.seed, space, period_ns)
        state.design, _ = opened.read()


def _routed(task: PlacementTask, state: Checkpoint) -> Congestion:
    """Route a placement that is not final, to see where wires crowd."""
    trees = trees_of(state.design)
    return congestion(trees, state.core, task.kit, _EARLY_SPARE, _EARLY_ROUNDS)


def _legalize(task: PlacementTask, state: Checkpoint) -> None:
    """Move all cells to legal places; ``NoRoom`` if the core is too small."""
    fixed = fixed_cells(state.core, task.kit)
    with session(state.design, task.kit) as opened:
        if not opened.legalize(state.core, fixed):
            used = utilisation_of(state.design, state.core, fixed)
            raise NoRoom(f"the cells do not fit into the core: utilisation {used:.3f}")
        state.design, _ = opened.read()
    _shorten(task, state)


def _shorten(task: PlacementTask, state: Checkpoint) -> None:
    """Move and mirror cells on legal places for shorter wires.

    With a clock tree, moves that make the slowest path slower, and too slow, are taken back.
    """
    fixed, is_guarded = fixed_cells(state.core, task.kit), not state.clock.is_ideal
    with session(state.design, task.kit, state.clock) as opened:
        weights = opened.weights(task.period_ns)
        opened.mirror()
        if is_guarded:
            before_ns = opened.time(task.period_ns).worst_ns
            kept, _ = opened.read()
        opened.shorten(state.core, fixed, weights)
        opened.mirror()
        state.design, _ = opened.read()
        if is_guarded and opened.time(task.period_ns).worst_ns < min(before_ns, 0.0):
            state.design = kept
