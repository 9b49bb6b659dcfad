"""Widths of keys on the processor: the accelerator with the fewest cycles, against software."""

import random

import pytest

from rsaxcel.fl.keys import seeded_key
from rsaxcel.fl.status import Status
from rsaxcel.proc.operands import EXIT_REFUSED, join_words, write_operands
from rsaxcel.proc.programs.build import build
from rsaxcel.proc.run import run_fl
from rsaxcel.proc.systems import find_system
from rsaxcel.sim.system import open_circuit
from rsaxcel.sim.system_run import SystemRequest
from tests.shared.harness import fastest


def run(system, level, program, operands):
    image = build(program)
    write_operands(image, *operands)
    if level == "fl":
        return run_fl(image, system.devices())
    return open_circuit(system).run(SystemRequest(image, 1_000_000))


@pytest.mark.quick_cases("1024-fl")
@pytest.mark.parametrize("level", ["fl", "rtl"])
@pytest.mark.parametrize(
    "nbits",
    [
        pytest.param(nbits, marks=pytest.mark.xdist_group(f"proc-{nbits}"))
        for nbits in (1024, 2048, 4096)
    ],
)
def test_accelerator_and_software_give_the_same(nbits, level):
    """Encryption agrees; the accelerator takes at most a tenth of software's cycles."""
    system = find_system(fastest(nbits).design.name, nbits)
    key = seeded_key(nbits)
    base = random.Random(nbits).randrange(key.n)
    done = run(system, level, "xcel", (base, key.e, key.n))
    assert join_words(done.messages) == key.encrypt(base)
    software = run(find_system("proc_null"), "fl", "montgomery", (base, key.e, key.n))
    assert software.messages == done.messages
    assert 10 * done.measured_cycles < software.measured_instructions
    done = run(system, level, "xcel", (base % 1009, 65537, 1009))
    assert join_words(done.messages) == pow(base % 1009, 65537, 1009)


def test_operands_that_are_too_wide():
    """Operands wider than the accelerator are refused, though they fit the program."""
    system = find_system(fastest(1024).design.name, 1024)
    refused = run(system, "fl", "xcel", (5, 3, 1 << 1024 | 1))
    assert refused.end.exit_status == EXIT_REFUSED + Status.OPERAND_TOO_WIDE
