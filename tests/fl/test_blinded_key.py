"""Keys whose primes are multiplied by random primes: exponents, results, and what they must not be.

Expected results are those of the key, by the package ``rsa``.
"""

import random
from math import gcd, lcm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsaxcel.fl.blinded_key import UNVARIED, BlindedKey, Variation, blinded_key
from rsaxcel.fl.keys import Key, random_key, seeded_key
from rsaxcel.fl.status import Status
from rsaxcel.plan.halves import Halves
from tests.shared.harness import configure

PRIMES = [x for x in range(3, 256) if all(x % y for y in range(2, x))]


def engine_of(key: Key, nbits: int, **params):
    """Design by two primes that takes a key with random primes of ``nbits`` bits."""
    half = max(key.p, key.q).bit_length() + nbits
    return configure("crt_window", key.n.bit_length() + 2 * nbits, half_nbits=half, **params)


def outcome_of(configuration, moduli, private, e, base, seed=0):
    """Result and status of the golden model; with blinding, its random numbers are drawn."""
    halves = configuration.halves
    joined = halves.joined(*moduli)
    exponents = halves.blinded_exponents(joined, *private, e, random.Random(seed))
    return configuration.outcome(base, exponents, joined)


@settings(deadline=None)
@given(
    nbits=st.sampled_from((64, 512)),
    factor_nbits=st.integers(8, 64),
    seed=st.integers(0, 3),
    number=st.integers(0, (1 << 64) - 1),
    params=st.sampled_from(({}, {"check": "public_exponent"}, {"blinding": "message"})),
)
def test_the_result_of_the_key(nbits, factor_nbits, seed, number, params):
    """The golden model's result, reduced, is the key's, also with the check and a blinded base."""
    key, draw = seeded_key(nbits, seed), random.Random(number)
    blinded = blinded_key(key.p, key.q, key.e, Variation(factor_nbits), draw)
    base = draw.choice((0, 1, key.p, key.n - key.q, key.n - 1, draw.randrange(key.n)))
    configuration = engine_of(key, factor_nbits, **params)
    numbers = blinded.moduli, blinded.private, key.e, base, draw.random()
    result, status = outcome_of(configuration, *numbers)
    assert status is Status.OK
    assert result < blinded.moduli[0] * blinded.moduli[1]
    assert blinded.reduced(result) == key.decrypt(base)


def test_new_keys_of_1024_bits():
    """Keys of the package's generator; the public exponents give a ciphertext."""
    key, draw = random_key(1024), random.SystemRandom()
    configuration = engine_of(key, 32, check="public_exponent")
    plain = engine_of(key, 32)
    for _ in range(3):
        blinded = blinded_key(key.p, key.q, key.e, Variation(32), draw)
        base = draw.randrange(key.n)
        result, status = outcome_of(configuration, blinded.moduli, blinded.private, key.e, base)
        assert (blinded.reduced(result), status) == (key.decrypt(base), Status.OK)
        encrypted, _ = outcome_of(plain, blinded.moduli, blinded.public, 0, base)
        assert blinded.reduced(encrypted) == key.encrypt(base)


