"""Operations too long for gate-level simulation: the leading bits give the whole power."""

import numpy as np
import pytest

from rsaxcel.fl.keys import seeded_key
from rsaxcel.flow.gates.level import GateLevel
from rsaxcel.flow.subjects.circuits import ExponentiatorSubject
from tests.flow.flow_circuits import build
from tests.shared.harness import built_once

pytestmark = built_once("netlist", 8)

NBITS = 64


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    return build("ssmm_r2l", tmp_path_factory.mktemp("ssmm"), nbits=NBITS)


def simulate(circuit, exponent):
    subject = ExponentiatorSubject(circuit.configuration)
    (done,) = subject.simulate(GateLevel(circuit.netlist), circuit.module, {"decrypt": exponent})
    toggles = np.sum(list(done.activity.toggles.values()))
    return done, toggles / done.activity.cycles


def test_leading_bits_of_the_exponent_stand_for_all(wide, monkeypatch):
    d = seeded_key(NBITS).d
    whole, toggles = simulate(wide, d)
    assert whole.figures["simulated_exponent"] == d
    assert whole.figures["simulated_cycles"] == whole.figures["cycles"]

    monkeypatch.setattr("rsaxcel.flow.subjects.circuits._GATE_CYCLES", 1)
    cut, cut_toggles = simulate(wide, d)
    assert cut.figures["simulated_exponent"] == d >> d.bit_length() - 17
    assert cut.figures["exponent"] == d
    assert cut.figures["cycles"] == whole.figures["cycles"]
    # Squarings per bit are equal; products per bit vary with the number of ones.
    share = cut.figures["simulated_cycles"] / cut.figures["cycles"]
    assert share == pytest.approx(17 / d.bit_length(), rel=0.1)
    assert cut_toggles == pytest.approx(toggles, rel=0.1)


def test_short_exponents_are_never_cut(wide, monkeypatch):
    _, after_another = simulate(wide, 65537)
    monkeypatch.setattr("rsaxcel.flow.subjects.circuits._GATE_CYCLES", 1)
    done, alone = simulate(wide, 65537)
    assert done.figures["simulated_exponent"] == 65537
    # The initial contents of registers matter little, and less at great widths.
    assert alone != after_another
    assert alone == pytest.approx(after_another, rel=0.005)


@built_once("netlist-repeated", 8)
def test_fewer_products_of_an_exponent_that_is_counted_down(tmp_path, monkeypatch):
    circuit = build("ssmm_r2l", tmp_path, nbits=16, schedule="repeated", lanes=1)
    whole, toggles = simulate(circuit, 251)
    assert whole.figures["simulated_exponent"] == 251
    monkeypatch.setattr("rsaxcel.flow.subjects.circuits._GATE_CYCLES", 1)
    cut, cut_toggles = simulate(circuit, 251)
    assert cut.figures["simulated_exponent"] == 17
    assert cut.figures["cycles"] == whole.figures["cycles"]
    assert cut_toggles == pytest.approx(toggles, rel=0.1)


@pytest.mark.slow
def test_exponents_that_do_not_decide_the_cycles_are_never_cut(tmp_path, monkeypatch):
    monkeypatch.setattr("rsaxcel.flow.subjects.circuits._GATE_CYCLES", 1)
    done, _ = simulate(build("systolic_l2r_always", tmp_path, nbits=32), seeded_key(32).d)
    assert done.figures["simulated_exponent"] == seeded_key(32).d
    assert done.figures["simulated_cycles"] == done.figures["cycles"]
