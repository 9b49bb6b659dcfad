"""Timing of CompressorTree, which is combinational."""

from cl.lib.combinational import Combinational


class CompressorTree(Combinational):
    """A product in every cycle."""
