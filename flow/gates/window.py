"""A window of cycles of one lane, whose toggles a watcher receives during the simulation."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

ALWAYS = 2**64 - 1  # Larger than any number of cycles; as a mask, it selects all 64 lanes

LogFull = ctypes.CFUNCTYPE(None, ctypes.c_uint64)  # The argument is the log's number of rows

_ROWS = 1 << 18


class Watcher(Protocol):
    """Receives the toggles of one lane in a window of cycles, from the first cycle to the last."""

    def begin(self, nets: Mapping[int, int], values: np.ndarray) -> None:
        """Receive, first, the values of nets before the window's first edge.

        ``nets`` has the index in ``values`` by the number of a net.
        """

    def add(self, rows: np.ndarray) -> None:
        """Receive toggles of complete cycles.

        Rows of cycle in the window, position, ps after the edge.
        """

    def end(self, cycles: int, lane_cycles: int, swallowed: np.ndarray) -> None:
        """Receive, last, cycles of window and lane, and swallowed pulses by position."""


@dataclass(frozen=True, eq=False)
class Window:
    """A window of cycles of one lane; only in it, gates have delays and toggles count."""

    watcher: Watcher
    lane: int = 0
    first: int = 0  # 0: the first cycle that counts, after a reset
    end: int = ALWAYS  # first cycle after the window


class Log:
    """Buffer for the toggles of a window; the watcher gets them whenever it is full."""

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
        """Pass the complete cycles in the full buffer to the watcher; C++ calls this.

        An exception must not reach C++: it is stored, and ``close`` raises it.
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
