"""Energy of a netlist from measured toggles: switching, internal, clock and leakage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from rsaxcel.flow.errors import FlowError, PowerError
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.bank import Banks, CellBank
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import FALL, OPPOSITE, RISE, Edge, InternalPower, Pin, Sequential
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import Slews

#: The file has two float32 arrays for each type of operation: OPERATION.energy_nj and, with
#: glitches, OPERATION.glitch_nj; for one operation, in the order of the cells' names. The energy of
#: a cell includes the nets that the cell drives.
_ENERGY, _GLITCH = "energy_nj", "glitch_nj"


@dataclass(frozen=True)
class CellEnergies:
    """Energy in nJ of each cell in an operation, and its part of glitches, if counted."""

    energy_nj: np.ndarray
    glitch_nj: np.ndarray | None


def write_energies(path: Path, windows: Mapping[str, OperationEnergy]) -> None:
    arrays = {key: x for name, window in windows.items() for key, x in _arrays(name, window)}
    np.savez_compressed(path, allow_pickle=False, **arrays)


def _arrays(name: str, window: OperationEnergy) -> Iterator[tuple[str, np.ndarray]]:
    netlist, activity = window.netlist, window.activity
    names = [instance.name for instance in netlist.instances]
    order = sorted(range(len(names)), key=names.__getitem__)
    whole = by_instance_j(netlist, activity, window.energy)
    to_nj = 1e9 / window.operations
    yield f"{name}.{_ENERGY}", (whole[order] * to_nj).astype(np.float32)
    if window.lower is not None:
        useful = by_instance_j(netlist, activity.useful, window.lower)
        yield f"{name}.{_GLITCH}", ((whole - useful)[order] * to_nj).astype(np.float32)


def read_energies(path: Path, names: Sequence[str]) -> dict[str, CellEnergies]:
    """Read the energies of cells, in the order of ``names``, by type of operation."""
    # names[order[i]] is the i-th name; so the energy of a name is at its place in that order.
    order = sorted(range(len(names)), key=names.__getitem__)
    place = np.empty(len(names), np.int64)
    place[order] = np.arange(len(names))
    try:
        with np.load(path) as file:
            arrays = {key: file[key] for key in file.files}
    except (OSError, ValueError) as error:
        raise FlowError(f"cannot read {path}: {error}") from error
    if any(len(x) != len(names) for x in arrays.values()):
        raise FlowError(f"{path} is of another netlist: it has not {len(names):,} cells")
    found = {}
    for key in arrays:
        operation, _, kind = key.rpartition(".")
        if kind == _ENERGY:
            glitch = arrays.get(f"{operation}.{_GLITCH}")
            own = None if glitch is None else glitch[place]
            found[operation] = CellEnergies(arrays[key][place], own)
    return found


_ALWAYS = BooleanFunction.constant(True)
_NEVER = BooleanFunction.constant(False)


def leakage_w(bank: CellBank) -> np.ndarray:
    """Return the leakage in watts by the probability of states; unlisted states have the mean."""
    total, covered = bank.zeros, bank.zeros
    for leakage in bank.cell.leakages:
        probability = bank.in_state(leakage.when).probability(bank.probabilities)
        total += probability * leakage.power_w
        covered += probability
    return total + (1.0 - covered) * bank.cell.leakage_w


def output_energy_j(bank: CellBank, pin: Pin) -> np.ndarray:
    """Return the internal energy in joules of the toggles of an output."""
    if bank.cell.clock_gate:
        return _gated_clock_j(bank, pin)
    if bank.polarity(pin) is not None:
        return _state_output_j(bank, pin)
    return _combinational_output_j(bank, pin)


def input_energy_j(bank: CellBank, pin: Pin) -> np.ndarray:
    """Return the internal energy in joules of the toggles of an input."""
    sequential = bank.cell.sequential
    probabilities = bank.probabilities
    states = None
    if sequential is not None and sequential.kind in ("ff", "gate"):
        if pin.name in sequential.clock.pins:
            states = _states_at_clock(bank, sequential, pin)
        elif len(sequential.clock.pins) == 1:
            (clock,) = sequential.clock.pins
            probabilities = {**probabilities, clock: bank.zeros + float(sequential.clock.table[1])}
    energy_j = bank.zeros
    for power in pin.internal_powers:
        condition = bank.in_state(power.when or _ALWAYS)
        if states is None:
            share = condition.probability(probabilities)
        else:
            share = sum(
                weight * condition.restrict(values).probability(probabilities)
                for values, weight in states
            )
        edges = sum(bank.edge_j(power, edge, (pin.name, edge)) for edge in (RISE, FALL))
        energy_j += share * edges / 2
    return energy_j * bank.toggles[pin.name]


def _gated_clock_j(bank: CellBank, pin: Pin) -> np.ndarray:
    """Return the energy of a clock gate's pulses in joules.

    A pulse rises while the enable is 1; when it falls, the enable has the next cycle's value.
    """
    assert bank.cell.clock_gate is not None
    (enable,) = bank.cell.clock_gate.next_state.pins
    pulses = bank.toggles[pin.name] / 2
    lasts = np.minimum(bank.toggles[enable] / 2, pulses)
    energy_j = bank.zeros
    for power in pin.internal_powers:
        when = power.when or _ALWAYS
        on, off = (
            when.restrict({enable: value}).probability(bank.probabilities)
            for value in (True, False)
        )
        related = power.related_pin or pin.name
        rise_j, fall_j = (
            bank.edge_j(power, edge, (related, edge), pin.name) for edge in (RISE, FALL)
        )
        energy_j += on * (pulses * rise_j + (pulses - lasts) * fall_j) + off * lasts * fall_j
    return energy_j


def _combinational_output_j(bank: CellBank, pin: Pin) -> np.ndarray:
    even: Mapping[str, Any] = {name: 0.5 for name in bank.cell.pins}
    weights, energies = [], []
    for power in pin.internal_powers:
        related = power.related_pin or pin.name
        follows, opposes = bank.fixed(id(power), partial(_sensitised, pin, power))
        p_follows = follows.probability(bank.probabilities)
        probability = p_follows + opposes.probability(bank.probabilities)
        s_follows, s_opposes = follows.probability(even), opposes.probability(even)
        share = s_follows / (s_follows + s_opposes) if s_follows + s_opposes else 1.0
        share = np.divide(
            p_follows, probability, out=bank.zeros + share, where=bank.zeros + probability > 0
        )
        energy_j = bank.zeros
        for edge in (RISE, FALL):
            same, other = (related, edge), (related, OPPOSITE[edge])
            energy_j += share * bank.edge_j(power, edge, same, pin.name)
            energy_j += (1.0 - share) * bank.edge_j(power, edge, other, pin.name)
        weights.append(bank.toggles[related] * probability)
        energies.append(energy_j / 2)
    if not energies:
        return bank.zeros
    # An unread output has no measured toggles; they are estimated from its inputs.
    toggles = np.where(np.isnan(bank.toggles[pin.name]), sum(weights), bank.toggles[pin.name])
    return toggles * _weighted_mean(bank, weights, energies)


def _state_output_j(bank: CellBank, pin: Pin) -> np.ndarray:
    sequential = bank.cell.sequential
    assert sequential is not None
    weights, energies = [], []
    forced, forced_j = bank.zeros, bank.zeros
    for power in pin.internal_powers:
        related = power.related_pin or pin.name
        probability = bank.in_state(power.when or _ALWAYS).probability(bank.probabilities)
        force = _forcing_edge(sequential, related)
        if force is not None:
            cause, leaves_high = force
            was = bank.probabilities[sequential.state]
            events = bank.toggles[related] / 2 * probability * (was if leaves_high else 1.0 - was)
            # The group of a clear or preset input has a table only for the output edge that this
            # input can cause; the other edge adds 0 to the sum.
            forced += events
            forced_j += events * sum(
                bank.edge_j(power, edge, (related, cause), pin.name) for edge in (RISE, FALL)
            )
        else:
            energy_j = bank.zeros
            for edge in (RISE, FALL):
                cause = _launching_edge(sequential, related, edge, bank.polarity(pin))
                energy_j += bank.edge_j(power, edge, (related, cause), pin.name)
            weights.append(bank.toggles.get(related, bank.zeros) * probability)
            energies.append(energy_j / 2)
    toggles = bank.state_toggles
    # Clear or preset can force at most every second toggle: the state must toggle back in between.
    scale = np.divide(toggles / 2, forced, out=bank.zeros + 1.0, where=forced > toggles / 2)
    clocked = toggles - forced * scale
    mean_j = _weighted_mean(bank, weights, energies) if energies else bank.zeros
    return clocked * mean_j + scale * forced_j


def _weighted_mean(bank: CellBank, weights: list, energies: list) -> np.ndarray:
    """Return the weighted mean of energies; the plain mean if all weights are 0."""
    total = bank.zeros + sum(weights)
    weighted = sum(w * e for w, e in zip(weights, energies, strict=True))
    return np.divide(weighted, total, out=sum(energies) / len(energies), where=total > 0)


def _sensitised(pin: Pin, power: InternalPower) -> tuple[BooleanFunction, BooleanFunction]:
    """Return the conditions under which the output follows, or inverts, the related input."""
    when = power.when or _ALWAYS
    if pin.function is None or power.related_pin is None:
        return when, _NEVER
    follows, opposes = pin.function.sensitised(power.related_pin)
    return follows & when, opposes & when


def _forcing_edge(sequential: Sequential, related: str) -> tuple[Edge, bool] | None:
    """Return the edge at which a clear or preset becomes active, and the state that it ends.

    Clear ends the state 1 (True), preset the state 0 (False). None for any other input.
    """
    for function, ends in ((sequential.clear, True), (sequential.preset, False)):
        if function is not None and related in function.pins:
            return _active_edge(function, related), ends
    return None


def _launching_edge(
    sequential: Sequential, related: str, edge: Edge, follows_state: bool | None
) -> Edge:
    """Return the edge of the clock, or of a latch's data, that causes the given output edge."""
    if related in sequential.clock.pins:
        return _active_edge(sequential.clock, related)
    return edge if follows_state else OPPOSITE[edge]


