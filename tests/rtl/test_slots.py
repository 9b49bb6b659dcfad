"""Products that any digit can call for at a time, against ``Slots.singly``; a first step."""

from itertools import product

import pytest

from rsaxcel import catalog
from rsaxcel.plan.programs import Program
from rsaxcel.plan.schedules import SCHEDULES
from rsaxcel.plan.steps import When
from rsaxcel.rtl.exponentiators.look_ahead import LookAheadSequencer
from rsaxcel.rtl.lib.slots import Slots

DESIGNS = ("orup_window", "crt_window", "crt_window_shared", "montmul_r2l", "systolic_l2r_always")


def most_at_a_time(program: Program) -> int:
    """Most products that a lane forms in one step, over all digits and halves."""
    most = 0
    joined = len(program.steps) - len(program.join)
    for t, step in enumerate(program.steps):
        for half, is_set, more, first in product(range(program.halves), *[(False, True)] * 3):
            holds = {
                When.ALWAYS: True,
                When.SET: is_set,
                When.CLEAR: not is_set,
                When.MORE: more,
                When.LATER: not first,
                When.FIRST: first,
            }
            lanes = [
                program.lane_of[p, half]
                for p in step
                if holds[p.when] and (p.is_of(half) or t >= joined)
            ]
            most = max(most, *(lanes.count(lane) for lane in range(program.lanes)))
    return most


@pytest.mark.parametrize("schedule", [None, *SCHEDULES])
@pytest.mark.parametrize("name", DESIGNS)
def test_a_lane_with_one_product_at_a_time(name, schedule):
    found = {}
    for lanes in (1, 2):
        choices = {"schedule": schedule, "lanes": lanes} if schedule else {}
        try:
            programs = catalog.find(name).configure(32, **choices).programs
        except ValueError:
            continue  # the schedule uses one lane, or does not fit the multiplier
        for program in programs:
            found[program.name, lanes] = most_at_a_time(program)
            assert Slots(program).singly == (found[program.name, lanes] <= 1)
    if schedule in ("r2l", "ladder") and not name.startswith("crt"):
        assert found["core", 1] == 2
        assert found.get(("core", 2), 1) == 1  # a digit lane is the only lane


def test_the_first_step_of_a_sequencer_that_looks_ahead_needs_no_digit():
    (program,) = catalog.get("ssmm_r2l").configure(8, schedule="r2l").programs
    with pytest.raises(ValueError, match="core: its first step depends on the exponent"):
        LookAheadSequencer(program).elaborate()
