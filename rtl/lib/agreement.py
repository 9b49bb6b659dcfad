"""Agreement: compares a state machine with its copy, in every cycle."""

from collections.abc import Sequence
from typing import Any

from pymtl3 import Component, InPort, OutPort, connect, update


class Agreement(Component):
    """Tells whether two machines that should give the same outputs give different ones.

    Parameters
    ----------
    nbits : int
        Number of all bits that are compared.

    Ports
    -----
    first, second : in, nbits bits each; outputs of the machine and of its copy
    differs : out, 1 bit; they are not equal; combinational
    """

    def construct(s, nbits: int):
        s.first = InPort(nbits)
        s.second = InPort(nbits)
        s.differs = OutPort(1)

        @update
        def comb_differs():
            s.differs @= s.first != s.second


def agreement(firsts: Sequence[Any], seconds: Sequence[Any]) -> Agreement:
    """Make an ``Agreement`` of the width of some ports; ``compare`` connects the ports to it."""
    widths = [[port._dsl.Type.nbits for port in ports] for ports in (firsts, seconds)]
    assert widths[0] == widths[1]
    return Agreement(sum(widths[0]))


def compare(check: Agreement, firsts: Sequence[Any], seconds: Sequence[Any]) -> None:
    """Connect ports of a machine, and the same ports of its copy, to their ``Agreement``."""
    low = 0
    for first, second in zip(firsts, seconds, strict=True):
        high = low + first._dsl.Type.nbits
        connect(check.first[low:high], first)
        connect(check.second[low:high], second)
        low = high
