"""Figures of systems: normalized by the dummy program, and against each other, by hand."""

import pytest

from eval.report import derived
from eval.report.headline import energy_orders, headline
from eval.report.measure import combine
from eval.report.published import published
from eval.report.results import MeasureError, choose
from eval.report.subjects import SYSTEMS
from eval.report.system_tables import system_tables
from tests.eval.report_records import EXPONENTS, record, result, results, subject


def systems(*without: str):
    return {k: v for k, v in choose(results(), SYSTEMS).items() if k not in without}


def cells(table: str, key: str, *without: str):
    found = {x.key: x for x in system_tables(systems(*without), published())}
    return found[table].row(key).cells


def measured(table: str, key: str, *without: str):
    return {name: cell.measured for name, cell in cells(table, key, *without).items()}


def test_figures_are_normalized_by_the_dummy():
    operation = result("proc_mulrem_r2l").operations["encrypt"]
    assert operation.cycles == 611 - 11
    assert operation.time_us == pytest.approx(600 * 3.0 / 1e3)
    # 6.0 mW in both, for 680 and 80 cycles.
    assert operation.plain.energy_nj == pytest.approx(12.24)
    assert operation.energy_nj == pytest.approx(6.0 * 600 * 3.0 / 1e3)
    assert operation.power_mw == pytest.approx(6.0)
    assert operation.power_parts_mw["clock"] == pytest.approx(4.25)


def test_normalized_power_is_energy_over_time_where_the_dummy_takes_another():
    changed = record("proc_null")
    dummy = changed["operations"]["dummy_encrypt"]
    for key in ("power_mw", "energy_nj", "clock_mw"):
        dummy[key] /= 2
    name = subject("software_naive")
    operation = combine(name, changed, EXPONENTS, {}).operations["encrypt"]
    # 4.0 mW over 1080 cycles less 2.0 mW over 80.
    assert operation.energy_nj == pytest.approx((4.0 * 1080 - 2.0 * 80) * 3.0 / 1e3)
    assert operation.power_mw == pytest.approx((4.0 * 1080 - 2.0 * 80) / 1000)
    assert operation.power_parts_mw["clock"] == pytest.approx((2.25 * 1080 - 1.125 * 80) / 1000)


def test_rows_put_the_system_beside_the_printed_one():
    shown = cells("systems_cycles", "encrypt_call_cycles")
    assert (shown["software_naive"].measured, shown["software_naive"].printed.value) == (1011, 3532)
    shown = cells("systems_cycles", "decrypt_cycles")
    assert (shown["proc_mont_r2l"].measured, shown["proc_mont_r2l"].printed.value) == (225, 234)
    assert shown["proc_mont_r2l_shared"].printed is None
    shown = cells("systems_energy", "decrypt_dummy_energy_nj")
    assert shown["proc_mont_r2l"].measured == pytest.approx(12.0 * 80 * 4.0 / 1e3)
    assert shown["proc_mont_r2l"].printed.value == 8.01


def test_software_shares_the_hardware_of_the_null_system():
    shown = cells("systems_area", "area_um2")
    assert list(shown) == [
        "proc_null",
        "proc_mulrem_r2l",
        "proc_mont_r2l",
        "proc_mont_r2l_shared",
    ]
    assert (shown["proc_null"].measured, shown["proc_null"].printed.value) == (20010, 21434.812)
    accelerator = cells("systems_area", "accelerator_area_um2")["proc_mont_r2l"]
    assert (accelerator.measured, accelerator.printed.value) == (81000, 75283.586)
    assert measured("systems_area", "area_ratio")["proc_mont_r2l"] == pytest.approx(101000 / 20010)


def test_speedups_in_cycles_and_in_time():
    shown = cells("speedups", "encrypt_speedup_naive_ratio")
    assert shown["software_naive"].measured is None
    assert shown["software_montgomery"].measured == pytest.approx(1000 / 500)
    assert shown["proc_mont_r2l"].measured == pytest.approx(1000 / 160)
    assert shown["proc_mont_r2l"].printed.value == 20.85
    shown = measured("speedups", "decrypt_call_speedup_montgomery_ratio")
    assert shown["proc_mulrem_r2l"] == pytest.approx(811 / 1061)
    # It needs 4.0 ns, software 3.0.
    shown = measured("speedups", "encrypt_time_speedup_naive_ratio")
    assert shown["proc_mont_r2l"] == pytest.approx(1000 * 3.0 / (160 * 4.0))


def test_speedups_in_time_are_left_out_where_all_periods_are_equal():
    shown = system_tables(systems("proc_mont_r2l"), published())
    keys = {row.key for table in shown if table.key == "speedups" for row in table.rows}
    assert "encrypt_speedup_naive_ratio" in keys
    assert not [key for key in keys if "time_speedup" in key]


