"""Planted faults: their kinds, how they are drawn, and how test results are judged."""

import ast
import json
import tomllib
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import pytest

from rsaxcel.lab.proofs.circuits_alike import proved_equal
from tests.shared.tables import tables
from tools.mutants.__main__ import Argument, arguments, entry
from tools.mutants.judge import (
    ARGUED,
    KILLED,
    PROVED,
    REFUSED,
    SURVIVED,
    VOID,
    Ledger,
    TrialResult,
    attempt,
    found_share,
    in_resets,
    summary,
    verdicts,
    without_faults,
)
from tools.mutants.parts import executed, parts_of, variants
from tools.mutants.reach import Reach, Use, building, collected, cost
from tools.mutants.sites import FOLDERS, KINDS, all_faults, drawn, faults
from tools.mutants.tree_copy import Copy

ROOT = Path(__file__).parents[2]

SOURCE, FAULTS = tables(__file__)["circuit"].values()
MODEL, FAULTS_OF_MODEL = tables(__file__)["model"].values()
BUILT, CIRCUIT = (tables(__file__)[x]["text"] for x in ("built", "verilog"))


def lines(source: str, python: bool = False) -> set[tuple[str, str]]:
    return {(x.kind, x.becomes) for x in faults("x.py", source.encode(), python)}


@pytest.fixture(scope="module")
def everything():
    return all_faults(ROOT)


def test_faults_of_a_circuit():
    assert lines(SOURCE) == {*map(tuple, FAULTS)}


def test_faults_of_a_model():
    assert lines(MODEL, python=True) == {*map(tuple, FAULTS_OF_MODEL)}
    assert not lines(MODEL)


def test_only_the_span_changes():
    """A fault changes only its span: offsets count bytes, even after letters of two bytes."""
    source = SOURCE.encode()
    for fault in faults("x.py", source, False):
        planted = fault.plant(source)
        assert planted[: fault.start] == source[: fault.start]
        assert planted[len(planted) - (len(source) - fault.end) :] == source[fault.end :]
        changed = planted.decode().splitlines()[fault.line - 1]
        assert " ".join(changed.split()) == fault.becomes
        assert ast.dump(ast.parse(planted)) != ast.dump(ast.parse(source))


def test_files_and_folders():
    fault = replace(faults("x.py", SOURCE.encode(), False)[0], path="rtl/axi/slave.py")
    assert all(map(fault.is_in, ("rtl", "rtl/axi", "rtl/axi/", "rtl/axi/slave.py")))
    assert not any(map(fault.is_in, ("rtl/ax", "rtl/axi/slave", "cl")))


def test_another_file_is_refused():
    fault = faults("x.py", SOURCE.encode(), False)[0]
    with pytest.raises(ValueError, match=r"x\.py: has changed"):
        fault.plant(SOURCE.encode() + b"\n")


def test_all_faults_are_python(everything):
    """Drawn faults are valid Python, and differ from the file."""
    sources = {fault.path: (ROOT / fault.path).read_bytes() for fault in everything}
    trees = {}
    for fault in islice(drawn(everything, 1), 120):
        if fault.path not in trees:
            trees[fault.path] = ast.dump(ast.parse(sources[fault.path]))
        assert ast.dump(ast.parse(fault.plant(sources[fault.path]))) != trees[fault.path]
    assert {
        kind: n > 100 for kind, n in Counter(x.kind for x in everything).items()
    } == dict.fromkeys(KINDS, True)
    assert all(any(x.path.startswith(f"{f}/") for x in everything) for f in FOLDERS)
    assert len({fault.key for fault in everything}) == len(everything)


def test_a_seed_decides_the_order(everything):
    first, again, other = (list(islice(drawn(everything, n), 60)) for n in (3, 3, 4))
    assert first == again != other
    assert Counter(fault.kind for fault in first) == dict.fromkeys(KINDS, 10)
    assert len(list(drawn(everything, 3))) == len(everything)


def test_arguments_are_about_faults(everything):
    """Every argued fault still exists in the tree."""
    for argument in arguments():
        assert argument.because
        assert any(argument.is_about(fault) for fault in everything), argument


def test_an_entry_is_about_its_fault(tmp_path):
    fault = replace(faults("x.py", SOURCE.encode(), False)[0], was='s.x @= "\\"')
    (fields,) = tomllib.loads(entry(fault))["fault"]
    assert Argument(**fields).is_about(fault)
    assert not Argument(**fields).is_about(replace(fault, becomes="s.out //= 1"))
    file = tmp_path / "argued.toml"
    file.write_text("[[fault]]\npath = 'x.py'\n")
    with pytest.raises(ValueError, match=r"argued\.toml"):
        arguments(file)


