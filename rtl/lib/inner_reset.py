"""Resets the subcomponents of a component by a signal of the component, not by its own reset."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pymtl3 import Component


@contextmanager
def reset_by(s: Component, signal: Any) -> Iterator[None]:
    """Connect the reset of components made in this context to a 1-bit signal.

    PyMTL3 connects it to the attribute ``reset`` of the parent, without a way to choose another
    one. So this attribute is another signal for a while.
    """
    own = s.reset
    # No assignment: PyMTL3 would give the signal a second name.
    s.__dict__["reset"] = signal
    try:
        yield
    finally:
        s.__dict__["reset"] = own
