"""Facts: finding them by identity and conditions, and deriving others."""

import ast
import math

import pandas as pd
import pytest

from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.printed import printed
from rsaxcel.eval.facts.quantities import QUANTITIES, find_quantity
from rsaxcel.eval.facts.table import COLUMNS, Facts, read_facts
from rsaxcel.store.shown import choices_text

CELLS = {"library": "cells", "clock_ns": 3.0}


def ours(quantity: str, value: float | str, subject: str = "thing", **more) -> Fact:
    return Fact(subject, quantity, value, "measured", **({"nbits": 32} | more))


def theirs(quantity: str, value: float, subject: str = "thing", **more) -> Fact:
    about = {"nbits": 32, "document": "paper", "place": "Table 1"} | more
    return Fact(subject, quantity, value, "printed", **about)


def value(facts: Facts, quantity: str, printed: bool = False, **where):
    asked = {"subject": "thing", "nbits": 32, "quantity": quantity} | where
    return facts.value(asked, printed=printed)


def test_ours_and_the_documents_are_told_apart():
    facts = Facts([ours("area_um2", 5.0), theirs("area_um2", 7.0)])
    assert (value(facts, "area_um2"), value(facts, "area_um2", True)) == (5.0, 7.0)
    assert value(facts, "area_um2", nbits=64) is None


def test_parameters_are_found_in_any_order():
    text = choices_text({"lanes": 2, "digit_nbits": 32})
    facts = Facts([ours("area_um2", 5.0, choices=text)])
    assert value(facts, "area_um2", choices={"digit_nbits": 32, "lanes": 2}) == 5.0
    assert value(facts, "area_um2") is None


def test_what_is_said_of_the_hardware_holds_for_its_operations():
    count = ours("cycles", 100, operation="encrypt")
    facts = Facts([ours("min_period_ns", 4.0, **CELLS), count])
    # 100 cycles of 4 ns, because the clock of 3 ns is not met.
    assert value(facts, "time_us", operation="encrypt") == pytest.approx(0.4)
    assert value(facts, "min_period_ns", operation="encrypt") == 4.0
    assert value(facts, "meets_clock") == 0.0
    facts = Facts([ours("min_period_ns", 2.0, **CELLS), count])
    assert value(facts, "time_us", operation="encrypt") == pytest.approx(0.3)


def test_programs_have_the_clock_of_their_hardware():
    facts = Facts(
        [
            ours("min_period_ns", 2.0, "processor", **CELLS),
            ours("clock_ns", 3.0, "processor", **CELLS),
            ours("call_cycles", 110, operation="encrypt"),
            ours("dummy_cycles", 10, operation="encrypt"),
        ],
        {"thing": "processor"},
    )
    assert value(facts, "cycles", operation="encrypt") == 100
    assert value(facts, "time_us", operation="encrypt") == pytest.approx(0.3)
    assert value(facts, "min_period_ns") == 2.0


def test_a_given_figure_wins_over_a_formula():
    facts = Facts([ours("call_cycles", 110), ours("dummy_cycles", 10), ours("cycles", 99)])
    assert value(facts, "cycles") == 99


def test_energy_of_a_program_less_that_of_the_dummy():
    # 8 nJ at 4 mW are 2000 ns, 1 nJ at 2 mW are 500 ns: 7 nJ in 1500 ns.
    run = {"operation": "encrypt", **CELLS}
    facts = Facts(
        [
            ours("program_energy_nj", 8.0, **run),
            ours("program_power_mw", 4.0, **run),
            ours("dummy_energy_nj", 1.0, **run),
            ours("dummy_power_mw", 2.0, **run),
        ]
    )
    assert value(facts, "energy_nj", operation="encrypt") == 7.0
    assert value(facts, "energy_time_ns", operation="encrypt") == 1500.0
    assert value(facts, "power_mw", operation="encrypt") == pytest.approx(7e3 / 1500)


