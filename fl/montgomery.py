"""Montgomery's reduction with the constant m', on integers (Li and Chu, algorithm 0)."""

from functools import lru_cache

from rsaxcel.plan.modulus_constants import negated_inverse


def inverts_itself(modulus: int, r: int) -> bool:
    """Whether ``modulus**2 = 1 mod r``, so that m' is ``-modulus mod r`` without an inversion."""
    # For `r = 2**n` with n above 2: 1, `2**(n - 1) - 1`, `2**(n - 1) + 1` and `2**n - 1`.
    return modulus * modulus % r == 1


@lru_cache(maxsize=256)
def m_prime(modulus: int, r: int) -> int:
    """Give m' = ``-modulus**-1 mod r``, for an odd modulus and a power of two r; cached."""
    return -modulus % r if inverts_itself(modulus, r) else negated_inverse(modulus, r)


def reduced_once(z: int, modulus: int, r: int) -> int:
    """Give ``(z + U * modulus) / r`` with ``U = z * m' mod r``: ``z / r`` modulo the modulus."""
    # Below `2 * modulus` if z is below `modulus * r`; exact, because `U * modulus = -z mod r`.
    # Source: Li and Chu, algorithm 0, lines 1 and 2; Vassoler 2023, algorithm 1, lines 3 and 4.
    u = z * m_prime(modulus, r) % r
    return (z + u * modulus) // r


def reduce(z: int, modulus: int, r: int) -> int:
    """Give ``z / r mod modulus``, z below ``modulus * r``, odd modulus below r = 2**k."""
    # Source: Li and Chu, algorithm 0; on a product, Vassoler 2023, algorithm 1.
    t = reduced_once(z, modulus, r)
    return t - modulus if t >= modulus else t
