"""Timing of the iterative dividers."""


def divider_cycles(
    dividend_nbits: int, bits_per_cycle: int, skip_nbits: int = 0, quotient: int | None = None
) -> int:
    """Cycles from request to response: the iterations and a cycle that registers the operands.

    Parameters
    ----------
    dividend_nbits, bits_per_cycle, skip_nbits : int
        Parameters of the circuit.
    quotient : int or None
        Quotient, if ``skip_nbits`` skips its leading zeros; None if the preloaded high part of the
        dividend is not 0, so that none are skipped.
    """
    iterated = dividend_nbits
    if skip_nbits and quotient is not None:
        iterated = -(-quotient.bit_length() // skip_nbits) * skip_nbits
    return iterated // bits_per_cycle + 1


def aligning_divider_cycles(quotient: int, bits_per_cycle: int) -> int:
    """Cycles from request to response: the divisor is shifted up, then down, and two cycles more.

    Parameters
    ----------
    quotient : int
        Quotient that is formed.
    bits_per_cycle : int
        Parameter of the circuit.
    """
    return 2 * -(-quotient.bit_length() // bits_per_cycle) + 2
