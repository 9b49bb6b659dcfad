"""Parts of the page: sums of cycles, slacks, colours, footnotes, packed data."""

import gzip
import json
import random
import re
from base64 import b64decode
from math import prod
from pathlib import Path

import pytest

from rsaxcel import catalog
from rsaxcel.eval.report.cards import Anatomy, cycle_formula, find_anatomy
from rsaxcel.eval.report.names import _hue, colours_of, shades
from rsaxcel.eval.report.page import _with_units, pack_json, plotting, script
from rsaxcel.fl.keys import seeded_key
from rsaxcel.flow.opensta import _point, _slacks
from rsaxcel.flow.requests import workload_operands
from rsaxcel.flow.timer import histogram

NBITS = 16
CHOICES = {"mont_r2l": {"schedule": "window"}, "ssmm_r2l": {}, "mulrem_r2l": {}}


def adds_up(line: str) -> bool:
    """Whether the terms of a line (numbers with names) add up to its sum."""
    terms, _, total = line.partition(": ")[2].rpartition(" = ")
    numbers = re.sub(r"\([a-z0-9 ]*[a-z][a-z0-9 ]*\)|,", "", terms)
    products = (
        term.split("\N{MULTIPLICATION SIGN}") for term in re.split(r" \+ (?![^(]*\))", numbers)
    )
    parts = [[sum(map(int, re.findall(r"\d+", x))) for x in factors] for factors in products]
    return sum(map(prod, parts)) == int(total.replace(",", ""))


def test_sums_of_cycles_are_those_of_the_cycle_model():
    key = seeded_key(NBITS, 0)
    rng = random.Random(5)
    summed = 0
    for name, design in catalog.DESIGNS.items():
        for choices in ({}, CHOICES.get(name, {})):
            configuration = design.configure(NBITS, **choices)
            for exponent in (1, 257, key.d, 1 + rng.randrange(1 << NBITS - 1)):
                ((base, exponent, modulus),) = workload_operands(configuration, exponent, 1)
                found = cycle_formula(configuration, exponent, modulus)
                assert (found is None) == configuration.base_dependent
                if found:
                    durations = configuration.timing.durations(base, exponent, modulus)
                    assert found[1] == sum(durations), (name, choices, found[0])
                    assert all(map(adds_up, found[0])), found[0]
                    summed += 1
    assert summed > 60


def test_a_sum_says_what_it_is_made_of():
    configuration = catalog.get("mont_r2l").configure(32)
    lines, total = cycle_formula(configuration, 65537, 2148676643)
    assert lines == [
        "convert_in: 2 (request) + 34 (constants) + 1 × (4 + 1) (product) = 41",  # noqa: RUF001
        "core: 2 (request) + 17 × (4 + 1) (product) = 87",  # noqa: RUF001
        "convert_out: 2 (request) + 1 × (4 + 1) (product) = 7",  # noqa: RUF001
    ]
    assert total == 135
    (line,), _ = cycle_formula(catalog.get("mont_r2l_shared").configure(32), 65537, 2148676643)
    assert "2 × (5 + 1) (2 products in a row)" in line  # noqa: RUF001


#: Slacks as OpenSTA writes them.
ENDS = """
max_delay/setup group clk

                                      Required    Actual
Endpoint                                 Delay     Delay     Slack
------------------------------------------------------------------
core.store.lanes__0.sum_reg[0][30]_ff/D (DFF_X1)    2.9654    2.9604    0.0050 (MET)
core.store.modulus_reg[8]_ff/D (DFF_X1)    2.9626    3.0008    -0.0382 (VIOLATED)
"""


def test_slacks_and_points_are_read_as_opensta_writes_them():
    assert list(_slacks(ENDS)) == [0.005, -0.0382]
    line = "  33.1956    0.0784    0.1578    0.2578 ^ a.modulus_reg[1]_ff/Q (DFF_X1)"
    assert _point(line) == {
        "pin": "a.modulus_reg[1]_ff/Q",
        "cell": "DFF_X1",
        "edge": "^",
        "load_ff": 33.1956,
        "slew_ns": 0.0784,
        "delay_ns": 0.1578,
        "time_ns": 0.2578,
    }
    assert _point("             0.0127    0.0000    2.9604 v a_reg/D (DFF_X1)")["load_ff"] == 0
    assert _point("             0.0000    0.0000    0.0000   clock clk (rise edge)") is None
    assert _point("                      -0.0346    2.9654   library setup time") is None


def test_histogram_counts_every_end():
    found = histogram([0.0, 0.1, 0.35, 1.0], bins=10)
    assert found == {"ends": 4, "least_ns": 0.0, "bar_ns": 0.1,
                     "counts": [1, 1, 0, 1, 0, 0, 0, 0, 0, 1]}  # fmt: skip
    assert sum(histogram([0.25] * 3)["counts"]) == 3


def test_a_design_has_one_colour_whatever_else_is_shown():
    all_of_them = colours_of(catalog.DESIGNS)
    assert len(set(all_of_them.values())) == len(catalog.DESIGNS)
    for name, colour in all_of_them.items():
        some = colours_of(["another", f"proc_{name}", f"axi_on_axi_{name}", name])
        assert {some[f"proc_{name}"], some[f"axi_on_axi_{name}"], some[name]} == {colour}
    found = shades({"S_32": "digit_serial_r2l", "S_64": "digit_serial_r2l", "other": "perin"})
    assert len(set(found.values())) == 3
    assert found["S_32"] == all_of_them["digit_serial_r2l"]


def test_more_designs_than_listed_colours_differ_too():
    assert len({_hue(number) for number in range(60)}) == 60


def test_units_of_texts_have_their_signs():
    text = "20 um2 in 3.5 us and 1.5 uJ, by sum2"
    assert _with_units(text) == "20 µm² in 3.5 µs and 1.5 µJ, by sum2"


def test_what_is_packed_is_whole():
    content = {"a": [1, 2.5, None], "b": "µm²"}
    assert json.loads(gzip.decompress(b64decode(pack_json(content)))) == content
    assert pack_json(content) == pack_json(content)
    assert gzip.decompress(b64decode(plotting())).startswith(b"/**\n* plotly.js")
    # Packed text must not close the script element around it.
    assert "</script" not in script().lower()


@pytest.mark.parametrize("about", [("no_design", 32, ""), ("mont_r2l", 32, "stages=99")])
def test_nothing_is_inside_of_what_is_unknown(about):
    place = (*about, "freepdk-45nm", 3.0)
    assert find_anatomy(Path("build/report"), *place, "hash") == Anatomy()
