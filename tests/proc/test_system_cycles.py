"""McNay's systems: ours take fewer cycles than printed; built as printed, about as many."""

import random
from statistics import fmean

import pytest

from eval.facts.printed import printed
from proc.operands import join_words
from proc.systems import OVERHEAD, find_system
from sim.system import open_circuit
from sim.system_run import SystemRequest

OPERATIONS = ("encrypt", "decrypt")


def printed_value(quantity, operation, **where):
    """Printed figure of the document."""
    return printed().value("mcnay_2023", quantity, operation=operation, **where)


def printed_cycles(figure, operation):
    """Cycles of a call in table 1, less the cycles of the dummy program."""
    return printed_value("cycles", operation, subject=figure, scope="call_normalized")


EXPONENTS = {operation: printed_value("exponent", operation) for operation in OPERATIONS}
MODULUS = 2148676643
"""The modulus to which the private exponent belongs (docs/errata.md)."""
MESSAGES = [random.Random(seed).randrange(MODULUS) for seed in range(8)]

PROCESSOR = {
    "proc_product_stage": "X",
    "proc_divider": "aligning",
    "proc_divider_bits_per_cycle": 1,
}
LOOP = {"schedule": "r2l_every_square"}
# Subject of the printed figures, system, program, parameters as printed.
SYSTEMS = [
    ("software_naive", "proc_null", "naive", PROCESSOR | {"software": "printed"}),
    ("software_montgomery", "proc_null", "montgomery", PROCESSOR | {"software": "printed"}),
    ("proc_mulrem_r2l", "proc_mulrem_r2l", "xcel", PROCESSOR | LOOP | {"divider": "aligning"}),
    ("proc_mont_r2l", "proc_mont_r2l", "xcel", PROCESSOR | LOOP | {"r2_bits_per_cycle": 1}),
]
GROUPS = {"proc_null": "proc-null", "proc_mulrem_r2l": "proc-mulrem", "proc_mont_r2l": "proc-rtl"}
TOLERANCE = 0.15

of_all_systems = pytest.mark.parametrize(
    ("figure", "name", "program", "params"),
    [pytest.param(*row, marks=pytest.mark.xdist_group(GROUPS[row[1]])) for row in SYSTEMS],
    ids=[row[0] for row in SYSTEMS],
)


def normalized_cycles(system, program, operation):
    """Mean cycles of the call, less the cycles of the dummy program."""
    circuit = open_circuit(system)
    exponent = EXPONENTS[operation]
    cycles = []
    for message in MESSAGES:
        base = message if operation == "encrypt" else pow(message, EXPONENTS["encrypt"], MODULUS)
        found = {}
        for name in (program, OVERHEAD):
            image = system.image(name, base, exponent, MODULUS)
            run = circuit.run(SystemRequest(image, 100_000))
            assert run.end.exit_status == 0
            assert join_words(run.messages) == pow(base, exponent, MODULUS)
            found[name] = run.measured_cycles
        cycles.append(found[program] - found[OVERHEAD])
    return fmean(cycles)


@of_all_systems
def test_tuned_systems_take_at_most_the_printed_cycles(figure, name, program, params):
    system = find_system(name)
    for operation in OPERATIONS:
        cycles = normalized_cycles(system, program, operation)
        assert 0 < cycles <= printed_cycles(figure, operation), operation


@pytest.mark.quick_cases("proc_mont_r2l", "software_montgomery")
@of_all_systems
def test_systems_as_printed_take_about_the_printed_cycles(figure, name, program, params):
    """All eight figures of table 1."""
    system = find_system(name, 32, **params)
    for operation in OPERATIONS:
        expected = printed_cycles(figure, operation)
        cycles = normalized_cycles(system, program, operation)
        assert cycles == pytest.approx(expected, rel=TOLERANCE), operation
