"""Circuits of the final reduction below the modulus; ``rtl.reducers`` gives them streams."""

from collections.abc import Mapping

from pymtl3 import Component

from rsaxcel.rtl.reductions.compressor_tree import CompressorTree
from rsaxcel.rtl.reductions.remainder import Remainder
from rsaxcel.rtl.reductions.subtraction import Subtraction

# Circuit by kind of plan.programs.Reduction.
CIRCUITS: Mapping[str, type[Component]] = {
    "subtraction": Subtraction,
    "compressor_tree": CompressorTree,
    "remainder": Remainder,
}
