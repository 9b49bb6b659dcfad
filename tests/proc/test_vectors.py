"""Third-party vectors of single instructions; skipped without a folder of them."""

from collections import defaultdict

import pytest

from tests.levels.test_third_party_vectors import records
from tests.proc.cases.arithmetic import IMMEDIATE_FORMS, SHIFT_FORMS, immediate_form, register_form
from tests.proc.harness import FAST_SETUPS, check, run_simulator, run_system

EVERY = 8


@pytest.fixture(scope="module")
def cases():
    """One program per instruction, and a shorter one of every eighth record."""
    rows = defaultdict(list)
    for record in records("open_rv32_alu.jsonl"):
        second = record["imm"] if "imm" in record else int(record["rs2"], 16)
        row = int(record["rs1"], 16), second, int(record["expect"], 16)
        rows[record["inst"]].append(row)
    assert sum(map(len, rows.values())) > 8000
    made = []
    for name, listed in rows.items():
        immediate = name in (*IMMEDIATE_FORMS, *SHIFT_FORMS)
        make = immediate_form if immediate else register_form
        made.append((make(name, listed), make(name, listed[::EVERY])))
    assert len(made) == 27
    return made


def test_simulator(cases):
    for case, _ in cases:
        check(case, run_simulator(case.image()))


@pytest.mark.parametrize("setup", FAST_SETUPS)
def test_system(setup, cases):
    for whole, part in cases:
        case = whole if setup == "rtl" else part
        check(case, run_system(setup, case.image()))
