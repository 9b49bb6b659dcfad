"""``python -m tools.pseudo_moduli``: prints the tables of docs/explanation/pseudo-moduli.md.

A pseudo-modulus is a multiple of a modulus, mostly 2^t - 1 or 2^t + 1, that is cheap to reduce by.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from math import log2
from statistics import median

import click
import rsa.key
import rsa.prime

from rsaxcel.cli.main import guard
from rsaxcel.fl.pseudo_modulus import (
    NoPseudoModulus,
    family_member,
    find_pseudo_modulus,
    multiplicative_order,
)

GROWTHS = (0, 4, 8, 16)  #: numbers of bits by which a pseudo-modulus may be longer than the modulus

COUNTED_NBITS = (8, 16, 32, 128, 1024, 2048)
#: widths of RSA keys that are drawn; of COUNTED_NBITS, all moduli are counted
KEY_NBITS = (32, 48, 64)

#: Moduli in the documents, and well-known moduli that have other uses than RSA.
NAMED: dict[str, int] = {
    "the document's family, RSA-1024": family_member(1024),
    "the document's key, 62639 * 53987": 3381691693,
    "the key of McNay's figure 1, 27277 * 95443": 2603398711,
    "Mersenne prime (P-521)": 2**521 - 1,
    "Fermat prime (transforms)": 2**16 + 1,
    "Wagstaff prime, (2^127 + 1) / 3": (2**127 + 1) // 3,
    "Crandall prime (Curve25519)": 2**255 - 19,
    "2^64 - 2^32 + 1 (transforms)": 2**64 - 2**32 + 1,
    "P-256": 2**256 - 2**224 + 2**192 + 2**96 - 1,
    "P-384": 2**384 - 2**128 - 2**96 + 2**32 - 1,
    "Curve448": 2**448 - 2**224 - 1,
    "secp256k1": 2**256 - 2**32 - 977,
}


def table(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def named_moduli(growth_nbits: int) -> str:
    """Table with the cheapest pseudo-modulus of each modulus in ``NAMED``, or ``none``."""

    def row(name: str, m: int) -> Sequence[object]:
        try:
            found = find_pseudo_modulus(m, growth_nbits)
        except NoPseudoModulus:
            return name, m.bit_length(), "none", "", ""
        return name, m.bit_length(), found, found.cofactor, found.growth_nbits

    heading = ("modulus", "bits", "pseudo-modulus", "c", "growth")
    return table(heading, (row(name, m) for name, m in NAMED.items()))


def moduli_with_one(nbits: int, growth_nbits: int) -> Iterator[int]:
    """Yield odd moduli that divide 2^t - 1 or 2^t + 1, t at most ``nbits + growth_nbits``.

    Each 2^t - 1 and 2^t + 1 is divided by all odd cofactors that leave ``nbits`` bits. A modulus
    that is found for several t is yielded several times.
    """
    for t in range(nbits - 1, nbits + growth_nbits + 1):
        for multiple in ((1 << t) - 1, (1 << t) + 1):
            least, most = multiple >> nbits, multiple >> nbits - 1
            for cofactor in range(least | 1, most + 1, 2):
                if multiple % cofactor == 0:
                    m = multiple // cofactor
                    if m.bit_length() == nbits:
                        yield m


def counts() -> str:
    """Table of the number of moduli with a pseudo-modulus, by width and growth in bits."""
    rows = []
    for nbits in COUNTED_NBITS:
        found = [len(set(moduli_with_one(nbits, growth))) for growth in GROWTHS]
        odd = f"{1 << nbits - 2:,}" if nbits <= 32 else f"2^{nbits - 2}"
        rows.append([nbits, odd, *(f"{count:,}" for count in found)])
    return table(["bits", "odd moduli", *(f"growth {x}" for x in GROWTHS)], rows)


def key_exponents(nbits: int, count: int, seed: int) -> list[tuple[int, int, int]]:
    """Draw moduli m of RSA keys; return m, the order of 2 modulo m, and the least t for each.

    The least t is the smallest for which 2^t - 1 or 2^t + 1 is a multiple of m. Primes p and q are
    as of ``rsa.newkeys``. The order divides (p - 1) * (q - 1).
    """
    rng = random.Random(f"{nbits}/{seed}")

    def draw_prime(prime_nbits: int) -> int:
        while True:
            candidate = rng.getrandbits(prime_nbits) | 1 | 1 << (prime_nbits - 1)
            if rsa.prime.is_prime(candidate):
                return candidate

    found = []
    for _ in range(count):
        p, q, _, _ = rsa.key.gen_keys(nbits, draw_prime)
        order = multiplicative_order(2, p * q, (p - 1, q - 1))
        half = order % 2 == 0 and pow(2, order // 2, p * q) == p * q - 1
        found.append((p * q, order, order // 2 if half else order))
    return found


def key_orders(count: int, seed: int) -> str:
    """Table on the orders of 2 modulo m, for the moduli m of ``count`` RSA keys of each width."""
    rows = []
    for nbits in KEY_NBITS:
        _, orders, exponents = zip(*key_exponents(nbits, count, seed), strict=True)
        within = sum(t <= nbits + max(GROWTHS) for t in exponents)
        middle = f"2^{log2(median(orders)):.1f}"
        least, greatest, least_t = min(orders), max(orders), min(exponents)
        rows.append([nbits, f"{least:,}", middle, f"{greatest:,}", f"{least_t:,}", within])
    heading = ("bits", "least order", "median", "greatest", "least t", f"t within {max(GROWTHS)}")
    return table(heading, rows)


@click.command()
@click.option("--keys", default=1000, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=0, show_default=True)
def command(keys: int, seed: int) -> None:
    """Print three tables about pseudo-moduli.

    The tables are: the cheapest pseudo-modulus of each modulus in ``NAMED``, the number of moduli
    that have a pseudo-modulus, and the orders of 2 modulo the moduli of random RSA keys.
    """
    click.echo(f"{named_moduli(max(GROWTHS))}\n\n{counts()}\n\n{key_orders(keys, seed)}")


if __name__ == "__main__":
    sys.exit(guard(command, "python -m tools.pseudo_moduli"))
