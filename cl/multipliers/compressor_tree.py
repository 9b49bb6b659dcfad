"""Timing of CompressorTree, which is combinational."""

from cl.lib.combinational import Combinational


class CompressorTree(Combinational):
    """Timing for a product in every cycle."""
