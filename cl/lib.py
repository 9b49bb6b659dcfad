"""Timing of arithmetic building blocks."""


class Combinational:
    """Timing of a multiplier that can begin a product in every cycle: 0 or ``handshake_cycles``."""

    overlaps = True

    def __init__(self, nbits: int, *, handshake_cycles: int = 0, **params: object):
        self._durations = (handshake_cycles,)

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        return self._durations


def serial_cycles(
    iterations: int, finish_cycles: int = 1, handshake_cycles: int | None = None
) -> int:
    """Cycles of a unit with ``SerialControl``, from request to response.

    After the iterations, ``finish_cycles`` finish the result. ``handshake_cycles``: of a document's
    control.
    """
    if handshake_cycles is None:
        handshake_cycles = finish_cycles + 1
    return iterations + handshake_cycles


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
