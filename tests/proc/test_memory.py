"""The memory stage: loaded bytes and halfwords, and the trap's cause until the end of the run."""

import random

from pymtl3 import DefaultPassGroup

from rsaxcel.proc.isa import Cause
from rsaxcel.proc.pipeline.memory import Memory


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


def test_loads_extend_whatever_the_memory_has_above():
    """A memory may answer a load of a byte or a halfword with any upper bits."""
    stage, draw = Memory(), random.Random(1)
    stage.apply(DefaultPassGroup())
    stage.sim_reset()
    # Bits and sign of lb, lh, lw, lbu and lhu, by the field funct3 of their encodings.
    loads = {0: (8, True), 1: (16, True), 2: (32, True), 4: (8, False), 5: (16, False)}
    for funct3, (nbits, signed) in loads.items():
        for data in (0, (1 << 32) - 1, *(draw.getrandbits(32) for _ in range(8))):
            stage.msg_reg.inst @= funct3 << 12
            stage.dmem.msg.data @= data
            stage.sim_eval_combinational()
            value = data % (1 << nbits)
            if signed and value >> nbits - 1:
                value -= 1 << nbits
            assert int(stage.loaded) == value % (1 << 32)
