"""The stage placed with a fake physical tool: record, keys, search, interruption, failures."""

from __future__ import annotations

import json
import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from rsaxcel import catalog
from rsaxcel.flow.earlier import earlier_results
from rsaxcel.flow.errors import FlowError, NoRoom
from rsaxcel.flow.graph import path_of, path_to
from rsaxcel.flow.job import circuit_job, energy_job
from rsaxcel.flow.layout import (
    EMBEDDED,
    OPENROAD,
    OPENSTA,
    PHYSICAL_TOOLS,
    PLACED,
    ROUTED,
    SYNTHESIZED,
    Layout,
    stage_of,
)
from rsaxcel.flow.nodes.record import RecordNode
from rsaxcel.flow.nodes.steps import WiresNode
from rsaxcel.flow.nodes.synthesis import SynthesisNode
from rsaxcel.flow.physical.interface import STEPS
from rsaxcel.flow.record import Record, RecordError
from rsaxcel.flow.run import RECORD, UTILISATIONS, run, run_flow
from rsaxcel.flow.runner import walk
from rsaxcel.flow.tools import TOOLS
from rsaxcel.store.errors import SetupError
from tests.flow.fake_tool import FakeTool, fake
from tests.flow.small_flow import flow, result, running
from tests.shared.harness import built_once

pytestmark = built_once("flow", 8)

EXPONENTS = {"encrypt": 17}
UTILISATION = 0.6

_SETUP = """
from rsaxcel.flow.layout import EMBEDDED, Layout
from rsaxcel.flow.tools import TOOLS
from tests.flow.fake_tool import FakeTool
TOOLS[EMBEDDED] = FakeTool
"""


def placed(directory: Path, **choices: Any) -> tuple[dict[str, Any], list[str]]:
    """Place the small design; give its record as JSON and the lines of progress."""
    layout = Layout(PLACED, **{"utilisation": UTILISATION, **choices})
    return flow(directory, operations=EXPONENTS, layout=layout)


def start(directory: Path, utilisation: float = UTILISATION):
    """Start ``placed`` as a process group of its own."""
    layout = f"Layout({str(PLACED)!r}, utilisation={utilisation})"
    return running(directory, _SETUP, f"operations={EXPONENTS}, layout={layout}")


