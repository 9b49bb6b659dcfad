"""`rsaxcel sim`: every level and engine, what is printed, and what counts as wrong."""

import json

import pytest
from pymtl3 import Component
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

import catalog
from cl.multipliers.ssmm import Ssmm
from fl.messages import power_request, power_response
from fl.unit import FunctionUnit
from tests.harness import ANY_MODULUS, VARIANTS

KEYS = [
    *("design", "nbits", "params", "level", "engine", "line", "base", "exp", "n"),
    *("status", "result", "expect", "match", "cycles"),
]
POWER_VECTORS = [
    {"base": "5", "exp": "3", "n": "7", "expect": "6"},
    {"base": "2", "exp": "0", "n": "9"},
    {"base": "ffff1", "exp": "10001", "n": "fffffffb"},
    {"base": "9", "exp": "1", "n": "9", "expect": "0", "valid": False},
    {"base": "1", "exp": "1", "n": "1", "expect": "error"},
    {"base": "1", "exp": "100000000", "n": "7"},
]
POWERS = ["6", "1", f"{pow(0xFFFF1, 65537, 0xFFFFFFFB):x}", "0", "0", "0"]
STATUSES = [*["ok"] * 3, "base_too_large", "modulus_too_small", "operand_too_wide"]
PRODUCT_VECTORS = [
    {"a": "5", "b": "6", "n": "7"},
    {"a": "8", "b": "6", "n": "7"},
    {"a": "5", "b": "1b2", "n": "315", "expect": "250"},
]
RUNS = [
    *(("fl", None), ("fl", "pymtl"), ("cl", None), ("cl", "pymtl")),
    *(("rtl", "pymtl"), ("rtl", None)),
]
SSMM = "--param bits_per_cycle=1"
NATIVE_GROUP = pytest.mark.xdist_group("rsaxcel-sim")


@pytest.fixture
def vectors(tmp_path):
    def write(records):
        file = tmp_path / "vectors.jsonl"
        file.write_text("".join(json.dumps(record) + "\n" for record in records))
        return file

    return write


def options(level, engine):
    return ["--level", level, *(["--engine", engine] if engine else [])]


def records(finished):
    return [json.loads(line) for line in finished.out.splitlines()]


@NATIVE_GROUP
@pytest.mark.parametrize(
    ("design", "level", "engine"),
    [
        pytest.param(
            design, *run, marks=[pytest.mark.slow] if run[0] == "rtl" and design in VARIANTS else []
        )
        for design in ANY_MODULUS
        for run in RUNS
    ],
)
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
    for record in got:
        assert record["design"] == design
        assert record["nbits"] == 32
        assert record["level"] == level
        assert record["engine"] == (engine or default)


@NATIVE_GROUP
@pytest.mark.parametrize(
    "design",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in VARIANTS else [])
        for name in (*ANY_MODULUS, "cm_pm_r2l")
    ],
)
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


@pytest.mark.parametrize("engine", [None, "pymtl"])
def test_functional_model_has_no_cycles(rsaxcel, engine):
    finished = rsaxcel("sim", "mont_r2l", *options("fl", engine), "--random", 5, "--json")
    assert [record["cycles"] for record in records(finished)] == [None] * 5


@NATIVE_GROUP
@pytest.mark.parametrize(("level", "engine"), RUNS)
def test_vectors_of_a_multiplier(rsaxcel, vectors, level, engine):
    file = vectors(PRODUCT_VECTORS)
    finished = rsaxcel("sim", "mul_rem", *options(level, engine), "--vectors", file, "--json")
    assert finished.status == 0
    got = records(finished)
    assert [record["status"] for record in got] == ["ok", "base_too_large", "ok"]
    assert [record["result"] for record in got] == ["2", "0", "250"]


def test_montgomery_multiplier_gives_its_own_product(rsaxcel, vectors):
    file = vectors([{"a": "5", "b": "6", "n": "7", "expect": "2"}])
    finished = rsaxcel(
        "sim", "mont_mul_rem", "--nbits", 8, "--level", "fl", "--vectors", file, "--json"
    )
    expected = f"{5 * 6 * pow(256, -1, 7) % 7:x}"
    (record,) = records(finished)
    assert (record["result"], record["expect"], record["match"]) == (expected, expected, True)


