"""Timing of Direct, which is combinational."""

from cl.lib.combinational import Combinational


class Direct(Combinational):
    """Timing for a product in every cycle."""
