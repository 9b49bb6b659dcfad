"""Carry-save adder: three numbers to two, without carry propagation."""

from pymtl3 import Component, InPort, OutPort, Wire, concat, mk_bits, update


class CarrySave(Component):
    """Adder ``x + y + z + carry_in = sum + carry``, modulo ``2**nbits``.

    Parameters
    ----------
    nbits : int; width of all numbers in bits, 2 or more

    Ports
    -----
    x, y, z : in, nbits bits each
    carry_in : in, 1 bit
    sum, carry : out, nbits bits each; the lowest bit of ``carry`` is ``carry_in``

    Combinational: the delay of one full adder.
    """

    def construct(s, nbits):
        Number = mk_bits(nbits)
        s.x = InPort(Number)
        s.y = InPort(Number)
        s.z = InPort(Number)
        s.carry_in = InPort(1)
        s.sum = OutPort(Number)
        s.carry = OutPort(Number)
        s.majority = Wire(Number)
        top = nbits - 1

        @update
        def comb_compress():
            s.sum @= s.x ^ s.y ^ s.z
            s.majority @= (s.x & s.y) | (s.z & (s.x ^ s.y))
            s.carry @= concat(s.majority[0:top], s.carry_in)
