"""McNay's systems: tuned ones take fewer cycles than he prints, those as his about as many."""

import json
import random
from importlib.resources import files
from statistics import fmean

import pytest

from proc.operands import join_words
from proc.systems import OVERHEAD, find_system
from sim.system import open_circuit
from sim.system_run import SystemRequest

PRINTED = {
    figure["id"]: figure["value"]
    for figure in json.loads(files("eval").joinpath("data", "published.json").read_text())[
        "figures"
    ]
}
EXPONENTS = {"encrypt": PRINTED["e"], "decrypt": PRINTED["d"]}
MODULUS = 2148676643
"""The modulus to which the private exponent belongs (docs/errata.md)."""
MESSAGES = [random.Random(seed).randrange(MODULUS) for seed in range(8)]

PROCESSOR = {
    "proc_product_stage": "X",
    "proc_divider": "aligning",
    "proc_divider_bits_per_cycle": 1,
}
LOOP = {"schedule": "r2l_every_square"}
# Name of the printed figures, system, program, parameters that make it the printed one.
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
    """Mean cycles of the call, without those of the program that computes nothing."""
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
    for operation in EXPONENTS:
        printed = PRINTED[f"{figure}.{operation}.cycles_normalized"]
        assert 0 < normalized_cycles(system, program, operation) <= printed, operation


@of_all_systems
def test_systems_as_printed_take_about_the_printed_cycles(figure, name, program, params):
    """All eight figures of table 1."""
    system = find_system(name, 32, **params)
    for operation in EXPONENTS:
        printed = PRINTED[f"{figure}.{operation}.cycles_normalized"]
        cycles = normalized_cycles(system, program, operation)
        assert cycles == pytest.approx(printed, rel=TOLERANCE), operation
