"""Printed figures are those of today's circuits; others are told by a test, or by their pages."""

from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest

from rsaxcel import catalog
from rsaxcel.cli.main import guard
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.table import read_facts, to_frame, write_csv
from rsaxcel.eval.measure import cycles
from rsaxcel.eval.measure.collect import collect
from rsaxcel.eval.measure.flows import at_layout, flow, outline
from rsaxcel.eval.measure.job import Job, Measurement
from rsaxcel.flow.layout import EMBEDDED, OPENSTA, PLACED, Layout
from tests.tools.test_readme import pages_in
from tools import figure_table, figures, readme
from tools.figure_table import FigureTable, Measured, WholeKey


def test_printed_figures_are_not_older_than_circuits_and_flow():
    table = FigureTable.read(readme.FIGURES)
    assert figures.told(table, figures.all_jobs()) == [], (
        "figures of these pages are older than their circuits: `make figures ARGS=--check`, then "
        "`make figures`, renew them (docs/how-to/extend.md)"
    )


def test_names_of_figures_are_those_by_opensta_on_every_machine():
    asked = flow("mont_r2l", 32, 0.5)
    by_opensta, other = (at_layout(asked, Layout(PLACED, timer=x)) for x in (OPENSTA, EMBEDDED))
    assert other.job.name != by_opensta.job.name
    assert figures._by_opensta(other).job.name == by_opensta.job.name
    assert figures._by_opensta(by_opensta) == by_opensta


@pytest.fixture
def page(here, monkeypatch):
    """Page of a project with one figure, which is not measured yet."""
    pages_in(here, monkeypatch)
    figure_table._digest.cache_clear()  # it may have digests that another test has changed
    monkeypatch.setattr(readme, "draw", lambda facts: None)
    monkeypatch.setattr(
        readme, "printed", lambda: SimpleNamespace(facts=[], errata={}, documents={})
    )
    (readme.TEMPLATES / "speed.md.j2").write_text(
        "{{ outdated }}\n\n"
        "{{ mcnay_2023.cell('ssmm_r2l', 'cycles', nbits=8, operation='decrypt') }}\n"
    )
    write_csv(to_frame([]), readme.FACTS)
    measured = cycles.workload("ssmm_r2l", 8, "cl")
    monkeypatch.setattr(figures, "all_jobs", lambda: {measured.job.name: [measured]})
    at_once = partial(collect, work=lambda job, tell: job.function(*job.arguments, progress=tell))
    monkeypatch.setattr(figures, "collect", lambda *args, workers, **more: at_once(*args, **more))
    return readme.PAGES / "speed.md"


def run(*arguments: str) -> int:
    return guard(figures.command, "figures", [*arguments])


def change(monkeypatch, file: str) -> None:
    """Change the digest of a file of the project."""
    digest, changed = figure_table.code_digest, figure_table._ROOT / file
    assert changed.exists()
    figure_table._digest.cache_clear()
    monkeypatch.setattr(
        figure_table, "code_digest", lambda files: digest(files) + "!" * (changed in files)
    )


def told() -> list[str]:
    return figures.told(FigureTable.read(readme.FIGURES), figures.all_jobs())


def falsify(value: float, nbits: int = 8) -> None:
    """Change a kept figure, to see whether it is measured anew."""
    facts = read_facts(readme.FACTS)
    facts = [replace(x, value=value) if x.nbits == nbits else x for x in facts]
    write_csv(to_frame(facts), readme.FACTS)


def test_a_changed_line_is_told_with_its_pages_and_mended(page, monkeypatch, capfd):
    assert run("--new", "--only", "ssmm") == 0
    text = page.read_text()
    assert int(text) > 60
    assert told() == []
    assert run() == 0
    assert "0 of 1 measurements" in capfd.readouterr().out

    # The circuit's source changes, but not its Verilog: nothing has to be measured.
    change(monkeypatch, "rtl/multipliers/ssmm.py")
    assert told() == ["docs/speed.md: ssmm_r2l"]
    falsify(77)
    assert run("--check") == 0
    assert (told(), page.read_text()) == ([], "77\n")

    # Another multiplier does not matter. The model that counts does: a check is not enough.
    change(monkeypatch, "rtl/multipliers/mont_mul.py")
    assert told() == []
    change(monkeypatch, "cl/multipliers.py")
    assert run("--check") == 0
    assert told() == ["docs/speed.md: ssmm_r2l"]
    assert run() == 0
    assert (told(), page.read_text()) == ([], text)


