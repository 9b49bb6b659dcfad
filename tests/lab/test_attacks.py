"""Attacks: digits come out of made-up traces and of netlists, and noise hides them."""

import json
import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from rsaxcel import catalog
from rsaxcel.lab.leakage.attacks import (
    Correlation,
    Cut,
    Victim,
    attacked,
    known_bits,
    told_digits,
    trace_counts,
)
from rsaxcel.lab.leakage.measure import calibration
from rsaxcel.lab.leakage.recorder import Recorder
from rsaxcel.lab.leakage.request import LeakRequest
from rsaxcel.lab.leakage.schedule import digits_of, steps_of
from tests.flow.flow_circuits import build
from tests.lab.leaking_circuits import slews_of
from tests.shared.harness import built_once

pytestmark = built_once("attacks", 8)


def made_up(digits, lengths, noise, seed=0):
    """A trace of digits, each of which has a shape of its own, between random cycles."""
    rng = np.random.default_rng(seed)
    shapes = [rng.normal(size=length) for length in lengths]
    parts = [rng.normal(size=5), *(shapes[digit] for digit in digits), rng.normal(size=9)]
    trace = np.concatenate(parts)
    return trace + noise * rng.normal(size=len(trace))


@pytest.mark.parametrize("lengths", [(6, 11), (9, 9)], ids=["named", "alike"])
def test_digits_of_a_made_up_trace_come_out(lengths):
    draw = random.Random(3)
    digits = [draw.getrandbits(1) for _ in range(40)]
    longer = sum(digits) if lengths[0] != lengths[1] else 0
    cut = Cut(5, len(digits), lengths, longer)
    told = told_digits(made_up(digits, lengths, 0.3), cut, np.random.default_rng(1)).tolist()
    assert told == digits or (not cut.named and told == [1 - x for x in digits])


def test_clusters_of_noise_are_guesses():
    draw = random.Random(4)
    digits = [draw.getrandbits(1) for _ in range(60)]
    cut = Cut(5, 60, (9, 9), 0)
    told = told_digits(made_up(digits, (9, 9), 30.0), cut, np.random.default_rng(1))
    right = int((told == digits).sum())
    assert 15 < right < 45


@pytest.mark.parametrize(
    ("schedule", "digits"), [("l2r", 16), ("ladder", 16), ("window", 4), ("r2l", 16)], ids=str
)
def test_digits_of_an_exponent_follow_each_other(schedule, digits):
    configuration = catalog.get("montmul_r2l").configure(16, schedule=schedule)
    row = (1234, 0xB6D7, 40961)
    found, steps = digits_of(configuration, row), steps_of(configuration, row)
    assert len(found) == digits
    assert all(a.end == b.begin for a, b in pairwise(found))
    assert {found[0].begin, found[-1].end} <= {x for s in steps for x in (s.begin, s.end)}


@pytest.mark.parametrize(
    ("design", "base"), [("orup_window", 1234), ("mont_r2l", 1234), ("mont_r2l", 1)]
)
def test_squares_of_a_window_lie_around_its_last_one(design, base):
    """The table has an entry for the result itself; values that happen to be equal do not count."""
    choices = {} if design == "orup_window" else {"schedule": "fixed_window"}
    configuration = catalog.get(design).configure(16, window_nbits=2, **choices)
    digits = digits_of(configuration, (base, 0b00_11_10_01 << 8, 40961))
    late, early = "square, square, product", "square, product, square"
    assert [x.name for x in digits] == [late, late, early, late, late, late, late, late]


@pytest.fixture(scope="module")
def recorder(tmp_path_factory):
    """Recorder of a design whose products follow the exponent, one after the other."""
    circuit = build("montmul_r2l", tmp_path_factory.mktemp("l2r"), schedule="l2r")
    rows = calibration(circuit.configuration)
    netlist = circuit.netlist
    return Recorder(circuit.configuration, netlist, circuit.module, slews_of(netlist), rows)


def result_of(recorder, attack, traces, noise=1.0, seed=0):
    about = recorder.configuration, [], traces, noise, seed, "freepdk-45nm", 3.0
    return attacked(LeakRequest(*about), attack, lambda: recorder, "netlist")


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("RSAXCEL_CACHE", str(tmp_path))


