"""Timing of the iterative divider."""


def divider_cycles(dividend_nbits: int, bits_per_cycle: int) -> int:
    """Cycles from request to response: the iterations, and one to register the operands."""
    return dividend_nbits // bits_per_cycle + 1
