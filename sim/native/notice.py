"""Prints on standard error that a compiler is running, with an estimate of its time."""

import os
import sys

_LEAST_SECONDS = 5.0  # nothing is printed for shorter times

# The estimate is a multiple of the time of Verilator's first pass, because the compiler's time
# grows in the same way: with the size of the generated C++, and with the load of the machine. The
# factors were measured on circuits of 0.7 to 3.4 MB of Verilog with all modules written out
# (mont_r2l, cm_r2l, systolic at 64 to 4096 bits). Verilator's second pass takes 0.6 times as long
# as the first pass, and the compiler on one core takes 4 to 7 times as long.
_SECOND_PASS = 0.6
_COMPILER = 5.5


def tell_compiling(top: str, first_pass: float, second_pass: bool) -> None:
    """Print that a circuit is being compiled, with an estimate of the remaining time."""
    # `first_pass`: seconds of Verilator's first pass; `second_pass`: another one follows.
    cores = len(os.sched_getaffinity(0))
    seconds = first_pass * (_COMPILER / cores + (_SECOND_PASS if second_pass else 0))
    tell_seconds(f"compiling {top}", seconds)


def tell_seconds(what: str, seconds: float) -> None:
    """Print a task and its estimated time; print nothing if the time is below 5 seconds."""
    if seconds < _LEAST_SECONDS:
        return
    rounded = 5 * max(1, round(seconds / 5))
    about = f"{rounded} s" if rounded < 120 else f"{round(seconds / 60)} min"
    print(f"{what}, about {about}", file=sys.stderr, flush=True)
