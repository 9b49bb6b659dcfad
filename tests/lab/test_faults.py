"""Campaigns of faults: outcomes, the factor of a wrong result, safe errors, and resumption."""

import json
import random
from itertools import pairwise
from math import gcd

import numpy as np
import pytest
from scipy.stats import binomtest

from rsaxcel.cli.output.fault import _safe_error, describe
from rsaxcel.fl.keys import balanced_key
from rsaxcel.fl.status import Status
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.gates.circuit import FaultKind
from rsaxcel.lab.faults import campaign as campaigns
from rsaxcel.lab.faults.campaign import Campaign, check_exhaustive, least_flip_flops
from rsaxcel.lab.faults.safe_error import Attack, SafeError, Telling
from rsaxcel.lab.faults.space import KINDS, kinds_of
from rsaxcel.lab.faults.study import (
    bound,
    breaks_key,
    factor_of_one,
    factor_of_two,
    faults_of,
    run_study,
)
from rsaxcel.lab.faults.target import DEADLINE, FaultOutcome, FaultTarget, key_operation
from tests.flow.flow_circuits import build
from tests.shared.harness import built_once

pytestmark = built_once("netlist", 8)


@pytest.fixture(scope="module")
def target(circuits) -> FaultTarget:
    return circuits("mulrem_r2l").fault_target()


@pytest.fixture
def store(tmp_path, monkeypatch):
    """Store of results that this test alone uses; ``target`` is compiled before."""
    monkeypatch.setenv("RSAXCEL_CACHE", str(tmp_path))
    return tmp_path


def campaign_of(target, kind: str, count: int | None = None, seed: int = 0) -> Campaign:
    operation = key_operation(target.configuration, seed)
    return Campaign.of(target, operation, kinds_of(kind), count, seed)


def test_a_key_of_equal_primes(target):
    key = key_operation(target.configuration, 0, equal_primes=True).key
    assert key.p.bit_length() == key.q.bit_length() == 4
    assert key.p * key.q == key.n


def test_every_flip_at_8_bits(target, store):
    """All flips of a small design; each wrong result is one, and each place has every cycle."""
    campaign = campaign_of(target, "flip")
    study = run_study(campaign)
    cycles = campaign.operation.cycles
    assert campaign.exhaustive
    flip_flops = len(target.simulator.flip_flops)
    assert len(study.effects) == study.whole.total == flip_flops * cycles
    places = {(x.first.place.name, x.first.cycle) for x in study.effects}
    assert len(places) == len(study.effects)
    assert {x.first.cycle for x in study.effects} == {*range(1, cycles + 1)}
    base, exponent, modulus = campaign.operation.operands
    for effect in study.effects:
        answer = effect.answer
        if answer.outcome in (FaultOutcome.CORRECT, FaultOutcome.WRONG):
            is_right = answer.result == pow(base, exponent, modulus)
            assert is_right == (answer.outcome is FaultOutcome.CORRECT)
            assert answer.status == 0
    assert all(study.whole.by_outcome)
    assert sum(x.total for x in study.by_module_and_kind.values()) == study.whole.total
    assert sum(study.statuses.values()) == study.whole.by_outcome[FaultOutcome.REFUSED]
    # The register of the result's low bit, in the cycle of the response, makes a wrong result.
    name, worst = study.registers[0]
    shares = [x.share(FaultOutcome.WRONG) for _, x in study.registers]
    assert shares == sorted(shares, reverse=True)
    assert 0.5 < worst.share(FaultOutcome.WRONG) <= 1
    assert f"{name} " in "\n".join(describe(study))


