"""The section on digit-serial products: tables, and plots that show the same."""

import pytest

from eval.report.published import published
from eval.report.studies.cilardo import STUDY, plots
from eval.report.studies.cilardo.measurements import COLUMNS, RANKED, Figures
from tests.eval import study_records


def test_tables(tmp_path):
    """Printed figures stand at their S; products and ratios are those of the measured ones."""
    tables = {table.key: table for table in study_records.digit_serial(tmp_path).tables}
    assert list(tables) == ["cilardo_encryption", "cilardo_fpga", "cilardo_ranking"]
    encryption = tables["cilardo_encryption"]
    cycles = encryption.row("cycles_lanes_2").cells
    assert [cell.printed.value for cell in cycles.values()] == [645288, 332440, 176016, 97804]
    assert [cell.measured for cell in cycles.values()] == [100, 50, 25, 12]
    without = encryption.row("cycles_lanes_1").cells
    assert [cell.measured for cell in without.values()] == [200, 100, 50, 24]
    assert not any(cell.printed for cell in without.values())
    # 4 ns at 1024 bits; all are of one area
    times = [cell.measured for cell in encryption.row("time_ms_lanes_2").cells.values()]
    assert times == pytest.approx([4e-4, 2e-4, 1e-4, 0.48e-4])
    percent = encryption.row("area_time_percent_lanes_2").cells
    assert [cell.measured for cell in percent.values()] == pytest.approx([100, 50, 25, 12])
    assert [cell.printed.value for cell in percent.values()] == [100, 82, 109, 155]
    luts = tables["cilardo_fpga"].row("luts_lanes_1").cells
    assert [cell.measured for cell in luts.values()] == [320, 640, 1280, 2560]
    ranking = tables["cilardo_ranking"]
    ranks = ranking.row("1024_bits_rank").cells
    # shift-sub is half as large as the others, which are equal
    assert {name: cell.measured for name, cell in ranks.items()} == {
        "digit_serial_32": 2,
        "digit_serial_64": 2,
        "systolic_l2r_always": 2,
        "ssmm_r2l": 1,
        "montmul_r2l": 2,
    }


def test_tables_lack_what_was_not_measured(tmp_path):
    """Below 1024 bits there is only the ranking, without rows of that width."""
    (ranking,) = study_records.digit_serial(tmp_path, 512).tables
    assert ranking.key == "cilardo_ranking"
    assert "512_bits_rank" in [row.key for row in ranking.rows]
    assert "1024_bits_rank" not in [row.key for row in ranking.rows]


@pytest.fixture(scope="module")
def figures() -> Figures:
    return Figures(study_records.findings_of(STUDY), 4096)


def lines(axes) -> list[tuple[list[float], list[float]]]:
    """Points of the lines that have any."""
    found = [tuple(list(values) for values in line.get_data()) for line in axes.get_lines()]
    return [line for line in found if line[0]]


def test_plot_over_s_shows_measured_and_printed_figures_apart(figures):
    time, printed_time, *_, area_time, printed_area_time = plots.over_digits(
        figures, published()
    ).axes
    with_z, without_z = lines(time)
    assert with_z == (list(COLUMNS.values()), pytest.approx([4e-4, 2e-4, 1e-4, 0.48e-4]))
    assert without_z[1] == pytest.approx([8e-4, 4e-4, 2e-4, 0.96e-4])
    assert lines(printed_time) == [([32, 64, 128, 256], [5.64, 3.86, 3.27, 2.99])]
    # 102,400 um2 each
    assert lines(area_time)[0][1] == pytest.approx([4.096e-5, 2.048e-5, 1.024e-5, 0.4915e-5], 1e-3)
    assert lines(printed_area_time) == [([32, 64, 128, 256], [5612, 4586, 6115, 8677])]


def test_plot_of_the_ranking_joins_the_widths_of_a_design(figures):
    axes = plots.area_over_time(figures, list(RANKED)).axes[0]
    joined = [line for line in lines(axes) if len(line[0]) == 3]
    assert len(joined) == len(RANKED)
    cycles = figures.ranked("ssmm_r2l", 256)["operations"]["decrypt"]["cycles"]
    times = [cycles * period_ns / 1e6 for period_ns in (2.5, 2.5, 4.0)]
    assert (pytest.approx(times), [12.8, 25.6, 51.2]) in joined
    named = axes.get_legend_handles_labels()[1]
    assert set(named) == {*RANKED, "256 bits", "512 bits", "1024 bits"}


@pytest.mark.parametrize(
    ("kind", "drawn"),
    [("flow", {"cilardo_ranking"}), ("operation", set()), ("xc7", set()), ("nothing", set())],
)
def test_only_what_has_figures_is_drawn(tmp_path, kind, drawn):
    findings = study_records.findings_of(STUDY)
    some = {name: found for name, found in findings.items() if name.startswith(kind)}
    section = STUDY.section(some, published(), tmp_path, 4096)
    assert {plot.name for plot in section.plots} == drawn
    assert {path.stem for path in tmp_path.glob("*.png")} == drawn
