"""A core in Verilog enters the commands with its description."""

import os
from pathlib import Path

import pytest

from rsaxcel.catalog import registry
from rsaxcel.catalog.described import describe
from rsaxcel.catalog.registry import GIVEN, LEFT_OUT, VARIABLE, named, register_outside, typed
from rsaxcel.cores.errors import DescriptionError
from tests.shared.planted import planted

SKELETON = Path(__file__).parents[2] / "course/core_skeleton"
PROTOCOLS = ("streams", "start_done", "words")


def make(folder, protocol="start_done", changes=()):
    """Write the core that `rsaxcel new core` writes; ``changes`` are of its description."""
    folder.mkdir(exist_ok=True)
    for file in (SKELETON / "power.v", SKELETON / protocol / "core.v"):
        (folder / file.name).write_text(file.read_text("utf-8"))
    text = (SKELETON / protocol / "core.toml").read_text("utf-8")
    (folder / "core.toml").write_text(planted(text, *changes))
    return folder


def told_of(folder, netlist=False):
    """Line that tells what is wrong with a description or its Verilog, without the folder."""

    def look():
        described = describe(folder).configure(8).described
        described.core(8)
        if netlist:
            described.check_netlist(8)

    with pytest.raises(DescriptionError) as caught:
        look()
    told = str(caught.value)
    assert "\n" not in told
    assert len(told) < 1000
    assert told.startswith(str(folder))
    return told.removeprefix(f"{folder}/")


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch):
    """Forget cores that a test has made known."""
    before = dict(GIVEN)
    monkeypatch.setenv(VARIABLE, os.environ.get(VARIABLE, ""))
    yield
    GIVEN.clear()
    GIVEN.update(before)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_core_is_simulated(objects, tmp_path, protocol):
    path = make(tmp_path / "core", protocol)
    rows = objects("sim", path / "core.toml", "--nbits", 8, "--random", 100)
    assert all(x["match"] for x in rows)
    assert {x["status"] for x in rows} > {"ok"}


def test_a_path_and_a_name_find_it(run, here):
    make(here / "core")
    assert named("core") == named("core/core.toml") == named(str(here / "core")) == "skeleton"
    assert named("core:8,stage=placed") == "skeleton:8,stage=placed"
    assert named("proc_core") == "proc_skeleton"
    assert (typed("skeleton"), typed("proc_skeleton")) == ("core", "proc_core")
    assert (typed("mont_r2l"), typed("proc_null")) == ("mont_r2l", "proc_null")
    assert named("mont_r2l") == "mont_r2l"
    assert "squares and multiplies" in run("list", "skeleton")
    assert str(here / "core") in os.environ[VARIABLE]  # of processes that this one starts


def test_folders_of_the_variable_have_cores(run, tmp_path, monkeypatch):
    make(tmp_path / "one", changes=[('"skeleton"', '"first_core"')])
    widths = ("least = 2, most = 2048", "least = 1024, most = 2048")
    long = "second_core_with_a_name_that_is_long"
    make(tmp_path / "two", changes=[('"skeleton"', f'"{long}"'), widths])
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    register_outside()
    told = run("list")
    assert "first_core" in told
    assert f"{long} 1024-2048 squares" in told
    make(tmp_path / "three", changes=[('"skeleton"', '"first_core"')])
    register_outside()
    assert "design first_core: there is one of this name already" in LEFT_OUT[0]
    LEFT_OUT.clear()


def test_its_sources_are_all_that_its_circuit_imports(tmp_path):
    sources = {*describe(make(tmp_path / "core")).configure(8).sources}
    assert tmp_path / "core/core.v" in sources
    root = Path(registry.__file__).parents[1]
    code = {str(x.relative_to(root)) for x in sources if x.is_relative_to(root)}
    assert code > {f"fl/{x}.py" for x in ("status", "messages", "wide_bits")}
    assert code > {"cores/formulas.py", "catalog/given.py", "plan/modulus_constants.py"}
    assert code > {str(x.relative_to(root)) for x in (root / "rtl/shells").glob("*.py")}
    assert not any(x.startswith(("rtl/multipliers", "rtl/exponentiators")) for x in code)


