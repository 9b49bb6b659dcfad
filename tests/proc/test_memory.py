"""The trap ports of the memory stage: cause 0 until the end of the run."""

from pymtl3 import DefaultPassGroup

from proc.isa import Cause
from proc.pipeline.memory import Memory


def test_the_cause_is_zero_until_the_end():
    """The run ends when the last instruction that commits has passed W."""
    stage = Memory()
    stage.apply(DefaultPassGroup())
    stage.sim_reset()
    for ended, commits in ((0, 0), (0, 1), (1, 1), (1, 0)):
        for cause in (Cause.ECALL, Cause.OUTSIDE_MEMORY):
            stage.ended_reg @= ended
            stage.commit_reg @= commits
            stage.cause_reg @= cause
            stage.sim_eval_combinational()
            shown = bool(ended and not commits)
            assert int(stage.trap_val) == shown
            assert int(stage.trap_cause) == (cause if shown else Cause.NONE)
