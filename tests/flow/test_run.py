"""The whole flow on a small design: its record, reuse, interruption, rivals and failures."""

import json
import os
import shutil
import signal
from functools import partial

import pytest

from rsaxcel import catalog
from rsaxcel.flow.code import code_of
from rsaxcel.flow.graph import path_to
from rsaxcel.flow.layout import OPENSTA, PLACED, Layout, usual_timer
from rsaxcel.flow.libraries import LIBRARIES
from rsaxcel.flow.nodes import node as node_module
from rsaxcel.flow.nodes.record import RecordNode
from rsaxcel.flow.paths import WORK
from rsaxcel.flow.record import Record
from rsaxcel.flow.requests import default_exponents, describe_workload, operations, usual_exponents
from rsaxcel.flow.run import run_flow
from rsaxcel.flow.runner import make_result
from rsaxcel.flow.tools import find_timer
from rsaxcel.sim.native.toolchain import find_toolchain
from rsaxcel.store.errors import SetupError
from tests.flow.small_flow import EXPONENTS, flow, outputs, result, running
from tests.shared.harness import built_once

pytestmark = built_once("flow", 8)

NODES = [node.name for node in path_to(RecordNode)]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    directory = tmp_path_factory.mktemp("flow")
    return directory, *flow(directory)


def test_the_record_says_what_was_measured_and_how(finished):
    directory, record, lines = finished
    assert lines == NODES
    assert record["design"] == "mulrem_r2l"
    assert record["nbits"] == 8
    params = {"bits_per_cycle": 1, "divider": "preloaded", "operands": "direct"}
    assert record["params"] == params
    assert record["library"] == "freepdk-45nm"
    assert record["corner"] == "typical, 1.10 V, 25 C"
    assert record["stage"] == "synthesized"
    assert record["clock_ns"] == 3.0
    assert set(record["tools"]) >= {"pymtl3", "yosys", find_timer(usual_timer()).name}
    assert "energy counts glitches" in record["glitches"]
    folder = result(directory, "record")
    assert folder.name == f"record-mulrem_r2l_8-{record['hash']}"
    assert json.loads((folder / "record.json").read_text()) == record
    assert Record.from_json(record).as_json() == record


def test_figures_of_the_record_fit_together(finished):
    _, record, _ = finished
    assert record["min_period_ns"] == pytest.approx(3.0 - record["slack_ns"], abs=1e-5)
    assert record["power_period_ns"] == max(3.0, record["min_period_ns"])
    assert 0.9 * record["min_period_ns"] < record["critical_path"]["delay_ns"]
    assert 0 < sum(v for k, v in record["area_by_module"].items() if "." not in k)
    for name, exponent in EXPONENTS.items():
        operation = record["operations"][name]
        assert operation["exponent"] == exponent
        assert operation["operations"] >= 10
        parts = [operation[f"{part}_mw"] for part in ("switching", "internal", "clock", "leakage")]
        assert min(parts) > 0
        assert operation["power_mw"] == pytest.approx(sum(parts))
        time_ns = operation["cycles_counted"] / operation["operations"] * record["power_period_ns"]
        assert operation["energy_nj"] == pytest.approx(operation["power_mw"] * time_ns * 1e-3)
    encrypt, decrypt = (record["operations"][name] for name in EXPONENTS)
    for key in ("cycles", "power_mw", "energy_nj"):
        assert record[key] == encrypt[key]
    assert decrypt["cycles"] > encrypt["cycles"]
    assert decrypt["energy_nj"] > encrypt["energy_nj"]


def test_what_glitches_take_has_a_beginning(finished):
    _, record, _ = finished
    for operation in record["operations"].values():
        more_nj = operation["energy_nj"] - operation["energy_lower_nj"]
        assert more_nj > 0
        for found in (*operation["glitch_chains"], *operation["glitch_modules"]):
            assert found["energy_nj"] == pytest.approx(found["share"] * more_nj, rel=1e-4)
            assert found["module"] in operation["by_module"]
        worst = operation["glitch_chains"][0]
        assert worst["gates"] >= operation["glitch_depth"] > 1
        assert worst["source"].rpartition(".")[0] in operation["by_module"]


def test_cycles_follow_the_structure_of_the_design(finished):
    _, record, _ = finished
    # Each exponent bit takes one pass of a divider of 8 cycles, and its handshakes.
    per_bit = (record["operations"]["decrypt"]["cycles"] - record["cycles"]) / (8 - 5)
    assert 8 <= per_bit <= 11


def test_a_second_run_reuses_the_record(finished):
    directory, record, _ = finished
    before = outputs(directory)
    again, lines = flow(directory)
    assert again == record
    assert not set(lines) & set(NODES)
    assert outputs(directory) == before


def test_a_stored_record_needs_no_compiler_and_one_key_of_each_node(finished, monkeypatch):
    directory, record, _ = finished
    find, asked = shutil.which, []
    monkeypatch.setattr(
        shutil, "which", lambda x, *a, **k: None if x == "g++" else find(x, *a, **k)
    )
    monkeypatch.setattr("rsaxcel.store.installing.find_spec", lambda name: None)
    monkeypatch.setattr(
        node_module, "code_of", lambda node: asked.append(node.name) or code_of(node)
    )
    find_toolchain.cache_clear()
    assert flow(directory)[0] == record
    find_toolchain.cache_clear()
    assert asked == NODES