def test_speedup_over_printed_is_the_ratio_of_cycles_over_printed():
    over = measured("speedups", "decrypt_cycles_over_printed_ratio")
    shown = cells("speedups", "decrypt_speedup_naive_ratio")["proc_mont_r2l"]
    ratio = over["software_naive"] / over["proc_mont_r2l"]
    assert shown.measured / shown.printed.value == pytest.approx(ratio, rel=1e-3)


@pytest.mark.parametrize("operation", ["encrypt", "decrypt"])
def test_energy_ratio_is_that_of_times_by_that_of_powers(operation):
    names = ("energy_ratio", "energy_time_ratio", "power_ratio")
    energy, time, power = (cells("energy_ratios", f"{operation}_{x}") for x in names)
    for name in systems():
        product = time[name].measured * power[name].measured
        assert energy[name].measured == pytest.approx(product)
        if energy[name].printed:
            product = time[name].printed.value * power[name].printed.value
            assert energy[name].printed.value == pytest.approx(product)
    assert energy["proc_mulrem_r2l"].measured == pytest.approx(
        {"encrypt": 10.8 / 12.0, "decrypt": 18.9 / 24.0}[operation]
    )
    # Without the clock all systems take 1.75 mW.
    rest = measured("energy_ratios", f"{operation}_unclocked_energy_ratio")
    assert rest["proc_mont_r2l"] == pytest.approx(time["proc_mont_r2l"].measured)


def test_energy_over_printed_is_that_of_times_by_that_of_powers():
    names = ("energy", "time", "power")
    shown = [measured("energy_parts", f"encrypt_{x}_over_printed_ratio") for x in names]
    energy, time, power = (x["proc_mont_r2l"] for x in shown)
    assert energy == pytest.approx(7.68 / 2.86)
    assert time == pytest.approx(160 * 4.0 / (169 * 3.0))
    assert energy == pytest.approx(time * power)
    assert [x["proc_mont_r2l_shared"] for x in shown] == [None] * 3


def test_accelerator_at_rest():
    shown = cells("energy_ratios", "rest_power_mw")
    assert shown["proc_mont_r2l"].measured == pytest.approx(12.0 - 4.0)
    assert shown["proc_mont_r2l"].printed.value == pytest.approx((7.99 - 4.78) / 1.059, rel=1e-3)
    assert shown["software_montgomery"].measured is None
    assert shown["software_montgomery"].printed is None


def test_energies_are_ranked_among_those_printed():
    for order in energy_orders(systems(), published()):
        assert order.measured == (
            "software_montgomery",
            "proc_mont_r2l",
            "proc_mulrem_r2l",
            "software_naive",
        )
        assert order.printed == (
            "proc_mont_r2l",
            "proc_mulrem_r2l",
            "software_naive",
            "software_montgomery",
        )
        assert not order.agrees


def test_headline_compares_time_area_and_energy():
    found = headline(systems(), published(), "software_naive", "proc_mont_r2l")
    assert found.speed["encrypt"] == pytest.approx(3.0 / 0.64)
    assert found.printed_speed["decrypt"] == pytest.approx(34.82, abs=0.005)
    assert found.energy["encrypt"] == pytest.approx(7.68 / 12.0)
    assert found.printed_energy["encrypt"] == pytest.approx(2.86 / 35.50)
    assert found.area == pytest.approx(101000 / 20010)
    assert found.printed_area == pytest.approx(4.49, abs=0.005)
    assert headline(systems("software_naive"), published(), "software_naive", "x") is None


def test_without_software_what_needs_it_is_left_out():
    shown = {x.key: x for x in system_tables(systems("software_naive"), published())}
    assert "energy_ratios" not in shown
    keys = {row.key for row in shown["speedups"].rows}
    assert "encrypt_speedup_montgomery_ratio" in keys
    assert "encrypt_speedup_naive_ratio" not in keys
    assert system_tables({}, published()) == []


def test_record_without_the_call_is_refused():
    made_up = record("proc_mont_r2l")
    del made_up["operations"]["xcel_decrypt"]["measured_cycles"]
    with pytest.raises(MeasureError, match="no measured_cycles of xcel_decrypt"):
        combine(subject("proc_mont_r2l"), made_up, EXPONENTS, {})
    made_up = record("proc_mont_r2l")
    del made_up["operations"]["dummy_encrypt"]
    with pytest.raises(MeasureError, match="of dummy_encrypt"):
        combine(subject("proc_mont_r2l"), made_up, EXPONENTS, {})


def test_ratio_of_missing_figures_is_none():
    assert derived.ratio(None, published().get("clock"), "x") is None
