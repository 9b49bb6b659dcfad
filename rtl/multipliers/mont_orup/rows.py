"""ProductRows: multiples of two multiplicands, as rows of bits with positive weights."""

from pymtl3 import Component, InPort, OutPort, mk_bits

from rsaxcel.rtl.multipliers.mont_orup.booth import BoothRow


class ProductRows(Component):
    """``a * B + q * M2 + (2**k - 1) * 2**nbits(B)`` as k + 1 rows, whose sum has no carry out.

    In an iteration of ``MontOrup``, the operand B is multiplied by a digit ``a``, and M2, a number
    that depends on the modulus, by a quotient digit ``q``. Digits have k bits. So there are k/2
    multiples of B, and k/2 multiples of M2, one for each radix-4 digit.

    A negative multiple is the inverse of the positive one, plus 1. A sign bit s of weight w has the
    value ``-s * w = (1 - s) * w - w``. So the inverse of the sign is a bit of a row, with a
    positive weight, and -w is part of one constant for all rows; the third term of the sum is part
    of this constant, too. The constant stands in free bits above the first multiple of M2. The 1
    that is added to row j stands in free bits of row j + 1. So only the last 1 needs an additional
    row.

    Parameters
    ----------
    nbits : int; width of M2 in bits
    residue_nbits : int; width of B in bits, its sign included; at least nbits + digit_nbits + 4
    digit_nbits : int; k: bits of each of the digits ``a`` and ``q``

    Ports
    -----
    b : in, residue_nbits bits, signed
    m2 : in, nbits bits
    a_one, a_two, a_negative, q_one, q_two, q_negative : in, digit_nbits / 2 bits each; radix-4
        digits of ``a`` and of ``q`` (``BoothDigits``)
    rows : out, residue_nbits + digit_nbits + 1 bits each

    Combinational.
    """

    def construct(s, nbits, residue_nbits, digit_nbits):
        count = digit_nbits // 2
        width = residue_nbits + digit_nbits + 1
        Digits = mk_bits(count)
        s.b = InPort(residue_nbits)
        s.m2 = InPort(nbits)
        for name in ("a", "q"):
            for part in ("one", "two", "negative"):
                setattr(s, f"{name}_{part}", InPort(Digits))
        s.rows = [OutPort(width) for _ in range(2 * count + 1)]

        # The sign of row j weighs 2**(residue_nbits + 2 * j) for a multiple of B, and
        # 2**(nbits + 1 + 2 * j) for a multiple of M2. With a sign s, the first row of M2 has the
        # bits (not s, s, s) in place of (not s): their value is 4 - s in place of 1 - s. The
        # additional 3 makes the constant divisible by the weight of the bit above these bits.
        signs = sum(1 << 2 * j for j in range(count))
        least = nbits + 1
        constant = ((1 << digit_nbits) - 1 - signs << residue_nbits) - (signs + 3 << least)
        s.of_b = [BoothRow(residue_nbits, signed=True) for _ in range(count)]
        s.of_m2 = [BoothRow(nbits, signed=False) for _ in range(count)]
        for i, multiple in enumerate((*s.of_b, *s.of_m2)):
            j = i % count
            of_b = i < count
            multiple.number //= s.b if of_b else s.m2
            multiple.one //= s.a_one[j] if of_b else s.q_one[j]
            multiple.two //= s.a_two[j] if of_b else s.q_two[j]
            multiple.negative //= s.a_negative[j] if of_b else s.q_negative[j]
            negative = s.a_negative if of_b else s.q_negative
            row, first = s.rows[i], 2 * j
            top = first + (residue_nbits if of_b else nbits + 1)
            row[first:top] //= multiple.multiple
            if i == count:
                row[top] //= multiple.sign
                row[top + 1] //= multiple.sign
                row[top + 2] //= multiple.positive
                assert constant >= 0
                assert constant % (1 << top + 3) == 0
                row[top + 3 : width] //= constant >> top + 3
            else:
                row[top] //= multiple.positive
                if top + 1 < width:
                    row[top + 1 : width] //= 0
            if j:
                row[first - 2] //= negative[j - 1]
                if j == count - 1:
                    # If the last multiple of B is negative, a 1 has to be added to it. There is no
                    # free bit of this weight. So two bits of half the weight are set: one in the
                    # last row of B, one in the last row of M2. The 1 for the last multiple of M2
                    # has a row of its own.
                    row[first - 1] //= s.a_negative[j]
                else:
                    row[first - 1] //= 0
                if j > 1:
                    row[0 : first - 2] //= 0
        last = s.rows[2 * count]
        last[0 : digit_nbits - 2] //= 0
        last[digit_nbits - 2] //= s.q_negative[count - 1]
        last[digit_nbits - 1 : width] //= 0