@settings(deadline=None)
@given(
    nbits=st.integers(4, 24),
    seed=st.integers(0, 3),
    e=st.sampled_from((3, 5, 17, 65537)),
    number=st.integers(0, (1 << 64) - 1),
)
def test_random_primes(nbits, seed, e, number):
    """They are primes of the width, differ, and e has an inverse for each."""
    p, q = (seeded_key(32, seed).p, seeded_key(32, seed).q)
    draw = random.Random(number)
    if nbits == 4 and e in (3, 5):  # 11 and 13 alone
        with pytest.raises(ValueError, match=f"no two primes of 4 bits suit .* exponent {e}"):
            blinded_key(p, q, e, Variation(nbits), draw)
        return
    blinded = blinded_key(p, q, e, Variation(nbits), draw)
    factors = [m // x for m, x in zip(blinded.moduli, (p, q), strict=True)]
    assert [m % x for m, x in zip(blinded.moduli, (p, q), strict=True)] == [0, 0]
    assert gcd(*blinded.moduli) == 1
    for factor, prime in zip(factors, (p, q), strict=True):
        assert factor.bit_length() == nbits
        assert all(factor % x for x in PRIMES if x * x <= factor)
        assert factor != prime
        assert gcd(e, factor - 1) == 1
    assert blinded.orders == tuple(lcm(x - 1, f - 1) for x, f in zip((p, q), factors, strict=True))


def test_small_keys_never_meet_their_own_primes():
    """Random primes as long as the key's never equal one of them, which would spoil multiples."""
    p, q = 11, 13
    with pytest.raises(ValueError, match="no two primes"):
        blinded_key(p, q, 7, Variation(4), random.Random(0))
    seen = set()
    for seed in range(200):
        first, second = blinded_key(17, 29, 5, Variation(5), random.Random(seed)).moduli
        seen |= {first // 17, second // 29}
    assert seen == {19, 23}  # without 17 and 29; e = 5 rules 31 out


def test_without_random_primes():
    """With a width of 0, moduli and exponents are those of the key, and nothing is drawn."""
    key, draw = seeded_key(64), random.Random(1)
    state = draw.getstate()
    blinded = blinded_key(key.p, key.q, key.e, UNVARIED, draw)
    assert (*blinded.moduli, *blinded.private) == key.halves(key.d)
    assert (*blinded.moduli, *blinded.public) == key.halves(key.e)
    assert draw.getstate() == state


def test_every_prime_is_drawn():
    """All primes of the width that suit the key are drawn about equally often."""
    key, draw = seeded_key(64), random.Random(2)
    counts = dict.fromkeys([x for x in PRIMES if x > 128], 0)
    for _ in range(1000):
        for modulus, prime in zip(
            blinded_key(key.p, key.q, key.e, Variation(8), draw).moduli, (key.p, key.q), strict=True
        ):
            counts[modulus // prime] += 1
    assert len(counts) == 23
    assert 40 < min(counts.values()) <= max(counts.values()) < 140  # mean 87, deviation 9


def test_exponents_vary():
    """A private exponent is dp plus a multiple of p - 1 that depends on the random prime."""
    key, draw = seeded_key(64), random.Random(3)
    dp, seen = key.d % (key.p - 1), set()
    for _ in range(100):
        private = blinded_key(key.p, key.q, key.e, Variation(16), draw).private[0]
        assert private % (key.p - 1) == dp
        seen.add(private // (key.p - 1))
    assert len(seen) > 90


@pytest.mark.parametrize("factor_nbits", [0, 16])
def test_drawn_order(factor_nbits):
    """Both orders occur; exponents follow their primes; a seed repeats the order."""
    key, variation = seeded_key(64), Variation(factor_nbits, swaps=True)
    expected = {x: key.d % (x - 1) for x in (key.p, key.q)}
    orders = []
    for _ in range(2):
        draw, found = random.Random(7), []
        for _ in range(200):
            blinded = blinded_key(key.p, key.q, key.e, variation, draw)
            primes = [gcd(x, key.n) for x in blinded.moduli]
            private = [d % (x - 1) for d, x in zip(blinded.private, primes, strict=True)]
            assert private == [expected[x] for x in primes]
            public = [e % (x - 1) for e, x in zip(blinded.public, primes, strict=True)]
            assert public == [key.e % (x - 1) for x in primes]
            found.append(primes == [key.p, key.q])
        orders.append(found)
    assert orders[0] == orders[1]
    assert 70 < sum(orders[0]) < 130  # mean 100, deviation 7


def test_what_varies_in_words():
    """Texts name what is drawn."""
    both = Variation(8, swaps=True)
    assert str(both) == "random primes of 8 bits and random order of the primes"
    assert [bool(x) for x in (UNVARIED, Variation(8), Variation(swaps=True))] == [0, 1, 1]
    for token in ("exponents", "both"):
        halves = engine_of(seeded_key(64), 16, blinding=token).halves
        assert Variation(swaps=True).refusal(halves) == ""


CHECKED = {"check": "public_exponent"}


def test_what_the_check_refuses():
    """Exponents of the primes alone, and random numbers that are not prime, are found."""
    key, base = seeded_key(64), 0x123456789ABCDEF
    configuration = engine_of(key, 16, **CHECKED)
    blinded = blinded_key(key.p, key.q, key.e, Variation(16), random.Random(4))
    good = configuration, blinded.moduli
    assert outcome_of(*good, blinded.private, key.e, base)[1] is Status.OK
    _, _, dp, dq = key.halves(key.d)
    for private in ((dp, blinded.private[1]), (blinded.private[0], dq)):
        result, status = outcome_of(*good, private, key.e, base)
        assert (result, status) == (0, Status.FAULT_DETECTED)
        # Without a check, such exponents give the key's result.
        result, status = outcome_of(engine_of(key, 16), blinded.moduli, private, 0, base)
        assert (blinded.reduced(result), status) == (key.decrypt(base), Status.OK)
    prime, composite = 65521, 65517
    for factor, status in ((prime, Status.OK), (composite, Status.FAULT_DETECTED)):
        moduli = key.p * factor, blinded.moduli[1]
        order = lcm(key.p - 1, factor - 1)
        made = BlindedKey(key.n, key.e, moduli, (order, blinded.orders[1]))
        assert outcome_of(configuration, moduli, made.private, key.e, base)[1] is status


def test_a_random_prime_that_does_not_suit_the_public_exponent():
    """If e has a factor in common with r - 1, there is no private exponent."""
    p, q, e = 1019, 1013, 3
    made = BlindedKey(p * q, e, (p * 31, q * 29), (lcm(p - 1, 30), lcm(q - 1, 28)))
    with pytest.raises(ValueError, match="not invertible"):
        _ = made.private


def test_the_reduction_is_needed():
    """Nearly no result is below n before it is reduced."""
    key, draw = seeded_key(64), random.Random(5)
    configuration, equal = engine_of(key, 16), 0
    for _ in range(50):
        blinded, base = blinded_key(key.p, key.q, key.e, Variation(16), draw), draw.randrange(key.n)
        result, _ = outcome_of(configuration, blinded.moduli, blinded.private, 0, base)
        equal += result == key.decrypt(base)
    assert equal == 0


def test_multiples_of_the_modulus_minus_one_are_wrong():
    """Why blinding of exponents is refused: it would add multiples of P - 1."""
    halves = engine_of(seeded_key(64), 16).halves
    variation = Variation(16)
    assert variation.refusal(halves) == variation.refusal(Halves(32)) == ""
    key, draw = seeded_key(64), random.Random(6)
    wrong = 0
    for token in ("exponents", "both"):
        configuration = engine_of(key, 16, blinding=token)
        assert "blinding=message fits" in variation.refusal(configuration.halves)
        for _ in range(10):
            blinded = blinded_key(key.p, key.q, key.e, variation, draw)
            base = draw.randrange(key.n)
            numbers = blinded.moduli, blinded.private, 0, base
            result, _ = outcome_of(configuration, *numbers, draw.random())
            wrong += blinded.reduced(result) != key.decrypt(base)
    assert wrong == 20
