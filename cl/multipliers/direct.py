"""Timing of Direct, which is combinational."""

from rsaxcel.cl.lib.combinational import Combinational


class Direct(Combinational):
    """Timing of a multiplier that can form a product in every cycle."""