def lay_out(folder: Path) -> None:
    for name in ("rtl", "levels"):
        (folder / "tests" / name).mkdir(parents=True)
    for name in ("catalog", "cl", "proc"):
        (folder / name).mkdir()
    (folder / "rtl" / "lib").mkdir(parents=True)
    (folder / "catalog" / "registry.py").write_text("")
    (folder / "rtl" / "lib" / "own.py").write_text("first = 1\nsecond = 2\n")
    (folder / "rtl" / "lib" / "more.py").write_text("")
    (folder / "tests" / "levels" / "test_grid.py").write_text("import rsaxcel.catalog.registry\n")
    (folder / "tests" / "rtl" / "test_own.py").write_text("import rsaxcel.rtl.lib.own\n")


def test_tests_that_reach_a_file(tmp_path):
    """Tests that reach a file, cheap and newly covering ones first."""
    lay_out(tmp_path)
    grid = "tests/levels/test_grid.py::test_results"
    reset = "tests/levels/test_grid.py::test_reset[one_8_digit_nbits_9-many]"
    printed = f"""{grid}[one-rtl-native-8-products]
{grid}[one-rtl-pymtl-8-products]
{grid}[two-rtl-pymtl-8-products]
{grid}[one-rtl-pymtl-128-products]
{grid}[other-rtl-pymtl-8-products]
{grid}[one-fl-pymtl-8-products]
{grid}[one-cl-pymtl-8-products]
{reset}
tests/rtl/test_own.py::test_own[pymtl-4]

8 tests collected in 1 s
"""
    own, more = "rtl/lib/own.py", "rtl/lib/more.py"
    parts = {
        "two": {own: Use("Own(8)", [1, 2], []), more: Use("More()", [1], [])},
        "one": {own: Use("Own(8)", [1], [2])},
        "other": {more: Use("More()", [1], [])},
    }
    reach = Reach(tmp_path, collected(printed), parts)
    assert reach.tests("rtl/lib/own.py") == [
        "tests/rtl/test_own.py::test_own[pymtl-4]",
        f"{grid}[one-rtl-pymtl-8-products]",
        reset,
        f"{grid}[one-rtl-native-8-products]",
        f"{grid}[two-rtl-pymtl-8-products]",
        f"{grid}[one-rtl-pymtl-128-products]",
    ]
    assert reach.tests("rtl/lib/own.py", resets=True)[0] == reset
    assert [x for x in reach.tests(own, line=1) if "grid" in x] == [
        x for x in reach.tests(own) if "grid" in x
    ]
    # the circuit of `two` has the second line for all parameters
    assert reach.tests(own, line=2)[:2] == [
        "tests/rtl/test_own.py::test_own[pymtl-4]",
        f"{grid}[two-rtl-pymtl-8-products]",
    ]
    native = f"{grid}[one-rtl-native-8-products]"
    assert reach.tests(own, line=1, text="if s.operation == NATIVE:")[1] == native
    assert reach.entries(more) == ["two", "other"]
    assert cost("test_x[a-native-4096]") > cost("test_x[a-native-8]") > cost("test_x[a-pymtl-8]")


@pytest.mark.parametrize(("wide", "there"), [(0, {1, 2, 3, 11, 12}), (1, {*range(1, 12)})])
def test_lines_in_a_circuit(tmp_path, wide, there):
    """Lines of update blocks are in circuits with the block, other lines where they ran."""
    file = tmp_path / "built.py"
    file.write_text(f"block = lambda function: function\n{BUILT}")
    with executed(tmp_path) as lines:
        space = {}
        exec(compile(file.read_text(), str(file), "exec"), space)
        space["construct"](SimpleNamespace(), wide)
    ran = {x - 1 for x in lines["built.py"]}
    assert {x for x in range(1, 13) if building(BUILT, x) & ran} == there
    assert building(BUILT, 5) == {4, 5, 6}
    assert building(BUILT, 10) == {7, 8}


def test_parts_of_a_multiplier():
    parts = parts_of("mul_rem")
    assert {"rtl/lib/divider.py", "rtl/lib/aligning_divider.py", "cl/lib.py"} <= set(parts)
    found = variants("rtl/lib/divider.py", ["mul_rem"])
    assert " ".join(sorted(found)) == parts["rtl/lib/divider.py"].variants
    assert len(found) > 1
    for text, top in found.values():
        assert f"module {top}" in text