NODES = [node.name for node in path_of(PLACED)]
CONFIGURATION = catalog.get("mulrem_r2l").configure(8)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished run: its folder, its record, and the lines of progress."""
    with pytest.MonkeyPatch.context() as patch:
        fake(patch)
        directory = tmp_path_factory.mktemp("placed")
        return directory, *placed(directory)


@pytest.fixture
def tool(monkeypatch) -> type[FakeTool]:
    return fake(monkeypatch)


def spoil(monkeypatch, name: str, change, mark: str) -> None:
    """Change a file after the fake tool has written it; ``change`` gets and returns its text."""
    run = FakeTool.run

    def spoiled(self, step, task, before, folder, work):
        figures = run(self, step, task, before, folder, work)
        if step == "wires":
            (folder / name).write_text(change((folder / name).read_text()))
        return figures

    monkeypatch.setattr(FakeTool, "run", spoiled)
    monkeypatch.setattr(FakeTool, "version", lambda self: mark)


def test_the_record_tells_stage_core_and_layout(finished):
    directory, record, lines = finished
    assert lines == NODES
    assert record["stage"] == PLACED
    assert record["utilisation"] == 0.6
    assert record["core_area_um2"] == pytest.approx(record["area_um2"] / 0.6)
    assert record["tools"][EMBEDDED] == FakeTool().version()
    physical = record["physical"]
    assert (physical["tool"], physical["seed"], physical["overflow"]) == (EMBEDDED, 1, 0)
    assert physical["hold_slack_ns"] > 0
    assert physical["skew_ns"] > 0
    assert physical["clock_area_um2"] > 5
    assert any("one corner" in note for note in record["notes"])
    assert Record.from_json(record).as_json() == record
    assert json.loads((result(directory, "placed-record") / "placed-record.json").read_text())
    assert [x.result.as_json() for x in earlier_results(directory, directory / "none")] == [record]


def test_a_placed_circuit_has_its_clock_buffer_its_wires_and_its_skew(finished, tool):
    directory, record, _ = finished
    bare = run_flow(CONFIGURATION, operations=EXPONENTS, directory=directory).as_json()
    assert bare["stage"] == SYNTHESIZED
    assert "physical" not in bare
    assert record["cell_count"] == bare["cell_count"] + 1
    assert record["flip_flop_count"] == bare["flip_flop_count"]
    assert record["min_period_ns"] > bare["min_period_ns"]
    parts, bare_parts = (x["operations"]["encrypt"]["energy_parts_nj"] for x in (record, bare))
    assert parts["clock"] > bare_parts["clock"]
    assert record["cycles"] == bare["cycles"]


def test_a_second_run_reuses_the_record(finished, tool):
    directory, record, _ = finished
    again, lines = placed(directory)
    assert again == record
    assert lines == ["record of an earlier run"]
    assert not tool.called
    layout = Layout(PLACED, utilisation=0.6)
    found = stored(directory, layout)
    assert found is not None
    assert found.as_json() == record


def stored(directory, layout):
    asked = energy_job(CONFIGURATION, operations=EXPONENTS, layout=layout, directory=directory)
    return run(asked, RECORD, lookup=True)


def keys(directory, nodes, stage=PLACED, **asked) -> list[str]:
    job = circuit_job(
        CONFIGURATION, directory=directory, exponents=EXPONENTS, layout=Layout(PLACED, **asked)
    )
    job.__dict__["stage"] = stage  # the fake tool in the embedded one's place also routes
    return [x.key for x, _ in walk(job, nodes)]


@pytest.mark.parametrize(
    ("choice", "first"),
    [
        ({"seed": 2}, "floorplan"),
        ({"utilisation": 0.5}, "floorplan"),
        ({"derate": 0.01}, "floorplan"),
        ({"stage": ROUTED}, "wires"),
    ],
)
def test_choices_for_placement_renew_only_what_depends_on_them(finished, tool, choice, first):
    directory, *_ = finished
    usual = {"utilisation": 0.6}
    for node in (SynthesisNode, RecordNode):
        path = path_to(node)
        assert keys(directory, path, **usual | choice) == keys(directory, path, **usual)
    before, after = (keys(directory, path_of(PLACED), **x) for x in (usual, usual | choice))
    changed = [name for name, *both in zip(NODES, before, after, strict=False) if len({*both}) > 1]
    assert changed == [first]  # the first result that is missing ends the keys


def test_another_version_of_the_tool_renews_placement(finished, tool, monkeypatch):
    directory, *_ = finished
    asked = {"utilisation": 0.6}
    before = keys(directory, path_to(WiresNode), **asked)
    monkeypatch.setattr(tool, "version", lambda self: "2")
    after = keys(directory, path_to(WiresNode), **asked)
    assert before[:2] == after[:2]
    assert before[2] != after[2]


def test_the_search_takes_the_smallest_core_without_overflow(finished, tool):
    directory, *_ = finished
    record, lines = placed(directory, utilisation=0)
    assert record["utilisation"] == 0.66
    assert "place at utilisation 0.62" in lines
    tried = [x for step, x in tool.called if step == "wires"]
    assert tried == [0.7, 0.68, 0.66]
    assert max(x for step, x in tool.called if step == "place") == 0.72
    tool.called.clear()
    assert placed(directory, utilisation=0)[0] == record
    assert placed(directory, utilisation=0.66)[0] == record
    assert not tool.called
    found = stored(directory, Layout(PLACED))
    assert found is not None
    assert found.as_json() == record
    assert stored(directory, Layout(PLACED, seed=5)) is None


def test_a_search_without_success_names_the_node_and_the_overflow(finished, tool, monkeypatch):
    monkeypatch.setattr(tool, "room_at_place", 0.2)
    monkeypatch.setattr(tool, "room", 0.2)
    monkeypatch.setattr(tool, "version", lambda self: "without room")
    directory, *_ = finished
    with pytest.raises(NoRoom, match=r"^wires of mulrem_r2l_8-\w+: overflow: 250 tracks"):
        placed(directory, utilisation=0)
    assert tool.called[-1] == ("wires", UTILISATIONS[-1])


def test_a_core_that_is_too_small_fails_by_name(finished, tool):
    directory, *_ = finished
    told = r"^wires of .*overflow: 140 tracks are lacking at a utilisation of 0.8"
    with pytest.raises(NoRoom, match=told) as caught:
        placed(directory, utilisation=0.8)
    assert set(caught.value.files) == {"placed.def", "capacity.npz"}
    assert all(path.is_file() for path in caught.value.files.values())


@pytest.mark.slow
def test_a_run_that_is_killed_in_any_node_ends_with_the_same_record(finished, tmp_path):
    _, record, _ = finished
    for name in NODES:
        with start(tmp_path) as victim:
            for line in victim.stdout:
                if line.strip() == name:
                    os.killpg(victim.pid, signal.SIGKILL)
                    break
    with start(tmp_path) as last:
        lines = last.communicate(timeout=300)[0].splitlines()
    assert last.returncode == 0
    assert json.loads(lines[-1]) == record


@pytest.mark.slow
def test_a_killed_search_goes_on_where_it_was(finished, tmp_path):
    with start(tmp_path, 0) as victim:
        for line in victim.stdout:
            if line.startswith("repair at"):
                os.killpg(victim.pid, signal.SIGKILL)
                break
    with start(tmp_path, 0) as last:
        lines = last.communicate(timeout=300)[0].splitlines()
    assert not [line for line in lines if line.startswith("place at")]
    assert json.loads(lines[-1])["utilisation"] == 0.66


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        (
            "clock.json",
            lambda text: text.replace('"mean_latency_ns": 0.1', '"mean_latency_ns": -0.5'),
            r"placed-timing of .*: hold time of \S+ is not kept: \d+\.\d ps are lacking",
        ),
        (
            "placed.spef",
            lambda text: text[: text.rindex("*D_NET")],
            r"placed-timing of .*: placed\.spef: 1 nets have no wires, the first is ",
        ),
        (
            "placed.spef",
            lambda text: text.replace("*CAP", "", 1),
            r"placed-timing of .*placed\.spef: net .*no capacitances",
        ),
        (
            "placed.spef",
            lambda text: text.replace("*I core", "*I nowhere", 1),
            r"placed-timing of .*: wires that OpenSTA does not use: ",
        ),
        (
            "placed.json",
            lambda text: text.replace('"CLKBUF_X3"', '"NO_SUCH_CELL"'),
            r"placed-timing of .*cell clk_buffer has type NO_SUCH_CELL",
        ),
    ],
)
def test_a_layout_with_a_fault_fails_by_the_name_of_the_node(
    finished, tool, monkeypatch, name, change, told
):
    directory, *_ = finished
    spoil(monkeypatch, name, change, told)
    with pytest.raises(FlowError, match=f"^{told}"):
        placed(directory, seed=7, timer=OPENSTA if "OpenSTA" in told else "")


def test_a_tool_that_forgets_a_file_or_a_figure_is_refused(finished, tool, monkeypatch):
    directory, *_ = finished
    run = FakeTool.run

    def forgetful(self, step, task, before, folder, work):
        figures = run(self, step, task, before, folder, work)
        if task.seed == 8 and step == "place":
            (folder / "place.db").unlink()
        return {} if step == "wires" else figures

    monkeypatch.setattr(tool, "run", forgetful)
    with pytest.raises(FlowError, match=r"^place of .*: embedded wrote no place\.db in step place"):
        placed(directory, seed=8)
    with pytest.raises(FlowError, match=r"^wires of .*: the physical tool gave no core_area_um2, "):
        placed(directory, seed=9)


def test_a_missing_tool_is_named_before_anything_runs(tmp_path, monkeypatch):
    def missing(self):
        raise SetupError("openroad is missing; put it on PATH")

    monkeypatch.setitem(TOOLS, OPENROAD, FakeTool)
    monkeypatch.setattr(FakeTool, "version", missing)
    with pytest.raises(SetupError, match=r"^openroad is missing"):
        placed(tmp_path, physical=OPENROAD)
    assert not list(tmp_path.iterdir())


def test_every_tool_is_known_by_name():
    assert tuple(TOOLS) == PHYSICAL_TOOLS
    assert STEPS == tuple(NODES[2:8])


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        ({"stage": "drawn"}, "^stage=drawn: synthesized, placed, routed are allowed"),
        ({"stage": ROUTED}, "^stage=routed: only physical=openroad routes"),
        ({"physical": "magic"}, "^physical=magic: embedded, openroad are allowed"),
        ({"utilisation": 1.2}, r"^utilisation=1\.2: 0\.1 to 0\.95 are allowed, or 0 for a search"),
        ({"utilisation": float("nan")}, "^utilisation=nan"),
        ({"seed": -1}, "^seed=-1"),
        ({"uncertainty_ns": float("inf")}, "^uncertainty_ns=inf"),
        ({"derate": 1.0}, "^derate=1"),
    ],
)
def test_choices_that_are_not_allowed_are_refused(choices, told):
    with pytest.raises(ValueError, match=told):
        Layout(**choices)


def test_without_places_a_job_does_not_depend_on_choices_for_placement():
    assert Layout(seed=3, utilisation=0.5).as_fields() == Layout().as_fields()
    assert str(Layout(timer=OPENSTA)) == "synthesized"
    assert str(Layout(timer=EMBEDDED)) == "synthesized, timed by rsaxcel"
    plain = "placed by embedded, smallest core, placement seed 2"
    assert str(Layout(PLACED, seed=2, timer=OPENSTA)) == plain
    assert str(Layout(PLACED, seed=2, timer=EMBEDDED)) == f"{plain}, timed by rsaxcel"
    assert "utilisation 0.5" in str(Layout(PLACED, utilisation=0.5, derate=0.1))
    assert "derate 0.1" in str(Layout(PLACED, utilisation=0.5, derate=0.1))


def test_a_placed_circuit_needs_no_opensta(tool, tmp_path, monkeypatch):
    found = shutil.which
    monkeypatch.setattr(
        shutil, "which", lambda x, *a, **k: None if x == "sta" else found(x, *a, **k)
    )
    record, _ = placed(tmp_path)
    assert "opensta" not in record["tools"]
    assert record["tools"]["embedded timer"]
    assert record["physical"]["hold_slack_ns"] >= 0
    assert record["operations"]["encrypt"]["energy_nj"] > 0


def test_a_record_of_an_earlier_version_is_read(finished):
    _, record, _ = finished
    gone = {"core_area_um2", "utilisation", "physical"}
    earlier = {k: v for k, v in record.items() if k not in gone}
    earlier |= {"version": 2, "stage": "synthesis"}
    read = Record.from_json(earlier)
    assert (read.stage, read.core_area_um2) == (SYNTHESIZED, None)
    assert stage_of(ROUTED) == ROUTED
    del earlier["stage"]
    with pytest.raises(RecordError, match="lacks stage"):
        Record.from_json(earlier)
