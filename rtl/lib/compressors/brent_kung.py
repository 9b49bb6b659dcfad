"""Brent-Kung parallel-prefix adder."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update, zext

from rsaxcel.plan.compressors.modular_sum import brent_kung_distances


class BrentKungAdder(Component):
    """Parallel-prefix adder ``a + b + carry_in = 2**nbits * carry + sum``.

    Parameters
    ----------
    nbits : int; width of the operands in bits

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

        # For each step of the network, each signal has a bit per position. `before` and `after` are
        # generate and propagate bits, before and after the step, of the group of bits whose highest
        # bit is at the position. `below` are the bits, before the step, of the group whose highest
        # bit is `distance` positions lower. `combines` is 1 where the step combines these two
        # groups.
        distances = brent_kung_distances(nbits) or ((1, 1),)  # nothing to combine for 1 bit
        steps = len(distances)
        before, after, below = ([], [], [])
        for groups in (before, after, below):
            groups += ([Wire(Number) for _ in range(steps)] for _ in range(2))
        s.generate_before, s.propagate_before = before
        s.generate_after, s.propagate_after = after
        s.generate_below, s.propagate_below = below
        s.combines = [Wire(Number) for _ in range(steps)]
        s.half_sum = Wire(Number)
        s.generate_first = Wire(Number)
        s.carries = Wire(Number)

        last = [s.generate_first, s.half_sum]
        for step, (distance, first) in enumerate(distances):
            places = sum(1 << place for place in range(first, nbits, 2 * distance))
            s.combines[step] //= Number(places)
            for kind in range(2):
                before[kind][step] //= last[kind]
                below[kind][step][0:distance] //= 0
                if distance < nbits:
                    below[kind][step][distance:nbits] //= last[kind][0 : nbits - distance]
                last[kind] = after[kind][step]
        s.carries //= last[0]
        s.carry //= s.carries[nbits - 1]

        @update
        def comb_bits():
            s.half_sum @= s.a ^ s.b
            s.generate_first @= (s.a & s.b) | (s.half_sum & zext(s.carry_in, Number))

        @update
        def comb_combine():
            for i in range(steps):
                s.generate_after[i] @= s.generate_before[i] | (
                    s.propagate_before[i] & s.generate_below[i] & s.combines[i]
                )
                s.propagate_after[i] @= s.propagate_before[i] & (
                    s.propagate_below[i] | ~s.combines[i]
                )

        @update
        def comb_sum():
            s.sum @= s.half_sum ^ ((s.carries << 1) | zext(s.carry_in, Number))
