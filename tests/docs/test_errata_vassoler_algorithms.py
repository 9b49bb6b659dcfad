"""Checks what docs/records/errata.md says of algorithms and moduli of Vassoler's document."""

from math import gcd, isqrt, lcm, prod

import pytest

from rsaxcel.fl.pseudo_modulus import NoPseudoModulus, family_member, find_pseudo_modulus


def test_equation_22s_limit():
    for nbits in range(4, 66, 2):
        n = nbits - 2
        printed, right = (
            2**n + sum(4**i for i in range(limit + 1)) for limit in (n // 2, n // 2 - 1)
        )
        assert right == family_member(nbits)
        assert printed == right + 2**n
        # the printed equation is right without the term 2^n
        assert sum(4**i for i in range(n // 2 + 1)) == right


def test_usual_exponent_does_nothing_at_32_bits():
    primes = (5, 17, 257, 65537)
    m = family_member(32)
    assert m == 0x55555555 == prod(primes)
    assert all(p % d for p in primes for d in range(2, isqrt(p) + 1))
    assert lcm(*(p - 1 for p in primes)) == 65536
    assert [pow(x, 65537, m) for x in range(0, m, 1234567)] == list(range(0, m, 1234567))
    # The private exponent does nothing, either: it is 1.
    assert pow(65537, -1, lcm(*(p - 1 for p in primes))) == 1


def test_every_member_but_the_first_is_a_product():
    for nbits in range(6, 2050, 2):
        m, half = family_member(nbits), 2 ** (nbits // 2)
        assert m == (half - 1) * (half + 1) // 3
        assert 1 < gcd(m, half - 1) < m
    assert family_member(4) == 5


def test_the_example_key_has_no_pseudo_modulus():
    p, q, e, d, x = 62639, 53987, 5, 2028945041, 17111998
    m = p * q
    assert (m, e * d % ((p - 1) * (q - 1)), pow(x, e, m)) == (3381691693, 1, 407188056)
    assert pow(407188056, d, m) == x
    with pytest.raises(NoPseudoModulus, match="the order of 2 modulo it is 1,690,787,534"):
        find_pseudo_modulus(m, 32)
    # The order of 2 modulo m is 2 * 31319 * 26993: none of these primes can be left out.
    order = 2 * 31319 * 26993
    assert order == lcm(p - 1, q - 1) == 1_690_787_534
    assert pow(2, order, m) == 1
    assert all(pow(2, order // prime, m) not in (1, m - 1) for prime in (2, 31319, 26993))


def montgomery(a: int, b: int, m: int, n: int, quotient: bool = True) -> int:
    """Algorithm 2 with the factor q_i; if ``quotient`` is false, the factor is 1."""
    s = 0
    for i in range(n + 2):
        row = s + (a >> i & 1) * b
        s = (row + (row % 2 if quotient else 1) * m) // 2
    return s


def test_algorithm_2_adds_q_times_the_modulus():
    m, n = 0xB7, 8
    for a, b in ((3, 5), (200, 300), (2 * m - 1, 2 * m - 1)):
        right = a * b * pow(2, -n - 2, m) % m
        assert montgomery(a, b, m, n) % m == right
        assert montgomery(a, b, m, n) < 2 * m
        assert montgomery(a, b, m, n, quotient=False) % m != right


def test_algorithm_6_gives_m_in_place_of_0():
    """Example with algorithm 2's products: x = 3, e = 2, m = 9."""
    m, n = 9, 4
    r2 = pow(2, 2 * (n + 2), m)
    c, s = montgomery(1, r2, m, n), montgomery(3, r2, m, n)
    for bit in (0, 1):
        if bit:
            c = montgomery(c, s, m, n)
        s = montgomery(s, s, m, n)
    assert montgomery(c, 1, m, n) == m


def square_and_multiply(x: int, e: int, m: int, indices: range) -> int:
    """Algorithm 4 with the bits of e in the order of ``indices``."""
    r = 1
    for i in indices:
        r = r * r % m
        if e >> i & 1:
            r = r * x % m
    return r


def test_algorithm_4_begins_at_the_wrong_end():
    """The document's example: 3^23 mod 29 = 8."""
    assert square_and_multiply(3, 23, 29, range(4, -1, -1)) == pow(3, 23, 29) == 8
    assert square_and_multiply(3, 23, 29, range(5)) == pow(3, int("10111"[::-1], 2), 29) == 3


def m_ary(x: int, digits: list[int], m: int, radix: int) -> int:
    """Algorithm 7 with the digits in the given order."""
    r = 1
    for digit in digits:
        r = pow(r, radix, m)
        if digit:
            r = r * pow(x, digit, m) % m
    return r


def test_algorithm_7_begins_at_the_wrong_end():
    least_first = [3, 1, 1]  # 23 in radix 4
    assert m_ary(3, least_first[::-1], 29, 4) == 8
    assert m_ary(3, least_first, 29, 4) == 3 ** (3 * 16 + 4 + 1) % 29 != 8


def windows(e: int, n: int, w: int, lowest: int) -> list[tuple[int, int, int]]:
    """Top bit, bottom bit and value of algorithm 8's windows.

    The bottom bit of a window is at least ``i - w + lowest``, and at least 0.
    """
    found, i = [], n - 1
    while i >= 0:
        if not e >> i & 1:
            i -= 1
            continue
        s = max(i - w + lowest, 0)
        while not e >> s & 1:
            s += 1
        found.append((i, s, e >> s & (1 << i - s + 1) - 1))
        i = s - 1
    return found


def sliding(x: int, e: int, m: int, n: int, w: int, squares_at: int) -> int:
    """Algorithm 8: a bit equal to ``squares_at`` squares, another bit begins a window."""
    tops = {top: (bottom, u) for top, bottom, u in windows(e, n, w, 1)}
    r, i = 1, n - 1
    while i >= 0:
        bottom, u = (i, 0) if e >> i & 1 == squares_at else tops[i]
        for _ in range(i - bottom + 1):
            r = r * r % m
        r, i = r * pow(x, u, m) % m, bottom - 1
    return r


@pytest.mark.parametrize(("e", "w"), [(23, 2), (0b111010001, 3), (65537, 4), (0b1010, 2)])
def test_algorithm_8_squares_where_a_bit_is_not_set(e, w):
    n = e.bit_length()
    assert sliding(3, e, 1009, n, w, squares_at=0) == pow(3, e, 1009)
    assert max(u for *_, u in windows(e, n, w, 1)) < 1 << w


def test_algorithm_8_as_printed_multiplies_nothing_where_all_bits_are_set():
    assert sliding(3, 0b11111, 1009, 5, 2, squares_at=0) == pow(3, 31, 1009)
    assert sliding(3, 0b11111, 1009, 5, 2, squares_at=1) == 1


def test_algorithm_8s_windows_are_a_bit_too_long():
    """A window from bit i to i - w has w + 1 bits: 101 of 1010 with w = 2, above the table's 3."""
    assert windows(0b1010, 4, 2, 0) == [(3, 1, 5)]
    assert windows(0b1010, 4, 2, 1) == [(3, 3, 1), (1, 1, 1)]


def test_figure_5s_modulus_has_a_cheap_multiple():
    assert [pow(2, i, 43) for i in range(6, 11)] == [21, *(43 - 2**i for i in range(4))]
    assert str(find_pseudo_modulus(43, 2)) == "2^7 + 1"
