"""Add and halve: one bit of a Montgomery product, with one adder."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, concat, mk_bits, update

from rtl.lib.add_correct import AddCorrect


class AddHalve(Component):
    """Halves a running sum, adds x where ``scanned`` is set, and takes m away if that is odd.

    Sums lie in -m .. m - 1 after halving. They are handed on before it, so that the same wires
    carry the corrected result, which must not be halved. (The documents add m, compare with it at
    the end and subtract; taking it away leaves a sign to look at instead.)

    Parameters
    ----------
    nbits : int
        Width of the modulus in bits.

    Ports
    -----
    t_in : in, nbits + 2 bits; signed, sum to be halved
    x : in, nbits + 2 bits; the multiplicand
    scanned : in, 1 bit; the bit of the multiplier
    correct : in, 1 bit; with ``scanned`` 0: brings the halved sum into 0 .. m - 1
    m : in, nbits bits; odd
    t_out : out, nbits + 2 bits; signed, sum to be halved

    Combinational. Source: Li and Chu, algorithms 1 and 3.
    """

    def construct(s, nbits):
        Signed = mk_bits(nbits + 2)
        top = nbits + 1
        s.t_in = InPort(Signed)
        s.x = InPort(Signed)
        s.scanned = InPort(1)
        s.correct = InPort(1)
        s.m = InPort(nbits)
        s.t_out = OutPort(Signed)

        s.adder = AddCorrect(nbits, nbits + 2)
        s.adder.x //= s.x
        s.adder.take //= s.scanned
        s.adder.m //= s.m
        s.adder.total //= s.t_out
        s.odd = Wire(Bits1)

        @update
        def comb_halve():
            s.adder.acc @= concat(s.t_in[top], s.t_in[1 : top + 1])

        @update
        def comb_correction():
            s.odd @= s.t_in[1] ^ (s.scanned & s.x[0])
            s.adder.subtract @= s.odd & ~s.correct
            s.adder.add @= s.correct & s.t_in[top]
