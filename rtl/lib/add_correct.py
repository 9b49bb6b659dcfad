"""AddCorrect: an addition with a correction by the modulus, for a bit-serial iteration."""

from pymtl3 import Component, InPort, OutPort, mk_bits, update, zext

from rsaxcel.rtl.lib.carry_save import CarrySave


class AddCorrect(Component):
    """Forms ``acc + x * take``, and adds m, subtracts m, or neither.

    The correction depends on registers only (their parity or signs), so it is known before the
    addition. A row of full adders in front of one adder therefore suffices.

    Parameters
    ----------
    nbits : int; width of the modulus in bits
    sum_nbits : int; width of the signed numbers in bits, above ``nbits``

    Ports
    -----
    acc, x : in, sum_nbits bits each; signed
    take : in, 1 bit; x is added
    m : in, nbits bits
    add, subtract : in, 1 bit each; m is added; m is subtracted; not both
    total : out, sum_nbits bits; signed

    Combinational: a full adder and an adder in series.
    """

    def construct(s, nbits, sum_nbits):
        Number = mk_bits(sum_nbits)
        s.acc = InPort(Number)
        s.x = InPort(Number)
        s.take = InPort(1)
        s.m = InPort(nbits)
        s.add = InPort(1)
        s.subtract = InPort(1)
        s.total = OutPort(Number)

        s.compress = CarrySave(sum_nbits)
        s.compress.x //= s.acc
        s.compress.carry_in //= s.subtract

        @update
        def comb_terms():
            s.compress.y @= 0
            if s.take:
                s.compress.y @= s.x
            s.compress.z @= 0
            if s.add:
                s.compress.z @= zext(s.m, Number)
            elif s.subtract:
                s.compress.z @= ~zext(s.m, Number)

        @update
        def comb_total():
            s.total @= s.compress.sum + s.compress.carry
