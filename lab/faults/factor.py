"""Computes a factor of the modulus from a wrong result of the Chinese remainder theorem.

If a fault leaves one half right, the wrong result agrees with the right one modulo one prime only.
Sources: D. Boneh, R. DeMillo, R. Lipton, "On the Importance of Checking Cryptographic Protocols for
Faults", EUROCRYPT 1997, for the difference of two results; A. Lenstra, "Memo on RSA signature
generation in the presence of faults", 1996, for one wrong result alone.
"""

from __future__ import annotations

from math import gcd

from rsaxcel.fl.keys import Key
from rsaxcel.lab.faults.operation import KeyOperation

_MESSAGES = (2, 3, 0x1234)


def factor_of_two(wrong: int, right: int, n: int) -> int:
    """Give ``gcd(wrong - right, n)``: from a wrong and the right result (Boneh et al.)."""
    return gcd(wrong - right, n)


def factor_of_one(wrong: int, base: int, e: int, n: int) -> int:
    """Give ``gcd(wrong**e - base, n)``: from a wrong result and the message (Lenstra)."""
    return gcd(pow(wrong, e, n) - base, n)


def breaks_key(factor: int, e: int, n: int) -> bool:
    """Whether a private exponent made from a factor undoes the public exponent ``e``."""
    if not 1 < factor < n or n % factor:
        return False
    key = Key.of_primes(factor, n // factor, e)
    return key is not None and all(pow(pow(x % n, e, n), key.d, n) == x % n for x in _MESSAGES)


def factoring(results: set[int], operation: KeyOperation) -> frozenset[int]:
    """Return the wrong results from which both computations give a factor that breaks the key."""
    # ``ArithmeticError``: only one does, which is impossible for a right key.
    key, found = operation.key, set()
    for wrong in results:
        two = breaks_key(factor_of_two(wrong, operation.response, key.n), key.e, key.n)
        one = breaks_key(factor_of_one(wrong, operation.base, key.e, key.n), key.e, key.n)
        if one != two:
            raise ArithmeticError(f"result {wrong:#x}: the two attacks on the modulus disagree")
        if two:
            found.add(wrong)
    return frozenset(found)
