"""McNay's systems and accelerators: made-up figures, checked by hand, beside the printed ones."""

import re
from dataclasses import replace

import pytest
from matplotlib import rc_context

from rsaxcel import catalog
from rsaxcel.catalog import Configuration
from rsaxcel.eval.report.names import subject_label
from rsaxcel.eval.report.plots import STYLE, _panels
from rsaxcel.eval.report.spec import Plot
from rsaxcel.eval.studies import mcnay
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.proc.instruction_sets import MCNAY
from rsaxcel.proc.systems import find_system
from tests.eval.made_up_jobs import failing, work
from tests.eval.made_up_records import EXPONENTS, REST_MW
from tests.eval.made_up_report import Report
from tests.shared.verilog_core import ENTRY, NAME, PRODUCT, PRODUCT_ENTRY

# All tests of the report run on one worker, which makes the report of all documents once.
pytestmark = pytest.mark.xdist_group("report")

SYSTEMS = ("software_naive", "software_montgomery", "proc_mulrem_r2l", "proc_mont_r2l")
VARIANT = "proc_mont_r2l_shared"


def report(folder, *more: str, doing=work, plots: bool = False) -> Report:
    return Report(folder, [mcnay.study(more)], doing, plots=plots)


@pytest.mark.parametrize(
    ("table", "key", "expected"),
    [
        # Cycles of the call, minus the dummy's 11 cycles.
        ("systems_cycles", "encrypt_call_cycles", [(1011, 3532), (511, 3590), (611, 1071)]),
        ("systems_cycles", "decrypt_cycles", [(2000, 8148), (800, 5135), (1050, 1840), (225, 234)]),
        ("systems_cycles", "decrypt_dummy_cycles", [(11, 9)] * 4),
        ("systems_cycles", "encrypt_program_cycles", [(1080, 3882)]),
        # Times differ: a cycle of mont_r2l takes 4 ns, one of software 3 ns.
        ("speedups", "encrypt_speedup_naive_ratio", [(None, None), (2, 0.98), (1000 / 600, 3.32)]),
        ("speedups", "decrypt_speedup_montgomery_ratio", [(0.4, 0.63), (None, None)]),
        ("speedups", "decrypt_call_speedup_montgomery_ratio", [(0.403, None)]),
        ("speedups", "encrypt_time_speedup_naive_ratio", [(None, None), (2, None)]),
        ("speedups", "decrypt_cycles_over_printed_ratio", [(2000 / 8148, None)]),
        ("systems_timing", "period_ns", [(3, None), (3, None), (3, None), (4, None)]),
        ("systems_timing", "clock_ns", [(3, 3)] * 4),
        ("systems_timing", "decrypt_time_us", [(6, None), (2.4, None), (3.15, None), (0.9, None)]),
        # 4 mW for 1000 cycles in software; 6 and 12 mW with the accelerators.
        ("systems_energy", "encrypt_energy_nj", [(12, 35.5), (6, 58.09), (10.8, 11.53)]),
        ("systems_energy", "decrypt_program_energy_nj", [(24.96, 86.17)]),
        ("systems_energy", "encrypt_dummy_energy_nj", [(0.96, 4.78), (0.96, 4.78), (1.44, 7.78)]),
        ("systems_energy", "encrypt_power_mw", [(4, 1e3 * 35.50 / 3523 / 3)]),
        ("energy_ratios", "encrypt_energy_nj_over_software_naive_ratio",
         [(None, None), (0.5, 1.636)]),
        ("energy_ratios", "encrypt_energy_saving_naive_ratio", [(None, None), (2, 35.50 / 58.09)]),
        ("energy_ratios", "decrypt_clock_percent", [(56.25, None), (56.25, None), (70.83, None)]),
        ("energy_ratios", "encrypt_dummy_power_mw_less_software_naive",
         [(None, None), (0, 0), (2, 2.834)]),
        ("energy_parts", "encrypt_energy_nj_over_printed_ratio", [(12 / 35.5, None)]),
        ("energy_parts", "encrypt_clock_mw", [(2.25, None), (2.25, None), (4.25, None)]),
    ],
)  # fmt: skip
def test_systems(everything, table, key, expected):
    found = everything.row(table, key)
    assert list(found)[: len(SYSTEMS)] == list(SYSTEMS)
    for name, (ours, theirs) in zip(SYSTEMS, expected, strict=False):
        assert found[name] == (pytest.approx(ours, rel=2e-3), pytest.approx(theirs, rel=2e-3))
    assert found[VARIANT][1] in (None, 3.0, 9)  # the document has no such system


