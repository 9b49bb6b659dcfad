"""ReductionControl: sequences a final reduction, and the computation of M2 for a new modulus.

M2 is the multiplicand of the quotient digits (``fl.multipliers.mont_orup``).
"""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff

from rsaxcel.fl.multipliers.mont_orup import MontOrup


class ReductionControl(Component):
    """Divides B by ``2**k`` modulo m several times, and then adds m if B is negative.

    B is the register of the last result. ``fl.multipliers.mont_orup`` defines k (bits of a digit),
    d (delay of the quotient digits, 1 or 2 iterations) and M2.

    After a product (``reduce``), the machine reduces B to a value below m; this takes d + 2 digits,
    one after the other. For a new modulus (``prepare``), B is 1 at first, and becomes M2 after
    d + 1 digits and the last pass.

    For each digit, the machine forms an x from the low digit of B, so that ``B + x * m`` is
    divisible by 2**k. Then a pass of n = d + 2 iterations (one more with row registers) adds
    ``x * m`` and divides by 2**k::

        cycle            pass     what happens
        ---------------  -------  ------------------------------------------------------
        0                IDLE     ``loads_digit``: the low digit of B is taken
        1 ... k          IDLE     ``forms_digit``: a bit of x in each cycle; ``divides`` in k
        k + 1            LOAD
        k + 2            FETCH    x enters the rows as a digit of the quotient
        k + 3            DECODE
        k+4 ... k+n+3    ITERATE  ``x * m`` is added to B, and the sum divided by 2**k
        then 3 cycles    IDLE     carries of B are resolved
        k + n + 7        IDLE     cycle 0 of the next digit

    After the digits, the last pass adds m if B is negative::

        cycle            pass     what happens
        ---------------  -------  ------------------------------------------------------
        0                IDLE     ``takes_sign``: the sign of B is taken; ``divides``
        1                LOAD
        2, 3             FETCH, DECODE
        4 ... n + 2      ITERATE  m, or nothing, is added to B, without a division
        then 3 cycles    IDLE     carries of B are resolved
        n + 6            IDLE     ``completes``

    Parameters
    ----------
    golden : fl.multipliers.mont_orup.MontOrup; golden model of the lane: widths, numbers of digits
        and of registers

    Ports
    -----
    prepare : in, 1 bit; the modulus is new in this cycle, and M2 is formed
    reduce : in, 1 bit; the last iteration of a product is in this cycle, and its result has to be
        reduced
    resolved : in, 1 bit; B is complete (``PassControl``)
    last : in, 1 bit; last cycle of forming a digit, by the counter
    reducing : out, 1 bit; the machine runs
    adding : out, 1 bit; the pass adds m or nothing
    loads_digit : out, 1 bit; the low digit of B is taken, to form a digit of the reduction from it
    forms_digit : out, 1 bit; a bit of the digit is formed
    takes_sign : out, 1 bit; the digit is the sign of B
    divides : out, 1 bit; a pass starts
    completes : out, 1 bit; B is the reduced result
    takes_m : out, 1 bit; m is loaded into the M2 register, for the passes of the reduction
    takes_m2 : out, 1 bit; B, which has become M2, is loaded into the M2 register
    reduced : out, 1 bit; ``completes`` after a product: B is not M2
    """

    def construct(s, golden: MontOrup):
        final_digits, first_digits = golden.final_digits, golden.final_digits - 1
        for name in ("prepare", "reduce", "resolved", "last"):
            setattr(s, name, InPort(1))
        for name in (
            "reducing",
            "adding",
            "loads_digit",
            "forms_digit",
            "takes_sign",
            "divides",
            "completes",
            "takes_m",
            "takes_m2",
            "reduced",
        ):
            setattr(s, name, OutPort(1))

        s.reducing_reg = Wire(Bits1)
        s.preparing_reg = Wire(Bits1)  # B becomes M2
        s.adding_reg = Wire(Bits1)
        s.forms_reg = Wire(Bits1)
        s.left_reg = Wire(mk_bits(golden.final_digits.bit_length()))  # digits of the reduction
        s.reducing //= s.reducing_reg
        s.adding //= s.adding_reg
        s.forms_digit //= s.forms_reg

        s.digit_follows = Wire(Bits1)

        @update
        def comb_digits():
            s.digit_follows @= s.reducing_reg & s.resolved & ~s.adding_reg
            s.loads_digit @= s.digit_follows & (s.left_reg != 0)
            s.takes_sign @= s.digit_follows & (s.left_reg == 0)
            s.divides @= s.takes_sign | (s.forms_reg & s.last)

        @update
        def comb_completes():
            s.completes @= s.reducing_reg & s.resolved & s.adding_reg
            s.takes_m2 @= s.completes & s.preparing_reg
            s.reduced @= s.completes & ~s.preparing_reg
            s.takes_m @= s.prepare | s.reduce

        @update_ff
        def seq_machine():
            s.forms_reg <<= (s.loads_digit | (s.forms_reg & ~s.last)) & ~s.reset & ~s.prepare
            if s.reset:
                s.reducing_reg <<= 0
                s.preparing_reg <<= 0
            elif s.takes_m:
                s.reducing_reg <<= 1
                s.preparing_reg <<= s.prepare
            elif s.completes:
                s.reducing_reg <<= 0
                s.preparing_reg <<= 0

        @update_ff
        def seq_digits():
            if s.takes_m:
                s.adding_reg <<= 0
                s.left_reg <<= final_digits
                if s.prepare:
                    s.left_reg <<= first_digits
            elif s.takes_sign:
                s.adding_reg <<= 1
            elif s.loads_digit:
                s.left_reg <<= s.left_reg - 1