def test_all_kinds_of_drawn_faults(target, store):
    study = run_study(campaign_of(target, "all", count=800, seed=3))
    assert set(study.by_kind) == set(KINDS)
    assert study.whole.total == 800
    kinds = {x.first.kind for x in study.effects}
    assert kinds == set(FaultKind)
    figures = json.loads(json.dumps(study.as_json()))
    assert figures["faults"] == 800 == sum(x["faults"] for x in figures["by_kind"].values())
    runs = figures["runs"]
    assert len(runs) == 800
    for outcome in FaultOutcome:
        number = sum(run["outcome"] == outcome.label for run in runs)
        assert number == figures[outcome.label.replace(" ", "_")]
    assert {len(run["faults"]) for run in runs} == {1}
    told = {fault["kind"] for run in runs for fault in run["faults"]}
    assert told == {"flip", "stuck_at_0", "stuck_at_1", "skip", "transient"}
    wrong = [run for run in runs if run["outcome"] == "wrong"]
    assert all(run["result"] != figures["response"] and run["status"] == 0 for run in wrong)
    assert {*wrong[0]["faults"][0]} == {"kind", "module", "place", "cycle"}
    for row in figures["by_module_and_kind"]:
        assert (row["wrong"] == 0) == ("wrong" in row["bounds_95"])
    # Skipped edges have registers as places, not bits.
    skipped = {x.first.place.name for x in study.effects if x.first.kind is FaultKind.SKIP}
    assert skipped <= {x.first.place.register for x in study.effects}


def test_a_larger_count_begins_with_the_same_faults(target, store):
    few, many = (campaign_of(target, "all", count).run() for count in (100, 300))
    assert many[:100] == few
    assert len(many) == 300
    other = campaign_of(target, "all", 100, seed=1).run()
    assert [(x.first.place, x.first.cycle) for x in other] != [
        (x.first.place, x.first.cycle) for x in few
    ]


def test_two_flips_in_the_response_change_two_bits(target, store):
    campaign = campaign_of(target, "flip")
    right, last = campaign.operation.response, campaign.operation.cycles
    bits = {}  # fault by the one bit of the result that it changes
    flips = (x for x in range(campaign.space.size) if campaign.space.at(x)[2] == last)
    rows = [campaign.space.at(x) for x in flips]
    for row, (answer,) in zip(rows, map(lambda x: outcomes(campaign, [x]), rows), strict=True):
        if answer.outcome is FaultOutcome.WRONG:
            bits[answer.result ^ right] = row
    assert len(bits) == 8
    for low, high in pairwise(bits):
        for pair in ((bits[low], bits[high]), (bits[high], bits[low])):
            (answer,) = outcomes(campaign, pair)
            assert (answer.outcome, answer.result) == (FaultOutcome.WRONG, right ^ low ^ high)


def outcomes(campaign, rows):
    """Run the operation once, with all faults."""
    fault = campaign.target.places.injection(rows, campaign.start)
    return campaign.target.run([campaign.operation], [fault], campaign.start)


def test_pairs_of_faults_are_drawn_of_their_kinds(target, store):
    operation = key_operation(target.configuration, 0)
    drawn = [
        Campaign.of(target, operation, ("flip",), count, 5, second=("stuck", "skip"))
        for count in (100, 250)
    ]
    few, many = (run_study(campaign) for campaign in drawn)
    assert many.effects[:100] == few.effects
    assert [*many.by_kind] == ["flip and stuck", "flip and skip"]
    assert sum(x.total for x in many.by_kind.values()) == many.whole.total == 250
    assert many.safe_error == "each run has two faults"
    single = Campaign.of(target, operation, ("flip",), 100, 5).run()
    assert [x.first for x in single] == [x.first for x in few.effects]
    told = "\n".join(describe(many))
    assert f"250 drawn from {drawn[1].size:,}" in told
    assert "two faults in a run" in told
    assert many.as_json()["faults_in_run"] == len(many.as_json()["runs"][0]["faults"]) == 2


def test_an_interrupted_run_goes_on(target, tmp_path, monkeypatch):
    monkeypatch.setattr(campaigns, "_LONGEST_BLOCK", 128)
    monkeypatch.setenv("RSAXCEL_CACHE", str(tmp_path / "whole"))
    whole = run_study(campaign_of(target, "all", 1000)).as_json()
    simulated = []
    run = target.run
    monkeypatch.setattr(target, "run", lambda o, f, s: simulated.append(len(f)) or run(o, f, s))
    monkeypatch.setenv("RSAXCEL_CACHE", str(tmp_path / "interrupted"))

    def interrupt(count: int) -> None:
        if sum(simulated) >= 384:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_study(campaign_of(target, "all", 1000), interrupt)
    assert sum(simulated) == 384
    simulated.clear()
    assert run_study(campaign_of(target, "all", 1000)).as_json() == whole
    assert sum(simulated) == 1000 - 384
    simulated.clear()
    assert run_study(campaign_of(target, "all", 1000)).as_json() == whole
    assert not simulated


