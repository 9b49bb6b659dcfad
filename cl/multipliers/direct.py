"""Timing of Direct: the result is there with the operands."""

from cl.lib.combinational import Combinational


class Direct(Combinational):
    """A product in every cycle."""
