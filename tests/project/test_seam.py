"""What measures circuits takes any circuit: twenty lines of Verilog, made known by its name."""

import ast
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from rsaxcel import catalog
from rsaxcel.catalog.registry import GIVEN, PROBLEMS, VARIABLE, register_given, register_outside
from rsaxcel.diagnosis.check import check_component
from rsaxcel.eval.facts.points import _find
from rsaxcel.flow.run import run_flow
from rsaxcel.flow.subjects import find_target, subject_of
from rsaxcel.lab.leakage.timing import time_test
from rsaxcel.plan.domains import DOMAINS
from rsaxcel.plan.schedules import SCHEDULES
from rsaxcel.sim.runners import cycles_of, cycles_or, translation
from tests.shared.tables import each_row
from tests.shared.verilog_core import (
    ENTRY,
    MONT_ENTRY,
    MONT_NAME,
    NAME,
    PRODUCT,
    PRODUCT_ENTRY,
    PRODUCT_TEXT,
    TEXT,
)


@pytest.fixture(autouse=True)
def _known():
    register_given(ENTRY)
    register_given(PRODUCT_ENTRY)
    register_given(MONT_ENTRY)
    yield
    del GIVEN[NAME], GIVEN[MONT_NAME]
    GIVEN.pop(PRODUCT, None)


def test_the_host_sends_the_constants_that_it_declares(run):
    for level in ("fl", "rtl"):
        told = run("sim", MONT_NAME, "--nbits", 8, "--level", level, "--random", 200)
        assert "mismatches   0" in told
    assert "host gives   R^2 mod m" in run("list", MONT_NAME)


def test_cycles_are_compared_with_what_the_author_declares():
    """tiny_power takes a cycle for each bit of the exponent, tiny_mont always the same."""
    honest, wrong = MONT_ENTRY.configure(8), replace(ENTRY, exponent_dependent=False).configure(8)
    for circuit, operand in ((honest, "exponent"), (honest, "base"), (wrong, "base")):
        assert not time_test(circuit, operand, 0, count=40).varies
    assert time_test(wrong, "exponent", 0, count=40).contradicts
    assert not time_test(ENTRY.configure(8), "exponent", 0, count=40).contradicts


def test_no_cycles_by_a_model_are_a_number():
    """Only where nothing is foretold, any number of cycles is right."""
    unknown, none = (SimpleNamespace(cycles=lambda *_, x=x: x) for x in (None, 0))
    assert (cycles_or(7, unknown, (1, 1, 3)), cycles_or(7, none, (1, 1, 3))) == (7, 0)


@pytest.mark.parametrize("level", ["fl", "rtl"])
def test_it_is_simulated(objects, level):
    rows = objects("sim", NAME, "--nbits", 9, "--level", level, "--random", 300)
    assert len(rows) == 300
    assert all(row["match"] for row in rows)
    assert {row["status"] for row in rows} > {"ok"}
    longest = max(int(row["exp"], 16).bit_length() for row in rows if row["status"] == "ok")
    assert level == "fl" or max(row["cycles"] for row in rows) == longest + 1


def test_a_fault_in_it_is_found(run):
    """An exponent's leading bit is lost; a result of the one circuit is not one of the other."""
    right = GIVEN.pop(NAME)
    wrong = TEXT.replace("exponent >> 1", "exponent >> 1 & ~8'd64")
    register_given(type(ENTRY)(NAME, "", right.widths, lambda nbits: wrong, odd_modulus=False))
    told = run("sim", NAME, "--nbits", 8, "--random", 50, status=1)
    assert "mismatch" in told
    told = run("check", NAME, "--nbits", 8, "--only", "circuit", "--random", 100, status=1)
    assert "result" in told
    assert "rsaxcel sim tiny_power --nbits 8" in told


def test_it_is_checked_at_several_widths(run):
    told = run("check", NAME, "--nbits", 8, "--only", "circuit", "--random", 50)
    assert "nothing wrong found in 2 steps" in told
    assert "13 bits" in told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--level", "cl"), "level=cl: tiny_power has no cycle model; fl, rtl are allowed"),
        (("--engine", "pymtl"), "engine=pymtl: tiny_power is written in Verilog; native"),
        (("--nbits", 33), "nbits=33: 4 to 32 bits allowed for tiny_power"),
        (("--param", "lanes=1"), "lanes=1: not a parameter of tiny_power; allowed: none"),
        (("--exhaustive",), "--exhaustive: tiny_power is a design; a multiplier is allowed"),
    ],
)
def test_what_is_refused(run, arguments, told):
    output = run("sim", NAME, *arguments, status=2)
    assert told in output
    assert "Traceback" not in output


