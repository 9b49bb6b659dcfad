"""Subtraction: subtracts ever smaller multiples of the modulus, one per step."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update


class Subtraction(Component):
    """Subtracts ``2**index * m`` from x unless x is below this multiple.

    Parameters
    ----------
    nbits : int; width of the modulus in bits
    excess_nbits : int; k: x is below ``2**k * m`` before the first step

    Ports
    -----
    x : in, nbits + excess_nbits bits
    m : in, nbits bits
    index : in, 8 bits; k - 1 in the first step, one less in each following step
    r : out, nbits + excess_nbits bits; below m after k steps

    Combinational.
    """

    def construct(s, nbits, excess_nbits):
        Wide = mk_bits(nbits + excess_nbits)
        s.x = InPort(Wide)
        s.m = InPort(nbits)
        s.index = InPort(8)
        s.r = OutPort(Wide)
        s.multiples = [Wire(Wide) for _ in range(excess_nbits)]
        for k, multiple in enumerate(s.multiples):
            if k:
                multiple[0:k] //= 0
            multiple[k : nbits + k] //= s.m
            multiple[nbits + k : nbits + excess_nbits] //= 0
        s.multiple = Wire(Wide)

        @update
        def comb_multiple():
            s.multiple @= s.multiples[0]
            for k in range(excess_nbits):
                if s.index == k:
                    s.multiple @= s.multiples[k]

        @update
        def comb_difference():
            s.r @= s.x
            if s.x >= s.multiple:
                s.r @= s.x - s.multiple
