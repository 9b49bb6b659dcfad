"""Plans of combinational operators modulo a constant, built as trees of compressors.

A plan can be executed, as golden model of its circuit, and estimates area and delay.

Source: Vassoler, sections 2.2.1 and 2.2.2.
"""

from plan.compressors.plan import Plan
from plan.compressors.planner import plan_product, plan_residue, plan_square
from plan.compressors.sizing import TREES
from plan.compressors.weights import own_columns

__all__ = ["TREES", "Plan", "own_columns", "plan_product", "plan_residue", "plan_square"]
