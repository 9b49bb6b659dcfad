"""PrefixCarries: carries of an addition, from the generate and propagate bits of its positions."""

from pymtl3 import Component, InPort, OutPort, mk_bits, update


class PrefixCarries(Component):
    """Computes the carry out of every bit position, by a Kogge-Stone network.

    Parameters
    ----------
    nbits : int; number of positions, 2 or more

    Ports
    -----
    makes, passes : in, nbits bits each; the position generates a carry, propagates a carry
    carries : out, nbits bits; carry out of each position

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
    """One level: joins each group of positions with the group below it.

    Parameters
    ----------
    nbits : int; number of positions
    distance : int; number of positions in a group at the input

    Ports
    -----
    makes, passes : in, nbits bits each; generate and propagate of the group that ends in each
        position
    made_above, passes_above : out, nbits bits each; generate and propagate of the groups of twice
        the size

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
