"""A window of cycles of one lane, whose toggles a watcher receives during the simulation."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

ALWAYS = 2**64 - 1
"""Number that is larger than any number of cycles; as a mask, it selects all 64 lanes."""

LogFull = ctypes.CFUNCTYPE(None, ctypes.c_uint64)
"""Type of the callback from C++ for a full log; the argument is the log's number of rows."""

_ROWS = 1 << 18


class Watcher(Protocol):
    """Receives the toggles of one lane in a window of cycles, from the first cycle to the last.

    A lane is one of up to 64 simulations that run side by side.
    """

    def begin(self, nets: Mapping[int, int], values: np.ndarray) -> None:
        """Receive the values of the nets at the start of the window; called once, first.

        Parameters
        ----------
        nets
            Position of each net (its index in ``values``), by the net's number in the netlist.
        values
            Value of each net, 0 or 1, before the first clock edge of the window.
        """

    def add(self, rows: np.ndarray) -> None:
        """Receive toggles of complete cycles: rows of cycle in the window, position, time in ps.

        The position is that of the toggling net, as in ``begin``; the time counts from the clock
        edge of the cycle.
        """

    def end(self, cycles: int, lane_cycles: int, swallowed: np.ndarray) -> None:
        """Receive the counts of the window; called once, after its last cycle.

        Parameters
        ----------
        cycles, lane_cycles
            Number of cycles in the window, and number of all cycles of the lane except those that
            are left out of the figures (see ``Window``).
        swallowed
            Number of pulses shorter than the delay of their gate, by position of the net.
        """


@dataclass(frozen=True, eq=False)
class Window:
    """A window of cycles of one lane, in which gates have delays and toggles are counted.

    A lane is one of up to 64 simulations that run side by side. In cycles outside of the window,
    gates have no delays, and toggles are not counted.

    Parameters
    ----------
    watcher
        Receives the toggles.
    lane
        Number of the lane, from 0.
    first, end
        First cycle of the window, and first cycle after the window. Cycle 0 is the lane's first
        cycle after those that are left out of the figures, such as a reset.
    """

    watcher: Watcher
    lane: int = 0
    first: int = 0
    end: int = ALWAYS


class Log:
    """Buffer for the toggles of a window; the watcher gets them whenever it is full.

    Parameters
    ----------
    window
        The window.
    nets, net_count
        Position of each net (see ``Watcher.begin``), and the number of positions.

    Attributes
    ----------
    rows
        The buffer: rows of cycle, position of the net, time in ps, and lanes that toggle.
    begun
        Values of the nets before the window, by position, with one bit for each lane.
    full
        Callback for a full buffer.
    """

    def __init__(self, window: Window, nets: Mapping[int, int], net_count: int) -> None:
        self.rows = np.zeros(4 * _ROWS, np.int64)
        self.begun = np.zeros(net_count, np.uint64)
        self.full = LogFull(self._take)
        self._window, self._nets = window, nets
        self._left = np.zeros((0, 3), np.int64)
        self._has_begun = False
        self._error: BaseException | None = None

    def close(self, rows: int, cycles: int, lane_cycles: int, swallowed: np.ndarray) -> None:
        """Pass the last rows to the watcher, or raise the exception that it raised earlier."""
        self._take(rows)
        if self._error is not None:
            raise self._error
        if len(self._left):
            self._window.watcher.add(self._left)
        self._window.watcher.end(cycles, lane_cycles, swallowed)

    def _take(self, count: int) -> None:
        """Pass the complete cycles in the buffer to the watcher.

        C++ calls this method when the buffer is full. If the watcher raises an exception, store it,
        because it must not reach C++; ``close`` raises it.
        """
        if self._error is not None:
            return
        try:
            watcher = self._window.watcher
            if not self._has_begun:
                self._has_begun = True
                values = self.begun >> np.uint64(self._window.lane) & np.uint64(1)
                watcher.begin(self._nets, values.astype(np.uint8))
            rows = np.concatenate([self._left, self.rows.reshape(-1, 4)[:count, :3]])
            last = int(np.searchsorted(rows[:, 0], rows[-1, 0])) if len(rows) else 0
            self._left = rows[last:]
            if last:
                watcher.add(rows[:last])
        except BaseException as error:
            self._error = error