def test_areas_of_systems(everything):
    assert everything.row("systems_area", "area_um2") == {
        "proc_null": (20010, 21434.812),
        "proc_mulrem_r2l": (36000, 38658.046),
        "proc_mont_r2l": (101000, 96137.986),
        VARIANT: (41000, None),
    }
    found = everything.row("systems_area", "accelerator_area_um2")["proc_mont_r2l"]
    assert found == (81000, 75283.586)
    ours, theirs = everything.row("systems_area", "area_ratio")["proc_mont_r2l"]
    assert (ours, theirs) == (pytest.approx(101000 / 20010), 4.49)


@pytest.mark.parametrize("operation", EXPONENTS)
def test_energy_ratios_are_those_of_times_by_those_of_powers(everything, operation):
    names = (f"{operation}_{x}" for x in ("energy_nj", "energy_time_ns", "power_mw"))
    rows = [everything.row("energy_ratios", f"{x}_over_software_naive_ratio") for x in names]
    for system in (*SYSTEMS[1:], VARIANT):
        energy, time, power = (row[system] for row in rows)
        assert energy[0] == pytest.approx(time[0] * power[0])
        if system != VARIANT:
            assert energy[1] == pytest.approx(time[1] * power[1])
    # All systems have the same power without the clock.
    key = f"{operation}_unclocked_energy_nj_over_software_naive_ratio"
    rest = everything.measured("energy_ratios", key)
    assert rest["proc_mont_r2l"] == pytest.approx(rows[1]["proc_mont_r2l"][0])


def test_systems_as_printed_stand_beside_the_same_figures(everything):
    for table, key in (
        ("systems_cycles", "encrypt_cycles"),
        ("systems_energy", "decrypt_energy_nj"),
    ):
        tuned, printed = everything.row(table, key), everything.row(f"printed_{table}", key)
        assert list(printed) == [f"{name}_as_printed" for name in SYSTEMS]
        assert [x for _, x in printed.values()] == [tuned[name][1] for name in SYSTEMS]
        assert None not in dict(printed.values())


@pytest.mark.parametrize(
    ("table", "key", "expected"),
    [
        ("cycles", "decrypt_cycles", [(1022, None), (200, None), (220, None)]),
        ("timing", "encrypt_time_us", [(1.74, None), (0.54, None), (0.455, None)]),
        ("timing", "decrypt_operations_per_s", [(1e9 / 1022 / 3, None), (1.25e6, None)]),
        ("area", "area_um2", [(15000, 17512.376), (80000, 75283.586), (20000, None)]),
        ("area", "multiplier_area_um2", [(6600, 7776.377), (15000, 13846.736), (15000, None)]),
        ("area", "multipliers", [(2, 2), (5, 5), (1, None)]),
        # The divider for the constant is not part of a multiplier.
        ("area", "dividers_percent", [(100 * 2300 / 15000, None), (0, None)]),
        ("area", "area_ratio", [(None, None), (80 / 15, 4.3)]),
        ("energy", "decrypt_energy_nj", [(3 * 1022 * 3e-3, None), (8 * 200 * 4e-3, None)]),
        ("power_parts", "encrypt_clock_mw", [(1.25, None), (6.25, None), (2.25, None)]),
        ("power_parts", "encrypt_leakage_mw", [(REST_MW[2], None)] * 3),
        ("designs_glance", "area_um2_over_mulrem_r2l_ratio", [None, (80 / 15, 4.299)]),
    ],
)  # fmt: skip
def test_accelerators(everything, table, key, expected):
    found = everything.row(table, key)
    for design, pair in zip(mcnay.STANDARD, expected, strict=False):
        if pair:
            assert found[design.name] == tuple(pytest.approx(x, rel=1e-3) for x in pair)


