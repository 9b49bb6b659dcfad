"""Calls the bench functions of a compiled library, which run batches."""

import ctypes
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from rsaxcel.sim.native.protocol import Control, RunOutcome
from rsaxcel.sim.native.records import Record, check_layout
from rsaxcel.store.foreign import ForeignLibrary

_POLL_S = 0.2
_Records = ctypes.POINTER(ctypes.c_void_p)
_ARGUMENTS = (_Records, _Records, ctypes.c_uint64, ctypes.POINTER(Control))


def call_bench(
    library: ForeignLibrary,
    function: str,
    setups: Sequence[Record],
    batches: Sequence[Record],
    advance: Callable[[int], object] | None = None,
) -> tuple[RunOutcome, int]:
    """Run batches, each on a new model, until one fails.

    The call runs in another thread, so that this thread can receive Ctrl-C and stop it.

    Parameters
    ----------
    library
        Library that exports the function, and the layout of its records.
    function
        Name of the function that runs batches; see bench.h.
    setups, batches
        One ``ModelSetup`` and one batch record for each run.
    advance
        Called periodically with the number of cycles since the last call.

    Returns
    -------
    tuple
        RunOutcome of the last run, and the number of batches that finished.

    Raises
    ------
    ToolError
        If the library and Python differ in the layout of a record.
    """
    if not batches:
        return RunOutcome.DONE, 0
    _check(library, type(setups[0]), type(batches[0]))
    control, shown = Control(), 0
    run = library.declare(function, ctypes.c_int32, *_ARGUMENTS)
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(
            run,
            _pointers(setups),
            _pointers(batches),
            len(batches),
            ctypes.byref(control),
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
def _check(library: ForeignLibrary, *records: type[Record]) -> None:
    check_layout(library, [Control, *records])


def _pointers(records: Sequence[Record]) -> ctypes.Array:
    addresses = [ctypes.addressof(record) for record in records]
    return (ctypes.c_void_p * len(addresses))(*addresses)
