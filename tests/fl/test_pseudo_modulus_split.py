"""The split of 2^n - 1: factors against known ones, powers against Python's ``pow``."""

from itertools import combinations, product
from math import gcd, prod

import pytest

from rsaxcel.fl.pseudo_modulus import family_member, join, split, split_power

FERMAT = (3, 5, 17, 257, 65537, 641 * 6700417, 274177 * 67280421310721)
"""Fermat numbers; Euler (1732) and Clausen (1855) factored the last two."""


@pytest.mark.parametrize("k", range(2, 8))
def test_powers_of_two_give_fermat_numbers(k):
    assert tuple(x.value for x in split(1 << k)) == FERMAT[:k]


@pytest.mark.parametrize(
    ("nbits", "depth", "factors"),
    [
        (4, None, [3, 5]),
        (6, None, [7, 9]),
        (12, None, [7, 9, 65]),
        (12, 1, [63, 65]),
        (16, 2, [15, 17, 257]),
        (1024, 1, [2**512 - 1, 2**512 + 1]),
    ],
)
def test_factors(nbits, depth, factors):
    assert [x.value for x in split(nbits, depth)] == factors


@pytest.mark.parametrize("nbits", [*range(4, 140, 2), 1024, 2048])
def test_factors_are_coprime_and_cheap(nbits):
    factors = split(nbits)
    assert prod(x.value for x in factors) == (1 << nbits) - 1
    assert all(gcd(x.value, y.value) == 1 for x, y in combinations(factors, 2))
    assert all(abs(x.value - (1 << x.exponent)) == 1 for x in factors)


@pytest.mark.parametrize("nbits", [4, 6, 8, 12])
def test_every_residue_is_joined(nbits):
    factors = split(nbits)
    joined = {join(residues, factors) for residues in product(*(range(x.value) for x in factors))}
    assert joined == set(range((1 << nbits) - 1))
    for number in joined:
        assert join([number % x.value for x in factors], factors) == number


@pytest.mark.parametrize("depth", [1, 2, None])
@pytest.mark.parametrize("nbits", [4, 6, 10, 32, 64, 96, 1024])
def test_powers(nbits, depth):
    modulus, m = (1 << nbits) - 1, family_member(nbits)
    for base in (0, 1, 2, modulus // 5, m - 1, m, modulus - 1):
        for exponent in (0, 1, 2, 65537, modulus):
            power = split_power(base, exponent, nbits, depth)
            assert power == pow(base, exponent, modulus)
            assert power % m == pow(base, exponent, m)


def test_bad_input():
    for nbits in (0, 2, 5, -4):
        with pytest.raises(ValueError, match=f"nbits={nbits}: even widths from 4 bits"):
            split(nbits)
    with pytest.raises(ValueError, match="depth=0: 1 or more"):
        split(8, 0)
    with pytest.raises(ValueError, match="zip"):
        join([1], split(8))
