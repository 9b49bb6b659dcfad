"""Calls the bench functions of a compiled library, which run batches."""

import ctypes
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from rsaxcel.sim.native.protocol import CallControl, RunOutcome
from rsaxcel.sim.native.records import ForeignRecord, check_layout
from rsaxcel.store.foreign import ForeignLibrary

_POLL_S = 0.2
_Records = ctypes.POINTER(ctypes.c_void_p)
_ARGUMENTS = (_Records, _Records, ctypes.c_uint64, ctypes.POINTER(CallControl))


def call_bench(
    library: ForeignLibrary,
    function: str,
    setups: Sequence[ForeignRecord],
    batches: Sequence[ForeignRecord],
    advance: Callable[[int], object] | None = None,
) -> tuple[RunOutcome, int]:
    """Run batches with C++ function ``function``, each on a new model, until one fails.

    The function runs in another thread, so that this thread can receive Ctrl-C and stop it.
    ``advance`` gets the number of cycles since its last call. Return the last outcome and the
    number of finished batches.
    """
    if not batches:
        return RunOutcome.DONE, 0
    _check(library, type(setups[0]), type(batches[0]))
    control, shown = CallControl(), 0
    run = library.declare(function, ctypes.c_int32, *_ARGUMENTS)
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(
            run, _pointers(setups), _pointers(batches), len(batches), ctypes.byref(control)
        )
        try:
            while True:
                try:
                    outcome = call.result(_POLL_S if advance else None)
                    return RunOutcome(outcome), control.done
                except TimeoutError:
                    cycles = control.cycles
                    if advance:
                        advance(cycles - shown)
                    shown = cycles
        except BaseException:
            control.stop = 1
            raise


@cache
def _check(library: ForeignLibrary, *records: type[ForeignRecord]) -> None:
    check_layout(library, [CallControl, *records])


def _pointers(records: Sequence[ForeignRecord]) -> ctypes.Array:
    addresses = [ctypes.addressof(record) for record in records]
    return (ctypes.c_void_p * len(addresses))(*addresses)
