"""`rsaxcel sim`: every level and engine, output, and mismatches."""

import json
import re
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from rsaxcel import catalog
from rsaxcel.cli import sim as sim_command
from rsaxcel.sim.native.engine import NativeEngine
from rsaxcel.sim.runners import open_runner
from tests.cli.sim_runs import NATIVE_GROUP, POWER_VECTORS, options, records
from tests.shared.harness import ANY_MODULUS

KEYS = "design nbits params level engine line base exp n status result expect match cycles".split()
POWERS = ["6", "1", f"{pow(0xFFFF1, 65537, 0xFFFFFFFB):x}", "0", "0", "0"]
STATUSES = [*["ok"] * 3, "base_too_large", "modulus_too_small", "operand_too_wide"]
PRODUCT_VECTORS = [
    {"a": "5", "b": "6", "n": "7"},
    {"a": "8", "b": "6", "n": "7"},
    {"a": "5", "b": "1b2", "n": "315", "expect": "250"},
]
RUNS = [(level, engine) for level in catalog.LEVELS for engine in (None, "pymtl")]
QUICK = [f"{design}-rtl-None" for design in ("mulrem_r2l", "ssmm_r2l", "orup_window")]


@pytest.mark.quick_cases(*QUICK, "*-[fc]l-None", "mont_r2l-fl-pymtl")
@NATIVE_GROUP
@pytest.mark.parametrize(("level", "engine"), RUNS)
@pytest.mark.parametrize("design", ANY_MODULUS)
def test_vectors_of_a_design(rsaxcel, vectors, design, level, engine):
    file = vectors(POWER_VECTORS)
    finished = rsaxcel("sim", design, *options(level, engine), "--vectors", file, "--json")
    assert finished.status == 0
    assert finished.err == ""
    got = records(finished)
    loads = catalog.get(design).default.choices.store.name == "words"
    keys = [*KEYS, "load_cycles"] if loads else KEYS
    assert [list(record) for record in got] == [keys] * len(POWER_VECTORS)
    if loads:
        load_cycles = catalog.get(design).configure(32).load_cycles
        assert {r["load_cycles"] for r in got} == {None if level == "fl" else load_cycles}
    assert [record["line"] for record in got] == [1, 2, 3, 4, 5, 6]
    assert [record["status"] for record in got] == STATUSES
    assert [record["result"] for record in got] == POWERS
    assert [record["expect"] for record in got] == POWERS
    assert {record["match"] for record in got} == {True}
    default = "native" if level == "rtl" else "python"
    told = {tuple(r[x] for x in ("design", "nbits", "level", "engine")) for r in got}
    assert told == {(design, 32, level, engine or default)}
    assert {record["cycles"] is None for record in got} == {level == "fl"}


@pytest.mark.quick_cases("mulrem_r2l", "montmul_r2l", "ssmm_r2l")
@NATIVE_GROUP
@pytest.mark.parametrize("design", [*ANY_MODULUS, "cm_pm_r2l"])
def test_cycles_are_those_of_the_cycle_model_on_every_engine(rsaxcel, design):
    def cycles(count, level, engine):
        drawn = ["--random", count, "--seed", 5, "--json"]
        return [
            r["cycles"] for r in records(rsaxcel("sim", design, *options(level, engine), *drawn))
        ]

    modelled = cycles(200, "cl", None)
    assert len(modelled) == 200
    assert min(modelled) > 0
    assert cycles(200, "rtl", None) == modelled
    assert cycles(5, "rtl", "pymtl") == cycles(5, "cl", "pymtl") == modelled[:5]


@NATIVE_GROUP
@pytest.mark.parametrize(("level", "engine"), RUNS)
def test_vectors_of_a_multiplier(objects, vectors, level, engine):
    file = vectors(PRODUCT_VECTORS)
    got = objects("sim", "mul_rem", *options(level, engine), "--vectors", file)
    assert [record["status"] for record in got] == ["ok", "base_too_large", "ok"]
    assert [record["result"] for record in got] == ["2", "0", "250"]


def test_montgomery_multiplier_gives_its_own_product(objects, vectors):
    file = vectors([{"a": "5", "b": "6", "n": "7", "expect": "2"}])
    expected = f"{5 * 6 * pow(256, -1, 7) % 7:x}"
    (record,) = objects("sim", "mont_mul_rem", "--nbits", 8, "--level", "fl", "--vectors", file)
    assert (record["result"], record["expect"], record["match"]) == (expected, expected, True)


@pytest.mark.parametrize("option", [["--json"], []])
def test_expect_that_python_contradicts_is_a_mismatch_with_its_line(rsaxcel, vectors, option):
    file = vectors([*POWER_VECTORS, {"base": "5", "exp": "3", "n": "7", "expect": "4"}])
    finished = rsaxcel("sim", "mont_r2l", "--level", "cl", "--vectors", file, *option)
    assert finished.status == 1
    (line,) = finished.err.splitlines()
    assert f"{file}:7:" in line
    assert "expects 0x4" in line
    assert "Python gives 0x6" in line
    if option:
        assert [r["match"] for r in records(finished)] == [True] * 6 + [False]
        assert records(finished)[-1]["expect"] == "4"


