"""Pseudo-moduli against trial division and published factors; the split of 2^n - 1."""

from itertools import combinations, product
from math import gcd, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsaxcel.fl.pseudo_modulus import (
    MAX_SIGNED_ONES,
    NoPseudoModulus,
    PseudoModulus,
    family_member,
    find_pseudo_modulus,
    is_family_member,
    join,
    multiplicative_order,
    signed_ones,
    split,
    split_power,
)

#: Prime factors of 2^n - 1 and 2^n + 1 from the Cunningham tables.
PUBLISHED = {
    23: "2^11 - 1",
    89: "2^11 - 1",
    233: "2^29 - 1",
    641: "2^32 + 1",
    1103: "2^29 - 1",
    2089: "2^29 - 1",
    6700417: "2^32 + 1",
    2147483647: "2^31 - 1",
    67280421310721: "2^64 + 1",
    768614336404564651: "2^61 + 1",
    761838257287: "2^67 - 1",
    3203431780337: "2^59 - 1",
}


def brute_force(m: int, growth_nbits: int) -> tuple[int, int] | None:
    """Least t with 2^t - 1 or 2^t + 1 a multiple of m, by trial division."""
    for t in range(1, m.bit_length() + growth_nbits + 1):
        for offset in (-1, 1):
            if (2**t + offset) % m == 0 and 2**t + offset > 0:
                return t, offset
    return None