def test_a_netlist_with_wrong_results_is_an_error(target, monkeypatch):
    operation = key_operation(target.configuration, 0)
    wrong = type(operation)(*vars(operation).values())
    object.__setattr__(wrong, "response", operation.response ^ 1)
    with pytest.raises(FlowError, match="mulrem_r2l_8 without a fault gives result"):
        target.start(wrong)


def test_no_answer_is_told_by_the_deadline(target, store):
    campaign = campaign_of(target, "stuck")
    ends = {x.answer.outcome for x in campaign.run()}
    assert FaultOutcome.NO_ANSWER in ends
    lines = "\n".join(describe(run_study(campaign)))
    assert f"no response within {DEADLINE * campaign.operation.cycles} cycles" in lines


def test_one_faulty_half_gives_the_primes(tmp_path):
    """CRT without a check: most wrong results that a fault in the lane causes give a prime."""
    circuit = build("crt_window_shared", tmp_path, nbits=32, digit_nbits=4)
    target = circuit.fault_target()
    campaign = campaign_of(target, "flip", count=1500)
    study = run_study(campaign)
    key = campaign.operation.key
    wrong = [x for x in study.effects if x.answer.outcome is FaultOutcome.WRONG]
    in_lane = [x for x in wrong if ".lane" in x.first.place.module]
    found = [x for x in in_lane if x.answer.result in (study.factors or ())]
    assert len(in_lane) > 100
    assert len(found) > len(in_lane) / 2
    for effect in found[:20]:
        assert gcd(effect.answer.result - campaign.operation.response, key.n) in (key.p, key.q)
    assert f"{study.whole.factors:,} of {len(wrong):,} wrong results" in "\n".join(describe(study))
    assert study.as_json()["factors"] == study.whole.factors >= len(found)
    assert study.factor_share == study.whole.factors / len(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["crt_window", "crt_window_shared"])
def test_a_checked_result_gives_no_prime(name, tmp_path):
    """CRT with a check: no wrong result gives a prime, and the few wrong ones are named."""
    circuit = build(name, tmp_path, nbits=32, digit_nbits=4, check="public_exponent")
    campaign = campaign_of(circuit.fault_target(), "all", count=10_000)
    study = run_study(campaign)
    wrong = [x for x in study.effects if x.answer.outcome is FaultOutcome.WRONG]
    assert not study.factors
    assert study.whole.factors == 0
    assert 0 < len(wrong) < 100
    detected = [x for x in study.effects if x.answer.status == Status.FAULT_DETECTED]
    assert len(detected) > 2_000
    assert {x.answer.result for x in detected} == {0}
    assert any("message_reg" in x.first.place.name for x in wrong)


def test_factors_of_hand_made_results():
    key = balanced_key(32)
    base, right = 12345, pow(12345, key.d, key.n)
    half = (right + key.p) % key.n
    assert factor_of_two(half, right, key.n) == factor_of_one(half, base, key.e, key.n) == key.p
    assert breaks_key(key.p, key.e, key.n)
    assert not breaks_key(factor_of_two(right + 1, right, key.n), key.e, key.n)
    for factor in (0, 1, 3, key.n):
        assert not breaks_key(factor, key.e, key.n)


