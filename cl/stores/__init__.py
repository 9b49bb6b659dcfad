"""Timing of the stores: cycles that they add to take operands and to give the result."""
