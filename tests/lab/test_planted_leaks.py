"""Leaks that are planted on purpose are found by the default settings, and no others."""

import random

import pytest

from rsaxcel import catalog
from rsaxcel.flow.errors import FlowError
from rsaxcel.lab.leakage.measure import RUN, TTest
from rsaxcel.lab.leakage.operands import classes_of
from rsaxcel.lab.leakage.request import LeakRequest
from rsaxcel.lab.leakage.study import TRACES, contradictions
from rsaxcel.lab.leakage.timing import time_test
from tests.lab.leaking_circuits import CYCLES, LEAKS, NBITS, planted_recorder
from tests.shared.harness import built_once

pytestmark = built_once("leakage", 8)


def result_of(recorder, folder, test, seed=0, traces=TRACES, order=1, noise=1.0):
    """Result by the default settings of the command."""
    about = [test], traces, noise, seed, "freepdk-45nm", 3.0
    made = TTest(
        LeakRequest(recorder.configuration, *about, order=order), test, lambda: recorder, "planted"
    )
    made.store = folder
    return made.result()


def test_a_register_that_keeps_a_digit_is_found_and_named(tmp_path, monkeypatch):
    recorder = planted_recorder("digit", tmp_path / "circuit", monkeypatch)
    found = result_of(recorder, tmp_path / "store", "exponent")
    assert found.parts[RUN].t > found.threshold
    assert found.leaks
    assert found.detected < found.traces == 10_000
    assert next(iter(found.registers)) == "digit_reg"
    others = [peak.t for name, peak in found.registers.items() if name != "digit_reg"]
    assert max(others) < found.threshold


def test_a_bit_in_one_cycle_is_found_and_named_in_a_crowd(tmp_path, monkeypatch):
    """The energy of the whole circuit hides the bit, the energy of its register does not."""
    recorder = planted_recorder("moment", tmp_path / "circuit", monkeypatch)
    found = result_of(recorder, tmp_path / "store", "exponent", traces=1024)
    assert found.detected is None
    assert found.leaks
    assert [name for name, peak in found.registers.items() if peak.above] == ["digit_reg"]


def test_a_register_that_only_the_fixed_exponent_moves_is_named(tmp_path, monkeypatch):
    """Random operands, which give the units of the noise, leave the register still."""
    planted = catalog.get("mulrem_r2l").configure(NBITS)
    _, exponent, _ = classes_of(planted, "exponent", 0).fixed(random.Random(0))
    digit = f"exponent == {exponent} & count_reg == 5"
    monkeypatch.setitem(LEAKS, "own", {"digit": digit, "crowd": "255"})
    recorder = planted_recorder("own", tmp_path / "circuit", monkeypatch)
    for noise in (1.0, 0.0):
        found = result_of(recorder, tmp_path / "store", "exponent", traces=256, noise=noise)
        assert [name for name, peak in found.registers.items() if peak.above] == ["digit_reg"]


def test_without_a_planted_leak_nothing_is_found(tmp_path, monkeypatch):
    recorder = planted_recorder("none", tmp_path / "circuit", monkeypatch)
    found = result_of(recorder, tmp_path / "store", "exponent")
    assert not found.leaks
    base = result_of(recorder, tmp_path / "store", "base")
    assert base.leaks  # the data of the base are in the traces


@pytest.mark.slow
def test_equal_classes_of_the_planted_circuit_give_no_alarm(tmp_path, monkeypatch):
    """20 seeds by the default settings: the digit's register toggles in both classes alike."""
    recorder = planted_recorder("digit", tmp_path / "circuit", monkeypatch)
    seen = [result_of(recorder, tmp_path / "store", "none", seed) for seed in range(20)]
    assert [x.leaks for x in seen] == [False] * 20
    assert len({x.peak.t for x in seen}) == 20


def test_a_comparison_that_ends_early_is_found_in_the_circuit(tmp_path, monkeypatch):
    """The netlist's cycles differ from those of the model, which knows nothing of the leak."""
    with pytest.raises(FlowError, match=r"the netlist of mulrem_r2l_8.*cycles"):
        planted_recorder("early", tmp_path / "circuit", monkeypatch)


def test_shares_are_found_by_their_variance_alone(tmp_path, monkeypatch):
    recorder = planted_recorder("shares", tmp_path / "circuit", monkeypatch)
    asked = recorder, tmp_path / "store", "exponent", 0, 1024
    assert not result_of(*asked).leaks
    found = result_of(*asked, order=2)
    assert found.detected is not None
    assert found.parts[RUN].above
    assert [name for name, peak in found.registers.items() if peak.above] == ["crowd_reg"]
    assert not result_of(recorder, tmp_path / "store", "none", 0, 1024, order=2).leaks


def test_cycles_of_all_traces_are_compared(tmp_path, monkeypatch):
    recorder = planted_recorder("rarely", tmp_path / "circuit", monkeypatch)
    result_of(recorder, tmp_path / "store", "exponent", traces=256)
    with pytest.raises(FlowError, match=f"cycles {CYCLES - 1}, the cycle model says {CYCLES}"):
        result_of(recorder, tmp_path / "store", "exponent", traces=1024)


def test_a_comparison_that_ends_early_is_found_in_the_model(monkeypatch):
    """The model has the leak, too, and the design declares that its time is constant."""
    configuration = catalog.get("montmul_r2l").configure(16, schedule="ladder")
    cycles = type(configuration).cycles

    def early(self, base, exponent, modulus):
        return cycles(self, base, exponent, modulus) - 9 * (exponent < 1 << 8)

    monkeypatch.setattr(type(configuration), "cycles", early)
    (told,) = contradictions([time_test(configuration, "exponent", 0)])
    assert "exponent_dependent is declared false" in told
