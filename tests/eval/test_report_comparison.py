"""Derived figures: performance, areas and their ratio, by hand."""

import pytest

from eval.report.accelerator_tables import accelerator_tables
from eval.report.area_ratio import area_ratio
from eval.report.areas import breakdown, multipliers
from eval.report.measure import combine
from eval.report.published import published
from eval.report.results import MeasureError, choose
from eval.report.subjects import ACCELERATORS
from tests.eval.report_records import EXPONENTS, record, result, results, subject


def row(table: str, key: str):
    accelerators = choose(results(), ACCELERATORS)
    found = {x.key: x for x in accelerator_tables(accelerators, published())}
    return found[table].row(key)


def test_performance_is_at_the_constraint_or_at_what_the_circuit_needs():
    fast, slow = result("mulrem_r2l"), result("mont_r2l")
    assert (fast.meets_clock, fast.period_ns) == (True, 3.0)
    assert (slow.meets_clock, slow.period_ns) == (False, 4.0)
    assert fast.operations["encrypt"].operations_per_s == pytest.approx(1e9 / (580 * 3.0))
    assert slow.operations["decrypt"].operations_per_s == pytest.approx(1e9 / (200 * 4.0))
    assert slow.operations["decrypt"].time_us == pytest.approx(0.8)


def test_rows_put_measured_beside_printed():
    cells = row("cycles", "encrypt_cycles").cells
    assert (cells["mulrem_r2l"].measured, cells["mulrem_r2l"].printed) == (580, None)
    cells = row("area", "multiplier_area_um2").cells
    assert cells["mulrem_r2l"].measured == pytest.approx((6500 + 6700) / 2)
    assert cells["mont_r2l"].printed.value == 13846.736
    cells = row("area", "dividers_percent").cells
    assert cells["mulrem_r2l"].measured == pytest.approx(100 * 2300 / 15000)
    # The divider for R^2 mod N is no part of a multiplier.
    assert cells["mont_r2l"].measured == 0


def test_parts_of_the_area_add_up_to_the_whole():
    for name in ("mulrem_r2l", "mont_r2l"):
        areas = record(name)["area_by_module"]
        parts = breakdown(areas, record(name)["area_um2"])
        assert sum(part.area_um2 for part in parts) == pytest.approx(record(name)["area_um2"])
        assert len([x for x in parts if x.kind == "multiplier"]) == multipliers(areas).count
    parts = {part.path: part for part in parts}
    assert parts["convert_in.constant_units__0"].area_um2 == 1300
    assert parts["core.store.lanes__1"].label == "core: multiplier 1"
    assert parts["convert_in"].area_um2 == pytest.approx(33000 - 15000 - 15100 - 1300)


def test_hierarchy_without_lanes_has_no_multipliers():
    assert multipliers({"core": 10.0}) is None
    parts = [(part.label, part.area_um2) for part in breakdown({"core": 10.0}, 12.0)]
    assert parts == [("core", 10.0), ("top level", 2.0)]


def test_engine_of_a_store_of_words_is_a_part_of_its_own():
    areas = {"core": 10.0, "core.store": 9.0, "core.store.engine": 7.0, "core.store.engine.x": 3.0}
    parts = [(part.label, part.kind, part.area_um2) for part in breakdown(areas, 10.0)]
    assert parts == [("core: engine", "multiplier", 7.0), ("core: control, registers", "rest", 3.0)]


def test_area_ratio_is_taken_apart():
    ratio = area_ratio(results(), published(), "mont_r2l", "mulrem_r2l")
    assert ratio.measured == pytest.approx(80000 / 15000)
    assert ratio.printed == pytest.approx(4.30, abs=0.005)
    assert ratio.unit_printed == pytest.approx(13846.736 / 7776.377)
    small, large, rest_small, rest_large = ratio.factors
    assert small.ratio_if_printed == pytest.approx(80000 / (15000 + 2 * (7776.377 - 6600)))
    assert large.ratio_if_printed == pytest.approx((80000 + 5 * (13846.736 - 15000)) / 15000)
    assert rest_small.measured == pytest.approx(15000 - 13200)
    assert rest_large.printed == pytest.approx(75283.586 - 5 * 13846.736)


def test_area_ratio_needs_both_designs():
    assert (
        area_ratio({"mont_r2l": result("mont_r2l")}, published(), "mont_r2l", "mulrem_r2l") is None
    )


def test_power_is_split():
    cells = {x: row("power_parts", f"encrypt_{x}_mw").cells for x in ("clock", "leakage")}
    assert cells["clock"]["mont_r2l"].measured == 6.0
    assert cells["leakage"]["mulrem_r2l"].measured == 0.3


def test_record_without_a_figure_is_refused():
    made_up = record("mont_r2l")
    del made_up["area_um2"]
    with pytest.raises(MeasureError, match="no area_um2"):
        combine(subject("mont_r2l"), made_up, EXPONENTS, {})
    made_up = record("mont_r2l")
    del made_up["operations"]["encrypt"]["energy_nj"]
    with pytest.raises(MeasureError, match="no energy_nj of encrypt"):
        combine(subject("mont_r2l"), made_up, EXPONENTS, {})


def test_netlist_with_other_cycles_than_the_rtl_is_refused():
    with pytest.raises(MeasureError, match="135 cycles in the netlist, 136"):
        combine(subject("mont_r2l"), record("mont_r2l"), EXPONENTS, {"encrypt": 136})


def test_record_of_other_operations_is_refused():
    with pytest.raises(MeasureError, match="exponent 65537, not 3"):
        combine(subject("mont_r2l"), record("mont_r2l"), {"encrypt": 3}, {})
