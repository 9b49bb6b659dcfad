"""The static timing analyzers by name; an analyzer is imported when it is used.

This module is not in the keys of results: they have name, version and code of the analyzer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rsaxcel.flow.code import code_of
from rsaxcel.flow.layout import EMBEDDED, OPENSTA
from rsaxcel.flow.timer import Timer


def _opensta() -> Timer:
    from rsaxcel.flow.opensta import OpenSta

    return OpenSta()


def _embedded() -> Timer:
    from rsaxcel.flow.physical.embedded.static_timing import EmbeddedTimer

    return EmbeddedTimer()


_TIMERS: dict[str, Callable[[], Timer]] = {OPENSTA: _opensta, EMBEDDED: _embedded}


def find_timer(name: str) -> Timer:
    return _TIMERS[name]()


def timer_key(name: str) -> Any:
    """Return name, version and a digest of the code of an analyzer, for the keys of results."""
    timer = find_timer(name)
    return timer.name, timer.version(), code_of(type(timer))
