"""Adders, banks of compressors, and the operators modulo a constant that plans make of them.

The plans are those of ``plan.compressors``.
"""

from pymtl3 import Component, InPort, OutPort, Wire, connect, mk_bits, sext, update, zext

from rsaxcel.plan.compressors.modular_sum import brent_kung_distances
from rsaxcel.plan.compressors.netlist import (
    AND,
    COMPRESSOR_5_3,
    CORRECTION,
    FULL_ADDER,
    HALF_ADDER,
    NOT,
    OPERAND,
    REVERSED,
)


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


INPUTS = ("x", "y", "z", "v", "w")
OUTPUTS = ("sum", "carry", "carry_4")


class _Bank(Component):
    """Base class of the banks of ``count`` cells: adds their ports.

    A cell with n inputs has the first n of ``x, y, z, v, w``, one with n outputs the first n of
    ``sum, carry, carry_4`` (weights 1, 2, 4), ``count`` bits each. Combinational.
    """

    def add_ports(s, count, cell):
        Vector = mk_bits(count)
        for name in INPUTS[: cell.inputs]:
            setattr(s, name, InPort(Vector))
        for name in OUTPUTS[: len(cell.weights)]:
            setattr(s, name, OutPort(Vector))


class AndGates(_Bank):
    """AND gates, ``sum = x & y``."""

    def construct(s, count):
        s.add_ports(count, AND)

        @update
        def comb_and():
            s.sum @= s.x & s.y


class Inverters(_Bank):
    """Inverters, ``sum = ~x``."""

    def construct(s, count):
        s.add_ports(count, NOT)

        @update
        def comb_not():
            s.sum @= ~s.x


class HalfAdders(_Bank):
    """Half adders, ``x + y = sum + 2 * carry`` in each position."""

    def construct(s, count):
        s.add_ports(count, HALF_ADDER)

        @update
        def comb_half():
            s.sum @= s.x ^ s.y
            s.carry @= s.x & s.y


class FullAdders(_Bank):
    """Full adders, ``x + y + z = sum + 2 * carry`` in each position."""

    def construct(s, count):
        s.add_ports(count, FULL_ADDER)

        @update
        def comb_full():
            s.sum @= s.x ^ s.y ^ s.z
            s.carry @= (s.x & s.y) | (s.z & (s.x ^ s.y))


class Compressors53(_Bank):
    """Compressors, ``x + y + z + v + w = sum + 2 * carry + 4 * carry_4`` in each position.

    Source: Patronik and Piestrak, as cited by Vassoler, section 2.2.1.
    """

    def construct(s, count):
        s.add_ports(count, COMPRESSOR_5_3)
        s.first_sum, s.first_carry, s.second_carry = (Wire(mk_bits(count)) for _ in range(3))

        @update
        def comb_count():
            s.first_sum @= s.x ^ s.y ^ s.z
            s.first_carry @= (s.x & s.y) | (s.z & (s.x ^ s.y))
            s.second_carry @= (s.v & s.w) | (s.first_sum & (s.v ^ s.w))
            s.sum @= s.first_sum ^ (s.v ^ s.w)
            s.carry @= s.first_carry ^ s.second_carry
            s.carry_4 @= s.first_carry & s.second_carry


#: Component by kind of cell.
BANKS = {
    AND: AndGates,
    NOT: Inverters,
    HALF_ADDER: HalfAdders,
    FULL_ADDER: FullAdders,
    COMPRESSOR_5_3: Compressors53,
}


