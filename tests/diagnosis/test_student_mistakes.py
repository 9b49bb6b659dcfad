"""Messages on mistakes in a circuit: file, line, statement and the allowed alternative."""

import json
import re
import shlex
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from textwrap import indent

import pytest

from rsaxcel import catalog
from rsaxcel.catalog.multipliers import MULTIPLIERS
from rsaxcel.catalog.registry import _load
from rsaxcel.diagnosis.check import check_circuit
from rsaxcel.diagnosis.constructs import blocks_of
from rsaxcel.diagnosis.error import DesignError
from rsaxcel.diagnosis.explain import diagnose
from tests.shared.planted import plant as plant_in
from tests.shared.processes import run_python
from tests.shared.tables import tables

ROOT = Path(__file__).parents[2]
NUMBERS = count(1)
SIM = ["--nbits", 8, "--random", 5]
PYMTL = [*SIM, "--engine", "pymtl"]
#: What PyMTL3's parser would refuse, what it refuses while it elaborates, and what it does not see.
ON_BOTH_ENGINES = ("untranslatable", "elaboration", "checked")
WRONG_RESULT = ("s.doubled + zext(s.a_reg, Sum)", "s.doubled + zext(s.b_reg, Sum)")
WRONG_CYCLES = ("SerialControl(nbits, finish_cycles=0)", "SerialControl(nbits, finish_cycles=1)")

ADDED = "            s.product @= s.added\n"
FF = "        @update_ff\n        def seq_operands():\n"
COMPONENT = '''

class {name}(Component):
    """Has an output that follows from its input."""

    def construct(s{parameter}):
        s.i = InPort({width})
        s.o = OutPort({out})

        @update
        def comb_o():
            s.o @= {value}
'''
COMPONENTS = {
    "": "",
    "Not": COMPONENT.format(name="Not", parameter="", width=1, out=1, value="~s.i"),
    "Pass": COMPONENT.format(name="Pass", parameter=", nbits", width="nbits", out=8, value="s.i"),
}


@dataclass(frozen=True)
class Mistake:
    """Mistake in a multiplier as ``rsaxcel new`` writes it."""

    old: str  #: text of the circuit
    new: str  #: its replacement
    told: tuple[str, ...]  #: parts of the message's first line, after file and line number
    allowed: str  #: part of the message's last line
    shown: str  #: part of the reported statement
    part: str  #: text of a component to put before the circuit


def _mistake(told, allowed, at="", old="", new="", component="", **planted) -> Mistake:
    told = [told] if isinstance(told, str) else told
    match planted:
        case {"product": value}:
            old, new = ADDED, f"            s.product @= {value}\n"
        case {"before": statements}:
            old, new = ADDED, indent(f"{statements.rstrip()}\n", 12 * " ") + ADDED
        case {"add": lines}:
            old, new = FF, indent(f"{lines.rstrip()}\n\n", 8 * " ") + FF
    if old == ADDED and planted:
        told = [*told, "comb_add"]
    shown = at or new.strip().splitlines()[0].strip()
    return Mistake(old, new, tuple(told), allowed, shown, COMPONENTS[component])


MISTAKES = {
    kind: {name: _mistake(**found) for name, found in all_of.items()}
    for kind, all_of in tables(__file__).items()
}


@pytest.fixture
def plant(rsaxcel, here, monkeypatch):
    """Write a multiplier with a mistake in its circuit, and register it without checks."""

    def written(old: str, new: str, part: str = "", component: str = "s") -> tuple[str, Path]:
        name = f"student{next(NUMBERS)}"
        assert rsaxcel("new", "multiplier", name).status == 0
        circuit = here / name / f"{name}_rtl.py"
        text = circuit.read_text()
        assert text.count(old) == 1
        text = text.replace(old, new).replace("\n\n\nclass ", f"{part}\n\n\nclass ", 1)
        if part:
            text = text.replace("import Component,", "import Component, InPort, OutPort,")
        text = re.sub(r"\bs(?=\.\w|, nbits)", component, text)
        circuit.write_text(text)
        for design in _load(here / name):
            monkeypatch.setitem(catalog.DESIGNS, design.name, design)
            monkeypatch.setitem(MULTIPLIERS, name, design.multiplier)
        return name, circuit

    return written


def assert_told(finished, circuit: Path, mistake: Mistake) -> None:
    assert finished.status == 2
    assert finished.out == ""
    first, statement, allowed = finished.err.splitlines()
    lines = circuit.read_text().splitlines()
    number = 1 + max(i for i, line in enumerate(lines) if mistake.shown in line)
    start = f"rsaxcel: error: {circuit.parent.name}/{circuit.name}:{number}: "
    assert first.startswith(start)
    for part in mistake.told:
        assert part in first.removeprefix(start)
    assert statement == f"  {lines[number - 1].strip()}"
    assert allowed.startswith("  allowed: ")
    assert mistake.allowed in allowed


def planted(*kinds: str):
    named = {f"{kind}: {name}": x for kind in kinds for name, x in MISTAKES[kind].items()}
    return pytest.mark.parametrize("mistake", named.values(), ids=named)


@pytest.mark.parametrize("engine", ["native", "pymtl"])
@planted(*ON_BOTH_ENGINES)
def test_statement_is_told(rsaxcel, plant, mistake, engine):
    """Both engines report the same statement, before anything is compiled."""
    name, circuit = plant(mistake.old, mistake.new)
    assert_told(rsaxcel("sim", name, *SIM, "--engine", engine), circuit, mistake)