def _active_edge(function: BooleanFunction, pin: str) -> Edge:
    """Return the edge of a pin that can change a function from 0 to 1."""
    rises, _ = function.sensitised(pin)
    return RISE if rises.table.any() else FALL


def _states_at_clock(
    bank: CellBank, sequential: Sequential, clock: Pin
) -> list[tuple[dict[str, bool], np.ndarray]]:
    """Return the joint distribution of a flip-flop's inputs and state around its clock edges.

    Each element has values and their probability by instance. Probabilities of inputs are scaled:
    the next state differs from the state as often as it toggles, and the state has its measured
    probability of 1.
    """
    clear, preset = sequential.clear or _NEVER, sequential.preset or _NEVER
    next_state = (sequential.next_state | preset) & ~clear
    pins = [p for p in next_state.pins if p != sequential.state]
    active_edges = bank.toggles[clock.name] / 2
    changes = np.divide(
        bank.state_toggles, active_edges, out=bank.zeros, where=active_edges > 0
    ).clip(0.0, 1.0)
    high = bank.probabilities[sequential.state]
    goal = {
        (False, True): changes / 2,
        (True, False): changes / 2,
        (True, True): (high - changes / 2).clip(0.0),
        (False, False): (1.0 - high - changes / 2).clip(0.0),
    }
    rows = []
    prior_sum = {key: bank.zeros for key in goal}
    for values in product((False, True), repeat=len(pins) + 1):
        state, *inputs = values
        assignment = {sequential.state: state, **dict(zip(pins, inputs, strict=True))}
        prior = bank.zeros + 1.0
        for pin, value in zip(pins, inputs, strict=True):
            prior = prior * (bank.high[pin] if value else 1.0 - bank.high[pin])
        key = state, bool(next_state.restrict(assignment).table)
        prior_sum[key] = prior_sum[key] + prior
        rows.append((assignment, key, prior))
    reached = {key: np.where(prior_sum[key] > 0, goal[key], 0.0) for key in goal}
    total = sum(reached.values())
    scaled = []
    for assignment, key, prior in rows:
        norm = prior_sum[key] * total
        weight = np.divide(prior * reached[key], norm, out=bank.zeros, where=norm > 0)
        scaled.append((assignment, weight))
    return scaled


