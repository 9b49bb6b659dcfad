"""Combinational multiplier."""

from pymtl3 import Component, InPort, OutPort, mk_bits, update, zext


class Multiplier(Component):
    """Full product of two unsigned operands.

    Ports
    -----
    a, b : in, nbits bits each
    product : out, 2 * nbits bits

    Combinational.
    """

    def construct(s, nbits):
        Full = mk_bits(2 * nbits)
        s.a = InPort(nbits)
        s.b = InPort(nbits)
        s.product = OutPort(Full)

        @update
        def comb_product():
            s.product @= zext(s.a, Full) * zext(s.b, Full)
