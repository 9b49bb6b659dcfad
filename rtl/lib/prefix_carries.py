"""PrefixCarries: carries of an addition from what its positions generate and propagate."""

from pymtl3 import Component, InPort, OutPort, mk_bits, update


class PrefixCarries(Component):
    """Carry out of every position, by a Kogge-Stone network.

    Parameters
    ----------
    nbits : int
        Positions, 2 or more.

    Ports
    -----
    generate, propagate : in, nbits bits each; a position has a carry of its own, hands one on
    carries : out, nbits bits; a carry leaves the position

    Combinational: two gates for every doubling of the width.
    """

    def construct(s, nbits):
        s.generate = InPort(nbits)
        s.propagate = InPort(nbits)
        s.carries = OutPort(nbits)
        s.levels = [PrefixLevel(nbits, 1 << i) for i in range((nbits - 1).bit_length())]
        generate, propagate = s.generate, s.propagate
        for level in s.levels:
            level.generate //= generate
            level.propagate //= propagate
            generate, propagate = level.generates, level.propagates
        s.carries //= generate


class PrefixLevel(Component):
    """Groups of positions, joined with the groups below them.

    Parameters
    ----------
    nbits : int
        Positions.
    distance : int
        Positions of a group.

    Ports
    -----
    generate, propagate : in, nbits bits each; of the groups that end with each position
    generates, propagates : out, nbits bits each; of groups twice as large

    Combinational.
    """

    def construct(s, nbits, distance):
        Number = mk_bits(nbits)
        s.generate = InPort(Number)
        s.propagate = InPort(Number)
        s.generates = OutPort(Number)
        s.propagates = OutPort(Number)

        @update
        def comb_level():
            s.generates @= s.generate | (s.propagate & (s.generate << distance))
            s.propagates @= s.propagate & (s.propagate << distance)