def test_texts_give_verdicts(everything):
    text = " ".join(everything.terminal.split())
    assert (
        "Decryption: software Montgomery, processor with mont_r2l, processor with mulrem_r2l, "
        "software naive; printed: processor with mont_r2l, processor with mulrem_r2l, "
        "software naive, software Montgomery."
    ) in text
    for name, delay, met in (
        ("mulrem_r2l", "2.625 ns", "met"),
        ("mont_r2l", "3.875 ns", "not met"),
    ):
        path = f"{delay} from {name}.a_reg[3] to {name}.b_reg[6]"
        assert f"{name}: {path}, constraint {met}" in text
    assert "5.33 times (printed: 4.30; 1.24 times the printed one)" in text
    # With the printed areas of multipliers: two in one design, five in the other.
    small, large = 15000 + 2 * (7776.377 - 6600), 80000 + 5 * (13846.736 - 15000)
    assert f"{80000 / small:.2f} with " in text
    assert f"{large / 15000:.2f} with that of mont_r2l" in text
    assert "(not measured)" not in text


def points(axes) -> dict[str, list[tuple[float, float]]]:
    """Numbers of filled and hollow points."""
    found: dict[str, list[tuple[float, float]]] = {"solid": [], "hollow": []}
    for line in axes.lines:
        if len(line.get_xdata()) == 1:
            kind = "hollow" if line.get_markerfacecolor() == "none" else "solid"
            found[kind].append((line.get_xdata()[0], line.get_ydata()[0]))
    return found


def figure(shown: Report, key: str):
    (study,) = (x for x in shown.content.studies if x.study.document == mcnay.DOCUMENT)
    blocks = [block for section in study.sections for block in section.section.blocks]
    (plot,) = (x for x in blocks if isinstance(x, Plot) and x.key == key)
    with rc_context(STYLE):
        return _panels(plot, shown.content.facts, study.colours)


def test_plots_place_points_by_the_figures(everything):
    _, decryption = figure(everything, "systems_energy_performance").axes
    found = points(decryption)
    assert found["solid"][3] == pytest.approx((1e3 / (225 * 4.0), 10.8))
    assert found["hollow"] == [
        pytest.approx((1e3 / (cycles * 3.0), energy))
        for cycles, energy in ((8148, 81.37), (5135, 89.22), (1840, 19.82), (234, 4.46))
    ]
    (axes,) = figure(everything, "area_performance").axes
    assert points(axes)["solid"][2] == pytest.approx((1e3 / (135 * 4.0), 80.0))


@pytest.mark.parametrize("key", ["systems_area_performance", "systems_energy_performance"])
def test_labels_cover_neither_points_nor_each_other(everything, key):
    drawn = figure(everything, key)
    for axes in drawn.axes:
        boxes = [text.get_window_extent() for text in axes.texts if text.get_text()]
        assert len(boxes) == len(SYSTEMS) + 1
        for index, box in enumerate(boxes):
            assert not any(box.overlaps(other) for other in boxes[:index])
            for point in (x for kind in points(axes).values() for x in kind):
                assert not box.contains(*axes.transData.transform(point))


