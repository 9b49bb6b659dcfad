"""Timing of the stores: cycles that a store adds to load operands and to unload the result."""