def test_what_is_asked_decides_the_nodes_that_run(finished, monkeypatch):
    directory, *_ = finished

    for options, first in (
        ({"clock_ns": 2.0}, "synthesis"),
        ({"operations": {"encrypt": 3}}, "gate-simulation"),
        ({"operations": None}, "gate-simulation"),
    ):
        lines: list[str] = []

        def note(*_, made, lines=lines):
            if lines:
                raise KeyboardInterrupt
            return made(*_)

        monkeypatch.setattr("rsaxcel.flow.runner.make_result", partial(note, made=make_result))
        with pytest.raises(KeyboardInterrupt):
            run_flow(
                catalog.get("mulrem_r2l").configure(8),
                **{"operations": EXPONENTS, **options},
                directory=directory,
                progress=lines.append,
            )
        assert lines[0] == first
        assert len(lines) == 1


def test_a_killed_run_goes_on_where_it_was_and_rivals_wait(finished, tmp_path, monkeypatch):
    """A killed run is resumed, and a rival run waits, in a folder with an unsafe path."""
    _, record, _ = finished
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    directory = tmp_path / 'Entwürfe; die "ersten"'
    with running(directory) as victim:
        for line in victim.stdout:
            if line.strip() == "gate-simulation":
                os.killpg(victim.pid, signal.SIGKILL)
    work = directory / WORK
    assert not list(work.glob("stages/record-*/record.json"))
    before = {k: v for k, v in outputs(work).items() if "synthesis" in k}
    assert len(before) == 1

    with running(directory) as one, running(directory) as other:
        said = [rival.communicate(timeout=300)[0].splitlines() for rival in (one, other)]
    assert [one.returncode, other.returncode] == [0, 0]
    assert sum("waiting for another run of the same configuration" in x for x in said) == 1
    assert outputs(work).items() >= before.items()
    assert [json.loads(lines[-1]) for lines in said] == [record, record]


@pytest.mark.parametrize(
    ("tool", "layout", "message"),
    [
        (
            "sta",
            Layout(PLACED, timer=OPENSTA),
            r"OpenSTA \(sta\) is missing; install it with: .*apt-get install opensta",
        ),
        ("g++", Layout(), r"g\+\+ is missing; install it with"),
    ],
)
def test_a_missing_tool_is_named_before_anything_runs(tmp_path, monkeypatch, tool, layout, message):
    found = shutil.which
    monkeypatch.setattr(
        shutil, "which", lambda x, *a, **k: None if x == tool else found(x, *a, **k)
    )
    monkeypatch.setattr(
        "rsaxcel.store.installing.find_spec", lambda name: None
    )  # no ziglang, either
    find_toolchain.cache_clear()
    with pytest.raises(SetupError, match=message):
        flow(tmp_path, layout=layout)
    find_toolchain.cache_clear()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"library": "tsmc-3nm"}, f"library=tsmc-3nm: .*; {', '.join(LIBRARIES)} are allowed"),
        ({"clock_ns": 0.0}, "clock_ns=0.0: 0.01 to 1000 ns"),
        ({"clock_ns": float("nan")}, "clock_ns=nan: 0.01 to 1000 ns"),
        ({"operations": {}}, "at least one"),
        (
            {"operations": {"encrypt": 256}},
            "encrypt=256: exponents of 0 to 8 bits are allowed; take nbits=9 or more, or a "
            "schedule with exponent_nbits=9; without operations, e is 17 at 8 bits",
        ),
        ({"operations": {"encrypt": -1}}, "encrypt=-1: exponents of 0 to 8 bits are allowed$"),
        ({"operations": {"a b": 3}}, "'a b' must be letters"),
    ],
)
def test_bad_input_is_refused_at_once(tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        flow(tmp_path, **options)
    assert not list(tmp_path.iterdir())


def test_exponents_that_the_design_does_not_take_are_refused_at_once(tmp_path):
    configuration = catalog.get("systolic_l2r_always").configure(8, k=4, exponent_nbits=2)
    with pytest.raises(ValueError, match="exponents of 0 to 2 bits"):
        run_flow(configuration, directory=tmp_path)
    assert not list(tmp_path.iterdir())


def test_an_exponent_that_is_counted_down_decides_which_operations_are_measured(tmp_path):
    """At 32 bits, 8 bits hold neither exponent of the key, and 17 bits hold 65537 alone."""
    design = catalog.get("ssmm_r2l")
    with pytest.raises(ValueError, match=r"^operations: encrypt=65537: .* exponent_nbits=17$"):
        run_flow(design.configure(32, schedule="repeated"), directory=tmp_path)
    assert not list(tmp_path.iterdir())
    taken = usual_exponents(32, design.configure(32, schedule="repeated").exponent_nbits)
    assert taken == default_exponents(32)
    assert usual_exponents(32, 17) == {"encrypt": 65537}
    assert usual_exponents(32, 30) == default_exponents(32)
    assert "as asked" not in describe_workload(32, usual_exponents(32, 17))
    assert "as asked" in describe_workload(32, {"encrypt": 17})


def test_operations_are_exponentiations_with_the_standard_key():
    configuration = catalog.get("mont_r2l").configure(16)
    for exponent in default_exponents(16).values():
        found = operations(configuration, exponent, 12)
        assert len({o.operands[0] for o in found}) == 12
        for o in found:
            assert o.operands[2].bit_length() == 16
            assert o.response == (pow(*o.operands), 0)
    bases = [o.operands[0] for o in operations(configuration, 5, 3)]
    assert bases == [o.operands[0] for o in operations(configuration, 5, 12)][:3]