TOP = ""  #: module path of the top module's cells, and of nets that ports drive


@dataclass(frozen=True)
class EnergyItems:
    """Energy of a window in joules, split into items that add up to the total."""

    switching_j: float = 0.0  #: nets that cells drive, without clock nets
    input_nets_j: float = 0.0  #: nets that input ports drive, without clock nets
    internal_combinational_j: float = 0.0
    internal_sequential_j: float = 0.0  #: inside registers, for toggles of outputs and data pins
    #: inside registers, for edges of the clock; also all inside clock gates and clock buffers
    clock_pins_j: float = 0.0
    clock_nets_j: float = 0.0
    leakage_j: float = 0.0

    @property
    def internal_j(self) -> float:
        return self.internal_combinational_j + self.internal_sequential_j + self.clock_pins_j

    @property
    def clock_j(self) -> float:
        """Energy of the clock: clock nets, and toggles of clock pins inside cells."""
        return self.clock_nets_j + self.clock_pins_j

    @property
    def total_j(self) -> float:
        return sum(getattr(self, item.name) for item in fields(self))

    def __add__(self, other: EnergyItems) -> EnergyItems:
        names = [item.name for item in fields(self)]
        return EnergyItems(**{n: getattr(self, n) + getattr(other, n) for n in names})


@dataclass(frozen=True)
class Energy:
    """Energy of a netlist over a window."""

    items: EnergyItems
    #: Energy by path of a module, without the modules inside it; a clock net belongs to TOP.
    by_module: Mapping[str, EnergyItems]
    by_cell: Mapping[str, float]  #: joules inside the cell, with leakage, without nets
    cycles: float  #: length of the window
    period_ns: float

    @property
    def time_s(self) -> float:
        return self.cycles * self.period_ns * 1e-9

    @property
    def power_mw(self) -> float:
        return self.items.total_j / self.time_s * 1e3

    def energy_per_operation_nj(self, operations: int) -> float:
        if operations < 1:
            raise PowerError(f"operations must be at least 1, not {operations}")
        return self.items.total_j / operations * 1e9

    def items_mw(self) -> dict[str, float]:
        """Return the power of every item in milliwatts, under names that end in ``_mw``."""
        return {
            item.name.removesuffix("_j") + "_mw": getattr(self.items, item.name) / self.time_s * 1e3
            for item in fields(self.items)
        }


