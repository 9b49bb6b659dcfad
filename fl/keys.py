"""RSA keys and reference results, from the ``rsa`` package."""

import math
import random
from dataclasses import dataclass
from functools import cache, partial
from itertools import product

import rsa
import rsa.core
import rsa.key
import rsa.prime

MIN_KEY_NBITS = 8
_SMALL_NBITS = 14


@dataclass(frozen=True)
class Key:
    """RSA key: ``e * d = 1 mod (p - 1) * (q - 1)``, ``n = p * q``; p and q are 0 if not known."""

    n: int
    e: int
    d: int
    p: int = 0
    q: int = 0

    @classmethod
    def of_primes(cls, p: int, q: int, e: int) -> "Key | None":
        """Make the key of two primes with the public exponent e; None if e has no inverse."""
        totient = (p - 1) * (q - 1)
        return cls(p * q, e, pow(e, -1, totient), p, q) if math.gcd(e, totient) == 1 else None

    def halves(self, exponent: int) -> tuple[int, int, int, int]:
        """Return p, q, ``exponent mod (p - 1)`` and ``exponent mod (q - 1)``."""
        return self.p, self.q, exponent % (self.p - 1), exponent % (self.q - 1)

    def encrypt(self, message: int) -> int:
        return rsa.core.encrypt_int(message, self.e, self.n)

    def decrypt(self, ciphertext: int) -> int:
        return rsa.core.decrypt_int(ciphertext, self.d, self.n)


def public_exponent(nbits: int) -> int:
    """Usual public exponent: 65537, or 17 if a modulus of ``nbits`` bits can be below 65537."""
    return 65537 if nbits > 17 else 17


_PUBLIC_EXPONENTS = (65537, 257, 17, 5, 3)
_MOST_SEEDS = 1000


def balanced_key(nbits: int, other_than: int = 0, public_nbits: int = 0) -> Key:
    """Key of two primes of equal length, with the usual public exponent, unless that is too long.

    The modulus differs from ``other_than``; ``public_nbits`` limits the public exponent (0: no
    limit). ``ValueError`` if no key is found.
    """
    exponents = [public_exponent(nbits)]
    if public_nbits and exponents[0].bit_length() > public_nbits:
        exponents = [e for e in _PUBLIC_EXPONENTS if e.bit_length() <= public_nbits]
    for seed, e in product(range(_MOST_SEEDS), exponents):
        key = Key.of_primes(*balanced_primes(nbits, seed), e)
        if key and key.n != other_than:
            return key
    raise ValueError(f"public_nbits={public_nbits}: no key of {nbits} bits with such an exponent")


def random_key(nbits: int) -> Key:
    """Generate a new key at random with ``rsa.newkeys``."""
    _, private = rsa.newkeys(nbits)
    return Key(private.n, private.e, private.d, private.p, private.q)


def seeded_key(nbits: int, seed: int = 0, *, random_exponent: bool = False) -> Key:
    """Key that depends on the seed alone, generated as ``rsa.newkeys`` does, for repeatable runs.

    ``nbits`` is at least 8; odd widths give one bit less. e is ``public_exponent(nbits)``, or
    random among all that are possible.
    """
    if nbits < MIN_KEY_NBITS:
        raise ValueError(f"nbits={nbits}: an RSA key needs at least {MIN_KEY_NBITS} bits")
    rng = random.Random(f"{nbits}/{seed}")

    drawn = partial(draw_prime, rng)
    p, q, e, d = rsa.key.gen_keys(nbits, drawn, exponent=public_exponent(nbits))
    if random_exponent:
        totient = (p - 1) * (q - 1)
        while math.gcd(e := rng.randrange(3, totient), totient) != 1:
            pass
        d = pow(e, -1, totient)
    return Key(p * q, e, d, p, q)


@cache
def balanced_primes(nbits: int, seed: int = 0) -> tuple[int, int]:
    """Two primes of ``nbits / 2`` bits, drawn with a seed.

    Their product has ``nbits`` bits, 8 or more.

    If ``nbits`` is odd, the first prime is one bit longer. (The ``rsa`` package makes the lengths
    of the primes of ``seeded_key`` different.)
    """
    if nbits < MIN_KEY_NBITS:
        raise ValueError(f"nbits={nbits}: an RSA key needs at least {MIN_KEY_NBITS} bits")
    rng = random.Random(f"balanced/{nbits}/{seed}")
    while True:
        p, q = draw_prime(rng, nbits - nbits // 2), draw_prime(rng, nbits // 2)
        if p != q and (p * q).bit_length() == nbits:
            return p, q


def draw_prime(rng: random.Random, nbits: int) -> int:
    """Draw a prime of exactly ``nbits`` bits, uniformly."""
    while True:
        candidate = rng.getrandbits(nbits) | 1 | 1 << (nbits - 1)
        if _may_be_prime(candidate) and rsa.prime.is_prime(candidate):
            return candidate


def _may_be_prime(candidate: int) -> bool:
    """Whether a candidate is small, or no small prime divides it; nine in ten large ones fail."""
    if candidate.bit_length() <= _SMALL_NBITS:
        return True
    return math.gcd(candidate, _small_primes_product()) == 1


@cache
def _small_primes_product() -> int:
    sieve = bytearray([1]) * (1 << _SMALL_NBITS)
    for n in range(2, 1 << _SMALL_NBITS // 2):
        if sieve[n]:
            sieve[n * n :: n] = bytes(len(sieve[n * n :: n]))
    return math.prod(n for n in range(2, len(sieve)) if sieve[n])
