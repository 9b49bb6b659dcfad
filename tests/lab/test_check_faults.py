"""Flip-flops that are stuck, in designs that check their result: none gives the factor away.

Exponentiation and check share the lanes. So a flip-flop that selects digits could make the result
wrong, and the check good.
"""

import re

import pytest

from rsaxcel.fl.status import Status
from rsaxcel.flow.gates.circuit import FaultKind
from rsaxcel.lab.faults.campaign import Campaign
from rsaxcel.lab.faults.space import KINDS
from rsaxcel.lab.faults.study import factoring
from rsaxcel.lab.faults.target import FaultOutcome, key_operation
from tests.flow.flow_circuits import build
from tests.shared.harness import built_once

pytestmark = built_once("netlist-check", 24)

SELECTING = re.compile(
    r"choice\.|in_flight\.|operand_digits\.(un)?(select|second|last|below)|doubles_reg|offers_reg|in_group_reg"
)
"""Registers that select a product's operands and their digits."""

VERDICT = re.compile(r"confirmation\.ones__\d\.any_reg")
"""Registers that say whether message and recomputed message differ."""


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "every"), [(0, 61), (1, 29)])
@pytest.mark.parametrize("name", ["crt_window", "crt_window_shared"])
def test_no_stuck_register_gives_the_factor(name, seed, every, tmp_path):
    """Both values, in all registers that select digits; wrong results may leave, but no factor.

    A flip-flop gets a fault in one of ``every`` cycles. At 24 bits, a check that computes a random
    number passes by chance with one base of some 16.
    """
    circuit = build(name, tmp_path, nbits=32, check="public_exponent")
    target = circuit.fault_target()
    operation = key_operation(circuit.configuration, seed)
    start = Campaign.of(target, operation, ("stuck",), 1, 0).start
    rows = [
        (kind, number, cycle)
        for kind in KINDS["stuck"]
        for number, place in enumerate(target.places.of_kind[kind])
        if SELECTING.search(place.name)
        for cycle in range(1 + number % every, operation.cycles, every)
    ]
    faults = [target.places.injection([row], start) for row in rows]
    answers = target.run([operation] * len(rows), faults, start)
    refused = sum(answer.outcome is FaultOutcome.REFUSED for answer in answers)
    assert refused > len(rows) / 2
    factors = factoring({x.result for x in answers if x.outcome is FaultOutcome.WRONG}, operation)
    found = {
        target.places.of_kind[kind][number].name
        for (kind, number, _), answer in zip(rows, answers, strict=True)
        if answer.outcome is FaultOutcome.WRONG and answer.result in factors
    }
    assert found == set()


@pytest.mark.slow
def test_a_stuck_verdict_lets_refused_flips_pass(tmp_path):
    """Each flip alone is refused; with a second fault in the verdict, some give the factor."""
    circuit = build("crt_window", tmp_path, nbits=24, check="public_exponent")
    target = circuit.fault_target()
    operation = key_operation(circuit.configuration, 0)
    campaign = Campaign.of(target, operation, ("flip",), 400, 0)
    flips = [
        row
        for row, effect in zip(campaign.block(0)[0], campaign.run(), strict=True)
        if effect.answer.status == Status.FAULT_DETECTED
    ][:22]
    places = target.places.of_kind[FaultKind.STUCK_AT_0]
    verdicts = [x for x, place in enumerate(places) if VERDICT.search(place.name)]
    assert len(verdicts) == 2  # one for each half
    found = set()
    for verdict in verdicts:
        stuck = FaultKind.STUCK_AT_0, verdict, 1
        faults = [target.places.injection([*flip, stuck], campaign.start) for flip in flips]
        answers = target.run([operation] * len(flips), faults, campaign.start)
        wrong = {x.result for x in answers if x.outcome is FaultOutcome.WRONG}
        factors = factoring(wrong, operation)
        found |= {at for at, x in enumerate(answers) if x.result in factors}
    assert len(flips) == 22
    assert len(found) > 4
