"""Designs by two primes, whose order is drawn in each operation, at all levels and in ``sim``.

Expected results are those of the key, by Python's ``pow``.
"""

import json
import random
from math import gcd

import pytest

from rsaxcel.cli.options.common import refused_option, variation_text
from rsaxcel.fl.blinded_key import BlindedKey, Variation, blinded_key
from rsaxcel.fl.keys import balanced_key, seeded_key
from rsaxcel.fl.status import Status
from rsaxcel.sim import vectors as sim_vectors
from tests.shared.harness import HALVES, configure

SWAPPED = Variation(swaps=True)
PARAMS = {
    "plain": {},
    "check": {"check": "public_exponent"},
    "message": {"blinding": "message"},
    "exponents": {"blinding": "exponents"},
    "states": {"states": "doubled"},
    "dummies": {"dummies": "squares"},
    "hardened": {
        "check": "public_exponent",
        "blinding": "both",
        "states": "doubled",
        "dummies": "squares",
    },
}
PRIMES = {"equal": (16, 8, 241, 197), "unequal": (16, 11, 1999, 29), "shortest": (8, 6, 61, 3)}
"""Width of the design, width of a half, and two primes."""


def rows_of(configuration, p, q, count, variation=SWAPPED):
    """Return operands with drawn orders, the results, and whether p came first in each."""
    halves, draw = configuration.halves, random.Random(f"swapped/{configuration.name}")
    n, totient = p * q, (p - 1) * (q - 1)
    e = next(x for x in range(3, totient) if gcd(x, totient) == 1)
    d = pow(e, -1, totient)
    rows, results, first = [], [], []
    for base in (0, 0, 1, p, q, n - 1, n - 1, *(draw.randrange(n) for _ in range(count))):
        key = blinded_key(p, q, e, variation, draw)
        joined = halves.joined(*key.moduli)
        exponents = halves.blinded_exponents(joined, *key.private, e, draw)
        rows.append((base, exponents, joined))
        results.append((pow(base, d, n), int(Status.OK)))
        first.append(key.moduli == (p, q))
    return rows, results, first


@pytest.mark.parametrize("primes", PRIMES)
@pytest.mark.parametrize("kind", PARAMS)
@pytest.mark.parametrize("name", HALVES)
def test_golden_model(name, kind, primes):
    """Primes of equal and unequal length in either order, with every hardening measure."""
    nbits, half_nbits, p, q = PRIMES[primes]
    configuration = configure(name, nbits, half_nbits=half_nbits, **PARAMS[kind])
    rows, results, first = rows_of(configuration, p, q, 40)
    assert set(first) == {False, True}
    assert [tuple(configuration.outcome(*row)) for row in rows] == results


def forgotten_exponents(p, q, e, variation, draw):
    """Plant a fault: the primes change places, but their exponents stay where they were."""
    made = blinded_key(p, q, e, variation, draw)
    return BlindedKey(made.n, made.e, made.moduli, (p - 1, q - 1))


def test_exponents_change_places_with_the_primes():
    """With exponents that stay, results are wrong, and a check refuses them."""
    key = balanced_key(64)
    draw = random.Random(1)
    for params, statuses in (({}, {Status.OK}), (PARAMS["check"], {Status.FAULT_DETECTED})):
        configuration = configure("crt_window", 64, **params)
        halves, seen = configuration.halves, set()
        while len(seen) < 20:
            made = forgotten_exponents(key.p, key.q, key.e, SWAPPED, draw)
            if made.moduli == (key.p, key.q):
                continue
            base, moduli = draw.randrange(2, key.n - 1), halves.joined(*made.moduli)
            exponents = halves.joined_exponents(*made.private, key.e)
            result, status = configuration.outcome(base, exponents, moduli)
            assert status in statuses
            assert result != key.decrypt(base)
            seen.add(base)


def records_of(done):
    assert (done.status, done.err) == (0, "")
    return [json.loads(line) for line in done.out.splitlines()]


def order_of(records, key):
    """For each record, whether p of the key came first; dp and dq belong to their primes."""
    orders = []
    for record in records:
        p, q, dp, dq = (int(record[x], 16) for x in ("p", "q", "dp", "dq"))
        assert {p, q} == {key.p, key.q}
        assert (dp, dq) == (key.d % (p - 1), key.d % (q - 1))
        orders.append(p == key.p)
    return orders


