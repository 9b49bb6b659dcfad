"""Forms as the documents have them, on the grid's rows.

Li and Chu: unsigned running values, and strobes. McNay: registers and dividers of his circuits.
"""

import pytest

from rsaxcel.cl.exponentiator import STROBE
from rsaxcel.course.testing.cases import PUBLISHED, random_power_cases
from rsaxcel.sim.stalls import STALL_PROFILES
from tests.shared.harness import (
    SETUPS,
    built_once,
    check_overlap,
    check_rows,
    configure,
    response_of,
    simulate,
    table,
    tables_of,
)

UNSIGNED = {"recurrence": "unsigned"}
WITH_R2 = {**UNSIGNED, "r2_recurrence": "unsigned"}
STROBES = {"control": "strobe"}
EVERY_SQUARE = {"schedule": "r2l_every_square"}
MCNAY = {"operands": "registered", "add_red": "own_sum"}
SMALL = {**EVERY_SQUARE, "divider": "aligning", "operands": "registered"}
LARGE = {**EVERY_SQUARE, **MCNAY, "r2_bits_per_cycle": 1, "r2_divider": "aligning"}
FORMS = [
    ("ssmm", UNSIGNED),
    ("mont_mul", UNSIGNED),
    ("mont_red", UNSIGNED),
    ("ssmm_r2l", UNSIGNED),
    ("ssmm_r2l", STROBES),
    ("ssmm_r2l", {**UNSIGNED, **STROBES}),
    ("montmul_r2l", WITH_R2),
    ("montred_r2l", WITH_R2),
    ("mulrem_r2l", SMALL),
    ("mont_mul_rem", MCNAY),
    ("mont_r2l", LARGE),
]
PRINTED_FORM = FORMS[5]
"""Algorithm 6 with the printed recurrence and the printed control."""

WIDTHS = {"pymtl": (8,), "native": (8, 13, 32, 64, 128, 256)}
QUICK = {"pymtl": 8, "native": 13}
MOST_NBITS = {"mont_mul_rem": 64, "mont_r2l": 32}
"""Unrolled circuits, which take long to compile."""


def form_id(form) -> str:
    name, params = form
    return "-".join([name, *map(str, params.values())])


def points(setups=SETUPS) -> list:
    """Every form at each level and width; what is not compiled at the quick width is slow."""
    found = []
    for form in FORMS:
        for level, engine in setups:
            for nbits in WIDTHS[engine]:
                if nbits > MOST_NBITS.get(form[0], nbits):
                    continue
                label = f"{form_id(form)}-{level}-{engine}-{nbits}"
                slow = nbits != QUICK[engine] or (level, engine) == ("rtl", "pymtl")
                marks = [built_once(form_id(form), nbits), *([pytest.mark.slow] if slow else [])]
                found.append(pytest.param(form, level, engine, nbits, id=label, marks=marks))
    return found


@pytest.mark.parametrize(("form", "level", "engine", "nbits"), points())
def test_results_and_cycles(form, level, engine, nbits):
    """Every row of every table gets the expected response in the cycles of the cycle model."""
    name, params = form
    configuration = configure(name, nbits, **params)
    for rows in tables_of(name):
        operands, expected = table(configuration, rows)
        check_rows(configuration, operands, expected, level=level, engine=engine)


@pytest.mark.parametrize("stalls", STALL_PROFILES.values(), ids=STALL_PROFILES)
@pytest.mark.parametrize("form", FORMS, ids=form_id)
def test_stalls_and_overlap(form, stalls):
    """With many requests in flight and stalls, circuit and cycle model agree in every handshake."""
    name, params = form
    check_overlap(configure(name, QUICK["native"], **params), stalls, 16)


def test_a_product_takes_one_cycle_less():
    """No cycle corrects the sign of an unsigned product."""
    m = (1 << 13) - 1
    for name in ("ssmm", "mont_mul", "mont_red"):
        signed, unsigned = (
            simulate(configure(name, 13, **x), "rtl", "native", [(m - 1, m - 1, m), (5, 0, m)])
            for x in ({}, UNSIGNED)
        )
        assert unsigned.responses == signed.responses
        assert unsigned.cycles == [cycles - 1 for cycles in signed.cycles]


@pytest.mark.parametrize("recurrence", ["signed", "unsigned"])
def test_cycles_of_the_printed_control(recurrence):
    """Strobes take one cycle more, from strobe to ready, than the document counts with busy."""
    params = {**STROBES, "recurrence": recurrence}
    configuration = configure("ssmm_r2l", 13, **params)
    document = configure("ssmm_r2l", 13).timing_with(STROBE)
    rows = [case.operands for case in random_power_cases(13, 13, 40)]
    rows += [(0, 5, 8191), (8190, 8191, 8191), (4, 3, 8), (1, 1, 2)]
    rows = [row for row in rows if response_of(configuration, row)[1] == 0 and row[1]]
    batch = simulate(configuration, "rtl", "native", rows)
    assert batch.cycles == [sum(document.durations(*row)) + 1 for row in rows]


def test_example_of_the_document():
    """The printed example takes the printed 16,612 and 16,893 cycles on the circuit."""
    name, params = PRINTED_FORM
    configuration = configure(name, 128, **params)
    rows = [row[1:4] for row in PUBLISHED if row[0].startswith("li and chu")]
    batch = simulate(configuration, "rtl", "native", rows)
    assert batch.responses == [(pow(*row), 0) for row in rows]
    assert batch.cycles == [16612 + 1, 16893 + 1]


@pytest.mark.parametrize(
    ("name", "params", "more_cycles", "theirs"),
    [
        ("mulrem_r2l", SMALL, 1, [(1059, 1791), (1061, 1773), (1051, 1847)]),
        ("mont_r2l", LARGE, 8, [(162, 227)] * 3),
    ],
)
def test_mcnays_accelerators_take_the_cycles_of_his_circuits(name, params, more_cycles, theirs):
    """Control takes some more, whatever the operands; his were simulated on the same messages."""
    configuration = configure(name, 32, **params)
    e, d, n = 65537, 977851481, 2148676643
    for message, cycles in zip((577090037, 271041745, 1095513148), theirs, strict=True):
        rows = [(message, e, n), (pow(message, e, n), d, n)]
        assert [configuration.cycles(*row) for row in rows] == [x + more_cycles for x in cycles]


def test_what_the_printed_verilog_does_not_do():
    """Exponent 0 and refused requests are answered in the cycle after the strobe."""
    name, params = PRINTED_FORM
    rows = [(5, 0, 33), (40, 3, 33), (5, 3, 1), (5, 3, 0), (1 << 20, 3, 33), (5, 7, 33)]
    batch = simulate(configure(name, 13, **params), "rtl", "native", rows)
    assert batch.responses == [(1, 0), (0, 3), (0, 1), (0, 1), (0, 4), (pow(5, 7, 33), 0)]
    assert batch.cycles[:5] == [1] * 5
