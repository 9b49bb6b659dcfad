"""Timing of the units that supply constants."""
