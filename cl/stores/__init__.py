"""Cycles that a store adds: to take operands, and to give the result."""