def test_parameters_reach_the_design(rsaxcel):
    args = ["sim", "mont_r2l", "--level", "cl", "--random", 5, "--json"]
    default = records(rsaxcel(*args))
    deeper = records(rsaxcel(*args, "--param", "stages=8", "--param", "r2_bits_per_cycle=1"))
    assert [r["result"] for r in default] == [r["result"] for r in deeper]
    assert all(a["cycles"] < b["cycles"] for a, b in zip(default, deeper, strict=True))


@pytest.mark.slow_cases("*-128")
@pytest.mark.parametrize("nbits", [8, 16, 64, 128])
@pytest.mark.parametrize("design", catalog.DESIGNS)
@pytest.mark.parametrize("level", ["fl", "cl"])
def test_random_vectors_of_many_widths(shown, design, nbits, level):
    args = ["sim", design, "--nbits", nbits, "--level", level, "--random", 60, "--seed", 7]
    assert "mismatches   0\n" in shown(*args)


@NATIVE_GROUP
def test_many_vectors_in_several_processes_come_in_order(objects, monkeypatch):
    monkeypatch.setattr("rsaxcel.sim.chunks._ALONE_SECONDS", 0.01)
    got = objects("sim", "mont_r2l", "--random", 1500, "--seed", 7)
    assert [r["line"] for r in got] == list(range(1, 1501))
    assert all(r["match"] for r in got)


def test_few_vectors_are_shown_as_a_table(rsaxcel, vectors):
    finished = rsaxcel("sim", "mulrem_r2l", "--level", "cl", "--vectors", vectors(POWER_VECTORS))
    lines = finished.out.splitlines()
    assert lines[0].split() == "line base exp n status result expect cycles match".split()
    assert lines[3].split()[:4] == ["3", "ffff1", "10001", "fffffffb"]
    assert "6 (" in finished.out
    assert "3 of them against an input rule" in finished.out