def test_what_is_not_measured_anew_is_marked_on_its_page(page, monkeypatch):
    monkeypatch.setattr(figures, "_whole_keys", lambda *asked: ({}, []))
    assert run("--new", "--only", "ssmm") == 0
    text = page.read_text()
    change(monkeypatch, "cl/multipliers.py")
    assert run("--outdated", "measured on an abacus") == 0
    assert page.read_text() == (
        "Figures on this page that are older than their circuits or the flow:\n\n"
        f"- measured on an abacus: cycles all.\n\n{text}"
    )
    assert told() == []
    assert run() == 0
    assert page.read_text() == text


def test_a_figure_that_no_measurement_gives_is_told(page, monkeypatch):
    monkeypatch.setattr(figures, "_whole_keys", lambda *asked: ({}, []))
    assert run("--new", "--only", "ssmm") == 0
    FigureTable().write(readme.FIGURES)
    assert told() == ["docs/speed.md: ssmm_r2l"]


@pytest.fixture
def widths(page, monkeypatch):
    """Page of a project with the cycles of five widths, which are measured."""
    asked = (8, 12, 16, 24, 32)
    cells = (
        f"mcnay_2023.cell('ssmm_r2l', 'cycles', nbits={x}, operation='decrypt')" for x in asked
    )
    (readme.TEMPLATES / "speed.md.j2").write_text("\n".join(f"{{{{ {x} }}}}" for x in cells))
    measured = [cycles.workload("ssmm_r2l", x, "cl") for x in asked]
    monkeypatch.setattr(figures, "all_jobs", lambda: {x.job.name: [x] for x in measured})
    assert run("--new", "--only", "ssmm") == 0
    return [x.job.name for x in measured]


def test_a_sample_with_the_printed_figures_renews_its_kind(page, widths, monkeypatch):
    change(monkeypatch, "cl/multipliers.py")
    assert told() == ["docs/speed.md: ssmm_r2l"]
    falsify(77, nbits=32)
    assert run("--sample") == 0
    table = FigureTable.read(readme.FIGURES)
    assert (told(), page.read_text().splitlines()[-1]) == ([], "77")
    few, others = tuple(widths[:3]), widths[3:]
    assert [table[x].sampled for x in widths] == [(), (), (), few, few]
    change(monkeypatch, "rtl/multipliers/ssmm.py")  # the Verilog is the same
    assert run("--check") == 0
    assert [FigureTable.read(readme.FIGURES)[x].sampled for x in others] == [few, few]


@pytest.mark.parametrize(
    ("seconds", "few"),
    [
        ((1, 1, 1, 1, 900), (0, 1, 2)),
        ((50, 60, 70, 80, 90), (0,)),
        ((50, 60, 170, 180, 2e3), (0, 1)),
    ],
)
def test_a_sample_takes_a_part_of_the_time_of_its_kind(page, widths, seconds, few):
    kind = dict(zip(widths, seconds, strict=True))
    assert figures._few(kind, figures.all_jobs()) == [widths[x] for x in few]


def test_a_sample_is_compared_with_its_own_figures_only():
    """Encryption and decryption are two jobs of a circuit; a time needs a period to be derived."""
    on = {"subject": "proc_null", "nbits": 8, "kind": "measured"}
    calls = [Fact(quantity="cycles", value=9.0, operation=x, **on) for x in ("encrypt", "decrypt")]
    time = Fact("proc_null", "time_us", 5, "derived", 8, operation="encrypt", clock_ns=0.5)
    printed = [*calls, time]
    assert figures._differing(printed, printed, [calls[0]]) == []
    other = replace(calls[0], value=8.0)
    assert figures._differing(printed, printed, [other]) == ["cycles of proc_null 9.0 -> 8.0"]
    assert figures._differing(printed, [time], [calls[0]]) is None


