"""Combinational operators modulo a constant, by trees of compressors: plan, golden run, estimate.

Source: Vassoler, sections 2.2.1 and 2.2.2.
"""

from fl.compressors.plan import Plan
from fl.compressors.planner import plan_product, plan_residue, plan_square
from fl.compressors.sizing import TREES

__all__ = ["TREES", "Plan", "plan_product", "plan_residue", "plan_square"]