def test_a_broken_core_stops_no_other_one(run, tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "LEFT_OUT", left_out := [])
    make(tmp_path / "good", changes=[('"skeleton"', '"good_core"')])
    for name, content in (("bad", "name = 3"), ("worse", "\x1b[31m")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "core.toml").write_text(content)
    make(tmp_path / "wrong", changes=[('"skeleton"', '"wrong_core"')])
    (tmp_path / "wrong/more.v").write_text("module (")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    register_outside()
    assert len(left_out) == 2
    told = run("list", "good_core")
    assert "squares and multiplies" in told
    assert f"a core is left out (and 1 more): {VARIABLE}: {tmp_path}: {tmp_path}/bad/core" in told
    assert "name: 3; a text is allowed" in told
    for name in ("worse", str(tmp_path / "worse"), str(tmp_path / "worse/core.toml")):
        told = run("list", name, status=2)
        assert told.count("worse/core.toml: no TOML") == 1
        assert told.count("\n") == 2 - (name == "worse")  # the other one, and the error
    told = run("verilog", "wrong_core", "-o", tmp_path / "out", status=2)
    assert "wrong/more.v:1: expected identifier" in told


def test_a_name_is_taken_once(run, tmp_path):
    path = make(tmp_path / "core", changes=[('"skeleton"', '"mont_r2l"')])
    assert "design mont_r2l: there is one" in run("list", path, status=2)


def test_verilog_has_the_core_inside(run, here):
    make(here / "core", "words")
    run("verilog", "core", "--nbits", 8, "-o", "out")
    (file,) = Path("out").iterdir()
    text = file.read_text()
    assert "module skeleton_8" in text
    assert "skeleton_core #(.WIDTH(8)) core (" in text


def test_a_multiplier_is_measured_alone(run, tmp_path):
    text = (SKELETON.parents[1] / "tests/shared/tiny_product.v").read_text("utf-8")
    (tmp_path / "product.v").write_text(text)
    (tmp_path / "core.toml").write_text(
        'name = "own_product"\nfiles = "*.v"\ntop = "tiny_product"\noperation = "mod_mul"\n'
        'parameters = { N = "nbits" }\nwidths = [5, 8]\nclock = "clk"\nreset = "reset"\n'
        '[protocol]\nkind = "streams"\nresult = { valid = "send__val", ready = "send__rdy", '
        'port = "send__msg" }\noperands = { valid = "recv__val", ready = "recv__rdy", '
        'ports = { recv__msg = ["a", "b", "n"] } }\n'
    )
    assert "mismatches   0" in run("sim", tmp_path, "--nbits", 5, "--exhaustive")
    assert "(multiplier)" in run("list", "own_product")


def with_a_constant(tmp_path):
    """Write a core to which the host gives R^2 mod n, by a formula."""
    text = (SKELETON.parents[1] / "tests/shared/tiny_mont.v").read_text("utf-8")
    (tmp_path / "mont.v").write_text(
        f"{text}\nmodule wrapped(input clk, input reset, input [31:0] d, input v, output r, "
        "output [7:0] q, output qv, input qr); wire [7:0] status; "
        "tiny_mont mont(clk, reset, {d, 2'b00}, v, r, {q, status}, qv, qr); endmodule\n"
    )
    (tmp_path / "core.toml").write_text(
        'name = "own_mont"\nfiles = "*.v"\ntop = "wrapped"\nwidths = [8]\nclock = "clk"\n'
        'reset = "reset"\nrules = { odd_modulus = true }\n'
        'constants = { r2 = { value = "2**(2*nbits) mod n" } }\n[protocol]\nkind = "streams"\n'
        'operands = { valid = "v", ready = "r", ports = { d = ["b", "e", "n", "r2"] } }\n'
        'result = { valid = "qv", ready = "qr", port = "q" }\n'
    )


def test_the_host_gives_constants_by_a_formula(run, tmp_path):
    with_a_constant(tmp_path)
    assert "mismatches   0" in run("sim", tmp_path, "--nbits", 8, "--random", 100)
    assert "host gives   2**(2*nbits) mod n" in run("list", "own_mont")