@pytest.mark.slow_cases("always")
@pytest.mark.parametrize(
    ("schedule", "all_digits"), [("r2l_always", True), ("ladder", False)], ids=["always", "ladder"]
)
def test_safe_errors_read_the_exponent_where_products_are_dropped(tmp_path, schedule, all_digits):
    target = build("mulrem_r2l", tmp_path, schedule=schedule).fault_target()
    study = run_study(campaign_of(target, "flip", count=2500, seed=1))
    found = study.safe_error
    assert isinstance(found, SafeError)
    assert (found.digits, found.digit_nbits) == (8, 1)
    assert (found.bits == 8) == all_digits
    assert found.right == found.told == found.bits == found.read
    assert found.all_right == found.all_told == 32 * found.told
    assert f"{found.bits} of 8 bits of the exponent come out" in "\n".join(describe(study))
    short = campaign_of(target, "flip", count=64)
    assert (faults_of(short), faults_of(short, safe_errors=False)) == (128, 64)
    assert run_study(short, safe_errors=False).safe_error == "left out by --no-safe-errors"


def test_telling_digits_by_chance_is_no_success(tmp_path, monkeypatch):
    """Where flips tell nothing, about half of the digits are told right, and none counts."""
    target = build("mulrem_r2l", tmp_path, schedule="r2l_always").fault_target()
    attack = Attack(campaign_of(target, "flip", count=64), 64)
    rows = attack.campaign.space.draw(np.random.default_rng(0), 8)
    guesses = [Telling(row, (0, n), if_zero=True) for n, row in enumerate(rows)]
    monkeypatch.setattr(attack, "_search", lambda progress: guesses)
    draw = random.Random(2)
    monkeypatch.setattr(attack, "_correct", lambda runs: [draw.random() < 0.5 for _ in runs])
    found = attack.run()
    assert (found.told, found.read, found.bits) == (8, 0, 0)
    assert found.chance > 1e-3
    wanted = binomtest(found.all_right, found.all_told, 0.5, alternative="greater").pvalue
    assert found.chance == pytest.approx(wanted)
    assert "no bit of the exponent comes out" in "\n".join(_safe_error(found))


def test_no_safe_errors_where_cycles_tell_the_exponent(target, store):
    campaign = campaign_of(target, "flip", 64)
    assert faults_of(campaign) == 64
    study = run_study(campaign)
    assert study.safe_error == "cycles depend on the operands"
    told = study.as_json()
    assert (told["safe_error"], told["no_safe_error"]) == (None, study.safe_error)


@pytest.mark.parametrize(
    ("total", "expected"), [(1, 0.95), (59, 0.0495), (3000, 0.0009981)], ids=["1", "59", "3000"]
)
def test_bounds_of_what_was_not_seen(total, expected):
    """At the bound, none is seen with a probability of 5 %; for many draws it is 3 by total."""
    assert bound(total) == pytest.approx(expected, rel=1e-3)
    assert (1 - bound(total)) ** total == pytest.approx(0.05)


def test_a_space_that_is_too_large_is_refused(target, monkeypatch):
    monkeypatch.setattr(campaigns, "MOST", 2000)
    operation = key_operation(target.configuration, 0)
    with pytest.raises(ValueError, match=r"exhaustive: [\d,]+ faults; up to 2,000 are allowed"):
        Campaign.of(target, operation, kinds_of("all"), None, 0, exhaustive=True)


@pytest.mark.slow_cases("crt_window")
@pytest.mark.parametrize("name", ["mulrem_r2l", "crt_window"])
def test_what_is_refused_without_a_netlist_is_too_large(circuits, name, monkeypatch):
    """The number of flip-flops that is assumed is not above that of a netlist."""
    target = circuits(name).fault_target()
    least = least_flip_flops(target.configuration)
    assert 0 < least <= len(target.places.of_kind[FaultKind.FLIP])
    operation = key_operation(target.configuration, 0)
    monkeypatch.setattr(campaigns, "MOST", 3 * least * operation.cycles)
    check_exhaustive(target.configuration, operation, kinds_of("all"))
    monkeypatch.setattr(campaigns, "MOST", 3 * least * operation.cycles - 1)
    with pytest.raises(ValueError, match=r"exhaustive: more than [\d,]+ faults; up to"):
        check_exhaustive(target.configuration, operation, kinds_of("all"))
    check_exhaustive(target.configuration, operation, kinds_of("transient"))
