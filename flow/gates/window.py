"""A window of cycles of one lane among the runs that are simulated side by side."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

ALWAYS = 2**64 - 1
"""More cycles than any run has; also the mask of all lanes."""

LogFull = ctypes.CFUNCTYPE(None, ctypes.c_uint64)
"""Takes the number of rows in a log that has no more room."""

_ROWS = 1 << 18


class Watcher(Protocol):
    """Looks at what toggles in a window, from the first cycle to the last."""

    def begin(self, nets: Mapping[int, int], values: np.ndarray) -> None:
        """Take the position of each net by its number, and the positions' values, 0 or 1.

        The values are those before the window's first clock edge.
        """

    def add(self, rows: np.ndarray) -> None:
        """Take toggles: rows of cycle in the window, position and moment in ps; whole cycles."""

    def end(self, cycles: int, lane_cycles: int, swallowed: np.ndarray) -> None:
        """Take the end: cycles of the window, all counted cycles of the lane, and short pulses.

        The pulses, by position, are those that were shorter than the gate's delay.
        """


@dataclass(frozen=True, eq=False)
class Window:
    """Cycles of one lane: only they have delays, and only they count.

    Parameters
    ----------
    watcher
        Sees them.
    lane
        The lane, from 0.
    first, end
        Counted cycles of the lane, from 0: the first one of the window, and the one behind it.
    """

    watcher: Watcher
    lane: int = 0
    first: int = 0
    end: int = ALWAYS


class Log:
    """Room for the toggles of a window; the watcher takes them whenever the room is full.

    Parameters
    ----------
    window
        What is watched.
    nets, net_count
        Position of each net by its number, and the number of positions.

    Attributes
    ----------
    rows
        The room: rows of cycle, position, moment and lanes.
    begun
        Values of all lanes before the window, by position.
    full
        To be called where there is no more room.
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
        """Pass the last rows on; raises what the watcher has raised in the meantime."""
        self._take(rows)
        if self._error is not None:
            raise self._error
        if len(self._left):
            self._window.watcher.add(self._left)
        self._window.watcher.end(cycles, lane_cycles, swallowed)

    def _take(self, count: int) -> None:
        """Pass rows on but for the last cycle, which may go on; an error must not reach C++."""
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
