"""ProductRows: multiples of two multiplicands, as rows of bits with positive weights."""

from pymtl3 import Component, InPort, OutPort, connect, mk_bits

from rsaxcel.rtl.multipliers.mont_orup.booth import MAGNITUDES, BoothRow, BoothRow8


class ProductRows(Component):
    """``a * B + q * M2 + (2**k - 1) * 2**nbits(B)`` as rows, whose sum has no carry out.

    In an iteration of ``MontOrup``, the operand B is multiplied by a digit ``a``, and M2, a number
    that depends on the modulus, by a quotient digit ``q``. Digits have k bits. So there are k/2
    multiples of B, one for each radix-4 digit, and k/2 multiples of M2, or k/3 with radix-8 digits.

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
    quotient_radix : int; radix of the digits that select multiples of M2: 4 or 8
    copies : int; 2: the higher half of B is multiplied by a copy of ``a``; 1: there is none

    Ports
    -----
    b : in, residue_nbits bits, signed
    m2 : in, nbits bits
    triple : in, nbits + 2 bits; 3 M2; only with radix 8
    a_one, a_two, a_negative : in, copies * digit_nbits / 2 bits each; radix-4 digits of ``a``, then
        of the copy
    q_one, q_two, q_negative : in, a bit per multiple of M2; digits of ``q``; with radix 8, also
        q_three and q_four (``BoothDigits``, ``BoothDigits8``)
    rows : out, residue_nbits + digit_nbits + 1 bits each

    Combinational.
    """

    def construct(s, nbits, residue_nbits, digit_nbits, quotient_radix, copies=1):
        width = residue_nbits + digit_nbits + 1
        step_b, step_m2 = 2, quotient_radix.bit_length() - 1  #: bits from one multiple to the next
        count_b, count_m2 = digit_nbits // 2, -(-digit_nbits // step_m2)
        s.b = InPort(residue_nbits)
        s.m2 = InPort(nbits)
        for name, radix, count in (("a", 4, copies * count_b), ("q", quotient_radix, count_m2)):
            for part in (*MAGNITUDES[radix], "negative"):
                setattr(s, f"{name}_{part}", InPort(mk_bits(count)))
        s.rows = [OutPort(width) for _ in range(count_b + count_m2 + 1)]
        s.of_b = [BoothRow(residue_nbits, True, copies) for _ in range(count_b)]
        if quotient_radix == 8:
            s.triple = InPort(nbits + 2)
            s.of_m2 = [BoothRow8(nbits) for _ in range(count_m2)]
            for multiple in s.of_m2:
                multiple.triple //= s.triple
        else:
            s.of_m2 = [BoothRow(nbits, signed=False) for _ in range(count_m2)]

        # The sign of row j weighs 2**(residue_nbits + 2 * j) for a multiple of B, and
        # 2**(least + step_m2 * j) for a multiple of M2. With a sign s, the first row of M2 has the
        # bits (not s, s, s), or with radix 8 (not s, s, s, s), in place of (not s): their value is
        # quotient_radix - s in place of 1 - s. The difference makes the constant divisible by the
        # weight of the bit above these bits.
        least = nbits + step_m2 - 1
        constant = (1 << digit_nbits) - 1 - sum(4**j for j in range(count_b)) << residue_nbits
        signs = sum(quotient_radix**j for j in range(count_m2))
        constant -= signs + quotient_radix - 1 << least
        # A 1 is added to the last multiple of B, and of M2, in a row of its own. If the two ones
        # weigh the same, that of B becomes two bits of half the weight: one in the last row of B,
        # one in the last row of M2.
        ones = [{} for _ in s.rows]  #: ports at the free bits of each row
        last_b, last_m2 = step_b * (count_b - 1), step_m2 * (count_m2 - 1)
        ones[-1][last_m2] = s.q_negative[count_m2 - 1]
        if last_b != last_m2:
            ones[-1][last_b] = s.a_negative[count_b - 1]
        else:
            for i in (count_b - 1, count_b + count_m2 - 1):
                ones[i][last_b - 1] = s.a_negative[count_b - 1]
        _connect_ones(s.rows[-1], 0, width, ones[-1])
        for i, multiple in enumerate((*s.of_b, *s.of_m2)):
            of_b = i < count_b
            name, j, step = ("a", i, step_b) if of_b else ("q", i - count_b, step_m2)
            multiple.number //= s.b if of_b else s.m2
            for part in (*MAGNITUDES[4 if of_b else quotient_radix], "negative"):
                digits = getattr(s, f"{name}_{part}")
                for copy in range(copies if of_b else 1):
                    connect(getattr(multiple, part)[copy], digits[copy * count_b + j])
            row, first = s.rows[i], step * j
            top = first + (residue_nbits if of_b else least)
            row[first:top] //= multiple.multiple
            if i == count_b:
                for bit in range(top, top + step):
                    row[bit] //= multiple.sign
                row[top + step] //= multiple.positive
                assert constant >= 0
                assert constant % (1 << top + step + 1) == 0
                row[top + step + 1 : width] //= constant >> top + step + 1
            else:
                row[top] //= multiple.positive
                _connect_ones(row, top + 1, width, {})
            if j:
                ones[i][first - step] = getattr(s, f"{name}_negative")[j - 1]
            _connect_ones(row, 0, first, ones[i])


def _connect_ones(row: OutPort, low: int, high: int, ones: dict[int, InPort]) -> None:
    """Connect bits ``low`` to ``high - 1`` of a row to those in ``ones``, or to 0."""
    for bit, port in sorted(ones.items()):
        if low < bit:
            row[low:bit] //= 0
        row[bit] //= port
        low = bit + 1
    if low < high:
        row[low:high] //= 0
