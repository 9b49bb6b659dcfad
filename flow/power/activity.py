"""Switching activity: toggles and probability of 1 per net, measured or assumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, repr=False)
class Activity:
    """Activity of a netlist over a window of time.

    A net that ends a cycle with another value than it began with has one *useful* toggle in that
    cycle. All its other toggles are *glitches*.

    Parameters
    ----------
    cycles
        Clock cycles in the window.
    toggles
        Edges of each net in the window, both directions counted.
    high
        Fraction of the window in which each net is 1.
    glitches
        Those of the toggles that are glitches; none where gates had no delays.
    swallowed
        Pulses that a gate began and that were shorter than its delay.
    timed_cycles
        Cycles in which gates had delays. Where they are a sample, ``glitches`` and ``swallowed``
        are estimates for all cycles.
    glitch_error
        Relative standard error of the glitches' energy; infinite if unknown, 0 without a sample.
    """

    cycles: float
    toggles: Mapping[int, float]
    high: Mapping[int, float]
    glitches: Mapping[int, float] = field(default_factory=dict)
    swallowed: Mapping[int, float] = field(default_factory=dict)
    timed_cycles: float = 0.0
    glitch_error: float = 0.0

    @property
    def useful(self) -> Activity:
        """The same without glitches, as of gates without delays."""
        toggles = {bit: n - self.glitches.get(bit, 0.0) for bit, n in self.toggles.items()}
        return Activity(self.cycles, toggles, self.high)

    @property
    def unfinished(self) -> Activity:
        """The same as if each pulse shorter than its gate's delay had come through: two toggles."""
        toggles = {bit: n + 2 * self.swallowed.get(bit, 0.0) for bit, n in self.toggles.items()}
        return replace(self, toggles=toggles)

    def delayed(
        self,
        glitches: Mapping[int, float],
        swallowed: Mapping[int, float],
        timed_cycles: float,
        glitch_error: float,
    ) -> Activity:
        """Add the glitches of gates with delays to the toggles of gates without."""
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
    """Join the parts of a simulation, in each of which other cycles of the same length had delays.

    A part's glitches are an estimate for all cycles; the mean of all parts is exact.
    """

    def mean(name: str) -> dict[int, float]:
        counts: dict[int, float] = dict.fromkeys(getattr(parts[0], name), 0.0)
        for part in parts:
            for bit, count in getattr(part, name).items():
                counts[bit] += count / len(parts)
        return counts

    timed = sum(part.timed_cycles for part in parts)
    return parts[0].useful.delayed(mean("glitches"), mean("swallowed"), timed, 0.0)