@pytest.mark.slow
def test_a_design_that_is_asked_for_stands_beside_and_changes_nothing(everything, tmp_path):
    shown = report(tmp_path, "ssmm_r2l", "mont_r2l", "ssmm_r2l", plots=True)
    before = {name: everything.figures[name] for name in ("systems", "designs")}
    for group, added in (("systems", "proc_ssmm_r2l"), ("designs", "ssmm_r2l")):
        assert shown.figures[group].keys() - before[group].keys() == {added}
        assert {name: shown.figures[group][name] for name in before[group]} == before[group]
    over = {
        key: shown.measured("added", f"{key}_ratio")["ssmm_r2l"]
        for key in ("area_um2_over_mulrem_r2l", "min_period_ns_over_mont_r2l")
    }
    assert list(over.values()) == [3000 / 15000, 2.0 / 4.0]
    # The added design meets the constraint of 3 ns, mont_r2l needs 4 ns.
    time = shown.measured("added", "encrypt_time_us_over_mont_r2l_ratio")["ssmm_r2l"]
    assert time == pytest.approx(1160 * 3.0 / (135 * 4.0))
    assert catalog.get("ssmm_r2l").summary in shown.html
    assert "proc_ssmm_r2l" in shown.html[shown.html.index('id="plot-systems_area') :][:60000]
    mine, theirs = (x.content.studies[0].colours for x in (shown, everything))
    for name in (*SYSTEMS, VARIANT, *(x.name for x in mcnay.STANDARD)):
        assert mine[name] == theirs[name]
    assert mine["ssmm_r2l"] == mine["proc_ssmm_r2l"] != mine["mont_r2l"]
    assert "ssmm_r2l" not in shown.content.unmeasured
    for text in (shown.html, shown.terminal):
        assert f"Not measured{' here' * (text is shown.html)}: " in text
        assert "montmul_csa_r2l" in text


def test_parameters_make_another_column_that_is_not_printed(tmp_path):
    def jobs(study):
        return [x.job for x in study.measurements(4096, DEFAULT_LIBRARY)]

    usual = {job.name for job in jobs(mcnay.STUDY)}
    default = mcnay.study(["mont_r2l"], {"stages": "4"})
    assert {job.name for job in jobs(default)} == usual
    study = mcnay.study(["mont_r2l"], {"stages": "8"})
    columns = {x.key for x in study.sections[0].blocks[3].columns}
    assert "proc_mont_r2l_stages_8" in columns
    asked = [job.arguments[0] for job in jobs(study) if job.name not in usual]
    assert len(asked) == 3
    assert all((x.nbits, x.params["stages"]) == (32, 8) for x in asked)


def test_more_designs_have_colours_and_say_what_the_processor_computes(
    everything, tmp_path, monkeypatch
):
    """A design in Verilog is one of them."""
    monkeypatch.setitem(catalog.GIVEN, NAME, ENTRY)
    designs = ["systolic_l2r_always", "ssmm_r2l", "montmul_r2l", "montmul_csa_r2l", NAME]
    shown = report(tmp_path, *designs)
    colours = shown.content.studies[0].colours
    drawn = (*SYSTEMS, VARIANT, *(f"proc_{x}" for x in designs))
    assert len({colours[name] for name in drawn}) == len(drawn)
    words = "the program computes them before the call"
    for key in ("systems_cycles", "speedups", "systems_energy", "energy_ratios", "energy_parts"):
        assert words in shown.notes_beside(key)
    assert words not in everything.html
    over = shown.measured("added", "area_um2_over_mulrem_r2l_ratio")
    assert over[NAME] == over["ssmm_r2l"] == 3000 / 15000
    assert shown.measured("systems_area", "area_um2")[f"proc_{NAME}"] == 24000
    assert ENTRY.summary in shown.html
    for key, name in (("systems_energy_performance", f"proc_{NAME}"), ("area_performance", NAME)):
        labels = [x.get_text() for axes in figure(shown, key).axes for x in axes.texts]
        assert subject_label(name) in labels