@dataclass(frozen=True, eq=False)
class OperationEnergy:
    """Energy of all counted cycles of a type of operation."""

    netlist: Netlist
    activity: Activity
    energy: Energy
    lower: Energy | None  #: energy without glitches; None: not counted
    operations: float  #: number of operations; a fraction counts for an operation simulated in part


class EnergyModel:
    """Computes energies of a netlist for any number of activities."""

    def __init__(self, netlist: Netlist, slews: Slews) -> None:
        self.netlist = netlist
        self._banks = Banks(netlist, slews)
        self._modules: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def energy(self, activity: Activity, *, period_ns: float) -> Energy:
        """Return the energy for an activity.

        `PowerError` if activity or slews lack a net or pin, or the period is not positive.
        """
        if not period_ns > 0:
            raise PowerError(f"period_ns must be positive, not {period_ns}")
        time_s = activity.cycles * period_ns * 1e-9
        by_module: dict[str, EnergyItems] = {}
        by_cell: dict[str, float] = {}

        def add(module: str, item: str, energy_j: float) -> None:
            more = EnergyItems(**{item: energy_j})
            by_module[module] = by_module.get(module, EnergyItems()) + more

        for bank in self._banks.under(activity):
            modules, member = self._members(bank)
            items = _cell_items(bank, time_s)
            self._move_clock_buffers(bank, items)
            names = (instance.name for instance in bank.instances)
            by_cell.update(zip(names, sum(items.values(), bank.zeros).tolist(), strict=True))
            for item, cell_j in items.items():
                sums = np.bincount(member, weights=cell_j, minlength=len(modules))
                for module, total_j in zip(modules, sums, strict=True):
                    add(str(module), item, float(total_j))

        for item, module, net_j in _net_items(self.netlist, activity):
            add(module, item, net_j)
        return Energy(
            items=sum(by_module.values(), EnergyItems()),
            by_module=dict(sorted(by_module.items())),
            by_cell=by_cell,
            cycles=activity.cycles,
            period_ns=period_ns,
        )

    def pins(self, activity: Activity) -> Iterator[tuple[CellBank, Pin, np.ndarray]]:
        """Yield each pin of each cell type, with the joules inside each instance.

        The sum of the yielded joules is `internal_j` of `energy`.
        """
        for bank in self._banks.under(activity):
            for pin, energy_j in _pin_energies(bank):
                yield bank, pin, energy_j

    def _move_clock_buffers(self, bank: CellBank, items: dict[str, np.ndarray]) -> None:
        """Count the energy inside combinational cells that drive clock nets as the clock's."""
        if bank.cell.sequential is not None or "internal_combinational_j" not in items:
            return
        in_clock = bank.fixed("in the clock tree", lambda: self._drives_clock(bank))
        if in_clock.any():
            inside = items["internal_combinational_j"]
            items["clock_pins_j"] = np.where(in_clock, inside, 0.0)
            items["internal_combinational_j"] = np.where(in_clock, 0.0, inside)

    def _drives_clock(self, bank: CellBank) -> np.ndarray:
        clock = self.netlist.clock_nets
        outputs = [pin.name for pin in bank.cell.outputs]
        return np.array([any(x.nets.get(pin) in clock for pin in outputs) for x in bank.instances])

    def _members(self, bank: CellBank) -> tuple[np.ndarray, np.ndarray]:
        """Modules of the instances in a bank, and for each instance the index of its module."""
        if bank.cell.name not in self._modules:
            modules = [instance.module for instance in bank.instances]
            self._modules[bank.cell.name] = np.unique(modules, return_inverse=True)
        return self._modules[bank.cell.name]


