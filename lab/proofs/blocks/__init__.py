"""Blocks about which claims of the class ``function`` are proven."""

from rsaxcel.lab.proofs.blocks.adders import ADDERS, DIVIDERS
from rsaxcel.lab.proofs.blocks.block import VALUE_NBITS, Block, BlockPort, Specification
from rsaxcel.lab.proofs.blocks.digits import DIGITS
from rsaxcel.lab.proofs.blocks.processor import PROCESSOR
from rsaxcel.lab.proofs.blocks.trees import TREES

#: Blocks by name.
BLOCKS: dict[str, Block] = {x.name: x for x in (*ADDERS, *TREES, *DIGITS, *DIVIDERS, *PROCESSOR)}

__all__ = ["BLOCKS", "VALUE_NBITS", "Block", "BlockPort", "Specification"]
