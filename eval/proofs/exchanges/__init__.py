"""Circuits about which claims of the class ``exchange`` are proven."""

from eval.proofs.exchanges.accelerator import ACCELERATOR
from eval.proofs.exchanges.adapter import ADAPTER
from eval.proofs.exchanges.exchange import Exchange, ExchangeClaim, exchange_claims
from eval.proofs.exchanges.slave import SLAVE

EXCHANGES: dict[str, Exchange] = {x.name: x for x in (ADAPTER, SLAVE, ACCELERATOR)}
"""Circuits by name."""

__all__ = ["EXCHANGES", "Exchange", "ExchangeClaim", "exchange_claims"]
