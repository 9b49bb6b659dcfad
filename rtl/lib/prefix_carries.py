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
    makes, passes : in, nbits bits each; a position has a carry of its own, hands one on
    carries : out, nbits bits; a carry leaves the position

    Combinational: two gates for every doubling of the width.
    """

    def construct(s, nbits):
        s.makes = InPort(nbits)
        s.passes = InPort(nbits)
        s.carries = OutPort(nbits)
        s.levels = [PrefixLevel(nbits, 1 << i) for i in range((nbits - 1).bit_length())]
        generate, propagate = s.makes, s.passes
        for level in s.levels:
            level.makes //= generate
            level.passes //= propagate
            generate, propagate = level.made_above, level.passes_above
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
    makes, passes : in, nbits bits each; of the groups that end with each position
    made_above, passes_above : out, nbits bits each; of groups twice as large

    Combinational.
    """

    def construct(s, nbits, distance):
        Number = mk_bits(nbits)
        s.makes = InPort(Number)
        s.passes = InPort(Number)
        s.made_above = OutPort(Number)
        s.passes_above = OutPort(Number)

        @update
        def comb_level():
            s.made_above @= s.makes | (s.passes & (s.makes << distance))
            s.passes_above @= s.passes & (s.passes << distance)
