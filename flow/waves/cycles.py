"""Adds the clock's edges to a window of cycles: the gate-level simulation has no clock net."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.yosys_json import Bit

Change = tuple[int, int, int]  # time in ps from the beginning of the window, net, new value


class Cycles:
    """Turns a simulation's log into changes of all nets and of the clock nets, cycle by cycle.

    A cycle takes a period, or longer if nets settle later. The clock rises at its beginning and
    falls in the middle of the period; behind a clock gate only if the enable was 1 at the end of
    the cycle before. Without ``delays``, nets change at the beginning of a cycle to their last
    value in it. ``values`` has the value of each net after all changes so far, ``time_ps`` the
    beginning of the next cycle.
    """

    def __init__(self, netlist: Netlist, period_ps: int, *, delays: bool) -> None:
        self._netlist, self._period_ps, self._delays = netlist, period_ps, delays
        self.values: dict[int, int] = {}
        self.time_ps = 0
        self._cycle = 0

    def begin(self, nets: Mapping[int, int], values: np.ndarray) -> None:
        """Start with the values before the window; the clock is low."""
        self._bits = {at: bit for bit, at in nets.items()}
        clock = self._netlist.clock_nets
        self.values = {bit: int(values[at]) for bit, at in nets.items() if bit not in clock}
        self.values |= dict.fromkeys(clock, 0)

    def changes(self, rows: np.ndarray) -> Iterator[list[Change]]:
        """Yield the changes of all cycles; a row of the log: cycle, index in ``values``, ps."""
        bounds = np.flatnonzero(np.diff(rows[:, 0])) + 1
        for own in np.split(rows, bounds):
            yield from self.idle(int(own[0, 0]))
            yield self._changes(own)

    def idle(self, end: int) -> Iterator[list[Change]]:
        """Yield the changes of idle cycles (only the clock toggles), up to cycle ``end``."""
        while self._cycle < end:
            yield self._changes(np.zeros((0, 3), np.int64))

    def _changes(self, rows: np.ndarray) -> list[Change]:
        begun, values = self.time_ps, self.values
        found = [(begun, bit, 1) for bit in self._clocked()]
        if not self._delays:
            positions, counts = np.unique(rows[:, 1], return_counts=True)
            moments = [(0, at) for at in positions[counts % 2 == 1].tolist()]
        else:
            order = np.argsort(rows[:, 2], kind="stable")
            moments = list(zip(rows[order, 2].tolist(), rows[order, 1].tolist(), strict=True))
        clock = [bit for _, bit, _ in found]
        falls = begun + self._period_ps // 2
        bits = self._bits
        for moment, at in moments:
            if clock and begun + moment >= falls:
                found += [(falls, bit, 0) for bit in clock]
                clock = []
            bit = bits.get(at)
            if bit is not None:  # states of flip-flops are not nets
                values[bit] = value = 1 - values[bit]
                found.append((begun + moment, bit, value))
        found += [(falls, bit, 0) for bit in clock]
        last = moments[-1][0] if moments else 0
        self.time_ps += max(self._period_ps, last + 1)
        self._cycle += 1
        return found

    def _clocked(self) -> list[int]:
        """Clock nets that rise in the next cycle."""
        gated: Mapping[int, Bit] = self._netlist.gated_clocks
        values = self.values

        def enabled(bit: int) -> bool:
            enable = gated[bit]
            return values.get(enable, 0) == 1 if isinstance(enable, int) else enable == "1"

        return [x for x in self._netlist.clock_nets if x not in gated or enabled(x)]
