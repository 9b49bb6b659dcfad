"""Agreement: compares a state machine with its copy, in every cycle."""

from collections.abc import Sequence
from typing import Any

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, connect, update, update_ff


class Agreement(Component):
    """Tells whether two machines that should give the same outputs give different ones.

    Parameters
    ----------
    nbits : int; number of all bits that are compared

    Ports
    -----
    first, second : in, nbits bits each; outputs of the machine and of its copy
    differs : out, 1 bit; they are not equal; combinational
    differed : out, 1 bit; they were not equal in the last cycle, which was no reset; a register
    """

    def construct(s, nbits: int):
        s.first = InPort(nbits)
        s.second = InPort(nbits)
        s.differs = OutPort(1)
        s.differed = OutPort(1)
        s.differed_reg = Wire(Bits1)
        s.differed //= s.differed_reg

        @update
        def comb_differs():
            s.differs @= s.first != s.second

        @update_ff
        def seq_differed():
            s.differed_reg <<= s.differs & ~s.reset


def add_agreement(s: Any, name: str, firsts: Sequence[Any], seconds: Sequence[Any]) -> None:
    """Add an ``Agreement``, as attribute ``name``, of signals of a machine and of its copy."""
    widths = [[signal._dsl.Type.nbits for signal in signals] for signals in (firsts, seconds)]
    assert widths[0] == widths[1]
    check = Agreement(sum(widths[0]))
    setattr(s, name, check)
    low = 0
    for first, second, width in zip(firsts, seconds, widths[0], strict=True):
        connect(check.first[low : low + width], first)
        connect(check.second[low : low + width], second)
        low += width
