"""Timing of the iterative dividers."""


def divider_cycles(
    dividend_nbits: int, bits_per_cycle: int, skip_nbits: int = 0, quotient: int | None = None
) -> int:
    """Cycles from request to response: the iterations and a cycle that registers the operands.

    Parameters
    ----------
    dividend_nbits, bits_per_cycle, skip_nbits : int
        Parameters of the circuit (``rtl.lib.divider.Divider``).
    quotient : int or None
        Quotient, whose leading zeros are skipped in groups of ``skip_nbits`` bits; None if no zeros
        are skipped, because the preloaded high part of the dividend is not 0.
    """
    iterated = dividend_nbits
    if skip_nbits and quotient is not None:
        iterated = -(-quotient.bit_length() // skip_nbits) * skip_nbits
    return iterated // bits_per_cycle + 1


def aligning_divider_cycles(quotient: int, bits_per_cycle: int) -> int:
    """Cycles from request to response of a divider that aligns the divisor with the dividend.

    The divisor is shifted up, then down, each time by as many bits as the quotient has. Two cycles
    are added.

    Parameters
    ----------
    quotient : int
        Quotient that is formed.
    bits_per_cycle : int
        Bits by which the divisor is shifted in a cycle.
    """
    return 2 * -(-quotient.bit_length() // bits_per_cycle) + 2
