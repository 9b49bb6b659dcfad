"""Sweeps: measure all points of a specification and write them as facts."""
