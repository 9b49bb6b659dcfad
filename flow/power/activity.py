"""Switching activity: toggles and probability of 1 per net, measured or assumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

_BY_NET = ("toggles", "high", "glitches", "swallowed")
_TOTALS = ("cycles", "timed_cycles", "glitch_error")


def save_activities(path: Path, activities: Mapping[str, Activity]) -> None:
    """Write the activity of each type of operation as arrays in a file of NumPy (``.npz``)."""
    arrays: dict[str, Any] = {}
    for name, activity in activities.items():
        for total in _TOTALS:
            arrays[f"{name}.{total}"] = np.array(getattr(activity, total))
        for kind in _BY_NET:
            counted = getattr(activity, kind)
            arrays[f"{name}.{kind}.nets"] = np.array(list(counted), np.int64)
            arrays[f"{name}.{kind}"] = np.array(list(counted.values()), float)
    np.savez(path, **arrays)


def load_activities(path: Path) -> dict[str, Activity]:
    """Read the activity of each type of operation from a file of ``save_activities``."""
    with np.load(path) as arrays:
        names = [key.removesuffix(".cycles") for key in arrays if key.endswith(".cycles")]
        found = {}
        for name in names:
            totals: Any = {total: float(arrays[f"{name}.{total}"]) for total in _TOTALS}
            by_net: Any = {
                kind: dict(
                    zip(
                        arrays[f"{name}.{kind}.nets"].tolist(),
                        arrays[f"{name}.{kind}"].tolist(),
                        strict=True,
                    )
                )
                for kind in _BY_NET
            }
            found[name] = Activity(**totals, **by_net)
    return found


@dataclass(frozen=True)
class Simulated:
    name: str
    activity: Activity
    operations: int
    figures: Mapping[str, Any]  #: figures for the record, with units in their names


@dataclass(frozen=True, repr=False)
class Activity:
    """Activity of a netlist over a window of time.

    A net whose value differs between start and end of a cycle has one *useful* toggle in it. All
    its other toggles are *glitches*.
    """

    cycles: float  #: number of cycles in the window
    toggles: Mapping[int, float]  #: toggles of each net, in both directions
    high: Mapping[int, float]  #: fraction of the window at 1
    #: Glitches of each net, which `toggles` includes; empty without gate delays.
    glitches: Mapping[int, float] = field(default_factory=dict)
    #: Pulses shorter than their gate's delay.
    swallowed: Mapping[int, float] = field(default_factory=dict)
    #: Cycles with gate delays; if these are a sample, `glitches` and `swallowed` are estimates for
    #: all.
    timed_cycles: float = 0.0
    glitch_error: float = 0.0  #: relative standard error of glitch energy; infinite: unknown

    @property
    def useful(self) -> Activity:
        """The activity without glitches, as if gates had no delays."""
        toggles = {bit: n - self.glitches.get(bit, 0.0) for bit, n in self.toggles.items()}
        return Activity(self.cycles, toggles, self.high)

    @property
    def unfinished(self) -> Activity:
        """Activity with two more toggles for each swallowed pulse, as if it had appeared."""
        toggles = {bit: n + 2 * self.swallowed.get(bit, 0.0) for bit, n in self.toggles.items()}
        return replace(self, toggles=toggles)

    def delayed(
        self,
        glitches: Mapping[int, float],
        swallowed: Mapping[int, float],
        timed_cycles: float,
        glitch_error: float,
    ) -> Activity:
        """Return an activity with glitches added to the toggles of this one, which has none."""
        return Activity(
            self.cycles,
            {bit: n + glitches.get(bit, 0.0) for bit, n in self.toggles.items()},
            self.high,
            glitches,
            swallowed,
            timed_cycles,
            glitch_error,
        )


def joined(parts: Sequence[Activity]) -> Activity:
    """Join simulations of the same operations, each with gate delays in different cycles.

    All parts have equally many cycles with delays, and together all cycles: the mean of their
    estimates is exact.
    """

    def mean(name: str) -> dict[int, float]:
        counts: dict[int, float] = dict.fromkeys(getattr(parts[0], name), 0.0)
        for part in parts:
            for bit, count in getattr(part, name).items():
                counts[bit] += count / len(parts)
        return counts

    timed = sum(part.timed_cycles for part in parts)
    return parts[0].useful.delayed(mean("glitches"), mean("swallowed"), timed, 0.0)
