"""Blocks about which claims of the class ``function`` are proven."""

from rsaxcel.eval.proofs.blocks.adders import ADDERS
from rsaxcel.eval.proofs.blocks.block import VALUE_NBITS, Block, Port, Specification
from rsaxcel.eval.proofs.blocks.digits import DIGITS
from rsaxcel.eval.proofs.blocks.dividers import DIVIDERS
from rsaxcel.eval.proofs.blocks.processor import PROCESSOR
from rsaxcel.eval.proofs.blocks.trees import TREES

BLOCKS: dict[str, Block] = {x.name: x for x in (*ADDERS, *TREES, *DIGITS, *DIVIDERS, *PROCESSOR)}
"""Blocks by name."""

__all__ = ["BLOCKS", "VALUE_NBITS", "Block", "Port", "Specification"]