@each_row(__file__, "faults", "old", "new", "told")
def test_faults_in_its_verilog_are_told(run, old, new, told):
    GIVEN.pop(NAME)
    text = TEXT.replace(old, new)
    register_given(type(ENTRY)(NAME, "", ENTRY.widths, lambda nbits: text, odd_modulus=False))
    for command, name in (("sim", NAME), ("flow", NAME), ("verilog", f"proc_{NAME}")):
        output = run(command, name, "--nbits", 8, status=2)
        assert told in output
        assert "Traceback" not in output


def test_where_choices_are_needed_it_is_refused():
    with pytest.raises(ValueError, match=f"design '{NAME}' is in Verilog; allowed: mulrem_r2l"):
        catalog.get(NAME)


def test_a_name_is_taken_once(run):
    assert "there is a design or multiplier" in run("new", "multiplier", NAME, status=2)
    with pytest.raises(ValueError, match="there is one of this name already"):
        register_given(ENTRY)
    with pytest.raises(ValueError, match="there is one of this name already"):
        register_given(type(ENTRY)("ssmm_r2l", "", range(8, 9), str, odd_modulus=False))


def test_the_flow_takes_its_verilog_word_for_word():
    target = find_target(NAME, 8, {})
    subject = subject_of(target)
    assert translation(target, "rtl").text.strip() == ENTRY.text(8).strip()
    assert subject.verilog().text.split() == ENTRY.text(8).split()
    assert subject.is_foreign
    assert (subject.design, subject.name, dict(subject.params)) == (NAME, f"{NAME}_8", {})
    assert cycles_of(target, [(3, 0b101, 7), (3, 1, 7), (3, 0, 7), (3, 1, 1)]) == [4, 2, 1, 1]


def test_a_processor_and_a_bus_drive_it(run, tmp_path):
    vector = tmp_path / "vector.json"
    vector.write_text('{"base": "7b", "exp": "11", "n": "8f"}')
    for level in ("fl", "rtl"):
        args = ("run", "xcel", "--system", f"proc_{NAME}", "--nbits", 8, "--data", vector)
        assert "result        6a" in run(*args, "--level", level)
    told = run(*args, "--level", "cl", status=2)
    assert "level=cl: tiny_power has no cycle model; fl, rtl are allowed" in told
    bus = find_target(f"axi_{NAME}", 8, {}).component()
    bus.elaborate()
    check_component(bus)


def test_secrecy_is_refuted_and_its_statuses_are_proven(run):
    told = run("prove", NAME, "--nbits", 4, "--claim", "secrecy", status=1)
    assert "refuted" in told
    assert "proven" in run("prove", NAME, "--nbits", 4, "--claim", "status")
    told = run("prove", NAME, "--nbits", 4, "--claim", "response", status=2)
    assert "allowed: secrecy, status, netlist" in told


def test_it_is_listed(run):
    assert f"  {NAME}         4-32    squares and multiplies, each in a cycle" in run("list")
    told = run("list", NAME)
    assert "4 to 32 bits" in told
    assert "modulus_too_small (n < 2)" in told


def test_a_file_names_it(run, tmp_path, monkeypatch):
    file = tmp_path / "named_core.py"
    text = TEXT.replace(NAME, "other_power")
    entry = f"'other_power', 'as a file has it', range(8, 9), lambda n: {text!r}, odd_modulus=False"
    file.write_text(
        f"from rsaxcel.catalog.given import GivenEntry\nDESIGNS = [GivenEntry({entry})]"
    )
    monkeypatch.setenv(VARIABLE, str(file))
    try:
        register_outside()
        assert "as a file has it" in run("list", "other_power")
        assert "mismatches   0" in run("sim", "other_power", "--nbits", 8)
        register_outside()
        assert f"{file}: a module of the name named_core is loaded already" in PROBLEMS.pop()
    finally:
        GIVEN.pop("other_power", None)
        sys.modules.pop("named_core", None)


@pytest.mark.parametrize("level", ["fl", "rtl"])
def test_a_multiplier_is_simulated(objects, level):
    rows = objects("sim", PRODUCT, "--nbits", 33, "--level", level, "--random", 300)
    assert all(row["match"] for row in rows)
    for row in rows if level == "rtl" else ():
        done = row["status"] == "ok"
        assert row["cycles"] == (1 + int(row["b"], 16).bit_length() if done else None)


def test_every_product_of_a_multiplier_is_checked(run):
    assert "mismatches   0" in run("sim", PRODUCT, "--nbits", 5, "--exhaustive")
    asked = "check", PRODUCT, "--nbits", 5, "--only", "circuit", "--random", 50
    right = PRODUCT_TEXT.replace("N = 8", "N = 5")
    wrong = right.replace("sum - m :", "sum - m + (m == 29) :")
    for text, told, status in ((right, "all 10,415", 0), (wrong, "n=0x1d: result", 1)):
        GIVEN[PRODUCT] = replace(PRODUCT_ENTRY, widths=range(5, 6), text=lambda _, text=text: text)
        assert told in run(*asked, status=status)