def test_what_follows_from_printed_figures_is_marked():
    facts = Facts([theirs("product_cycles", 194), theirs("frequency_mhz", 100)])
    found = facts.find({"subject": "thing", "nbits": 32, "quantity": "product_us"}, printed=True)
    assert (found.value, found.kind, found.scope) == (1.94, "derived", "derived")
    assert "product_cycles" in found.where


def test_what_a_document_says_of_no_subject_holds_for_its_own():
    facts = Facts(
        [
            theirs("dummy_cycles", 9, ""),
            theirs("cycles", 100),
            theirs("cycles", 50, "other", document="another paper"),
        ]
    )
    assert value(facts, "dummy_cycles", True) == 9
    assert value(facts, "dummy_cycles", True, subject="other") is None
    assert value(facts, "dummy_cycles", True, subject="unknown") is None


def test_the_same_figure_twice_counts_once_and_another_one_is_a_contradiction():
    assert Facts([ours("cycles", 5), ours("cycles", 5)]).contradictions == []
    # Of the circuit, and of its netlist.
    facts = Facts([ours("cycles", 5), ours("cycles", 6, **CELLS)])
    assert facts.contradictions == ["cycles of thing 32: 5 and 6"]
    # Under other conditions it may be another.
    fast = ours("min_period_ns", 2.0, library="cells", clock_ns=0.5)
    facts = Facts([ours("min_period_ns", 2.5, **CELLS), fast])
    assert facts.contradictions == []
    assert value(facts, "min_period_ns", clock_ns=0.5) == 2.0


def test_every_printed_quantity_is_declared_with_its_unit():
    for fact in printed().facts:
        find_quantity(fact.quantity)


def test_an_undeclared_quantity_names_what_is_near():
    with pytest.raises(ValueError, match=r"'area_um' is not declared; allowed: .*area_um2"):
        find_quantity("area_um")


def test_formulas_name_declared_quantities_only():
    """A quantity whose formula has an unknown name would never be derived."""
    for quantity in QUANTITIES.values():
        for formula in filter(None, {quantity.rule(False), quantity.rule(True)}):
            names = {x.id for x in ast.walk(ast.parse(formula)) if isinstance(x, ast.Name)}
            assert names <= QUANTITIES.keys(), quantity.key


def test_units_stand_in_the_names():
    for key, quantity in QUANTITIES.items():
        for unit in ("ns", "us", "ms", "mhz", "um2", "mw", "nj", "uj"):
            if key.endswith(f"_{unit}"):
                assert quantity.unit.lower().endswith(unit), key


@pytest.mark.parametrize("name", ["facts.parquet", "facts.csv"])
def test_facts_come_back_from_files_as_they_were(tmp_path, name):
    given = [
        ours("critical_path", "NA", **CELLS),
        ours("exponent", "65537", operation="encrypt"),
        ours("min_period_ns", 0.1 + 0.2, choices="digit_nbits=64,lanes=2", **CELLS),
        ours("cycles", 7, operation="decrypt"),
        *printed().facts,
    ]
    facts = Facts(given)
    facts.write(tmp_path)
    read = pd.read_csv if name.endswith("csv") else pd.read_parquet
    frame = read(tmp_path / name)
    assert (tuple(frame.columns), len(frame)) == (COLUMNS, len(list(facts)))
    values = dict(zip(frame.quantity[:4], frame.value[:4], strict=True))
    assert (values["cycles"], math.isnan(values["critical_path"])) == (7.0, True)
    back = read_facts(tmp_path / name)
    assert back == list(facts)
    assert {x for x in back if x.kind == "derived"}
    assert list(Facts(back)) == list(facts)


def test_axes_have_a_unit_once():
    assert QUANTITIES["cycles"].heading == "Cycles"
    assert QUANTITIES["product_cycles"].heading == "cycles between dependent products"
    assert QUANTITIES["area_um2"].heading == "Cell area (µm²)"
    assert QUANTITIES["products"].heading == "products"
