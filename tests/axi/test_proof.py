"""Proof that the AXI4-Lite slave keeps the rules of the specification for all inputs."""

from dataclasses import replace

from rsaxcel.lab.proofs.exchanges import ExchangeClaim
from rsaxcel.lab.proofs.solver import ProofVerdict
from rsaxcel.lab.proofs.surroundings import EXCHANGES
from rsaxcel.rtl.axi.pins import CHANNELS

SLAVE = EXCHANGES["axi_slave"]
SECONDS = 60


def rules_of(exchange):
    return ExchangeClaim(exchange, "rules", exchange.nbits).prove(SECONDS)


def test_rules_hold():
    """The slave breaks no rule, for any behaviour of master and registers and any resets."""
    assert set(CHANNELS) == {"aw", "w", "b", "ar", "r"}
    assert rules_of(SLAVE).verdict is ProofVerdict.PROVEN


def test_a_broken_rule_is_found():
    """The checker sees another bready than the slave."""

    def impatient(module, nbits):
        text = SLAVE.checked(module, nbits)
        assert ".s_axi_bready(bready)" in text
        return text.replace(".s_axi_bready(bready)", ".s_axi_bready(bready & accepts)")

    assert rules_of(replace(SLAVE, checked=impatient)).verdict is ProofVerdict.REFUTED