class ModularAdder(Component):
    """Adder ``r = (a + b + correction) mod modulus``.

    Parameters
    ----------
    plan : ModularSum; plan of ``plan.compressors``: modulus, correction (a constant addend), and
        the greatest value of ``a + b + correction``, which the caller must not exceed

    Ports
    -----
    a, b : in, plan.nbits bits each
    r : out, plan.result_nbits bits

    Combinational. Source: Vassoler, section 2.2.2, figure 6.
    """

    def construct(s, plan):
        nbits, result_nbits = plan.nbits, plan.result_nbits
        Number = mk_bits(nbits)
        Result = mk_bits(result_nbits)
        s.a = InPort(Number)
        s.b = InPort(Number)
        s.r = OutPort(Result)
        count = len(plan.constants)
        last = count - 1
        s.adders = [BrentKungAdder(nbits) for _ in range(count)]
        s.tops = [Wire(1) for _ in range(count)]
        for index, constant in enumerate(plan.constants):
            s.adders[index].carry_in //= 0
            if constant:
                add = ConstantCarrySave(nbits, constant)
                setattr(s, f"carry_save_{index}", add)
                add.a //= s.a
                add.b //= s.b
                s.adders[index].a //= add.sum
                s.adders[index].b //= add.carry
                s.tops[index] //= add.top
            else:
                s.adders[index].a //= s.a
                s.adders[index].b //= s.b
                s.tops[index] //= 0
        # Sum j is a + b + correction - j * modulus. Sum j is the result if it is not negative and
        # sum j + 1 is negative. ``reached[j]``: sum j is not negative. ``beyond[j]`` is ``reached[j
        # + 1]``, and ``earlier[j]`` is ``results[j - 1]``: these are connections, because the
        # translation to Verilog computes an index such as j + 1 with too few bits.
        s.reached = [Wire(1) for _ in range(count)]
        s.beyond = [Wire(1) for _ in range(count)]
        s.here = [Wire(1) for _ in range(count)]
        s.results = [Wire(Result) for _ in range(count)]
        s.earlier = [Wire(Result) for _ in range(count)]
        for j in range(count - 1):
            s.beyond[j] //= s.reached[j + 1]
            s.earlier[j + 1] //= s.results[j]
        s.beyond[last] //= 0
        s.earlier[0] //= 0

        @update
        def comb_reached():
            s.reached[0] @= 1
            for j in range(1, count):
                s.reached[j] @= s.tops[j] | s.adders[j].carry

        @update
        def comb_choose():
            for j in range(count):
                s.here[j] @= s.reached[j] & ~s.beyond[j]
                s.results[j] @= s.earlier[j] | (
                    s.adders[j].sum[0:result_nbits] & sext(s.here[j], Result)
                )

        s.r //= s.results[last]


class ConstantCarrySave(Component):
    """Carry-save adder ``a + b + constant = sum + carry + 2**nbits * top``.

    Parameters
    ----------
    nbits : int; width of all numbers in bits
    constant : int; constant addend, below ``2**nbits``

    Ports
    -----
    a, b : in, nbits bits each
    sum, carry : out, nbits bits each
    top : out, 1 bit

    Combinational: the delay of one half adder, because one input is constant.
    """

    def construct(s, nbits, constant):
        Number = mk_bits(nbits)
        s.a = InPort(Number)
        s.b = InPort(Number)
        s.sum = OutPort(Number)
        s.carry = OutPort(Number)
        s.top = OutPort(1)
        s.majority = Wire(Number)
        addend = Number(constant)
        top = nbits - 1

        @update
        def comb_add():
            s.sum @= s.a ^ s.b ^ addend
            s.majority @= (s.a & s.b) | (addend & (s.a | s.b))
            s.carry @= s.majority << 1
            s.top @= s.majority[top]


class Reverse(Component):
    """Reverses the order of the ``nbits`` bits of ``x``."""

    def construct(s, nbits):
        s.x = InPort(nbits)
        s.reversed = OutPort(nbits)
        last = nbits - 1

        @update
        def comb_reverse():
            for place in range(nbits):
                s.reversed[place] @= s.x[last - place]