@pytest.fixture
def tree(tmp_path):
    """A separate tree with a file, a test, and the package that plants faults."""
    root = tmp_path / "root"
    (root / "tests").mkdir(parents=True)
    (root / "tools").symlink_to(ROOT / "tools")
    (root / "rtl").mkdir()
    (root / "rtl" / "__init__.py").write_text(
        "def grown(x):\n    while x < 4:\n        x += 1\n    return x + 2\n"
    )
    (root / "tests" / "test_grown.py").write_text(
        "from rsaxcel import rtl\ndef test_first(): pass\n"
        "def test_grown(): assert rtl.grown(1) == 6\n"
    )
    (root / "pyproject.toml").write_text("[tool.pytest.ini_options]\nmarkers = ['slow']\n")
    return Copy(root, tmp_path / "copy")


def test_a_fault_is_found_and_taken_out_again(tree):
    file = tree.folder / "rtl" / "__init__.py"
    source = file.read_bytes()
    found = {x.becomes: x for x in faults("rtl/__init__.py", source, True)}
    tests = ["tests/test_grown.py::test_first", "tests/test_grown.py::test_grown"]
    given = {"budget": 60.0, "limit": 3.0, "tree": ""}
    result = attempt(found["return x + 3"], tests, tree, **given)
    assert (result.outcome, result.test, result.ran, result.hung) == (KILLED, tests[1], 2, False)
    assert result.error.startswith("assert 7 == 6")
    result = attempt(found["x += 0"], tests, tree, **given)
    assert (result.outcome, result.test, result.hung) == (KILLED, tests[1], True)
    assert file.read_bytes() == source
    result = attempt(found["while x <= 4:"], tests[:1], tree, **given)
    assert (result.outcome, result.test, result.ran) == (SURVIVED, "", 1)
    alone = without_faults([*tests, "tests/test_grown.py::test_none"], tree, 20)
    assert [error for error, _ in alone.values()] == ["", "", "it does not run"]


@pytest.fixture
def results():
    """Results with each outcome, some of them twice or more."""
    drawn_ones = faults("x.py", SOURCE.encode(), False)
    outcomes = (KILLED, KILLED, SURVIVED, SURVIVED, SURVIVED, REFUSED)
    return [
        TrialResult(fault, outcome, "", "", False, 3, 9, 1.0, 60.0, "tree")
        for fault, outcome in zip(drawn_ones, outcomes, strict=False)
    ]


def test_what_counts(results):
    keys = [x.fault.key for x in results]
    told = verdicts(results, {keys[1]: "flaky"}, {keys[2]: "equal"}, {keys[3]: "because"})
    assert [x.verdict for x in told] == [KILLED, VOID, PROVED, ARGUED, SURVIVED, REFUSED]
    assert found_share(told) == pytest.approx(100 / 3)
    assert found_share([]) == 100
    assert not in_resets(told)
    assert summary(told)["found_percent"] == 33.33
    assert json.dumps([x.record() for x in told])


def test_results_are_kept(tmp_path, results):
    """Results are kept until the tree changes; found faults may stay, timeouts are repeated."""
    file = tmp_path / "results.jsonl"
    ledger = Ledger(file, "tree", keeps_found=False)
    found, survivor = results[0], results[2]
    ledger.add(found)
    with file.open("a") as broken:
        broken.write('{"what": "result", "key"')
    Ledger(file, "tree", keeps_found=False).add(survivor)
    ledger = Ledger(file, "tree", keeps_found=False)
    assert ledger.result(found.fault, 60) == found
    assert ledger.result(survivor.fault, 60) == survivor
    assert ledger.result(survivor.fault, 61) is None
    for keeps, kept in ((False, None), (True, found)):
        other = Ledger(file, "other", keeps_found=keeps)
        assert (other.result(found.fault, 60), other.result(survivor.fault, 60)) == (kept, None)
    argued = Ledger(file, "other", True, is_argued=lambda fault: fault == survivor.fault)
    assert argued.result(survivor.fault, 61) == survivor


@pytest.mark.parametrize(
    ("was", "becomes", "equal"),
    [
        ("count_reg == 9;", "count_reg >= 9;", True),
        ("count_reg == 9;", "count_reg >= 8;", False),
        ("if (reset) count_reg <= 0;\n    else if", "if", False),
    ],
)
def test_proofs(tmp_path, was, becomes, equal):
    """Circuits that differ only in states that no reset reaches are proved equal."""
    assert was in CIRCUIT
    planted = CIRCUIT.replace(was, becomes)
    assert proved_equal(CIRCUIT, planted, "T", tmp_path, 20) is equal
