"""Leakage and internal energy of cells; rising and falling toggles have separate energies.

Several `internal_power` groups that can apply to a toggle are weighted by the activity of their
related input and by the probability of their `when` state. Pins count as statistically independent,
but all outputs of a flip-flop depend on its one state, and its data differs from its state at
exactly as many clock edges as the state toggles.

Of two outputs that switch together, tables give each half of the energy (NanGate's Q and QN, or its
adders' sum and carry). So the energy of an output counts even if it is not connected.

In a zero-delay simulation, data changes right after the active clock edge: a data pin toggles while
the clock has its active level, and at the inactive edge has the value that the flip-flop takes
next.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from rsaxcel.flow.power.bank import Bank
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import FALL, RISE, Edge, InternalPower, Pin, Sequential

_ALWAYS = BooleanFunction.constant(True)
_NEVER = BooleanFunction.constant(False)
_OPPOSITE: dict[Edge, Edge] = {RISE: FALL, FALL: RISE}


def leakage_w(bank: Bank) -> np.ndarray:
    """Return the leakage in watts by the probability of states; unlisted states have the mean."""
    total, covered = bank.zeros, bank.zeros
    for leakage in bank.cell.leakages:
        probability = bank.in_state(leakage.when).probability(bank.probabilities)
        total += probability * leakage.power_w
        covered += probability
    return total + (1.0 - covered) * bank.cell.leakage_w


def output_energy_j(bank: Bank, pin: Pin) -> np.ndarray:
    """Return the internal energy in joules of the toggles of an output."""
    if bank.cell.clock_gate:
        return _gated_clock_j(bank, pin)
    if bank.polarity(pin) is not None:
        return _state_output_j(bank, pin)
    return _combinational_output_j(bank, pin)


def input_energy_j(bank: Bank, pin: Pin) -> np.ndarray:
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


def _gated_clock_j(bank: Bank, pin: Pin) -> np.ndarray:
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


def _combinational_output_j(bank: Bank, pin: Pin) -> np.ndarray:
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
            same, other = (related, edge), (related, _OPPOSITE[edge])
            energy_j += share * bank.edge_j(power, edge, same, pin.name)
            energy_j += (1.0 - share) * bank.edge_j(power, edge, other, pin.name)
        weights.append(bank.toggles[related] * probability)
        energies.append(energy_j / 2)
    if not energies:
        return bank.zeros
    # An unread output has no measured toggles; they are estimated from its inputs.
    toggles = np.where(np.isnan(bank.toggles[pin.name]), sum(weights), bank.toggles[pin.name])
    return toggles * _weighted_mean(bank, weights, energies)


def _state_output_j(bank: Bank, pin: Pin) -> np.ndarray:
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


def _weighted_mean(bank: Bank, weights: list, energies: list) -> np.ndarray:
    """Return the weighted mean of energies; the plain mean if all weights are 0."""
    total = bank.zeros + sum(weights)
    weighted = sum(w * e for w, e in zip(weights, energies, strict=True))
    return np.divide(weighted, total, out=sum(energies) / len(energies), where=total > 0)


def _sensitised(pin: Pin, power: InternalPower) -> tuple[BooleanFunction, BooleanFunction]:
    """Return the conditions under which the output follows, or inverts, the related input."""
    when = power.when or _ALWAYS
    if pin.function is None or power.related_pin is None:
        return when, _NEVER
    one = pin.function.restrict({power.related_pin: True})
    zero = pin.function.restrict({power.related_pin: False})
    return one & ~zero & when, ~one & zero & when


def _forcing_edge(sequential: Sequential, related: str) -> tuple[Edge, bool] | None:
    """Return the edge at which a clear or preset becomes active, and the state that it ends.

    Clear ends the state 1 (True), preset the state 0 (False). None for any other input.
    """
    for function, ends in ((sequential.clear, True), (sequential.preset, False)):
        if function is not None and related in function.pins:
            rises = function.restrict({related: True}) & ~function.restrict({related: False})
            return (RISE if rises.table.any() else FALL), ends
    return None


def _launching_edge(
    sequential: Sequential, related: str, edge: Edge, follows_state: bool | None
) -> Edge:
    """Return the edge of the clock, or of a latch's data, that causes the given output edge."""
    if related in sequential.clock.pins:
        return RISE if _sets(sequential.clock, related) else FALL
    return edge if follows_state else _OPPOSITE[edge]


def _sets(function: BooleanFunction, pin: str) -> bool:
    """Return whether a change of a pin from 0 to 1 can change the function from 0 to 1."""
    gains = function.restrict({pin: True}) & ~function.restrict({pin: False})
    return bool(gains.table.any())


def _states_at_clock(
    bank: Bank, sequential: Sequential, clock: Pin
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
