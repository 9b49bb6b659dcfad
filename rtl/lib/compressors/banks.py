"""Banks of equal cells (gates, adders or compressors); each port has one bit per cell."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update

from rsaxcel.plan.compressors.netlist import AND, COMPRESSOR_5_3, FULL_ADDER, HALF_ADDER, NOT


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


INPUTS = ("x", "y", "z", "v", "w")
OUTPUTS = ("sum", "carry", "carry_4")


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
