"""Design points: one row for each circuit, from facts of several files."""

import os

import pytest

from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.points import choices_of, load_points, point_name, tabulate
from rsaxcel.eval.facts.table import Facts

CELLS = {"library": "cells", "clock_ns": 1.0, "stage": "synthesized"}


def fact(quantity: str, value: float, subject: str = "mont_r2l", kind="measured", **more) -> Fact:
    return Fact(subject, quantity, value, kind, **({"nbits": 32} | more))


def hardware(area_um2: float, period_ns: float, subject: str = "mont_r2l", **more) -> list[Fact]:
    about = CELLS | {"provenance": f"record of {subject}"} | more
    figures = {"area_um2": area_um2, "min_period_ns": period_ns, "clock_ns": about["clock_ns"]}
    return [fact(quantity, x, subject, **about) for quantity, x in figures.items()]


def cycles(encrypt: float, decrypt: float, subject: str = "mont_r2l", **more) -> list[Fact]:
    both = {"encrypt": encrypt, "decrypt": decrypt}
    return [fact("cycles", x, subject, operation=name, **more) for name, x in both.items()]


def table(facts: list[Fact], operation: str = "decrypt"):
    return tabulate(Facts(facts), operation)


def test_cycles_without_a_library_hold_for_every_library_and_clock():
    fast = hardware(9000, 2.0)
    slow = hardware(5000, 2.5, clock_ns=3.0)
    other = hardware(70000, 9.0, library="others")
    points = table([*fast, *slow, *other, *cycles(100, 200)])
    assert list(points.area_um2) == [9000, 5000, 70000]
    assert list(points.cycles) == [200, 200, 200]
    # The time is counted at the clock if it is met, else at the smallest period.
    assert list(points.time_us) == pytest.approx([0.4, 0.6, 1.8])
    assert list(points.encrypt_time_us) == pytest.approx([0.2, 0.3, 0.9])
    assert list(points.area_time_um2_ms) == pytest.approx([3.6, 3.0, 126.0])
    assert set(points.provenance) == {"record of mont_r2l"}


def test_the_operation_that_stands_for_the_design_is_chosen():
    facts = [*hardware(9000, 2.0), *cycles(100, 200)]
    assert list(table(facts, "encrypt").cycles) == [100]
    assert list(table(facts, "encrypt").decrypt_cycles) == [200]


def test_axes_are_those_of_the_catalogue():
    asked = "lanes=1,schedule=window"
    (row,) = table(hardware(9000, 2.0, choices=asked)).to_dict("records")
    assert row["point"] == "mont_r2l:32,lanes=1,schedule=window"
    assert (row["multiplier"], row["domain"]) == ("mont_mul_rem", "montgomery")
    assert (row["schedule"], row["lanes"], row["store"]) == ("window", 1, "registers")
    assert point_name("mont_r2l", 32, asked) == row["point"]
    assert choices_of(asked) == {"lanes": "1", "schedule": "window"}


def test_forms_of_what_is_measured():
    expected = {"mont_r2l": "design", "proc_mont_r2l": "system", "proc_null": "system"}
    expected |= {"ssmm": "multiplier", "somebody_elses": "other"}
    points = table([x for name in expected for x in hardware(9000, 2.0, name)])
    assert dict(zip(points.subject, points.form, strict=True)) == expected
    assert set(points.multiplier[points.form == "system"].dropna()) == {"mont_mul_rem"}


def test_programs_are_no_points():
    assert table(cycles(100, 200, "software_naive")).empty
    assert len(table(cycles(100, 200))) == 1


def test_the_weakest_figure_marks_a_point():
    measured = [*hardware(9000, 2.0), *cycles(100, 200)]
    assert list(table(measured).kind) == ["measured"]
    part = fact("energy_nj", 3.0, kind="simulated in part", operation="decrypt", **CELLS)
    assert list(table([*measured, part]).kind) == ["simulated in part"]
    luts = fact("luts", 50, kind="estimated", library="xc7", stage="synthesized")
    assert list(table([*measured, luts]).kind) == ["measured", "estimated"]


def test_figures_of_parts_and_documents_are_left_out():
    part = fact("area_um2", 100, part="core", **CELLS)
    printed = Fact("mont_r2l", "area_um2", 1.0, "printed", nbits=32, document="paper", **CELLS)
    points = table([*hardware(9000, 2.0), part, printed])
    assert list(points.area_um2) == [9000]


def test_files_are_joined_and_the_newest_one_counts(tmp_path):
    found = {
        "report": [*hardware(9000, 2.0), *cycles(100, 200)],
        "sweeps/one": hardware(8000, 2.0),
        "sweeps/two": hardware(5000, 2.0, "mulrem_r2l"),
    }
    for age, (name, facts) in enumerate(found.items()):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        Facts(facts).write(folder)
        os.utime(folder / "facts.parquet", (10**9 + age, 10**9 + age))
    points = load_points(tmp_path).set_index("subject")
    assert dict(points.area_um2) == {"mont_r2l": 8000, "mulrem_r2l": 5000}
    # The product uses the area of the newer file, and the cycles of the older one.
    assert points.area_time_um2_ms["mont_r2l"] == pytest.approx(3.2)


def test_what_is_no_table_of_facts_is_named(tmp_path):
    (tmp_path / "report").mkdir()
    Facts(hardware(1.0, 1.0)).frame[["subject"]].to_parquet(tmp_path / "report/facts.parquet")
    with pytest.raises(ValueError, match=r"report/facts\.parquet: its columns are not"):
        load_points(tmp_path)


def energies(activity: str, decrypt: float, **more) -> list[Fact]:
    about = CELLS | {"activity": activity, "operation": "decrypt"} | more
    lower = decrypt if activity == "zero" else decrypt / 2
    both = {"energy_nj": decrypt, "energy_lower_nj": lower}
    return [fact(quantity, x, **about) for quantity, x in both.items()]


def test_energies_with_glitches_and_without_never_share_a_row():
    known = [*hardware(9000, 2.0), *cycles(100, 200)]
    points = table([*known, *energies("zero", 3.0), *energies("timed", 8.0)])
    rows = {row["activity"]: row for row in points.to_dict("records")}
    assert rows.keys() == {"timed", "zero"}
    figures = ("energy_nj", "energy_lower_nj", "glitch_factor", "area_um2", "time_us")
    assert [rows["timed"][x] for x in figures] == [8.0, 4.0, 2.0, 9000, pytest.approx(0.4)]
    assert [rows["zero"][x] for x in figures] == [3.0, 3.0, 1.0, 9000, pytest.approx(0.4)]


def test_what_has_no_energy_is_one_row():
    (row,) = table([*hardware(9000, 2.0), *cycles(100, 200)]).to_dict("records")
    assert (row["activity"], row["area_um2"]) == ("", 9000)
    known = [*hardware(9000, 2.0), *cycles(100, 200), *energies("timed", 8.0)]
    other = hardware(7000, 2.5, clock_ns=3.0)
    assert sorted(table([*known, *other]).activity) == ["", "timed"]


def test_what_follows_from_the_hardware_alone_is_said_once():
    facts = Facts([*hardware(9000, 2.0), *cycles(100, 200), *energies("timed", 8.0)])
    said = [x.activity for x in facts if x.quantity == "area_time_um2_ms"]
    assert said == ["", ""]
    assert [x.activity for x in facts if x.quantity == "glitch_factor"] == ["timed"]