@pytest.mark.parametrize("option", [["--json"], []])
def test_expect_that_python_contradicts_is_a_mismatch_with_its_line(rsaxcel, vectors, option):
    file = vectors([*POWER_VECTORS, {"base": "5", "exp": "3", "n": "7", "expect": "4"}])
    finished = rsaxcel("sim", "mont_r2l", "--level", "cl", "--vectors", file, *option)
    assert finished.status == 1
    (line,) = finished.err.splitlines()
    assert f"{file}:7:" in line
    assert "expects 4" in line
    assert "Python gives 6" in line
    if option:
        assert [r["match"] for r in records(finished)] == [True] * 6 + [False]
        assert records(finished)[-1]["expect"] == "4"


def test_parameters_reach_the_design(rsaxcel):
    args = ["sim", "mont_r2l", "--level", "cl", "--random", 5, "--json"]
    default = records(rsaxcel(*args))
    deeper = records(rsaxcel(*args, "--param", "stages=8", "--param", "r2_bits_per_cycle=1"))
    assert [r["result"] for r in default] == [r["result"] for r in deeper]
    assert all(a["cycles"] < b["cycles"] for a, b in zip(default, deeper, strict=True))


@pytest.mark.parametrize("nbits", [8, 16, 64, 128])
@pytest.mark.parametrize("design", catalog.DESIGNS)
@pytest.mark.parametrize("level", ["fl", "cl"])
def test_random_vectors_of_many_widths(rsaxcel, design, nbits, level):
    args = ["sim", design, "--nbits", nbits, "--level", level, "--random", 300, "--seed", 7]
    finished = rsaxcel(*args)
    assert finished.status == 0
    assert "mismatches   0\n" in finished.out


@NATIVE_GROUP
def test_many_vectors_in_several_processes_come_in_order(rsaxcel):
    finished = rsaxcel("sim", "mont_r2l", "--random", 30_000, "--seed", 7, "--json")
    assert finished.status == 0
    got = records(finished)
    assert [r["line"] for r in got] == list(range(1, 30_001))
    assert all(r["match"] for r in got)


