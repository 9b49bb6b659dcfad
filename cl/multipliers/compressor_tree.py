"""Timing of CompressorTree, which is combinational."""

from rsaxcel.cl.lib.combinational import Combinational


class CompressorTree(Combinational):
    """Timing of a multiplier that can form a product in every cycle."""
