"""Every instruction, on every model of the processor, from the same tables."""

import random

import pytest

from rsaxcel.proc.isa import INSTRUCTIONS, decode
from rsaxcel.sim.stalls import SystemStalls
from tests.proc.cases.arithmetic import arithmetic_cases
from tests.proc.cases.control import control_cases, xcel_case
from tests.proc.cases.memory import memory_cases
from tests.proc.cases.random_programs import random_program
from tests.proc.harness import FAST_SETUPS, SETUPS, STALLED, check, run_simulator, run_system

ARITHMETIC = arithmetic_cases()
OTHERS = [*memory_cases(), *control_cases(), xcel_case(0x1234567, 65537, 0x89ABCDEF)]
CASES = {case.name: case for case in (*ARITHMETIC, *OTHERS)}


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


@pytest.mark.parametrize("setup", FAST_SETUPS)
@pytest.mark.parametrize("name", CASES)
def test_system(setup, name):
    case = CASES[name]
    check(case, run_system(setup, case.image(), case.inputs))


@pytest.mark.parametrize("setup", SETUPS)
@pytest.mark.parametrize("name", [case.name for case in OTHERS])
def test_system_with_stalls_everywhere(setup, name):
    case = CASES[name]
    check(case, run_system(setup, case.image(), case.inputs, 3, STALLED))


@pytest.mark.parametrize("setup", SETUPS)
def test_random_programs_end_in_the_same_state(setup):
    for seed in range({"fl": 15, "rtl": 60, "rtl-pymtl": 6}[setup]):
        case = random_program(random.Random(seed), 10 + 3 * (seed % 30))
        stalls = SystemStalls("random", 7 * seed % 200, 11 * seed % 200, 100, seed=seed + 1)
        outcome = run_system(setup, case.image(), case.inputs, 1 + seed % 3, stalls)
        assert outcome == run_simulator(case.image(), case.inputs), f"seed {seed}"


def test_faults_leave_no_trace_behind():
    """Stores after a fault have no effect: the data stays zero."""
    for case in CASES.values():
        if case.cause.is_fault:
            memory = run_simulator(case.image(), case.inputs).memory
            assert memory == bytes(case.image().memory), case.name