def cheapest(m: int, growth_nbits: int) -> tuple[int, int, int]:
    """Signed ones, t and k of the cheapest multiple 2^t +- k of m, by trial."""
    found = [(MAX_SIGNED_ONES + 1, 0, 0)]
    for t in range(1, m.bit_length() + growth_nbits + 1):
        for cofactor in (2**t // m, 2**t // m + 1):
            k = abs(cofactor * m - 2**t)
            if cofactor and k < 2 ** (t // 2 + 1):
                found.append(((3 * k ^ k).bit_count(), t, k))
    return min(found)


@given(nbits=st.integers(2, 18), growth=st.integers(0, 24), data=st.data())
def test_next_to_a_power_of_two_as_by_dividing_all(nbits, growth, data):
    m = data.draw(st.integers(1 << nbits - 1, (1 << nbits) - 1)) | 1
    wanted = brute_force(m, growth)
    try:
        found = find_pseudo_modulus(m, growth)
    except NoPseudoModulus:
        assert wanted is None
        assert cheapest(m, growth)[0] > MAX_SIGNED_ONES
        return
    assert found.cofactor * m == found.value == 2**found.exponent + found.offset
    assert found.exponent <= m.bit_length() + growth
    assert max(0, found.exponent - m.bit_length()) == found.growth_nbits <= growth
    if wanted is None:
        assert (found.signed_ones, found.exponent, abs(found.offset)) == cheapest(m, growth)
    else:
        assert (found.exponent, found.offset) == wanted == (found.exponent, found.sign)


@given(d=st.integers(2, 40), times=st.integers(2, 12), sign=st.sampled_from([-1, 1]))
def test_quotients_of_numbers_next_to_powers_of_two_have_one(d, times, sign):
    """Moduli made from identities: x - 1 divides x^k - 1, and x + 1 divides x^k + 1 for odd k."""
    times |= sign > 0
    m = (2 ** (d * times) + sign) // (2**d + sign)
    found = find_pseudo_modulus(m, d + 1)
    assert found.exponent <= d * times
    assert abs(found.offset) == 1
    assert pow(2, found.exponent, m) == -found.offset % m


@pytest.mark.parametrize(("m", "form"), PUBLISHED.items())
def test_published_factors(m, form):
    assert str(find_pseudo_modulus(m, 40)) == form


def test_powers_of_two_and_even_moduli():
    assert find_pseudo_modulus(2, 0) == PseudoModulus(2, 1, 1, 0)
    assert str(find_pseudo_modulus(1 << 20, 16)) == "2^20"
    found = find_pseudo_modulus(24 * 0x55555555, 16)
    assert (found.cofactor, str(found)) == (1, "2^35 - 8")  # 24 = 8 * 3
    with pytest.raises(NoPseudoModulus, match="order of 2 modulo its odd part is 1,690,787,534"):
        find_pseudo_modulus(4 * 3381691693, 16)


@settings(deadline=None)  # finding the order of 2 takes 2^16 products or more
@given(m=st.integers(2, 1 << 40), growth=st.integers(0, 20), zeros=st.integers(1, 12))
def test_twice_a_modulus_has_twice_its_pseudo_modulus(m, growth, zeros):
    try:
        odd = find_pseudo_modulus(m, growth)
    except NoPseudoModulus:
        with pytest.raises(NoPseudoModulus):
            find_pseudo_modulus(m << zeros, growth)
    else:
        even = find_pseudo_modulus(m << zeros, growth)
        assert even.value == odd.value << zeros
        assert even.signed_ones == odd.signed_ones


@pytest.mark.parametrize(
    ("m", "growth", "form", "cofactor"),
    [
        (2**130 - 5, 16, "2^130 - 5", 1),
        (2**255 - 19, 16, "2^255 - 19", 1),
        (2**192 - 2**64 - 1, 16, "2^192 - 2^64 - 1", 1),
        (2**448 - 2**224 - 1, 16, "2^448 - 2^224 - 1", 1),
        (2**384 - 2**128 - 2**96 + 2**32 - 1, 0, "2^384 - 2^128 - 2^96 + 2^32 - 1", 1),
        (2**64 - 2**32 + 1, 31, "2^64 - 2^32 + 1", 1),
        # x^3 + 1 = (x + 1) * (x^2 - x + 1) for x = 2^32
        (2**64 - 2**32 + 1, 32, "2^96 + 1", 2**32 + 1),
        (29, 0, "2^5 - 3", 1),
        ((2**32 + 5) // 3, 16, "2^32 + 5", 3),
    ],
)
def test_other_cheap_forms(m, growth, form, cofactor):
    found = find_pseudo_modulus(m, growth)
    assert (str(found), found.cofactor) == (form, cofactor)


def test_there_is_none_in_one_line_that_says_why():
    for m, words in {
        3381691693: r"modulus 0xc990852d: .* t up to 48; the order of 2 modulo it is 1,690,787,534",
        2**256 - 2**32 - 977: r"modulus of 256 bits: .* t up to 272; .* is above 4,194,304",
    }.items():
        with pytest.raises(NoPseudoModulus, match=f"^{words}$"):
            find_pseudo_modulus(m, 16)
    for call in (lambda: find_pseudo_modulus(1, 8), lambda: find_pseudo_modulus(21, -1)):
        with pytest.raises(ValueError, match=r"modulus 1 is below 2|growth_nbits=-1: 0 or more"):
            call()
    with pytest.raises(ValueError, match="3 \\* 21 is not 2\\^6 \\+ 1"):
        PseudoModulus(21, 3, 6, 1)


#: Sloane's A002326: the order of 2 modulo 2n + 1, n from 1 on.
ORDERS = (2, 4, 3, 6, 10, 12, 4, 8, 18, 6, 11, 20, 18, 28, 5, 10, 12, 36, 12, 20, 14, 12, 23, 21)


def test_order_of_two():
    assert tuple(multiplicative_order(2, 2 * n + 3) for n in range(len(ORDERS))) == ORDERS
    assert multiplicative_order(2, 2**31 - 1) == 31
    assert multiplicative_order(2, 27277 * 95443, (27276, 95442)) == 144626444


@given(m=st.integers(2, 4000), base=st.integers(1, 4000))
def test_order_as_by_counting(m, base):
    if gcd(base, m) != 1:
        with pytest.raises(ValueError, match="prime to the modulus"):
            multiplicative_order(base, m)
        return
    wanted, power = 1, base % m
    while power != 1:
        wanted, power = wanted + 1, power * base % m
    assert multiplicative_order(base, m) == wanted
    totient = sum(gcd(x, m) == 1 for x in range(1, m + 1))
    assert multiplicative_order(base, m, (totient,)) == wanted


def test_order_needs_what_it_is_told():
    for call, words in (
        (lambda: multiplicative_order(2, 11, (5,)), "does not divide the product"),
        (lambda: multiplicative_order(2, 11, (0,)), "does not divide the product"),
        (lambda: multiplicative_order(2, (1 << 61) - 1), "modulus of 61 bits: 40 at most"),
    ):
        with pytest.raises(ValueError, match=words):
            call()


def test_family():
    """Members of the family are those of the document's table 4; other moduli are not members."""
    assert [family_member(n) for n in (4, 6, 8, 10)] == [5, 21, 85, 341]
    for nbits in (6, 8, 32, 64, 1024, 4096):
        m = family_member(nbits)
        assert f"{m:b}" == "10" * (nbits // 2 - 1) + "1"
        assert str(find_pseudo_modulus(m, 1)) == f"2^{nbits} - 1"
        assert is_family_member(m)
        assert not is_family_member(m + 2)
    # Only the first member is itself next to a power of two.
    assert str(find_pseudo_modulus(5, 1)) == "2^2 + 1"
    members = [m for m in range(100_000) if is_family_member(m)]
    assert members == [(2**n - 1) // 3 for n in range(4, 19, 2)]
    for nbits in (2, 3, 33):
        with pytest.raises(ValueError, match=f"nbits={nbits}: even widths from 4 bits on"):
            family_member(nbits)


@given(k=st.integers(-(1 << 60), 1 << 60))
def test_signed_ones_are_those_of_the_non_adjacent_form(k):
    """The count equals the number of bits in which 3k and k differ (Prodinger)."""
    assert signed_ones(k) == (3 * abs(k) ^ abs(k)).bit_count()


#: Fermat numbers; Euler (1732) and Clausen (1855) factored the last two.
FERMAT = (3, 5, 17, 257, 65537, 641 * 6700417, 274177 * 67280421310721)


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
def test_factors_of_a_split(nbits, depth, factors):
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
def test_powers_by_a_split(nbits, depth):
    modulus, m = (1 << nbits) - 1, family_member(nbits)
    for base in (0, 1, 2, modulus // 5, m - 1, m, modulus - 1):
        for exponent in (0, 1, 2, 65537, modulus):
            power = split_power(base, exponent, nbits, depth)
            assert power == pow(base, exponent, modulus)
            assert power % m == pow(base, exponent, m)


def test_splits_that_are_refused():
    for nbits in (0, 2, 5, -4):
        with pytest.raises(ValueError, match=f"nbits={nbits}: even widths from 4 bits"):
            split(nbits)
    with pytest.raises(ValueError, match="depth=0: 1 or more"):
        split(8, 0)
    with pytest.raises(ValueError, match="zip"):
        join([1], split(8))
