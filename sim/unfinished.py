"""Runs of programs that did not end: the limit of cycles came first, or Ctrl-C."""

from dataclasses import dataclass, field

from sim.system_run import SystemRun


@dataclass(frozen=True)
class UnfinishedRun(SystemRun):
    """What a program did on a system until it was given up.

    Parameters
    ----------
    pc
        Address of the instruction under way, in a pipeline of the last one that came to its stage
        M; what a register holds before the first one did is open, so that it is not compared.
    """

    pc: int = field(compare=False)


def run_so_far(run: SystemRun, pc: int) -> SystemRun:
    """Add the address, unless the run has ended."""
    return run if run.end is not None else UnfinishedRun(**vars(run), pc=pc)
