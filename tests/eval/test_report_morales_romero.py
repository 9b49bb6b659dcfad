"""The section on products in a systolic row: tables, plots, and cycles from a circuit."""

import pytest

from eval.report.published import published
from eval.report.studies.cilardo import STUDY as CILARDO
from eval.report.studies.collect import in_order
from eval.report.studies.morales_romero import STUDY, measurements, plots
from eval.report.studies.morales_romero.measurements import Figures, Width
from tests.eval import study_records
from tests.eval.report_records import record

COLUMNS = ["510_bits", "512_bits", "1022_bits", "1024_bits", "2046_bits", "2048_bits"]
OTHERS = ["perin_virtex4", "perin_virtex5", "wang_virtex5", "mcivor_virtex2"]
OTHERS += ["mrabet_artix7", "mrabet_virtex5"]


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    section = study_records.systolic(tmp_path_factory.mktemp("plots"))
    return {table.key.removeprefix("morales_romero_"): table for table in section.tables}


def measured(row) -> list:
    return [cell.measured for cell in row.cells.values()]


def printed(row) -> list:
    return [cell.printed and cell.printed.value for cell in row.cells.values()]


def test_printed_figures_stand_beside_both_widths(tables):
    table = tables["multiplier"]
    assert table.columns == COLUMNS
    cycles = table.row("product_cycles")
    assert measured(cycles) == [510, 512, 1022, 1024, 2046, 2048]
    assert printed(cycles) == [98, 98, 194, 194, 386, 386]
    elements = table.row("elements")
    assert measured(elements) == [32, 33, 64, 65, 128, 129]
    assert printed(elements) == [32, 32, 64, 64, 128, 128]
    luts = table.row("multiplier_luts")
    assert measured(luts)[:2] == [5100, 5120]
    assert printed(luts) == [3098, 3098, 6736, 6736, 12854, 12854]
    assert measured(table.row("multiplier_slices")) == [None] * 6
    titles = {row.section for row in table.rows if row.key.startswith("multiplier")}
    assert titles == {"FPGA (measured: estimate)"}


def test_other_works_have_printed_figures_only(tables):
    table = tables["comparison"]
    assert table.columns == ["1022_bits", "1024_bits", *OTHERS]
    assert table.measured_columns == {"1022_bits", "1024_bits"}
    device = table.row("compared_device")
    assert measured(device)[:2] == ["made-up FPGA"] * 2
    assert [device.printed_text(cell.printed) for cell in device.cells.values()] == [
        *("Artix-7", "Artix-7", "Virtex-4", "Virtex-5", "Virtex-5", "Virtex-2"),
        *("Artix-7", "Virtex-5"),
    ]
    assert printed(table.row("compared_dsps")) == [66, 66, 130, 130, 66, 131, 161, None]
    assert printed(table.row("compared_luts")) == [6736, 6736, None, None, 14440, None, 5242, 5824]


def test_times_of_a_product_by_hand(tables):
    time = tables["comparison"].row("compared_product_us")
    assert measured(time)[:2] == [10.22, 10.24]
    megahertz = [100, 100, 110, 130, 120, 104, 65, 65]
    cycles = [194, 194, 384, 384, 199, 199, 66, 66]
    assert printed(time) == [c / f for c, f in zip(cycles, megahertz, strict=True)]
    assert {cell.printed.scope for cell in time.cells.values()} == {"derived"}
    # 4 ns at 1024 bits; there is no such circuit of 1022 bits
    cells = tables["comparison"].row("compared_cells_product_us")
    assert measured(cells)[:2] == [None, pytest.approx(4.096)]


def test_exponentiation_is_its_products_and_control(tables):
    table = tables["exponentiation"]
    assert table.columns == ["1022_bits", "1024_bits", "mcivor_wang"]

    def row(key):
        return table.row(f"exponentiation_{key}")

    assert measured(row("products"))[:2] == [2050, 2050]
    assert measured(row("products_cycles"))[:2] == [2050 * 1022, 2050 * 1024]
    assert printed(row("products_cycles")) == [397700, 397700, 407950]
    assert measured(row("control_cycles"))[:2] == [7, 7]
    assert measured(row("cycles"))[:2] == [2050 * 1022 + 7, 2050 * 1024 + 7]
    assert measured(row("load_cycles"))[:2] == [9, 9]
    assert printed(table.row("exponentiator_flip_flops")) == [9499, 9499, None]
    assert printed(table.row("exponentiator_slices")) == [4253, 4253, None]


