"""Timing of the modular multipliers."""