@planted(*(x for x in MISTAKES if x not in ON_BOTH_ENGINES))
def test_kinds_of_mistakes_are_told(rsaxcel, plant, mistake):
    name, circuit = plant(mistake.old, mistake.new, mistake.part)
    assert_told(rsaxcel("sim", name, *SIM), circuit, mistake)


@pytest.mark.parametrize("component", ["self", "this"])
def test_component_of_another_name(rsaxcel, plant, component):
    """In update blocks, PyMTL3 knows the component as ``s`` only."""
    name, circuit = plant(ADDED, ADDED, component=component)
    told, statement, allowed = rsaxcel("sim", name, *SIM).err.splitlines()
    assert f"{circuit.name}:60: the component is named {component} (" in told
    assert statement == f"  {component}.added @= {component}.doubled"
    assert "def construct(s, ...)" in allowed


@pytest.mark.parametrize("command", ["flow", "fpga", "fault", "verilog"])
@pytest.mark.parametrize("kind", ["latch", "loop", "no-rdy"])
def test_commands_refuse_what_no_tool_would_tell(rsaxcel, plant, command, kind):
    mistake = MISTAKES["checked"][kind]
    name, circuit = plant(mistake.old, mistake.new)
    finished = rsaxcel(command, f"{name}_r2l", "--nbits", 8)
    assert_told(finished, circuit, mistake)


@pytest.mark.parametrize(
    ("change", "told"), [(WRONG_RESULT, "result "), (WRONG_CYCLES, "cycles 10, ")]
)
def test_mismatch_is_told_with_the_command_that_runs_it_again(rsaxcel, plant, change, told):
    name, _ = plant(*change)
    finished = rsaxcel("sim", name, *PYMTL)
    assert finished.status == 1
    first, second, more, again = finished.err.splitlines()
    assert first.startswith("rsaxcel: mismatch: random, seed 0:1: " + told)
    assert second.startswith("rsaxcel: mismatch: random, seed 0:2: " + told)
    assert more.startswith("rsaxcel: mismatch: ")
    vector = json.loads(first[first.index("{") :])
    start = f"rsaxcel: the first one again: echo '{json.dumps(vector)}' | rsaxcel sim "
    assert again == f"{start}{name} --nbits 8 --level rtl --engine pymtl --vectors - --trace"
    file = Path("again.jsonl")
    file.write_text(json.dumps(vector))
    options = shlex.split(again.partition(" | rsaxcel ")[2])
    repeated = rsaxcel(*(file if x == "-" else x for x in options))
    assert repeated.status == 1
    assert repeated.err.startswith(f"rsaxcel: mismatch: {file}:1: {told}")


def test_traceback_is_shown_where_it_is_asked_for(rsaxcel, plant):
    mistake = MISTAKES["elaboration"]["two-connections"]
    name, _ = plant(mistake.old, mistake.new)
    plain = rsaxcel("sim", name, *PYMTL)
    finished = rsaxcel("--debug", "sim", name, *PYMTL)
    assert finished.status == 2
    assert finished.err.startswith("Traceback (most recent call last):\n")
    assert "MultiWriterError" in finished.err
    assert finished.err.endswith(plain.err)


LOADING = {
    "field": ("rtl", "s.recv.msg.a", "s.recv.msg.x", "s.recv.msg has no x", "the fields a, b, m"),
    "syntax": ("rtl", "def comb_add():", "def comb_add()", "SyntaxError", "valid Python"),
    "entry": ("", "_fl.Student", "_fl.Nothing", "has no attribute 'Nothing'", "names Multiplier"),
    "import": ("rtl", "import SerialControl", "import Control", "'Control'", "SerialControl"),
    "call": ("fl", "b: int, modulus: int", "b: int", "product of Student: ", "a, b, modulus"),
    "durations": ("cl", "(serial_cycles(self._nbits, finish_cycles=0),)", "9", "gives 9", "(9,)"),
}
"""File, old text, new text, part of the message, part of the allowed alternative."""


@pytest.mark.parametrize("kind", LOADING)
def test_design_from_outside(rsaxcel, here, kind):
    """Every command reports a mistake of an outside design, which is tried out when loaded."""
    rsaxcel("new", "multiplier", "student")
    part, old, new, told, is_allowed = LOADING[kind]
    file = Path("student", f"student_{part}.py" if part else "__init__.py")
    plant_in(file, (old, new), once=True)
    done = run_python("-m", "rsaxcel", "list", RSAXCEL_DESIGNS=str(here / "student"))
    assert (done.returncode, done.stdout) == (2, "")
    first, statement, allowed = done.stderr.splitlines()
    assert first.startswith(f"rsaxcel: error: {file}:")
    assert told in first
    number = int(first.split(":")[3])
    assert statement == f"  {file.read_text().splitlines()[number - 1].strip()}"
    assert is_allowed in allowed


def test_error_that_is_its_own_cause():
    error = DesignError("wrong", "right")
    error.__cause__ = error
    assert diagnose(error) is error


# As the designs with one multiplier, but for the second one.
@pytest.mark.slow_cases("mont_r2l", "cm_pm_r2l", "cm_r2l", "crt_window")
@pytest.mark.parametrize("name", catalog.DESIGNS)
def test_designs_of_the_registry_have_no_mistake(name):
    component = catalog.get(name).default.component("rtl")
    component.elaborate()
    assert len(list(blocks_of(component))) > 3
    check_circuit(component)


def test_models_of_cycles_are_no_circuits():
    component = catalog.get("mulrem_r2l").default.component("cl")
    component.elaborate()
    with pytest.raises(DesignError, match="can't be part of a circuit"):
        check_circuit(component)
