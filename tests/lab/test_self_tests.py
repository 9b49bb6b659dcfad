"""Self-tests of claims: faults are planted in circuits, and claims have to refute them."""

from collections import Counter
from dataclasses import replace

import pytest

from rsaxcel import catalog
from rsaxcel.lab.proofs.blocks import BLOCKS
from rsaxcel.lab.proofs.exchanges import exchange_claims
from rsaxcel.lab.proofs.functions import FunctionClaim
from rsaxcel.lab.proofs.netlists import NetlistClaim
from rsaxcel.lab.proofs.planted import plant
from rsaxcel.lab.proofs.products import ProductClaim
from rsaxcel.lab.proofs.responses import StatusClaim
from rsaxcel.lab.proofs.secrecy import SecrecyClaim
from rsaxcel.lab.proofs.self_test import self_test
from rsaxcel.lab.proofs.surroundings import EXCHANGES

slow = pytest.mark.slow
SECONDS = 60
LADDER = catalog.get("montmul_r2l").configure(8, schedule="ladder")


def test_faults_of_all_kinds_are_drawn_by_a_seed():
    module = FunctionClaim(BLOCKS["divider"], 4).module
    faults = plant(module, 20, 7)
    assert faults == plant(module, 20, 7)
    assert faults != plant(module, 20, 8)
    assert len({fault.verilog for fault in faults}) == len(faults) == 20
    kinds = Counter(fault.kind for fault in faults)
    assert {*kinds} == {"gate", "register", "handshake", "operator"}


@slow
def test_a_weak_claim_lets_faults_survive():
    """The remainder of a division is not compared: its faults are listed."""
    block = BLOCKS["divider"]

    def at(nbits, **params):
        found = block.at(nbits, **params)
        return replace(found, right="REMAINDER < DIVISOR || DIVISOR == 0")

    strong = self_test([FunctionClaim(block, 4)], 16, 1, SECONDS)
    weak = self_test([FunctionClaim(replace(block, at=at), 4)], 16, 1, SECONDS)
    assert strong.share == 1
    assert weak.share < 0.9
    assert weak.surviving


@slow
@pytest.mark.parametrize(
    "claims",
    [
        pytest.param([ProductClaim(catalog.find("mont_mul").configure(3))], id="product"),
        pytest.param([FunctionClaim(BLOCKS["add_halve"], 4)], id="function"),
        pytest.param([StatusClaim(catalog.get("mulrem_r2l").configure(8))], id="status"),
        pytest.param(exchange_claims(EXCHANGES["xcel_adapter"]), id="exchange"),
        pytest.param([NetlistClaim(catalog.find("mont_mul").configure(4))], id="netlist"),
    ],
)
def test_claims_refute_planted_faults(claims):
    found = self_test(claims, 16, 3, SECONDS)
    assert len(found.found) >= 12
    assert found.count("refuted") > 0
    assert found.share >= 0.95, [fault.text for fault, _ in found.surviving]


@slow
def test_no_secrecy_is_proven_of_a_leak():
    """A leak into data may leave the claim open, as control is not constant any more."""
    found = self_test([SecrecyClaim(LADDER)], 8, 1, SECONDS)
    assert found.count("refuted") >= 4
    assert "proven" not in {verdict for _, verdict in found.surviving}
