"""`rsaxcel sim` on wrong circuits and models."""

import json

import pytest
from pymtl3 import Component
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel import catalog
from rsaxcel.cl.multipliers import Ssmm
from rsaxcel.fl.messages import power_request, power_response
from rsaxcel.fl.unit import FunctionUnit
from tests.cli.sim_runs import NATIVE_GROUP, POWER_VECTORS, options, records

PYMTL = ["--engine", "pymtl"]
UNTIMED = ["--level", "fl", *PYMTL]
CONFIGURATION = catalog.get("mont_r2l").configure(32)
SSMM = "--param bits_per_cycle=1 --param recurrence=signed"


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
        assert f"instead of result {pow(base, exp, n):#x}, status ok;" in line
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
    assert "status ok instead of result 0x0, status base_too_large" in finished.err


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
    """Replace the cycle model by one that is off by one cycle for some operands."""
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
    for level in ("fl", "cl"):  # levels without simulated cycles
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
