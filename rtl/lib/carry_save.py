"""Carry-save adders, alone (three numbers to two, no carry propagates) and in a tree."""

from pymtl3 import Component, InPort, OutPort, Wire, concat, mk_bits, update


class CarrySaveTree(Component):
    """Tree of carry-save adders; its output rows add up to the sum of all inputs mod ``2**nbits``.

    It knows no modulus; the trees of ``rtl.lib.compressors`` add modulo a constant.

    Parameters
    ----------
    nbits : int; width of a row in bits
    rows : int; rows at the input
    left : int; rows at the output, 2 or more and fewer than ``rows``

    Ports
    -----
    rows : in, nbits bits each; the row that is valid earliest comes first
    carry_in : in, 1 bit each, up to two; added at bit 0, as late in the tree as possible
    sums : out, nbits bits each

    Combinational: each carry-save adder takes the three earliest of the remaining rows.
    """

    def construct(s, nbits, rows, left):
        Row = mk_bits(nbits)
        count = rows - left
        carries = min(count, 2)
        s.rows = [InPort(Row) for _ in range(rows)]
        s.carry_in = [InPort(1) for _ in range(carries)]
        s.sums = [OutPort(Row) for _ in range(left)]
        s.adders = [CarrySave(nbits) for _ in range(count)]
        waiting = list(s.rows)
        for i, adder in enumerate(s.adders):
            for port, row in zip((adder.x, adder.y, adder.z), waiting, strict=False):
                port //= row
            waiting = [*waiting[3:], adder.sum, adder.carry]
            late = i - (count - carries)
            adder.carry_in //= s.carry_in[late] if late >= 0 else 0
        for port, row in zip(s.sums, waiting, strict=True):
            port //= row


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
