"""Circuits about which claims of the class ``exchange`` are proven, and their surroundings."""

from rsaxcel.lab.proofs.surroundings.accelerator import ACCELERATOR
from rsaxcel.lab.proofs.surroundings.adapter import ADAPTER
from rsaxcel.lab.proofs.surroundings.parts import Exchange
from rsaxcel.lab.proofs.surroundings.slave import SLAVE

#: Circuits by name.
EXCHANGES: dict[str, Exchange] = {x.name: x for x in (ADAPTER, SLAVE, ACCELERATOR)}

__all__ = ["EXCHANGES", "Exchange"]
