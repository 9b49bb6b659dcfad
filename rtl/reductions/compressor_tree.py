"""CompressorTree: remainder by a constant modulus, by one tree of compressors."""

from pymtl3 import Component, InPort, OutPort

from rsaxcel.plan.compressors import plan_residue
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.compressors import ModularResidue


class CompressorTree(Component):
    """Computes ``x mod modulus``; its banks of cells are ``rtl.lib.compressors.operators``.

    No multiplier: ``rtl.multipliers.compressor_tree`` is one.

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

    Source: Vassoler 2023, section 4.2.1, figures 17 and 38.
    """

    def construct(s, nbits, excess_nbits, modulus):
        width = nbits + excess_nbits
        s.x = InPort(width)
        s.m = InPort(nbits)
        s.index = InPort(8)
        s.r = OutPort(width)
        s.residue = ModularResidue(plan_residue(int(modulus, 16), width))
        s.residue.x //= s.x
        connect_low(s.r, s.residue.r)