def test_a_montgomery_multiplier_declares_its_divisor(run):
    """The circuit that forms a * b / 1 is not one that forms a * b / 2**nbits."""
    odd = replace(PRODUCT_ENTRY, odd_modulus=True)
    GIVEN[PRODUCT] = replace(odd, divisor=lambda nbits: 1 << nbits)
    (row,) = run(
        "sim", PRODUCT, "--nbits", 8, "--level", "fl", "--random", 1, "--json"
    ).splitlines()
    a, b, n, result = (int(json.loads(row)[x], 16) for x in ("a", "b", "n", "result"))
    assert (result * 256 - a * b) % n == 0
    assert "mismatch" in run("sim", PRODUCT, "--nbits", 8, "--random", 20, status=1)
    with pytest.raises(ValueError, match="divisor=3: powers of two are allowed"):
        replace(odd, divisor=lambda _: 3).configure(8)
    with pytest.raises(ValueError, match="divisor=4: odd_modulus=True is allowed with it"):
        replace(PRODUCT_ENTRY, divisor=lambda _: 4).configure(8)


def test_what_a_multiplier_is_refused(run):
    for command in ("leak", "fault"):
        told = run(command, PRODUCT, "--nbits", 8, status=2)
        assert f"design '{PRODUCT}' is a multiplier; allowed: mulrem_r2l" in told
    assert f"'proc_{PRODUCT}' is unknown" in run("flow", f"proc_{PRODUCT}", status=2)
    assert f"  {PRODUCT}       4-64    adds and doubles" in run("list")


def test_a_multiplier_is_written_drawn_and_proven(run, here, monkeypatch):
    told = run("list", PRODUCT)
    assert f"{PRODUCT} (multiplier): adds and doubles, once for each bit of b" in told
    assert "depend on the operands" in " ".join(told.split())
    run("verilog", PRODUCT, "--nbits", 8, "--testbench", "--random", 20)
    assert "result" in Path(f"{PRODUCT}_tb.sv").read_text()
    run("show", PRODUCT, "--nbits", 8)
    assert "recv {a:8 b:8 m:8}" in Path(f"{PRODUCT}_8.svg").read_text()
    asked = "prove", PRODUCT, "--nbits", 3
    right = PRODUCT_ENTRY.text(3)
    wrong = right.replace("x + y;", "x + y + (m == 7);"), "expected"
    hangs = right.replace("&& b == 0", "&& b == 0 && m != 5"), "no response in"
    for text, told, status in ((*wrong, 1), (*hangs, 1), (right, "proven", 0)):
        known = replace(PRODUCT_ENTRY, widths=range(3, 9), text=lambda _, text=text: text)
        monkeypatch.setitem(GIVEN, PRODUCT, known)
        assert told in run(*asked, "--claim", "product", status=status)
    told = run(*asked, "--claim", "secrecy", status=2)
    assert f"claim=secrecy: not for {PRODUCT}; allowed: product, netlist" in told


def test_points_know_a_multiplier_by_its_form():
    forms = [_find(x, 8, "")[0] for x in (PRODUCT, NAME, f"proc_{NAME}", "gone", "mont_mul")]
    assert forms == ["multiplier", "design", "system", "other", "multiplier"]


def test_a_multiplier_has_a_subject_of_the_flow():
    target = find_target(PRODUCT, 8, {})
    subject = subject_of(target)
    assert subject.verilog().text.split() == PRODUCT_ENTRY.text(8).split()
    assert (subject.design, subject.name, subject.exponent_nbits) == (PRODUCT, f"{PRODUCT}_8", 0)
    assert subject.operations({}) == ["product"]


@pytest.mark.slow
def test_a_multiplier_goes_through_the_flow(run, here):
    record = run_flow(find_target(PRODUCT, 8, {}), activity="zero")
    assert record.checked["operations"] > 1000
    assert 4 < record.operations["product"].cycles < 9
    assert f"{PRODUCT}:8" in run("results", PRODUCT)
    run("export", PRODUCT, "--nbits", 8, "--to", "openroad", "--output", "exported")
    assert PRODUCT in Path("exported", "run.tcl").read_text()
    assert "proven" in run("prove", PRODUCT, "--nbits", 4, "--claim", "netlist")


@pytest.mark.slow
def test_the_laboratory_takes_it(run, here):
    asked = NAME, "--nbits", 8
    assert "max |t|" in run("leak", *asked, "--test", "exponent", "--traces", 200)
    told = run("leak", *asked, "--attack", "simple", status=2)
    assert "attacks need a schedule; that of a design in Verilog is not known" in told
    told = run("fault", *asked, "--kind", "flip", "--count", 100)
    assert "100 flips of its own depend on one digit" in told
    assert "proven" in run("prove", NAME, "--nbits", 4, "--claim", "netlist")
    found = run("list", NAME)
    assert all(f"rsaxcel {x} {NAME}" in " ".join(found.split()) for x in ("leak", "fault", "prove"))