@pytest.mark.parametrize(
    ("entry", "params", "told"),
    [
        (ENTRY, {"lanes": "1"}, f"lanes=1: not a parameter of {NAME}; allowed: none (the report"),
        (
            replace(ENTRY, widths=range(8, 17)),
            {},
            f"nbits=32: 8 to 16 bits allowed for {NAME} (the",
        ),
        (PRODUCT_ENTRY, {}, f"design '{PRODUCT}' is a multiplier; allowed: mulrem_r2l, "),
    ],
)
def test_what_is_refused_beside_the_standard_designs(monkeypatch, entry, params, told):
    monkeypatch.setitem(catalog.GIVEN, entry.name, entry)
    with pytest.raises(ValueError, match=re.escape(told)):
        mcnay.study([entry.name], params)


def test_a_circuit_of_other_cycles_than_its_netlist_is_named(tmp_path):
    def doing(job, progress):
        result = work(job, progress)
        slower = job.name == "workload mont_r2l_32"
        return {name: x + 1 for name, x in result.items()} if slower else result

    shown = report(tmp_path, doing=doing)
    assert shown.incomplete.exit_status == 1
    assert "contradiction: cycles of mont_r2l 32 encrypt: 135 and 136" in str(shown.incomplete)
    assert "contradiction: cycles of mont_r2l 32 decrypt: 200 and 201" in shown.html
    assert shown.figures["designs"]["mont_r2l"]["encrypt_cycles"]["measured"] == 135


def test_added_instructions(everything):
    """Only his processor has a printed area; the area less TinyRV2's is of the same table."""
    for end in ("", "_as_printed"):
        area = everything.row(f"added_instructions{end}", "area_um2")
        assert list(area) == [f"{name}{end}" for name in mcnay.SETS]
        printed = {key: theirs for key, (_, theirs) in area.items() if theirs}
        his = {f"{MCNAY.name}{end}": pytest.approx(21434.812)} if end else {}
        assert printed == his
        added = dict(everything.row(f"added_instructions{end}", "added_area_um2"))
        base, _ = area[f"tinyrv2{end}"]
        assert added.pop(f"tinyrv2{end}")[0] is None
        assert {key: ours for key, (ours, _) in added.items()} == pytest.approx(
            {key: area[key][0] - base for key in added}
        )


def test_added_instructions_are_measured_on_processors_that_differ_in_nothing_else():
    for end in ("", "_as_printed"):
        full, *reduced = reversed(mcnay.addition_columns(end))
        for column in reduced:
            system = find_system("proc_null", 32, **column.where["choices"])
            assert column.key == system.params["proc_isa"] + end
            whole = find_system("proc_null", 32, **full.where["choices"]).params
            others = {k for k, v in system.params.items() if v != whole[k]} - {"proc_isa"}
            divides = system.instruction_set.divides
            assert (
                not others
                if divides or not end
                else others == {"proc_divider", "proc_divider_bits_per_cycle"}
            )


def is_system(job) -> bool:
    return not isinstance(job.arguments[0], Configuration)


@pytest.mark.quick_cases("one")
@pytest.mark.parametrize(
    ("kept", "sections"),
    [
        (is_system, {"systems", "as_printed", "additions", "placed"}),
        (lambda job: not is_system(job), {"designs", "as_printed", "placed"}),
        (lambda job: job.name == "flow mulrem_r2l_32 at 3 ns", {"designs"}),
    ],
    ids=["systems", "accelerators", "one"],
)
def test_whatever_fails_the_page_shows_the_rest(tmp_path, kept, sections):
    nothing = failing("")
    shown = report(tmp_path, doing=lambda job, tell: (work if kept(job) else nothing)(job, tell))
    assert shown.incomplete.exit_status == 1
    assert "no luck <&>" in str(shown.incomplete)
    assert "failed: no luck <&>" in shown.terminal
    assert shown.html.count("failed:</strong> no luck &lt;&amp;&gt;") == len(
        shown.figures["failures"]
    )
    assert shown.figures.keys() - {"workload", "fidelity", "failures"} == sections
    for section in sections:
        assert f'<h3 id="{section}">' in shown.html
