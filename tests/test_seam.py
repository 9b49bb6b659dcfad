"""What measures circuits takes any circuit: twenty lines of Verilog, made known by its name."""

import json

import pytest

from catalog.registry import GIVEN, register_given
from flow.run import run_flow
from flow.subjects import find_target, subject_of
from sim.runners import cycles_of, translation
from tests.verilog_core import ENTRY, NAME, TEXT


@pytest.fixture(autouse=True)
def _known():
    register_given(ENTRY)
    yield
    del GIVEN[NAME]


@pytest.fixture
def run(rsaxcel):
    """Call the command line; return what it printed."""

    def call(*arguments, status=0):
        done = rsaxcel(*arguments)
        assert done.status == status, done
        return done.out + done.err

    return call


@pytest.mark.parametrize("level", ["fl", "rtl"])
def test_it_is_simulated(run, level):
    lines = run("sim", NAME, "--nbits", 9, "--level", level, "--random", 300, "--json")
    rows = [json.loads(line) for line in lines.splitlines()]
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
    told = run("check", NAME, "--nbits", 8, "--only", "circuit", "--count", 100, status=1)
    assert "result" in told
    assert "rsaxcel sim tiny_power --nbits 8" in told


def test_it_is_checked_at_several_widths(run):
    told = run("check", NAME, "--nbits", 8, "--only", "circuit", "--count", 50)
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


def test_a_name_is_taken_once():
    with pytest.raises(ValueError, match="there is one of this name already"):
        register_given(ENTRY)
    with pytest.raises(ValueError, match="there is one of this name already"):
        register_given(type(ENTRY)("ssmm_r2l", "", range(8, 9), str, odd_modulus=False))


def test_the_flow_takes_its_verilog_word_for_word():
    target = find_target(NAME, 8, {})
    subject = subject_of(target)
    assert translation(target, "rtl").text == ENTRY.text(8)
    assert subject.verilog().text.split() == ENTRY.text(8).split()
    assert subject.is_foreign
    assert (subject.design, subject.name, dict(subject.params)) == (NAME, f"{NAME}_8", {})
    assert cycles_of(target, [(3, 0b101, 7), (3, 1, 7), (3, 0, 7), (3, 1, 1)]) == [4, 2, 1, 1]


@pytest.mark.slow
def test_it_goes_through_the_flow(tmp_path):
    record = run_flow(find_target(NAME, 8, {}), activity="zero", directory=tmp_path)
    assert record.design == NAME
    assert record.operations["encrypt"]["cycles"] == 6
    assert record.checked["operations"] > 1000
