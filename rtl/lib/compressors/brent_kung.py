"""Brent-Kung parallel-prefix adder."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update, zext

from fl.compressors.modular_sum import brent_kung_distances


class PrefixStep(Component):
    """Positions that combine with those ``distance`` below; the others pass.

    Parameters
    ----------
    nbits : int
        Positions.
    distance, first : int
        Every position ``first + 2 * distance * i`` combines.

    Ports
    -----
    generate, propagate : in, nbits bits each; of the group of bits that ends at each position
    generate_out, propagate_out : out, nbits bits each; of the larger groups

    Combinational: an AND and an OR deep.
    """

    def construct(s, nbits, distance, first):
        Number = mk_bits(nbits)
        s.generate_in = InPort(Number)
        s.propagate_in = InPort(Number)
        s.generate_out = OutPort(Number)
        s.propagate_out = OutPort(Number)
        combined = sum(1 << place for place in range(first, nbits, 2 * distance))
        combining = Number(combined)
        passing = ~combining

        @update
        def comb_combine():
            s.generate_out @= s.generate_in | (
                s.propagate_in & (s.generate_in << distance) & combining
            )
            s.propagate_out @= s.propagate_in & ((s.propagate_in << distance) | passing)


class BrentKungAdder(Component):
    """``a + b + carry_in = 2**nbits * carry + sum``.

    Parameters
    ----------
    nbits : int
        Width of the operands in bits.

    Ports
    -----
    a, b : in, nbits bits each
    carry_in : in, 1 bit
    sum : out, nbits bits
    carry : out, 1 bit

    Combinational. Source: R. P. Brent and H. T. Kung, "A regular layout for parallel adders", 1982.
    """

    def construct(s, nbits):
        Number = mk_bits(nbits)
        s.a = InPort(Number)
        s.b = InPort(Number)
        s.carry_in = InPort(1)
        s.sum = OutPort(Number)
        s.carry = OutPort(1)
        s.propagate = Wire(Number)
        s.generate_first = Wire(Number)
        s.carries = Wire(Number)

        @update
        def comb_bits():
            s.propagate @= s.a ^ s.b
            s.generate_first @= (s.a & s.b) | (s.propagate & zext(s.carry_in, Number))

        s.steps = []
        generate, propagate = s.generate_first, s.propagate
        for index, (distance, first) in enumerate(brent_kung_distances(nbits)):
            step = PrefixStep(nbits, distance, first)
            setattr(s, f"step_{index}", step)
            step.generate_in //= generate
            step.propagate_in //= propagate
            generate, propagate = step.generate_out, step.propagate_out
        s.carries //= generate
        s.carry //= s.carries[nbits - 1]

        @update
        def comb_sum():
            s.sum @= s.propagate ^ ((s.carries << 1) | zext(s.carry_in, Number))
