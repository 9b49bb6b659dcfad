"""Leaks that are planted on purpose are found by the default settings, and no others."""

import pytest

from rsaxcel import catalog
from rsaxcel.flow.errors import FlowError
from rsaxcel.lab.leakage.measure import RUN, TTest
from rsaxcel.lab.leakage.study import NOISE, TRACES, contradictions
from rsaxcel.lab.leakage.timing import time_tests
from tests.lab.leaking_circuits import planted_recorder
from tests.shared.harness import built_once

pytestmark = built_once("leakage", 8)


def result_of(recorder, folder, test, seed=0):
    """Result by the default settings of the command."""
    configuration = recorder.configuration
    common = seed, TRACES, NOISE, lambda: recorder, "planted", folder
    return TTest(configuration, test, *common).result()


def test_a_register_that_keeps_a_digit_is_found_and_named(tmp_path, monkeypatch):
    recorder = planted_recorder("digit", tmp_path / "circuit", monkeypatch)
    found = result_of(recorder, tmp_path / "store", "exponent")
    assert found.parts[RUN].t > found.threshold
    assert found.leaks
    assert found.detected < found.traces == 10_000
    assert next(iter(found.registers)) == "digit_reg"
    others = [peak.t for name, peak in found.registers.items() if name != "digit_reg"]
    assert max(others) < found.threshold


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


def test_a_comparison_that_ends_early_is_found_in_the_model(monkeypatch):
    """The model has the leak, too, and the design declares that its time is constant."""
    configuration = catalog.get("montmul_r2l").configure(16, schedule="ladder")
    cycles = type(configuration).cycles

    def early(self, base, exponent, modulus):
        return cycles(self, base, exponent, modulus) - 9 * (exponent < 1 << 8)

    monkeypatch.setattr(type(configuration), "cycles", early)
    (told,) = contradictions(time_tests(configuration, 0))
    assert "exponent_dependent is declared false" in told