def test_few_vectors_are_shown_as_a_table(rsaxcel, vectors):
    finished = rsaxcel("sim", "mulrem_r2l", "--level", "cl", "--vectors", vectors(POWER_VECTORS))
    lines = finished.out.splitlines()
    assert lines[0].split() == [
        *("line", "base", "exp", "n", "status", "result", "expect", "cycles", "match")
    ]
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
    again = records(rsaxcel(*args, "--vectors", file, "--json"))
    assert [{**record, "seed": 11} for record in again] == drawn
    assert "seed" not in again[0]


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_table_shortens_long_numbers_and_cuts_none(rsaxcel, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("eval.sim_output._PLAIN_WIDTH", columns)
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
def test_what_a_multiplier_refuses_is_not_sent(rsaxcel, vectors, engine, others):
    file = vectors([{"a": "9", "b": "1", "n": "5"}, *others])
    options = ["--nbits", 8, "--engine", engine, "--vectors", file]
    finished = rsaxcel("sim", "ssmm", *options)
    assert finished.status == 0
    assert "1 of them against an input rule and not sent" in finished.out
    first = records(rsaxcel("sim", "ssmm", *options, "--json"))[0]
    assert (first["status"], first["cycles"]) == ("base_too_large", None)


def test_standard_input(rsaxcel, monkeypatch, tmp_path):
    file = tmp_path / "in"
    file.write_text(json.dumps(POWER_VECTORS[0]))
    with file.open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        finished = rsaxcel("sim", "mont_r2l", "--level", "fl", "--vectors", "-", "--json")
    assert records(finished)[0]["result"] == "6"


class NeverAnswers(Component):
    def construct(s, nbits):
        s.recv = RecvIfcRTL(power_request(nbits, (), nbits))
        s.send = SendIfcRTL(power_response(nbits))
        s.recv.rdy //= 1
        s.send.val //= 0
        s.send.msg //= power_response(nbits)()


def broken(monkeypatch, component):
    monkeypatch.setattr(catalog.Configuration, "component", lambda self, level: component())


def function_unit(function):
    return FunctionUnit(power_request(32, (), 32), power_response(32), function)


PYMTL = ["--engine", "pymtl"]
UNTIMED = ["--level", "fl", *PYMTL]
CONFIGURATION = catalog.get("mont_r2l").configure(32)


def test_hang_is_told_with_the_vector(rsaxcel, vectors, monkeypatch):
    broken(monkeypatch, lambda: NeverAnswers(32))
    file = vectors(POWER_VECTORS)
    finished = rsaxcel("sim", "mont_r2l", *PYMTL, "--vectors", file)
    assert finished.status == 1
    (line,) = finished.err.splitlines()
    assert line.startswith(f"rsaxcel: error: {file}:1: no answer")


@pytest.mark.parametrize("option", [["--json"], []])
def test_wrong_results_are_told_with_their_lines(rsaxcel, monkeypatch, option):
    def off_by_one(b, e, m, wide):
        result, status = CONFIGURATION.outcome(b, e | wide << 32, m)
        return ((result + 1) % m, status) if b == 5 else (result, status)

    broken(monkeypatch, lambda: function_unit(off_by_one))
    finished = rsaxcel("sim", "mont_r2l", *UNTIMED, "--random", 40, "--seed", 0, *option)
    assert finished.status == 1
    *lines, again = finished.err.splitlines()
    assert lines
    for line in lines:
        operands = json.loads(line[line.index("{") :])
        base, exp, n = (int(operands[key], 16) for key in ("base", "exp", "n"))
        assert base == 5
        assert f"expected {pow(base, exp, n):x};" in line
    vector = lines[0][lines[0].index("{") :]
    params = " ".join(f"--param {k}={v}" for k, v in CONFIGURATION.params.items())
    assert again == (
        f"rsaxcel: the first one again: echo '{vector}' | rsaxcel sim mont_r2l --nbits 32 {params} "
        "--level fl --engine pymtl --vectors - --trace"
    )
    if option:
        assert sum(not r["match"] for r in records(finished)) == len(lines)


def test_wrong_status_is_a_mismatch(rsaxcel, vectors, monkeypatch):
    broken(monkeypatch, lambda: function_unit(lambda b, e, m, wide: (pow(b, e, m or 7), 0)))
    file = vectors(POWER_VECTORS[3:])
    finished = rsaxcel("sim", "mont_r2l", *UNTIMED, "--vectors", file, "--json")
    assert finished.status == 1
    assert [r["match"] for r in records(finished)] == [False] * 3
    assert f"{file}:1: status ok, expected base_too_large" in finished.err


def test_unknown_status_code_is_a_mismatch(rsaxcel, vectors, monkeypatch):
    broken(monkeypatch, lambda: function_unit(lambda b, e, m, wide: (6, 200)))
    file = vectors(POWER_VECTORS[:1])
    finished = rsaxcel("sim", "mont_r2l", *UNTIMED, "--vectors", file, "--json")
    assert finished.status == 1
    assert records(finished)[0]["status"] == "unknown_200"


@pytest.mark.parametrize("option", [["--json"], []])
def test_cycles_unlike_the_cycle_models_are_mismatches(rsaxcel, vectors, monkeypatch, option):
    modelled = CONFIGURATION.cycles(5, 3, 7)
    broken(monkeypatch, lambda: function_unit(lambda b, e, m, wide: CONFIGURATION.outcome(b, e, m)))
    file = vectors(POWER_VECTORS[:2])
    finished = rsaxcel("sim", "mont_r2l", *options("cl", "pymtl"), "--vectors", file, *option)
    assert finished.status == 1
    first, second, _ = finished.err.splitlines()
    assert f"{file}:1: cycles 1, the cycle model says {modelled}; " in first
    assert json.loads(first[first.index("{") :]) == {"base": "5", "exp": "3", "n": "7"}
    assert f"{file}:2: cycles 1, the cycle model says " in second
    if option:
        assert [(r["match"], r["result"]) for r in records(finished)] == [
            (False, "6"),
            (False, "1"),
        ]
    else:
        assert "no, 2 differ of 2 compared" in finished.out
        assert "mismatches   2\n" in finished.out


def plant_cycle_model(monkeypatch, wrong):
    """A cycle model that is one cycle off for some operands."""
    of_a_product = Ssmm.durations

    def durations(self, a, b, modulus):
        (cycles,) = of_a_product(self, a, b, modulus)
        return (cycles + wrong(a, b, modulus),)

    monkeypatch.setattr(Ssmm, "durations", durations)


@NATIVE_GROUP
def test_wrong_cycle_model_is_found_by_the_circuit(rsaxcel, vectors, monkeypatch):
    plant_cycle_model(monkeypatch, lambda a, b, modulus: b == 0x80)
    file = vectors([{"a": "3", "b": b, "n": "fb"} for b in ("7f", "80", "81")])
    args = ["sim", "ssmm", "--nbits", 8, "--vectors", file]
    finished = rsaxcel(*args, "--json")
    assert finished.status == 1
    assert [r["match"] for r in records(finished)] == [True, False, True]
    line, again = finished.err.splitlines()
    assert f"{file}:2: cycles 10, the cycle model says 11; " in line
    assert again.endswith(f"rsaxcel sim ssmm --nbits 8 {SSMM} --level rtl --vectors - --trace")
    for level in ("fl", "cl"):  # nothing is measured
        assert rsaxcel(*args, "--level", level).status == 0


@NATIVE_GROUP
@pytest.mark.parametrize(("line", "status"), [(1000, 1), (1001, 0), (1100, 1)])
def test_cycles_of_many_vectors_are_compared_now_and_then(
    rsaxcel, vectors, monkeypatch, line, status
):
    plant_cycle_model(monkeypatch, lambda a, b, modulus: a == 1)
    others = [{"a": "3", "b": "5", "n": "fb"}] * 1200
    file = vectors([*others[1:line], {"a": "1", "b": "5", "n": "fb"}, *others[line:]])
    finished = rsaxcel("sim", "ssmm", "--nbits", 8, "--vectors", file)
    assert finished.status == status
    assert "of 1,002 compared" in finished.out
    assert (f"{file}:{line}: cycles " in finished.err) == bool(status)


def test_load_cycles_are_compared(rsaxcel, monkeypatch):
    of_the_model = catalog.MultiplierConfiguration.load_cycles.fget
    component = catalog.MultiplierConfiguration.component
    built = catalog.find("systolic").configure(8)
    made = component(built, "cl")
    broken_load = property(lambda self: of_the_model(self) + 1)
    monkeypatch.setattr(catalog.MultiplierConfiguration, "component", lambda self, level: made)
    monkeypatch.setattr(catalog.MultiplierConfiguration, "load_cycles", broken_load)
    args = ["--level", "cl", *PYMTL, "--random", 3, "--seed", 1]
    finished = rsaxcel("sim", "systolic", "--nbits", 8, *args)
    assert finished.status == 1
    told = of_the_model(built)
    assert f"load cycles {told}, the cycle model says {told + 1}; " in finished.err


@pytest.mark.parametrize("nbits", [2, 3, 5])
def test_multipliers_are_narrower_than_any_key(rsaxcel, nbits):
    for name in (n for n, entry in catalog.multipliers().items() if nbits in entry.widths):
        args = ["--nbits", nbits, "--level", "cl", "--random", 60]
        assert rsaxcel("sim", name, *args).status == 0


@NATIVE_GROUP
def test_multiplier_takes_the_operands_of_its_contract(rsaxcel, vectors):
    rows = [(13, 9, 7), (13, 14, 7), (509, 508, 255)]
    file = vectors([dict(zip("abn", (f"{x:x}" for x in row), strict=True)) for row in rows])
    for level in catalog.LEVELS:
        args = ["--nbits", 8, "--level", level, "--vectors", file, "--json"]
        finished = rsaxcel("sim", "digit_serial", *args)
        assert finished.status == 0
        got = records(finished)
        assert [r["status"] for r in got] == ["ok", "base_too_large", "ok"]
        for (a, b, n), record in zip(rows, got, strict=True):
            if record["status"] == "ok":
                assert int(record["result"], 16) == a * b * pow(1024, -1, n) % n
        reduced = rsaxcel("sim", "systolic", "--param", "final_subtraction=on", *args)
        assert [r["status"] for r in records(reduced)] == [
            *["base_too_large"] * 2,
            "operand_too_wide",
        ]
