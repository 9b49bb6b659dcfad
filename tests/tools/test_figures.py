"""Printed figures are those of today's circuits; others are told by a test, or by their pages."""

from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest

from rsaxcel.cli.main import guard
from rsaxcel.eval.facts.table import read_facts, to_frame, write_csv
from rsaxcel.eval.measure import cycles
from rsaxcel.eval.measure.collect import collect
from rsaxcel.eval.measure.flows import outline
from tools import figure_keys, figures, readme
from tools.figure_keys import WholeKey
from tools.figure_table import FigureTable


def test_printed_figures_are_not_older_than_circuits_and_flow():
    table = FigureTable.read(readme.FIGURES)
    assert figures.told(table, figures.all_jobs()) == [], (
        "figures of these pages are older than their circuits: `make figures ARGS=--check`, then "
        "`make figures`, renew them (docs/extending.md)"
    )


@pytest.fixture
def page(tmp_path, monkeypatch):
    """Page of a project with one figure, which is not measured yet."""
    for name, place in (
        ("ROOT", ""),
        ("PAGES", "docs"),
        ("TEMPLATES", "docs/templates"),
        ("FACTS", "docs/facts.csv"),
        ("FIGURES", "docs/figures.json"),
        ("README", "README.md"),
    ):
        monkeypatch.setattr(readme, name, tmp_path / place)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(readme, "draw", lambda facts: None)
    monkeypatch.setattr(readme, "printed", lambda: SimpleNamespace(facts=[]))
    readme.TEMPLATES.mkdir(parents=True)
    (readme.TEMPLATES / "speed.md.j2").write_text(
        "{{ outdated }}\n\n"
        "{{ mcnay_2023.cell('ssmm_r2l', 'cycles', nbits=8, operation='decrypt') }}\n"
    )
    write_csv(to_frame([]), readme.FACTS)
    measured = cycles.workload("ssmm_r2l", 8, "cl")
    monkeypatch.setattr(figures, "all_jobs", lambda: {measured.job.name: [measured]})
    here = partial(collect, work=lambda job, tell: job.function(*job.arguments, progress=tell))
    monkeypatch.setattr(figures, "collect", lambda *args, place, **more: here(*args, **more))
    return readme.PAGES / "speed.md"


def run(*arguments: str) -> int:
    return guard(figures.command, "figures", [*arguments])


def change(monkeypatch, file: str) -> None:
    """Change the digest of a file of the project."""
    digest, changed = figure_keys.code_digest, figure_keys._ROOT / file
    assert changed.exists()
    figure_keys._digest.cache_clear()
    monkeypatch.setattr(
        figure_keys, "code_digest", lambda files: digest(files) + "!" * (changed in files)
    )


def told() -> list[str]:
    return figures.told(FigureTable.read(readme.FIGURES), figures.all_jobs())


def falsify(value: float) -> None:
    """Change the kept figure, to see whether it is measured anew."""
    (fact,) = read_facts(readme.FACTS)
    write_csv(to_frame([replace(fact, value=value)]), readme.FACTS)


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
    change(monkeypatch, "cl/multipliers/ssmm.py")
    assert run("--check") == 0
    assert told() == ["docs/speed.md: ssmm_r2l"]
    assert run() == 0
    assert (told(), page.read_text()) == ([], text)


def test_what_is_not_measured_anew_is_marked_on_its_page(page, monkeypatch):
    monkeypatch.setattr(figures, "_whole_keys", lambda *asked: {})
    assert run("--new", "--only", "ssmm") == 0
    text = page.read_text()
    change(monkeypatch, "cl/multipliers/ssmm.py")
    assert run("--outdated", "measured on an abacus") == 0
    assert page.read_text() == (
        "Figures on this page that are older than their circuits or the flow:\n\n"
        f"- measured on an abacus: cycles all.\n\n{text}"
    )
    assert told() == []
    assert run() == 0
    assert page.read_text() == text


def test_a_figure_that_no_measurement_gives_is_told(page, monkeypatch):
    monkeypatch.setattr(figures, "_whole_keys", lambda *asked: {})
    assert run("--new", "--only", "ssmm") == 0
    FigureTable().write(readme.FIGURES)
    assert told() == ["docs/speed.md: ssmm_r2l"]


def test_a_netlist_of_another_source_is_the_same():
    known = WholeKey("source", "netlist", "rest")
    assert known.same(WholeKey("source", "", "rest"))
    assert known.same(WholeKey("other", "netlist", "rest"))
    assert not known.same(WholeKey("other", "", "rest"))
    assert not WholeKey("source", "", "rest").same(WholeKey("other", "", "rest"))
    assert not known.same(WholeKey("source", "netlist", "other"))
    assert not WholeKey().same(WholeKey())


@pytest.mark.slow
def test_the_key_of_a_flow_has_the_netlist_once_it_is_made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    job = outline("mm_r2l", 8, "freepdk-45nm").job
    before = figure_keys.whole_key(job.function, job.arguments, print)
    job.function(*job.arguments, progress=print)
    after = figure_keys.whole_key(job.function, job.arguments, print)
    assert not before.netlist
    assert after == replace(before, netlist=after.netlist)
    assert before.same(after)
    assert not before.same(figure_keys.whole_key(job.function, (*job.arguments[:2], 2.0), print))
