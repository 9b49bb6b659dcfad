"""ModularAdder: subtracts each possible multiple of a constant modulus, and selects the result."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, sext, update

from rsaxcel.rtl.lib.compressors.brent_kung import BrentKungAdder


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
        # Sum j is a + b + correction - j * modulus. It is the result if it is not negative and sum
        # j + 1 is negative. ``reached[j]``: sum j is not negative. ``beyond[j]`` is
        # ``reached[j + 1]``, and ``earlier[j]`` is ``results[j - 1]``: these are connections,
        # because the translation to Verilog computes an index such as j + 1 with too few bits.
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