def by_instance_j(netlist: Netlist, activity: Activity, energy: Energy) -> np.ndarray:
    """Return the energy of each instance in joules: inside the cell, and of its output nets.

    Energy of nets that input ports drive is in no instance.
    """
    charging, toggles = charging_j(netlist), activity.toggles
    found = np.empty(len(netlist.instances))
    for at, instance in enumerate(netlist.instances):
        own_j = energy.by_cell[instance.name]
        for pin in instance.cell.outputs:
            bit = instance.nets.get(pin.name)
            if isinstance(bit, int) and bit in charging:
                own_j += charging[bit] * toggles[bit]
        found[at] = own_j
    return found


def _cell_items(bank: CellBank, time_s: float) -> dict[str, np.ndarray]:
    """Return the energy of each instance of one cell type, by item of ``EnergyItems``."""
    sequential = bank.cell.sequential
    items = {"leakage_j": leakage_w(bank) * time_s}
    for pin, energy_j in _pin_energies(bank):
        if sequential is None:
            item = "internal_combinational_j"
        elif pin.clock or pin.name in sequential.clock.pins or bank.cell.clock_gate:
            item = "clock_pins_j"
        else:
            item = "internal_sequential_j"
        items[item] = items.get(item, bank.zeros) + energy_j
    return items


def _pin_energies(bank: CellBank) -> Iterator[tuple[Pin, np.ndarray]]:
    """Yield the pins of a cell type that take energy, with the energy inside each instance."""
    for pin in bank.cell.pins.values():
        if pin.internal_powers:
            yield pin, output_energy_j(bank, pin) if pin.is_output else input_energy_j(bank, pin)


def _net_items(netlist: Netlist, activity: Activity) -> list[tuple[str, str, float]]:
    """Return the energy that charges the nets: item of ``EnergyItems``, module and joules."""
    module_of = netlist.module_of
    charged: dict[tuple[str, str], float] = {}
    for bit, toggle_j in charging_j(netlist).items():
        if bit in netlist.clock_nets:
            key = "clock_nets_j", TOP
        elif bit in module_of:
            key = "switching_j", module_of[bit]
        else:
            key = "input_nets_j", TOP
        charged[key] = charged.get(key, 0.0) + toggle_j * activity.toggles[bit]
    return [(item, module, energy_j) for (item, module), energy_j in charged.items()]


def charging_j(netlist: Netlist) -> dict[int, float]:
    """Return the energy in joules of a toggle of each net with a capacitance."""
    # A rise draws C V^2 from the supply: half is lost in the rise, half in the fall.
    half_v2 = netlist.library.nominal_v**2 / 2
    return {bit: load_f * half_v2 for bit, load_f in netlist.load_f.items() if load_f}
