"""Says on standard error that a compiler is at work, and for about how long."""

import os
import sys

_LEAST_SECONDS = 5.0
"""What takes less is not worth a line."""

# Verilator's own time tells what is left: it grows with the generated C++ as the compiler's does,
# on a slow or busy machine, too. Measured on circuits of 0.7 to 3.4 MB of Verilog with all modules
# written out (mont_r2l, cm_r2l, systolic at 64 to 4096 bits): a second pass takes 0.6 of the first
# one, the compiler 4 to 7 times as long as the first one on a core.
_SECOND_PASS = 0.6
_COMPILER = 5.5


def tell_compiling(top: str, first_pass: float, second_pass: bool) -> None:
    """Say how long the rest of a build will take.

    Parameters
    ----------
    top
        Name of the circuit.
    first_pass
        Seconds that Verilator has taken.
    second_pass
        Whether it has to translate the circuit once more.
    """
    cores = len(os.sched_getaffinity(0))
    seconds = first_pass * (_COMPILER / cores + (_SECOND_PASS if second_pass else 0))
    tell_seconds(f"compiling {top}", seconds)


def tell_seconds(what: str, seconds: float) -> None:
    """Say what takes about so many seconds, unless they are few."""
    if seconds < _LEAST_SECONDS:
        return
    rounded = 5 * max(1, round(seconds / 5))
    about = f"{rounded} s" if rounded < 120 else f"{round(seconds / 60)} min"
    print(f"{what}, about {about}", file=sys.stderr, flush=True)
