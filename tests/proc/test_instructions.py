"""Every instruction, on every model of the processor, from the same tables."""

import random

import pytest

from proc.cases.arithmetic import arithmetic_cases
from proc.cases.control import control_cases, xcel_case
from proc.cases.memory import memory_cases
from proc.cases.random_programs import random_program
from proc.isa import INSTRUCTIONS, decode
from tests.proc.harness import PROCESSORS, Timing, check, run_component, run_simulator

ARITHMETIC = arithmetic_cases()
OTHERS = [*memory_cases(), *control_cases(), xcel_case(0x1234567, 65537, 0x89ABCDEF)]
CASES = {case.name: case for case in (*ARITHMETIC, *OTHERS)}
STALLED = Timing(latency=3, stall=0.5, seed=11)


def test_names_are_unique_and_every_instruction_has_a_case():
    assert len(CASES) == len(ARITHMETIC) + len(OTHERS)
    executed = {
        decoded.name for case in CASES.values() for decoded in map(decode, case.words) if decoded
    }
    assert executed == set(INSTRUCTIONS)


@pytest.mark.parametrize("name", CASES)
def test_simulator(name):
    case = CASES[name]
    check(case, run_simulator(case.image(), case.inputs))


@pytest.mark.parametrize("level", PROCESSORS)
@pytest.mark.parametrize("name", CASES)
def test_component(level, name):
    case = CASES[name]
    check(case, run_component(level, case.image(), case.inputs))


@pytest.mark.parametrize("level", PROCESSORS)
@pytest.mark.parametrize("name", [case.name for case in OTHERS])
def test_component_with_stalls_everywhere(level, name):
    case = CASES[name]
    check(case, run_component(level, case.image(), case.inputs, STALLED))


@pytest.mark.parametrize("level", PROCESSORS)
@pytest.mark.parametrize("seed", range(8))
def test_random_programs_end_in_the_same_state(level, seed):
    case = random_program(random.Random(seed))
    timing = Timing(1 + seed % 3, 0.3 * (seed % 2), seed)
    outcome = run_component(level, case.image(), case.inputs, timing)
    assert outcome == run_simulator(case.image(), case.inputs)


def test_faults_leave_no_trace_behind():
    """Stores behind a fault would change the data, which is zero."""
    for case in CASES.values():
        if case.cause.is_fault:
            memory = run_simulator(case.image(), case.inputs).memory
            assert memory == bytes(case.image().memory), case.name
