"""Calls into a driver's library."""

import ctypes
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

_POLL_S = 0.2


def call_driver(
    function: Callable[..., int],
    structure: ctypes.Structure,
    advance: Callable[[int], object] | None = None,
) -> int:
    """Call a driver in another thread, so that this one still gets Ctrl-C and ends the run.

    Parameters
    ----------
    function
        Function of the library, which takes a pointer to the structure.
    structure
        Has a field ``stop``, which ends the run, and a field ``cycles``.
    advance
        Called now and then with the number of cycles since the last call.
    """
    shown = 0
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(function, ctypes.byref(structure))
        try:
            while True:
                try:
                    return call.result(_POLL_S if advance else None)
                except TimeoutError:
                    cycles = structure.cycles
                    if advance:
                        advance(cycles - shown)
                    shown = cycles
        except BaseException:
            structure.stop = 1
            raise