def test_a_sample_with_other_figures_outdates_its_kind(page, widths, monkeypatch, capfd):
    change(monkeypatch, "cl/multipliers.py")
    falsify(77, nbits=12)
    assert run("--sample") == 0
    assert "cycles of ssmm_r2l 77.0 -> " in capfd.readouterr().out
    assert all(x.outdated for x in FigureTable.read(readme.FIGURES).values())
    assert "- measured with earlier code (cycles of ssmm_r2l 77.0 -> " in page.read_text()
    assert run() == 0
    assert "77" not in page.read_text()


def test_a_circuit_that_does_not_translate_is_told(page, monkeypatch, capfd):
    assert run("--new", "--only", "ssmm") == 0
    change(monkeypatch, "rtl/multipliers/ssmm.py")

    def whole_key(*arguments, progress):
        raise ValueError("no Verilog")

    monkeypatch.setattr(figures, "whole_key", whole_key)
    for option in ("--check", "--sample"):
        capfd.readouterr()
        assert run(option) == 1
        assert "model ssmm_r2l_8: no Verilog" in capfd.readouterr().err.splitlines()[-1]


def test_a_derived_figure_keeps_what_it_is_derived_from(page, monkeypatch):
    """The cycles of a figure are measured too, if no page prints them and they are not known."""
    own = {"subject": "ssmm_r2l", "nbits": 8}
    on = {"library": "freepdk-45nm", "clock_ns": 0.5, "stage": "synthesized"}
    area = Fact("ssmm_r2l", "area_um2", 0, "measured", nbits=8, **on)
    count = Fact("ssmm_r2l", "cycles", 0, "measured", nbits=8, operation="decrypt")
    printed = replace(area, quantity="area_time_um2_ms", kind="derived", operation="decrypt")
    configuration = catalog.get("ssmm_r2l").configure(8)

    values = {"area": 1000.0, "count": 500.0}

    def look(name, configuration, *, progress):
        return values[name]

    def facts_of_area(value):
        return [replace(area, value=value), replace(area, quantity="period_ns", value=2.0)]

    def facts_of_count(value):
        return [replace(count, value=value)]

    measured = [
        Measurement(Job("area", look, ("area", configuration)), facts_of_area),
        Measurement(Job("count", look, ("count", configuration)), facts_of_count),
    ]
    monkeypatch.setattr(figures, "all_jobs", lambda: {x.job.name: [x] for x in measured})
    monkeypatch.setattr(figures, "_whole_keys", lambda *asked: ({}, []))
    conditions = ", ".join(f"{name}={value!r}" for name, value in {**own, **on}.items())
    cell = f"mcnay_2023.cell({conditions}, quantity='area_time_um2_ms', operation='decrypt')"
    (readme.TEMPLATES / "speed.md.j2").write_text(f"{{{{ outdated }}}}\n\n{{{{ {cell} }}}}\n")
    write_csv(to_frame([replace(printed, value=77.0)]), readme.FACTS)
    old = Measured("", WholeKey(), 0.0, (figures.circuit_of(area),), "abacus")
    FigureTable({"area": old}).write(readme.FIGURES)
    assert run("--only", "area") == 0
    assert page.read_text() == "1\n"  # 1000 um2 * 500 cycles * 2 ns
    assert set(FigureTable.read(readme.FIGURES)) == {"area", "count"}

    # With the cycles known, the area alone is measured, and the cycles alone.
    for name, value in (("area", 3000.0), ("count", 1000.0)):
        values[name] = value
        table = FigureTable.read(readme.FIGURES)
        table[name] = replace(table[name], cheap="")
        table.write(readme.FIGURES)
        assert told() == ["docs/speed.md: ssmm_r2l"]
        assert run() == 0
    assert page.read_text() == "6\n"


