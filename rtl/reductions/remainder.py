"""Remainder: remainder by a constant modulus, by the operator ``%`` of Verilog."""

from pymtl3 import Component, InPort, OutPort, mk_bits, update


class Remainder(Component):
    """Computes ``x mod modulus``.

    Parameters
    ----------
    nbits : int; width of the modulus in bits
    excess_nbits : int; width of x beyond ``nbits``, in bits
    modulus : str; the constant modulus, in hexadecimal

    Ports
    -----
    x : in, nbits + excess_nbits bits
    m : in, nbits bits; not read
    index : in, 8 bits; not read
    r : out, nbits + excess_nbits bits; below the modulus

    Combinational.

    Source: Vassoler 2023, section 5.1, equation 29.
    """

    def construct(s, nbits, excess_nbits, modulus):
        Wide = mk_bits(nbits + excess_nbits)
        s.x = InPort(Wide)
        s.m = InPort(nbits)
        s.index = InPort(8)
        s.r = OutPort(Wide)
        divisor = Wide(int(modulus, 16))

        @update
        def comb_remainder():
            s.r @= s.x % divisor
