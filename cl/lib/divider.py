"""Timing of the iterative dividers."""


def divider_cycles(
    dividend_nbits: int, bits_per_cycle: int, skip_nbits: int = 0, quotient: int | None = None
) -> int:
    """Cycles from request to response: the iterations and a cycle that registers the operands.

    Leading zeros of `quotient` are skipped in groups of `skip_nbits`; None: no zeros are skipped,
    because the dividend's high part is not 0.
    """
    iterated = dividend_nbits
    if skip_nbits and quotient is not None:
        iterated = -(-quotient.bit_length() // skip_nbits) * skip_nbits
    return iterated // bits_per_cycle + 1


def aligning_divider_cycles(quotient: int, bits_per_cycle: int) -> int:
    """Cycles of an aligning divider: two for each bit of the quotient (up, down), and two.

    One, if the dividend is below the divisor.
    """
    return 2 * -(-quotient.bit_length() // bits_per_cycle) + 2 if quotient else 1
