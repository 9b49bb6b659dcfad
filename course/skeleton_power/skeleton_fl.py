"""Skeleton: the functional model."""

from collections.abc import Callable


def model(nbits: int) -> Callable[[int, int, int], int]:
    """Return the function that the circuit computes, of operands of ``nbits`` bits."""

    def power(base: int, exponent: int, modulus: int) -> int:
        # TODO: by the steps of your circuit. Here: squares, and products where the bit is 1.
        result = 1
        for place in reversed(range(nbits)):
            result = result * result % modulus
            if exponent >> place & 1:
                result = result * base % modulus
        return result

    return power
