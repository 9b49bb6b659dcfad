"""Private operations with keys of other programs, at all levels and widths, against ``pow``.

The keys are new in each run. The message of a failure has the operands.
"""

import random
import subprocess
from collections.abc import Callable, Iterator
from functools import partial

import pytest
import rsa.prime
from cryptography.hazmat.primitives.asymmetric import rsa as their_rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from rsaxcel.fl.keys import public_exponent
from tests.levels.test_nist_signatures import signed_records
from tests.shared.harness import HALVES, built_once, check_batch, configure, simulate

BASES = 10
"""Operations with each key."""

Numbers = tuple[int, int, int, int]
"""Key: primes p and q, public and private exponent."""


def of_cryptography(nbits: int) -> Numbers:
    """Make a key with the package ``cryptography``; its least width is 1024 bits."""
    return _numbers(their_rsa.generate_private_key(65537, nbits))


def of_openssl(nbits: int) -> Numbers:
    """Make a key with the command ``openssl``."""
    command = ["openssl", "genrsa", str(nbits)]
    made = subprocess.run(command, capture_output=True, check=True).stdout
    return _numbers(load_pem_private_key(made, None, unsafe_skip_rsa_key_validation=True))


def _numbers(key: their_rsa.RSAPrivateKey) -> Numbers:
    found = key.private_numbers()
    assert (found.dmp1, found.dmq1) == (found.d % (found.p - 1), found.d % (found.q - 1))
    return found.p, found.q, found.public_numbers.e, found.d


def of_primes(nbits: int, shorter: int = 0) -> Numbers:
    """Make a key of two primes of the package ``rsa``; one is shorter than half of the width."""
    while True:
        p, q = (rsa.prime.getprime(x) for x in (nbits // 2, nbits // 2 - shorter))
        e, order = public_exponent(nbits), (p - 1) * (q - 1)
        if p != q and order % e:
            break
    if random.getrandbits(1):
        p, q = q, p
    return p, q, e, pow(e, -1, order)


def unequal(nbits: int) -> Numbers:
    """Make a key of two primes of different lengths; the longer one has half of the width."""
    return of_primes(nbits, random.randint(1, nbits // 2 - 8))


def rows_of(configuration, make: Callable[[int], Numbers], count: int) -> Iterator[tuple]:
    """Yield the operands of ``count`` operations, and their results."""
    halves, nbits = configuration.choices.domain.halves, configuration.nbits
    for i in range(count):
        if i % BASES == 0:
            p, q, e, d = make(nbits)
        modulus = p * q
        multiples = (random.randrange(q) * p, random.randrange(p) * q)
        corners = (0, 1, modulus - 1, *multiples, (1 << nbits) - 1)
        # Each key begins with corners of the base; the first key has the private exponent only.
        base = corners[i % BASES] if i % BASES < len(corners) else random.getrandbits(nbits)
        exponent = random.choice((d, d, d, e, 1)) if i >= BASES else d
        exponents = halves.joined(exponent % (p - 1), exponent % (q - 1))
        yield (base, exponents, halves.joined(p, q)), pow(base, exponent, modulus)


def check_all_levels(configuration, rows: list[tuple], results: list[int]) -> None:
    """Check that circuit and models give the right responses, in the same cycles."""
    expected = [(result, 0) for result in results]
    modelled = [configuration.evaluate(*row) for row in rows]
    assert [tuple(outcome) for outcome, _ in modelled] == expected
    assert [tuple(configuration.outcome(*row)) for row in rows] == expected
    batch = simulate(configuration, "rtl", "native", rows)
    cycles = [cycles for _, cycles in modelled]
    assert len(set(cycles)) == 1
    check_batch(configuration, "rtl", "native", rows, batch, expected, cycles)


POINTS = [
    # number of keys of each width, and their makers
    (64, unequal, 5_000),
    (64, of_primes, 5_000),
    (32, unequal, 500),
    (128, unequal, 200),
    (256, of_primes, 100),
    (512, unequal, 50),
    (512, of_openssl, 100),
    (1024, of_cryptography, 200),
    (2048, of_cryptography, 20),
    (3072, of_cryptography, 5),
    (4096, of_cryptography, 3),
]
SIGNATURES = {1024: 15, 2048: 10, 3072: 3, 4096: 2}
"""Number of NIST's messages to sign, by width."""


def _named(name: str, nbits: int, *values, slow: bool = True, label: str = ""):
    marks = [built_once(name, nbits), *([pytest.mark.slow] if slow else [])]
    if nbits > 1024:
        marks.append(pytest.mark.timeout(7200))
    return pytest.param(name, nbits, *values, marks=marks, id=f"{name}-{nbits}{label}")


@pytest.mark.slow_cases("crt_window_shared-*")
@pytest.mark.parametrize(
    ("name", "nbits", "make", "count"),
    [
        *(
            _named(name, 32, make, 40, slow=False, label=f"-{make.__name__}-40")
            for name in HALVES
            for make in (of_primes, unequal)
        ),
        *(
            _named(name, *point, label=f"-{point[1].__name__}")
            for point in POINTS
            for name in HALVES
        ),
    ],
)
def test_operations(name, nbits, make, count):
    """Keys have primes of equal and of unequal length."""
    configuration = configure(name, nbits)
    rows, results = zip(*rows_of(configuration, make, count), strict=True)
    check_all_levels(configuration, list(rows), list(results))


@pytest.mark.slow
@pytest.mark.parametrize("name", HALVES)
def test_a_prime_longer_than_half(name):
    """Primes of 40 and 24 bits need halves of 40 bits."""
    configuration = configure(name, 64, half_nbits=40)
    make = partial(of_primes, shorter=16)
    rows, results = zip(*rows_of(configuration, lambda _: make(80), 200), strict=True)
    check_all_levels(configuration, list(rows), list(results))


@pytest.mark.parametrize(
    ("name", "nbits"), [_named(name, nbits) for nbits in SIGNATURES for name in HALVES]
)
def test_signatures(name, nbits):
    """The circuit computes NIST's signatures."""
    configuration = configure(name, nbits)
    halves = configuration.choices.domain.halves
    rows, results = [], []
    for em, key in signed_records(nbits)[: SIGNATURES[nbits]]:
        p, q, d = key["p"], key["q"], key["d"]
        rows.append((em, halves.joined(d % (p - 1), d % (q - 1)), halves.joined(p, q)))
        results.append(key["S"])
    assert len(rows) == SIGNATURES[nbits]
    check_all_levels(configuration, rows, results)
