"""Timing of CompressorTree: the result is there with the operands."""

from cl.lib.combinational import Combinational


class CompressorTree(Combinational):
    """A product in every cycle."""
