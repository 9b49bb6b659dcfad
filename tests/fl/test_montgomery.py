"""Montgomery's reduction with m' (Li and Chu, algorithm 0), against Python's ``pow``."""

import random

import pytest

from rsaxcel import catalog
from rsaxcel.course.testing.cases import PUBLISHED, draw_modulus
from rsaxcel.fl.contract import inverts_itself, m_prime, reduce, reduced_once


def test_every_number_of_four_bits():
    r = 16
    for m in range(1, r, 2):
        for z in range(m * r):
            assert reduce(z, m, r) == z * pow(r, -1, m) % m
            assert reduced_once(z, m, r) < 2 * m


def test_example_of_the_document():
    """The printed z gives the printed t, which is the base of the printed encryption."""
    _, t, _, m, _ = next(row for row in PUBLISHED if row[0] == "li and chu encrypt")
    r = 1 << 128
    assert m_prime(m, r) == -133419654858893623771608150101834274859 % r
    assert reduce(14579150005006265062948136954012885300, m, r) == t


def test_products_of_mont_red_are_reduced_products():
    """Vassoler, algorithm 1: the bits of the quotient at once, or one after another."""
    found = catalog.find("mont_red").configure(8).golden
    for m in (3, 129, 251, 255):
        for a in {0, 1, m // 2, m - 1}:
            for b in range(m):
                assert found.product(a, b, m) == reduce(a * b, m, found.r)


@pytest.mark.parametrize("nbits", [8, 128, 1024])
def test_wide_numbers(nbits):
    rng, r = random.Random(nbits), 1 << nbits
    for _ in range(50):
        m = draw_modulus(rng, rng.randint(2, nbits))
        for z in (0, 1, r - 1, m * r - 1, rng.randrange(m * r)):
            assert reduce(z, m, r) == z * pow(r, -1, m) % m


@pytest.mark.parametrize("nbits", range(3, 11))
def test_moduli_that_invert_themselves(nbits):
    """Four moduli have m^2 = 1 mod R; for them, -m is m'."""
    r = 1 << nbits
    found = [m for m in range(1, r, 2) if inverts_itself(m, r)]
    assert found == [1, r // 2 - 1, r // 2 + 1, r - 1]
    for m in range(1, r, 2):
        assert m_prime(m, r) == -pow(m, -1, r) % r
        assert (m_prime(m, r) == r - m) == (m in found)