def test_standard_cells(tables):
    table = tables["cells"]
    assert table.columns == ["256_bits", "512_bits", "1024_bits"]
    assert "glitches" in table.notes
    decryption = record("mulrem_r2l")["operations"]["decrypt"]
    times = [decryption["cycles"] * period_ns / 1e6 for period_ns in (2.5, 2.5, 4.0)]
    assert measured(table.row("cells_decrypt_time_ms")) == pytest.approx(times)
    energy = [decryption["energy_nj"] / 1e3] * 3
    assert measured(table.row("cells_decrypt_energy_uj")) == pytest.approx(energy)
    assert measured(table.row("cells_area_um2")) == [25_600, 51_200, 102_400]


def test_flows_are_those_of_the_ranking():
    """What two documents share is measured once."""
    own, ranked = ({job.name for job in x.jobs(4096)} for x in (STUDY, CILARDO))
    flows = {name for name in own if name.startswith("flow")}
    assert len(flows) == 3
    assert flows == own & ranked
    names = [job.name for job in in_order([STUDY, CILARDO], 4096)]
    assert len(names) == len(set(names)) == len(own | ranked)


def test_width_is_limited(tmp_path):
    section = study_records.systolic(tmp_path, 512)
    assert {table.key: table.columns for table in section.tables} == {
        "morales_romero_multiplier": ["510_bits", "512_bits"],
        "morales_romero_cells": ["256_bits", "512_bits"],
    }
    assert [plot.name for plot in section.plots] == ["morales_romero_scaling"]
    assert {job.arguments[0].nbits for job in STUDY.jobs(512)} == {256, 510, 512}


@pytest.mark.parametrize(
    ("kind", "drawn"),
    [("flow", set()), ("operation", set()), ("xc7", {"scaling"}), ("nothing", set())],
)
def test_section_shows_whatever_there_is(tmp_path, kind, drawn):
    findings = study_records.findings_of(STUDY)
    some = {name: found for name, found in findings.items() if name.startswith(kind)}
    section = STUDY.section(some, published(), tmp_path, 4096)
    assert {plot.name for plot in section.plots} == {f"morales_romero_{x}" for x in drawn}
    assert bool(section.records) == (kind == "flow")
    shown = {value for x in section.tables for row in x.rows for value in measured(row)}
    assert shown > {None}


def test_plot_of_table_4_shows_what_has_time_and_dsps():
    figures = Figures(study_records.findings_of(STUDY), 1024)
    ours = plots._measured(figures, published())
    theirs = plots._printed(figures, published())
    assert ours == {"1022_bits": (10.22, 63), "1024_bits": (10.24, 64)}
    assert theirs["wang_virtex5"] == (199 / 120, 66)
    assert "mrabet_virtex5" not in theirs
    (axes,) = plots.dsps_over_time(ours, theirs).axes
    drawn = {tuple(float(x[0]) for x in line.get_data()) for line in axes.get_lines()}
    assert drawn == {*ours.values(), *theirs.values()}


def test_cycles_of_a_product_from_a_circuit(tmp_path, monkeypatch):
    """Three a word and two more; control and loading stand apart."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(measurements, "WIDTHS", {"30_bits": Width(30, 32)})
    jobs = [job for job in STUDY.jobs(32) if job.name.startswith("operation")]
    assert len(jobs) == 2
    found = {job.name: job.function(*job.arguments, progress=lambda line: None) for job in jobs}
    figures = Figures(found, 32)
    assert figures.product_cycles("30_bits") == 3 * 2 + 2
    assert figures.products("30_bits") == 2 * 32 + 2
    assert figures.control_cycles("30_bits") == 2 * 2 + 1
    assert figures.load_cycles("30_bits") == 2 + 1
