"""Delays of gates in picoseconds, by input, output edge and values of the other inputs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import FALL, OPPOSITE, RISE, DelayArc, Edge, LibraryCell, Pin
from rsaxcel.flow.power.netlist import Instance, Netlist
from rsaxcel.flow.power.slews import Slews

_PS = 1e12
_EDGES = (RISE, FALL)


@dataclass(frozen=True)
class Case:
    """Delays from an input to an output, for some values of the other inputs."""

    position: int  #: position of the input among the function's inputs
    #: condition on the other inputs; None: values that no other case covers
    when: BooleanFunction | None
    arcs: tuple[DelayArc, ...]  #: timing groups, of which the longest delay applies


def cases_of(cell: LibraryCell, pin: Pin, function: BooleanFunction) -> tuple[Case, ...]:
    """Return the delay cases of an output, input by input; a flip-flop's state counts as an input.

    The last case of each input covers all other values. ``FlowError`` if the library has no delay.
    """
    found = []
    for position, name in enumerate(function.pins):
        is_state = cell.sequential is not None and name == cell.sequential.state
        causes = cell.sequential.clock.pins if is_state and cell.sequential else (name,)
        arcs = [arc for arc in pin.delay_arcs if arc.related_pin in causes]
        if not arcs:
            raise FlowError(f"{cell.name}: no delay from {name} to {pin.name} in the library")
        known = set(function.pins)
        stated = [x for x in arcs if x.when is not None and set(x.when.pins) <= known]
        # The values of the other inputs matter only if the library has more than one timing group
        # for this input.
        if len(arcs) > 1:
            found += [Case(position, arc.when, (arc,)) for arc in stated]
        always = tuple(arc for arc in arcs if arc.when is None)
        found.append(Case(position, None, always or tuple(arcs)))
    return tuple(found)


def gate_delays(
    netlist: Netlist, slews: Slews, gates: Sequence[tuple[Instance, Pin, BooleanFunction]]
) -> list[np.ndarray]:
    """Return the delays of each gate in ps: rise and fall for each of its cases (see ``cases_of``).

    A delay is looked up by the load and by the slew of the causing input edge, the larger one if
    both edges can cause it. In a layout it includes the wire to the input and, at a flip-flop, the
    difference of its clock's latency from the mean (``Netlist.arrivals_s``).
    """
    alike: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for index, (instance, pin, _) in enumerate(gates):
        alike[instance.cell.name, pin.name].append(index)
    result = [np.empty(0, np.int32)] * len(gates)
    for members in alike.values():
        instance, pin, function = gates[members[0]]
        own = [gates[index][0] for index in members]
        found = _delays_of(netlist, slews, own, instance.cell, pin, function)
        for index, row in zip(members, found, strict=True):
            result[index] = row
    return result


def _delays_of(
    netlist: Netlist,
    slews: Slews,
    instances: list[Instance],
    cell: LibraryCell,
    pin: Pin,
    function: BooleanFunction,
) -> np.ndarray:
    """Return the delays of instances of one cell, one row per instance."""
    bits = [x.nets[pin.name] for x in instances]
    load_f = np.array([netlist.load_f.get(b, 0.0) if isinstance(b, int) else 0.0 for b in bits])
    cases = cases_of(cell, pin, function)
    slew_s: Mapping[tuple[str, Edge], np.ndarray] = {
        (name, edge): np.array([slews.slew_s(x.name, name, edge) for x in instances])
        for name in {arc.related_pin for case in cases for arc in case.arcs}
        for edge in _EDGES
    }
    none = 0.0, 0.0
    arrival_s = {
        (name, edge): np.array([netlist.arrivals_s.get((x.name, name), none)[i] for x in instances])
        for name in {name for name, _ in slew_s}
        for i, edge in enumerate(_EDGES)
    }
    columns = []
    for case in cases:
        for edge in _EDGES:
            longest = np.zeros(len(instances))
            for arc in case.arcs:
                table = arc.tables.get(edge)
                if table is None:
                    continue
                causes = _causes(cell, function, case, arc, edge)
                slew = np.max([slew_s[arc.related_pin, cause] for cause in causes], axis=0)
                arrival = np.max([arrival_s[arc.related_pin, cause] for cause in causes], axis=0)
                longest = np.maximum(longest, arrival + table.lookup(slew, load_f))
            columns.append(np.maximum(1, np.rint(longest * _PS)))
    return np.array(columns, np.int32).reshape(len(columns), len(instances)).T.copy()


def _causes(
    cell: LibraryCell, function: BooleanFunction, case: Case, arc: DelayArc, edge: Edge
) -> list[Edge]:
    """Edges of the timing group's input pin that can cause the given edge of the output."""
    name = function.pins[case.position]
    if cell.sequential is not None and name == cell.sequential.state:
        clock = cell.sequential.clock
        return [RISE if bool(clock.table[1]) else FALL]
    when = arc.when or BooleanFunction.constant(True)
    follows, opposes = function.sensitised(name)
    causes = [edge] if (follows & when).table.any() else []
    causes += [OPPOSITE[edge]] if (opposes & when).table.any() else []
    return causes or [edge]