OPTIONS = ("--level", "cl", "--json", "--random", 12)


def test_vectors_of_a_key(rsaxcel, key_file, vectors):
    """Both orders occur; a seed repeats them, another one gives others; the lines run again."""
    key = seeded_key(48)
    half = ("--param", f"half_nbits={max(key.p, key.q).bit_length()}")
    sim = ("sim", "crt_window", "--nbits", 48, *half, "--key", key_file(48, seeded_key))
    plain = records_of(rsaxcel(*sim, *OPTIONS))
    orders = {}
    for seed in (0, 0, 1):
        done = rsaxcel(*sim, *OPTIONS, "--seed", seed, "--swap-primes")
        records = records_of(done)
        for record in records:
            base, result = int(record["base"], 16), int(record["result"], 16)
            assert result == pow(base, key.d, key.n)
            assert "n" not in record
        found = order_of(records, key)
        assert set(found) == {False, True}
        assert orders.setdefault(seed, (found, done.out)) == (found, done.out)
    assert orders[0][0] != orders[1][0]
    records = [json.loads(line) for line in orders[0][1].splitlines()]
    assert [x["base"] for x in records] == [x["base"] for x in plain]
    assert [x["result"] for x in records] == [x["result"] for x in plain]
    assert set(order_of(plain, key)) == {True}
    again = rsaxcel(*sim[:6], *OPTIONS[:3], "--vectors", vectors(records))
    assert [x["result"] for x in records_of(again)] == [x["result"] for x in plain]


def test_public_exponent(rsaxcel, key_file):
    key = balanced_key(48)
    sim = ("sim", "crt_window_shared", "--nbits", 48, *OPTIONS, "--key", key_file(48))
    records = records_of(rsaxcel(*sim, "--operation", "encrypt", "--swap-primes"))
    for record in records:
        assert int(record["result"], 16) == pow(int(record["base"], 16), key.e, key.n)
    assert {record["p"] for record in records} == {f"{key.p:x}", f"{key.q:x}"}


@pytest.mark.parametrize("blinding", ["none", "message"])
def test_with_random_primes(rsaxcel, key_file, blinding):
    """Order and random primes are drawn together."""
    key = balanced_key(48)
    sim = ("sim", "crt_window", "--nbits", 64, *OPTIONS, "--key", key_file(48))
    sim += ("--param", f"blinding={blinding}", "--param", "check=public_exponent")
    records = records_of(rsaxcel(*sim, "--blind-moduli", 8, "--swap-primes"))
    first = set()
    for record in records:
        p, q, n = (int(record[x], 16) for x in ("p", "q", "n"))
        assert int(record["result"], 16) == pow(int(record["base"], 16), key.d, key.n)
        assert n == key.n
        assert p * q % n == 0
        first.add(p % key.p == 0)
    assert first == {False, True}
    assert len({record["p"] for record in records}) > 6


def test_wrong_exponents_are_found(rsaxcel, key_file, monkeypatch):
    """The command compares with the key; exponents that stay in their places are found."""
    monkeypatch.setattr(sim_vectors, "blinded_key", forgotten_exponents)
    sim = ("sim", "crt_window", "--nbits", 48, *OPTIONS, "--key", key_file(48))
    done = rsaxcel(*sim, "--swap-primes")
    assert done.status == 1
    records = [json.loads(line) for line in done.out.splitlines()]
    kept = [int(record["p"], 16) == balanced_key(48).p for record in records]
    assert set(kept) == {False, True}
    drawn = zip(records[2:], kept[2:], strict=True)  # bases 0 and n - 1 are right in any case
    assert all(record["match"] == order for record, order in drawn)


def test_options_of_a_variation():
    """Kept findings name all options; a refusal names the more demanding one."""
    both = Variation(8, swaps=True)
    assert variation_text(both) == ("--blind-moduli 8", "--swap-primes")
    assert refused_option(both) == "--blind-moduli=8"
    assert refused_option(Variation(swaps=True)) == "--swap-primes"
