"""Runs of programs that the limit of cycles or Ctrl-C stopped before their end."""

from dataclasses import dataclass, field

from rsaxcel.sim.system_run import SystemRun


@dataclass(frozen=True)
class UnfinishedRun(SystemRun):
    """Result of a program that was stopped before its end."""

    #: Address of the current instruction: in a pipeline, the last that has reached stage M. The
    #: address is not compared: it has no defined value before the first instruction.
    pc: int = field(compare=False)


def run_so_far(run: SystemRun, pc: int) -> SystemRun:
    """Add the address ``pc`` to a run that was stopped before its end."""
    return run if run.end is not None else UnfinishedRun(**vars(run), pc=pc)
