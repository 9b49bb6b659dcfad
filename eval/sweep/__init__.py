"""Sweeps: every design at every point of a specification, measured and kept as facts."""
