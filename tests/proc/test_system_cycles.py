"""The four systems of seed 001: cycles of its programs are at most those that it prints."""

import pytest

from proc.elf import load_elf
from proc.operands import join_words, write_operands
from proc.programs.build import build
from proc.systems import find_system
from sim.system import open_circuit
from sim.system_run import SystemRequest

# The private exponent of its Table 1, and the modulus that belongs to it (docs/errata.md).
MODULUS, PUBLIC, PRIVATE = 2148676643, 65537, 977851481
MESSAGE = 1460365373
CIPHERTEXT = pow(MESSAGE, PUBLIC, MODULUS)
OPERATIONS = {"encrypt": (MESSAGE, PUBLIC), "decrypt": (CIPHERTEXT, PRIVATE)}
# Program, system, cycles without those of the dummy program (Table 1), worker that compiles it.
PRINTED = [
    ("naive", "proc_null", {"encrypt": 3523, "decrypt": 8148}, "proc-null"),
    ("montgomery", "proc_null", {"encrypt": 3581, "decrypt": 5135}, "proc-null"),
    ("xcel", "proc_mulrem_r2l", {"encrypt": 1062, "decrypt": 1840}, "proc-mulrem"),
    ("xcel", "proc_mont_r2l", {"encrypt": 169, "decrypt": 234}, "proc-rtl"),
]


def measured(system, program, base, exponent):
    """Cycles between the writes of ``stats_en``, around the call of the exponentiation."""
    image = load_elf(build(program))
    expected = pow(base, exponent, MODULUS)
    write_operands(image, base, exponent, MODULUS, expected)
    run = system.run(SystemRequest(image, 100_000))
    assert run.end.exit_status == 0
    assert join_words(run.messages) == expected
    return run.measured_cycles


@pytest.mark.parametrize(
    ("program", "name", "printed"),
    [pytest.param(*row[:3], marks=pytest.mark.xdist_group(row[3])) for row in PRINTED],
    ids=[f"{row[0]}-{row[1]}" for row in PRINTED],
)
def test_cycles_are_at_most_those_printed(program, name, printed):
    system = open_circuit(find_system(name))
    for operation, (base, exponent) in OPERATIONS.items():
        cycles = measured(system, program, base, exponent)
        dummy = measured(system, "dummy", base, exponent)
        assert 0 < cycles - dummy <= printed[operation], operation