@pytest.mark.slow
def test_it_is_placed_compared_and_exported(run, here):
    asked = "--nbits", 8, "--activity", "zero"
    run("flow", NAME, *asked)
    run("flow", "ssmm_r2l", *asked)
    assert "clock tree" in run("flow", NAME, *asked, "--stage", "placed")
    assert f"{NAME}:8" in run("results", NAME)
    assert f"{NAME}:8" in run("pareto", "--nbits", 8, "--activity", "zero")
    assert "area" in run("compare", f"{NAME}:8,stage=synthesized", "ssmm_r2l:8")
    run("export", NAME, "--nbits", 8, "--to", "openroad", "--output", "exported")
    assert NAME in Path("exported", "run.tcl").read_text()


@pytest.mark.slow
def test_it_goes_through_the_flow(tmp_path):
    record = run_flow(find_target(NAME, 8, {}), activity="zero", directory=tmp_path)
    assert record.design == NAME
    assert record.operations["encrypt"].cycles == 6
    assert record.checked["operations"] > 1000


AXES = {
    "multiplier",
    "multiplier_golden",
    "choices",
    "programs",
    "timing",
    "timing_with",
    "composition",
    "parameters",
    "product_nbits",
}
"""Attributes of a configuration that are about its axes: no other circuit has them."""

BEHIND_IT = re.compile(r"rsaxcel\.(plan|cl)\b")

CIRCUITS = {"configuration", "_configuration", "circuit", "target", "accelerator"}
"""Names that sim, flow, lab, eval and course give to a circuit under measurement."""

MAKERS = "proc", "diagnosis"
"""Rooms that import ``plan`` for constants, and name programs, but ask a circuit for no axes."""

BEHIND = {
    "diagnosis/check.py": "the models of a multiplier",
    "sim/check/handshakes.py": "protocols of cores in Verilog",
    "sim/check/plan.py": "a design's multiplier is checked first, its parameters are tried",
    "sim/check/steps.py": "declarations of a multiplier; two products on one lane of a design",
    "sim/traces.py": "a trace by steps",
    "course/own.py": "registers of an accelerator, by the protocol of its core",
    "eval/facts/described.py": "what `list NAME` and the columns of results say of the axes",
    "lab/faults/safe_error.py": "an attack on the digits of a schedule",
    "lab/leakage/attacks.py": "an attack on the products of a schedule",
    "lab/leakage/schedule.py": "steps of an operation, for the labels of a trace",
    "eval/measure/cycles.py": "parts of a cycle model",
    "eval/measure/structure.py": "parts of a cycle model",
    "eval/optimize.py": "a search over the axes",
    "lab/proofs/blocks.py": "plans of compressor trees",
    "lab/proofs/standard.py": "the claims about designs of the catalog",
    "eval/report/cards.py": "a formula from the parts of a cycle model",
    "eval/sweep.py": "a sweep over all values of a parameter",
}
"""Places that look behind the seam, with what they want there."""

DESIGNS = "eval/studies", "course/skeleton"
"""Folders of designs: a study names those of its document, the skeleton is one of the catalog."""


def looks_behind(tree):
    """Yield what a module imports, asks or names that only configurations of the catalog have."""
    names = {*catalog.DESIGNS, *catalog.multipliers(), *catalog.REDUCERS, *SCHEDULES, *DOMAINS}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and BEHIND_IT.match(str(node.module)):
            yield f"imports {node.module}"
        elif isinstance(node, ast.Attribute) and node.attr in AXES:
            owner = getattr(node.value, "id", getattr(node.value, "attr", ""))
            if owner in CIRCUITS:
                yield f"asks {owner}.{node.attr}"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value in names:
                yield f"names {node.value}"


def test_who_measures_a_circuit_does_not_look_behind_it():
    root = Path(__file__).parents[2]
    files = [
        x
        for folder in (*MAKERS, "sim", "flow", "lab", "eval", "course")
        for x in (root / folder).rglob("*.py")
    ]
    found = {}
    for path in files:
        told = sorted({*looks_behind(ast.parse(path.read_text(encoding="utf-8")))})
        if path.relative_to(root).parts[0] in MAKERS:
            told = [x for x in told if x.startswith("asks")]
        if told and str(path.parent.relative_to(root)) not in DESIGNS:
            found[str(path.relative_to(root))] = told
    assert {k: v for k, v in found.items() if k not in BEHIND} == {}
    assert BEHIND.keys() - found.keys() == set(), "these look behind no longer"
