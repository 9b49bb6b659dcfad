"""SubtractOnce: subtracts the modulus once, if the difference is not negative."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update, zext


class SubtractOnce(Component):
    """Brings a number below 2m below m: subtracts m unless the difference is negative.

    Parameters
    ----------
    nbits : int; width of the modulus in bits

    Ports
    -----
    x : in, nbits + 1 bits; below 2m
    m : in, nbits bits; above x / 2
    r : out, nbits bits; below m

    Combinational. Source: Li and Chu, algorithm 3, lines 6 and 7, and module ``modu_mult_128``.
    """

    def construct(s, nbits):
        Signed = mk_bits(nbits + 2)
        sign = nbits + 1
        s.x = InPort(nbits + 1)
        s.m = InPort(nbits)
        s.r = OutPort(nbits)
        s.difference = Wire(Signed)

        @update
        def comb_choice():
            s.difference @= zext(s.x, Signed) - zext(s.m, Signed)
            s.r @= s.difference[0:nbits]
            if s.difference[sign]:
                s.r @= s.x[0:nbits]
