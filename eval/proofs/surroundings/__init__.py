"""Circuits about which claims of the class ``exchange`` are proven, and their surroundings."""

from eval.proofs.surroundings.accelerator import ACCELERATOR
from eval.proofs.surroundings.adapter import ADAPTER
from eval.proofs.surroundings.exchange import Exchange
from eval.proofs.surroundings.slave import SLAVE

EXCHANGES: dict[str, Exchange] = {x.name: x for x in (ADAPTER, SLAVE, ACCELERATOR)}
"""Circuits by name."""

__all__ = ["EXCHANGES", "Exchange"]