def test_json_tells_operands_parameters_and_seed_and_runs_again(rsaxcel, tmp_path):
    args = ["sim", "mont_r2l", "--nbits", 64, "--level", "cl", "--param", "stages=8"]
    finished = rsaxcel(*args, "--random", 200, "--seed", 11, "--json")
    drawn = records(finished)
    assert {record["seed"] for record in drawn} == {11}
    assert all(record["params"]["stages"] == 8 for record in drawn)
    ok = [record for record in drawn if record["status"] == "ok"]
    assert ok
    assert len(ok) < len(drawn)
    for record in ok:
        operands = (int(record[key], 16) for key in ("base", "exp", "n"))
        assert pow(*operands) == int(record["result"], 16)
    file = tmp_path / "again.jsonl"
    file.write_text(finished.out)
    finished = rsaxcel(*args, "--vectors", file, "--json")
    assert finished.err == ""
    again = records(finished)
    assert [{**record, "seed": 11} for record in again] == drawn
    assert "seed" not in again[0]


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_table_shortens_long_numbers_and_cuts_none(rsaxcel, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("rsaxcel.eval.report.views.PLAIN_WIDTH", columns)
    args = ["sim", "ssmm_r2l", "--nbits", 256, "--level", "cl", "--random", 3]
    drawn = records(rsaxcel(*args, "--json"))
    lines = rsaxcel(*args).out.splitlines()
    rows = [line.split() for line in lines[1:4]]
    assert columns < 80 or max(map(len, lines[:4])) <= columns
    for row, record in zip(rows, drawn, strict=True):
        numbers = [record[key] for key in ("base", "exp", "n", "result", "expect")]
        for shown, number in zip((*row[1:4], *row[5:7]), numbers, strict=True):
            first, dots, last = shown.partition("...")
            assert number.startswith(first)
            assert number.endswith(last)
            assert dots or first == number
        assert row[7] == str(record["cycles"])
    assert any("..." in row[1] for row in rows)
    assert "--json has all digits" in lines[4]


@pytest.mark.parametrize("engine", ["pymtl", "native"])
@pytest.mark.parametrize("others", [[], [{"a": "4", "b": "1", "n": "5"}]])
def test_what_a_multiplier_refuses_is_not_sent(shown, objects, vectors, engine, others):
    file = vectors([{"a": "9", "b": "1", "n": "5"}, *others])
    options = ["--nbits", 8, "--engine", engine, "--vectors", file]
    assert "1 of them against an input rule and not sent" in shown("sim", "ssmm", *options)
    first = objects("sim", "ssmm", *options)[0]
    assert (first["status"], first["cycles"]) == ("base_too_large", None)


def test_standard_input(rsaxcel, monkeypatch, tmp_path):
    file = tmp_path / "in"
    file.write_text(json.dumps(POWER_VECTORS[0]))
    with file.open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        finished = rsaxcel("sim", "mont_r2l", "--level", "fl", "--vectors", "-", "--json")
    assert records(finished)[0]["result"] == "6"


@pytest.mark.parametrize("nbits", [2, 3, 5])
def test_multipliers_are_narrower_than_any_key(rsaxcel, nbits):
    for name in (n for n, entry in catalog.multipliers().items() if nbits in entry.widths):
        args = ["--nbits", nbits, "--level", "cl", "--random", 60]
        assert rsaxcel("sim", name, *args).status == 0


@NATIVE_GROUP
def test_multiplier_takes_the_operands_of_its_contract(objects, vectors):
    rows = [(13, 9, 7), (13, 14, 7), (509, 508, 255)]
    file = vectors([dict(zip("abn", (f"{x:x}" for x in row), strict=True)) for row in rows])
    for level in catalog.LEVELS:
        args = ["--nbits", 8, "--level", level, "--vectors", file]
        got = objects("sim", "digit_serial", *args)
        assert [r["status"] for r in got] == ["ok", "base_too_large", "ok"]
        for (a, b, n), record in zip(rows, got, strict=True):
            if record["status"] == "ok":
                assert int(record["result"], 16) == a * b * pow(1024, -1, n) % n
        reduced = objects("sim", "systolic", "--param", "final_subtraction=on", *args)
        assert [r["status"] for r in reduced] == [*["base_too_large"] * 2, "operand_too_wide"]


def test_the_time_to_compile_is_told_apart(rsaxcel, monkeypatch):
    """The printed speed does not count the time to compile."""
    args = ("sim", "mulrem_r2l", "--nbits", 8, "--level", "cl", "--random", 30)
    assert "set-up" not in rsaxcel(*args).out
    opened = sim_command.open_runner

    def open_slowly(*args):
        time.sleep(1.2)
        return opened(*args)

    monkeypatch.setattr(sim_command, "open_runner", open_slowly)
    (line,) = (x for x in rsaxcel(*args).out.splitlines() if x.startswith("time "))
    seconds, _, set_up = re.fullmatch(r"time +(\S+) s, (.*); set-up (1\.\d) s", line).groups()
    assert float(seconds) < 1 < float(set_up)


@NATIVE_GROUP
def test_what_a_waveform_needs_is_compiled_before(monkeypatch):
    built = []
    monkeypatch.setattr(NativeEngine, "library", lambda self, trace: built.append(trace))
    configuration = catalog.get("mulrem_r2l").configure(8)
    open_runner(configuration, "rtl", "native")
    assert built == [None]
    open_runner(configuration, "rtl", "native", Path("wave.vcd"))
    assert built == [None, None, "vcd"]


def test_every_product(shown, objects):
    """--exhaustive runs all operands below all moduli, at 4 bits."""
    count = sum(m * m for m in range(2, 16))
    for more in ((), ("--level", "fl"), ("--engine", "pymtl", "--level", "cl")):
        text = shown("sim", "mul_rem", "--nbits", "4", "--exhaustive", *more)
        assert f"vectors      {count:,} (every product), 0 of them against" in text
        assert "mismatches   0\n" in text
        assert more or f"all of {count:,} compared" in text
    rows = objects("sim", "mont_mul", "--nbits", "3", "--exhaustive")
    assert [(x["a"], x["b"], x["n"]) for x in rows] == [
        (f"{a:x}", f"{b:x}", f"{m:x}") for m in (3, 5, 7) for a in range(m) for b in range(m)
    ]
    assert all(x["match"] for x in rows)


MOST_FILES, MOST_CHANGES = 60, 600
"""Files that a run of the cycle model passes, and calls from one of them to another."""


def test_a_run_passes_few_files(rsaxcel):
    root, calls = Path(catalog.__file__).parents[1], Counter()
    folders = {"circuit.py", *(path.parent.name for path in root.glob("*/__init__.py"))}

    def ours(frame):
        while (
            frame and frame.f_code.co_filename.removeprefix(f"{root}/").split("/")[0] not in folders
        ):
            frame = frame.f_back
        return frame and frame.f_code.co_filename

    def count(frame, event, _):
        if event == "call" and frame.f_code.co_filename == ours(frame):
            calls[frame.f_code.co_filename, ours(frame.f_back)] += 1

    run = "sim", "montmul_csa_r2l", "--nbits", "64", "--level", "cl"
    rsaxcel(*run)
    sys.setprofile(count)
    try:
        assert rsaxcel(*run).status == 0
    finally:
        sys.setprofile(None)
    assert len({called for called, _ in calls}) <= MOST_FILES
    changes = {pair: n for pair, n in calls.items() if pair[0] != pair[1]}
    assert sum(changes.values()) <= MOST_CHANGES, Counter(changes).most_common(9)
