"""Circuits of the final reduction below the modulus; ``rtl.reducers`` gives them streams."""

from collections.abc import Mapping

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update

from rsaxcel.plan.compressors import plan_residue
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.compressors import ModularResidue


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


#: Circuit by kind of plan.programs.Reduction.
CIRCUITS: Mapping[str, type[Component]] = {
    "subtraction": Subtraction,
    "compressor_tree": CompressorTree,
    "remainder": Remainder,
}