def test_simple_analysis_reads_exponents_where_products_follow_them(recorder, store):
    found = result_of(recorder, "simple", 4)
    last = found.rows[-1]
    assert (last.traces, last.bits) == (4, 8 * 6)
    assert last.right == last.bits
    assert last.whole == 8
    assert last.significant
    assert json.loads(json.dumps(found.as_json()))["rows"][-1]["significant"]


@pytest.mark.slow
def test_correlation_reads_exponents_and_noise_hides_them(recorder, store):
    clear, loud = (result_of(recorder, "correlation", 256, noise=x).rows[-1] for x in (1, 100))
    assert clear.right == clear.bits == 2 * 6
    assert clear.first_wrong == 6
    assert clear.significant
    assert not loud.significant


def test_the_attack_sees_bases_and_traces_alone(recorder):
    """Another exponent in the record changes nothing of what the attack tells."""
    victim = Victim(recorder, 1.0, 0)
    observed = victim.observe(0, 256)
    method = Correlation(recorder.configuration, victim.source.modulus)
    told = method.exponent(method.told(observed))
    assert told == observed.exponent
    assert told & known_bits(8) == known_bits(8)
    assert method.exponent(method.told(replace(observed, exponent=0))) == told
    # Traces of other bases do not fit the predictions.
    swapped = replace(observed, bases=observed.bases[::-1])
    assert method.exponent(method.told(swapped)) != told


def test_numbers_of_traces():
    assert trace_counts("correlation", 1024) == [64, 128, 256, 512, 1024]
    assert trace_counts("correlation", 50) == [50]
    assert trace_counts("simple", 64) == [1, 4, 16, 64]
    assert trace_counts("horizontal", 100) == [1, 4, 16, 64, 100]


def test_tables_of_an_attack(capsys):
    from rsaxcel.cli.output.leak import show_attack, show_attack_json
    from rsaxcel.lab.leakage.attacks import Attacked, AttackSuccess

    configuration = catalog.get("mont_r2l").configure(16)
    asked = LeakRequest(configuration, [], 128, 1.0, 0, "freepdk-45nm", 3.0)
    rows = [AttackSuccess(64, 15, 28, 2.5, 0, 0.43), AttackSuccess(128, 28, 28, 14.0, 2, 3.7e-9)]
    found = Attacked("correlation", 2, 1.0, 0, rows)
    show_attack(asked, found)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["64", "15", "of", "28", "2.5", "0", "of", "2", "0.43", "no"] in lines
    assert ["128", "28", "of", "28", "14.0", "2", "of", "2", "3.7e-09", "yes"] in lines
    show_attack_json(asked, found)
    figures = json.loads(capsys.readouterr().out)
    assert (figures["kind"], figures["attack"], figures["activity"]) == (
        "attack",
        "correlation",
        "zero",
    )
    assert [row["significant"] for row in figures["rows"]] == [False, True]


@pytest.mark.parametrize("schedule", ["l2r_always", "window", "fixed_window", "m_ary"])
def test_right_digits_give_the_state_of_the_circuit(schedule):
    """What the correlation predicts of the right digits is what the golden model computes."""
    exponent, modulus, base = 0b1001_1100_0110_0001, 40_009, 1234
    configuration = catalog.find("mont_r2l").configure(16, schedule=schedule)
    model = Correlation(configuration, modulus)
    width, count = model.scan.digit_nbits, model.scan.ndigits
    told = [exponent >> i * width & (1 << width) - 1 for i in reversed(range(count))]
    assert model.exponent(told) == exponent
    states, operands = [model._begun(base)], [{}]
    for number in range(1, count + 1):
        trial = model._tried(states, operands, told[:number])
        states, operands = trial.states, trial.operands
    golden = configuration.golden
    (right,) = golden.begin(base, exponent, modulus)
    for program in configuration.programs:
        steps = replace(program, leave=(), join=()) if program.loop else program
        for _ in golden.run(steps, [right]):
            pass
        if program.loop:
            break
    assert states[0].residues["r"] == right.residues["r"]
