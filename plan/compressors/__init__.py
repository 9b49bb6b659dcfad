"""Plans of combinational circuits for products, squares and residues modulo a constant.

The circuits are trees of compressors: cells that replace bits of one weight by fewer bits. A plan
can be executed, as the circuit's golden model, and estimates area and delay. Source: Vassoler,
2.2.1, 2.2.2.
"""

from rsaxcel.plan.compressors.matrix import TREES
from rsaxcel.plan.compressors.plan import (
    MAX_BITS,
    Plan,
    plan_product,
    plan_residue,
    plan_square,
    product_bits,
)
from rsaxcel.plan.compressors.weights import own_columns, tree_columns

__all__ = [
    "MAX_BITS",
    "TREES",
    "Plan",
    "own_columns",
    "plan_product",
    "plan_residue",
    "plan_square",
    "product_bits",
    "tree_columns",
]