class CompressorTree(Component):
    """Banks of cells (``BANKS``), connected as a plan says.

    It is a part of the multiplier ``rtl.multipliers.compressor_tree`` and of the remainder
    ``rtl.reducers``, which have the same class name.

    Parameters
    ----------
    plan : Plan; plan of ``plan.compressors``

    Ports
    -----
    x : in, plan.nbits bits; the first operand
    y : in, plan.nbits bits; the second operand of a product; for a square, the same operand again;
        missing for a residue
    rows[0], rows[1] : out, plan.modular_sum.nbits bits each; the sum of both and of the plan's
        correction is congruent to the result modulo m

    Combinational.
    """

    def construct(s, plan):
        Row = mk_bits(plan.modular_sum.nbits)
        s.x = InPort(plan.nbits)
        s.rows = [OutPort(Row) for _ in plan.rows]
        vectors = {OPERAND: s.x}
        if plan.reads_reversed:
            s.y = InPort(plan.nbits)
            s.reverse = Reverse(plan.nbits)
            s.reverse.x //= s.y
            vectors[REVERSED] = s.reverse.reversed
        if plan.correction_row:
            Correction = mk_bits(plan.columns)
            s.correction = Wire(Correction)
            s.correction //= Correction(plan.correction_row)
            vectors[CORRECTION] = s.correction

        def wire(port, runs):
            offset = 0
            for run in runs:
                constant = run.vector not in vectors
                source = 0 if constant else vectors[run.vector]
                whole = run.length == port.get_type().nbits
                sink = port if whole else port[offset : offset + run.length]
                if not constant and run.length < source.get_type().nbits:
                    source = source[run.offset : run.offset + run.length]
                connect(sink, source)
                offset += run.length

        for index, bank in enumerate(plan.banks):
            part = BANKS[bank.cell](bank.count)
            setattr(s, f"{bank.cell.name}_{index}", part)
            for name, runs in zip(INPUTS, bank.inputs, strict=False):
                wire(getattr(part, name), runs)
            for number, name in enumerate(OUTPUTS[: len(bank.cell.weights)], bank.vector):
                vectors[number] = getattr(part, name)
        for row, runs in zip(s.rows, plan.rows, strict=True):
            wire(row, runs)


class _Operator(Component):
    """Base class of the operators: adds a compressor tree, and a modular adder for its two rows."""

    def add_tree(s, plan, operation):
        if plan.operation != operation:
            raise ValueError(f"{type(s).__name__}: plan of a {plan.operation}, not a {operation}")
        s.r = OutPort(plan.result_nbits)
        s.tree = CompressorTree(plan)
        s.adder = ModularAdder(plan.modular_sum)
        s.adder.a //= s.tree.rows[0]
        s.adder.b //= s.tree.rows[1]
        s.r //= s.adder.r


class ModularProduct(_Operator):
    """Multiplier ``r = a * b mod m`` for operands below the constant m.

    Parameters
    ----------
    plan : Plan; made by ``plan.compressors.plan_product``

    Ports
    -----
    a, b : in, plan.nbits bits each; below plan.modulus
    r : out, plan.result_nbits bits; below plan.modulus

    Combinational. Source: Vassoler, section 2.2.1.
    """

    def construct(s, plan):
        s.add_tree(plan, "product")
        s.a = InPort(plan.nbits)
        s.b = InPort(plan.nbits)
        s.tree.x //= s.a
        s.tree.y //= s.b


class ModularSquare(_Operator):
    """Squarer ``r = a * a mod m`` for an operand below the constant m.

    Parameters
    ----------
    plan : Plan; made by ``plan.compressors.plan_square``

    Ports
    -----
    a : in, plan.nbits bits; below plan.modulus
    r : out, plan.result_nbits bits; below plan.modulus

    Combinational.
    """

    def construct(s, plan):
        s.add_tree(plan, "square")
        s.a = InPort(plan.nbits)
        s.tree.x //= s.a
        s.tree.y //= s.a


class ModularResidue(_Operator):
    """Reducer ``r = x mod m`` for any operand and the constant m.

    Parameters
    ----------
    plan : Plan; made by ``plan.compressors.plan_residue``

    Ports
    -----
    x : in, plan.nbits bits
    r : out, plan.result_nbits bits; below plan.modulus

    Combinational.
    """

    def construct(s, plan):
        s.add_tree(plan, "residue")
        s.x = InPort(plan.nbits)
        s.tree.x //= s.x
