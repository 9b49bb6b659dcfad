"""`import rsaxcel`: the script in its documentation, and the public names."""

import inspect
import re
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import rsaxcel
from rsaxcel import catalog
from tests.docs.commands import blocks
from tests.shared.harness import built_once
from tests.shared.processes import ROOT, run

FUNCTIONS = [x for x in rsaxcel.__all__ if inspect.isfunction(getattr(rsaxcel, x))]
CLASSES = [x for x in rsaxcel.__all__ if inspect.isclass(getattr(rsaxcel, x))]
TRIPLES = [(0x7B, 0x11, 0xF1), (0x7B, 0x11, 0xF0), (0xF2, 3, 0xF1), (1, 0, 0x1F1)]
STATUSES = ["ok", "modulus_even", "base_too_large", "operand_too_wide"]


def python(folder: Path, *args: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder as a notebook does: the folder precedes installed packages."""
    return run(sys.executable, *args, folder=folder, PYTHONPATH=str(folder), **more)


@pytest.mark.slow
@built_once("flow", 8)
def test_the_script_of_the_page(tmp_path):
    """The script prints the documented output, in a folder with blanks and umlauts in its name."""
    folder = tmp_path / "Übungen zur Vorlesung"
    folder.mkdir()
    script, printed, *_ = (block.text for block in blocks(ROOT / "docs/how-to/notebooks.md"))
    assert len(script.splitlines()) <= 10 + script.count("\n\n")
    done = python(folder, "-c", script, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert done.returncode == 0, done.stderr
    assert done.stdout == printed


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_tell_what_they_take_give_and_raise(name):
    function = getattr(rsaxcel, name)
    text = inspect.getdoc(function)
    hints = typing.get_type_hints(function)
    parameters = inspect.signature(function).parameters
    assert set(hints) == {*parameters, "return"}
    assert text
    assert text.splitlines()[0].endswith((".", ":"))
    for parameter in parameters:
        assert re.search(rf"\b{parameter}\b", text), parameter


@pytest.mark.parametrize("name", CLASSES)
def test_classes_tell_what_their_attributes_are(name):
    known = getattr(rsaxcel, name)
    assert inspect.getdoc(known) != inspect.getdoc(known.__mro__[1])
    attributes = {k: v for k, v in vars(known).items() if not k.startswith("_")}
    for attribute, value in attributes.items():
        if isinstance(value, property):
            assert value.__doc__, attribute
            assert "return" in typing.get_type_hints(value.fget), attribute


def test_every_name_is_on_the_page_of_the_api():
    text = (ROOT / "docs/reference/api.md").read_text(encoding="utf-8")
    for name in set(rsaxcel.__all__) - {"LEVELS", "__version__"}:
        assert re.search(rf"\b{name}\b", text), name


def test_names_are_those_of_the_list():
    assert set(rsaxcel.__all__) <= set(dir(rsaxcel))
    assert rsaxcel.designs() == list(catalog.DESIGNS)
    assert rsaxcel.multipliers() == list(catalog.multipliers())
    with pytest.raises(AttributeError, match=r"rsaxcel has no 'sims'; it has .*simulate"):
        rsaxcel.sims  # noqa: B018


@pytest.mark.parametrize(("level", "engine"), [("fl", None), ("cl", None), ("cl", "pymtl")])
def test_statuses_and_cycles(level, engine):
    design = rsaxcel.design("montmul_r2l", 8, lanes=1)
    answers = rsaxcel.simulate(design, TRIPLES, level=level, engine=engine)
    assert [str(x.status) for x in answers] == STATUSES
    assert [x.result for x in answers] == [pow(*TRIPLES[0]), 0, 0, 0]
    timed = [None] * 4 if level == "fl" else [design.cycles(*x) for x in TRIPLES]
    assert [x.cycles for x in answers] == timed


def test_circuit_of_a_multiplier():
    multiplier = rsaxcel.multiplier("ssmm", 8, bits_per_cycle=2)
    operands = [*rsaxcel.random_operands(multiplier, 20, seed=4), (9, 1, 5)]
    answers = rsaxcel.simulate(multiplier, operands, engine="pymtl")
    modelled = rsaxcel.simulate(multiplier, operands, level="cl")
    assert [(x.status, x.result, x.cycles) for x in answers] == [
        (x.status, x.result, x.cycles) for x in modelled
    ]
    assert (answers[-1].status, answers[-1].cycles) == (rsaxcel.Status.BASE_TOO_LARGE, None)
    ok = [(x, y.result) for x, y in zip(operands, answers, strict=True) if not y.status]
    assert ok
    assert all(result == a * b % m for (a, b, m), result in ok)


def test_nothing_to_simulate():
    assert rsaxcel.simulate(rsaxcel.design("mont_r2l"), []) == []


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: rsaxcel.design("rsa_r2l"), "'rsa_r2l' is unknown; allowed: mulrem_r2l"),
        (lambda: rsaxcel.design("mont_r2l", 7), "nbits=7: 8 to 256"),
        (lambda: rsaxcel.design("mont_r2l", 8, stages=9), "stages=9"),
        (lambda: rsaxcel.multiplier("mont_r2l"), "'mont_r2l' is unknown; allowed: mul_rem"),
        (lambda: rsaxcel.system("proc_rsa"), "'proc_rsa' is unknown"),
        (lambda: simulate(level="gate"), "level=gate: fl, cl, rtl are allowed"),
        (lambda: simulate(engine="vcs"), "engine=vcs: native, pymtl are allowed with level rtl"),
        (lambda: simulate(level="cl", engine="native"), "engine=native: python, pymtl are"),
        (lambda: simulate((-1, 1, 7)), r"operands=\(-1, 1, 7\): 0 and more"),
        (lambda: rsaxcel.run_flow(rsaxcel.system("proc_null", 8), clock_ns=0), "clock_ns=0"),
    ],
)
def test_bad_input(call, told):
    with pytest.raises(ValueError, match=told):
        call()


def simulate(operands: typing.Any = (1, 1, 7), **how: typing.Any) -> typing.Any:
    return rsaxcel.simulate(rsaxcel.design("mont_r2l", 8), [operands], **how)


@pytest.mark.parametrize("name", ["sim.py", "store/__init__.py"])
def test_a_file_of_the_same_name_hides_nothing(tmp_path, name):
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("raise SystemExit('not rsaxcel')")
    for arguments in (("-c", "import rsaxcel; rsaxcel.designs()"), ("-m", "rsaxcel", "list")):
        done = python(tmp_path, *arguments)
        assert (done.returncode, done.stderr) == (0, "")


def test_a_folder_of_data_hides_nothing(tmp_path):
    (tmp_path / "flow").mkdir()
    done = python(tmp_path, "-m", "rsaxcel", "--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"rsaxcel, version {rsaxcel.__version__}\n"
