"""Timing of Direct, which is combinational."""

from cl.lib.combinational import Combinational


class Direct(Combinational):
    """A product in every cycle."""