@pytest.fixture
def counted(page, monkeypatch):
    """Page with a time and its cycles; the flow is old and fails, and its period is not kept."""
    on = {"library": "freepdk-45nm", "clock_ns": 3.0, "stage": "synthesized"}
    count = Fact("ssmm_r2l", "cycles", 500.0, "measured", nbits=8, operation="decrypt")
    time = replace(count, quantity="time_us", value=1.0, kind="derived", **on)
    configuration = catalog.get("ssmm_r2l").configure(8)

    def look(name, configuration, *, progress):
        if name == "flow":
            raise ValueError("no tool")
        return 500.0

    flow = Measurement(Job("flow", look, ("flow", configuration)), lambda _: [])
    cycles = Measurement(Job("count", look, ("count", configuration)), lambda _: [count])
    monkeypatch.setattr(figures, "all_jobs", lambda: {x.job.name: [x] for x in (flow, cycles)})
    monkeypatch.setattr(figures, "_whole_keys", lambda *asked: ({}, []))
    names = "subject='ssmm_r2l', quantity={!r}, nbits=8, operation='decrypt'"
    cells = [f"{{{{ mcnay_2023.cell({names.format(x)}) }}}}" for x in ("cycles", "time_us")]
    guard = f"{{% if has({names.format('time_us')}) %}}{cells[1]}{{% endif %}}"
    (readme.TEMPLATES / "speed.md.j2").write_text(f"{cells[0]}, {guard}\n")
    write_csv(to_frame([count, time]), readme.FACTS)
    circuits = ("flow", figures.circuit_of(time)), ("count", figures.circuit_of(count))
    rows = {name: Measured("", WholeKey(), 0.0, (x,)) for name, x in circuits}
    FigureTable(rows).write(readme.FIGURES)
    return page


def test_a_figure_stays_where_nothing_that_enters_it_has_changed(counted):
    assert run("--only", "count") == 0
    assert counted.read_text() == "500, 1.000"


def test_figures_stay_together_where_one_cannot_be_derived_again(counted, capfd):
    """A page has no cycles of today beside a time of earlier ones, and does not lose the time."""
    facts = [replace(x, value=400.0 if x.quantity == "cycles" else 0.8) for x in readme.read_kept()]
    write_csv(to_frame(facts), readme.FACTS)
    assert run("--only", "count") == 1
    assert counted.read_text() == "400, 0.800"
    assert FigureTable.read(readme.FIGURES)["count"].cheap == ""
    assert "count: time_us of ssmm_r2l cannot be derived again" in capfd.readouterr().err


def test_what_new_figures_do_not_enter_is_kept():
    """The period decides whether the clock is met; cycles anew leave that as it is."""
    on = {"nbits": 8, "library": "freepdk-45nm", "clock_ns": 0.5, "stage": "synthesized"}
    met = Fact("ssmm_r2l", "meets_clock", 0, "derived", **on)
    time = Fact("ssmm_r2l", "time_us", 1, "derived", operation="decrypt", **on)
    cycles = Fact("ssmm_r2l", "cycles", 9, "measured", nbits=8, operation="decrypt")
    other = replace(cycles, subject="mm_r2l", quantity="min_period_ns")
    circuits = [figures.circuit_of(x) for x in (met, cycles)]
    rows = {x: Measured("", WholeKey(), 0, (x,)) for x in circuits}
    table = FigureTable(zip(("flow", "count"), rows.values(), strict=True))
    assert figures._merged([met, time], [cycles, other], table, ["count"]) == [cycles, other, met]


@pytest.mark.parametrize(
    ("changed", "same", "like"),
    [
        ({"netlist": ""}, True, True),
        ({"circuit": "other"}, True, True),
        ({"making": "other"}, True, True),
        ({"circuit": "other", "netlist": ""}, False, False),
        ({"making": "other", "netlist": ""}, False, True),
        ({"work": "other"}, False, False),
        ({"code": "other"}, False, True),
        ({"circuit": "other", "code": "other"}, False, True),
        ({"netlist": "other", "code": "other"}, False, False),
    ],
    ids=str,
)
def test_keys_of_the_same_netlist_and_keys_that_differ_in_code_only(changed, same, like):
    known = WholeKey("circuit", "making", "netlist", "work", "code")
    other = replace(known, **changed)
    assert (known.same(other), known.like(other)) == (same, like)
    assert not WholeKey().same(WholeKey())
    assert not WholeKey().like(WholeKey())


@pytest.mark.slow
def test_the_key_of_a_flow_has_the_netlist_once_it_is_made(here):
    job = outline("mm_r2l", 8, "freepdk-45nm").job
    before = figure_table.whole_key(job.function, job.arguments, print)
    job.function(*job.arguments, progress=print)
    after = figure_table.whole_key(job.function, job.arguments, print)
    assert not before.netlist
    assert after == replace(before, netlist=after.netlist)
    assert before.same(after)
    assert not before.same(figure_table.whole_key(job.function, (*job.arguments[:2], 2.0), print))
