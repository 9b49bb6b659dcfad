"""The one exception of the power analysis."""


class PowerError(ValueError):
    """A library, netlist, slew or activity file is unusable; the message is one line."""
