"""Side channels of designs whose moduli are random multiples of the primes of a key."""

import random
from collections import Counter
from hashlib import sha256
from itertools import pairwise
from math import gcd

import pytest

from rsaxcel.fl.blinded_key import Variation
from rsaxcel.fl.keys import balanced_key
from rsaxcel.fl.status import Status
from rsaxcel.lab.leakage.measure import TTest, calibration
from rsaxcel.lab.leakage.operands import BlindedSource, classes_of
from rsaxcel.lab.leakage.recorder import Recorder
from rsaxcel.lab.leakage.request import LeakRequest
from rsaxcel.sim.operations import expected_response, operation
from tests.flow.flow_circuits import build
from tests.lab.leaking_circuits import slews_of
from tests.shared.harness import configure

NBITS, FACTOR_NBITS = 32, 8


def of_key(configuration, row, primes):
    """Base, private exponents modulo p - 1 and q - 1, and random primes of an operation."""
    base, exponents, moduli = row
    halves = configuration.halves
    private = halves.split_exponents(exponents).private
    split = halves.split(moduli)
    assert [m % x for m, x in zip(split, primes, strict=True)] == [0, 0]
    reduced = tuple(d % (x - 1) for d, x in zip(private, primes, strict=True))
    return base, reduced, tuple(m // x for m, x in zip(split, primes, strict=True))


def key_of(configuration):
    nbits = configuration.nbits - 2 * FACTOR_NBITS
    return balanced_key(nbits, public_nbits=configuration.halves.public_nbits)


@pytest.mark.parametrize(
    "params", [{}, {"check": "public_exponent"}, {"blinding": "message"}], ids=str
)
@pytest.mark.parametrize("test", ["base", "exponent", "none"])
def test_classes_of_one_key(test, params):
    """One operand is fixed; random primes are new in each operation; results are the key's."""
    configuration = configure("crt_window", NBITS, **params)
    key, to_do = key_of(configuration), operation(configuration)
    classes, draw = classes_of(configuration, test, 5, Variation(FACTOR_NBITS)), random.Random(1)
    seen = {}
    for name in ("fixed", "varied"):
        rows = [getattr(classes, name)(draw) for _ in range(40)]
        split = [of_key(configuration, row, (key.p, key.q)) for row in rows]
        seen[name] = [len(set(x)) for x in zip(*split, strict=True)]
        assert {f for _, _, factors in split for f in factors} <= {*range(129, 256, 2)}
        for row, (base, private, _) in zip(rows, split, strict=True):
            result, status = expected_response(to_do, row)
            power = [pow(base, d, x) for d, x in zip(private, (key.p, key.q), strict=True)]
            assert status is Status.OK
            assert [result % key.p, result % key.q] == power
    bases, exponents = zip(*(x[:2] for x in seen.values()), strict=True)
    assert [n == 1 for n in bases] == [test == "base", False]
    assert [n == 1 for n in exponents] == [test in ("base", "exponent"), test == "base"]
    assert min(x[2] for x in seen.values()) > 30  # pairs of random primes


@pytest.mark.parametrize("seed", range(4))
def test_classes_of_two_primes(seed):
    """The class with a fixed modulus has two primes, the other one new ones."""
    configuration = configure("crt_window", NBITS)
    classes, draw = (
        classes_of(configuration, "modulus", seed, Variation(FACTOR_NBITS)),
        random.Random(1),
    )
    halves = configuration.halves
    fixed = [halves.split(classes.fixed(draw)[2]) for _ in range(20)]
    varied = [halves.split(classes.varied(draw)[2]) for _ in range(20)]
    for half in (0, 1):
        primes = set.intersection(
            *({p for p in range(128, 256) if x[half] % p == 0} for x in fixed)
        )
        assert len(primes) == 1
        assert len({x[half] for x in fixed}) > 10
        assert not set.intersection(*({p for p in primes if x[half] % p == 0} for x in varied))
    assert "new random primes of 8 bits" in classes.told


@pytest.mark.parametrize("factor_nbits", [0, FACTOR_NBITS], ids="factor_nbits_{}".format)
@pytest.mark.parametrize(
    "params",
    [{}, {"check": "public_exponent"}, {"blinding": "message"}, {"dummies": "squares"}],
    ids=str,
)
@pytest.mark.parametrize("test", ["base", "exponent", "modulus", "none"])
def test_classes_of_a_drawn_order(test, params, factor_nbits):
    """In both classes, the halves change places in some operations, and exponents with them."""
    configuration = configure("crt_window", NBITS, **params)
    halves, to_do = configuration.halves, operation(configuration)
    variation = Variation(factor_nbits, swaps=True)
    classes = classes_of(configuration, test, 5, variation)
    for name in ("fixed", "varied"):
        if name == "varied" and test == "modulus":
            continue  # new moduli: their order cannot be told
        draw, found, given = random.Random(1), [], set()
        for _ in range(60):
            base, exponents, moduli = getattr(classes, name)(draw)
            split = halves.split_exponents(exponents)
            found.append((base, halves.split(moduli), split.private))
            given.add(split.blinds)
            # A drawn exponent does not belong to the public exponent of a check.
            allowed = {
                Status.OK,
                *[Status.FAULT_DETECTED] * (not factor_nbits and "check" in params),
            }
            assert to_do.status((base, exponents, moduli)) in allowed
        assert (len(given) > 50) == bool(halves.blinds)
        primes = shared_factors(found)
        assert len(primes) == 2
        first = [moduli[0] % primes[0] == 0 for _, moduli, _ in found]
        assert 15 < sum(first) < 45
        private = set()
        for (_, moduli, exponents), kept in zip(found, first, strict=True):
            order = primes if kept else primes[::-1]
            assert [m % x for m, x in zip(moduli, order, strict=True)] == [0, 0]
            pairs = zip(exponents, order, strict=True)
            reduced = [d % (x - 1) if factor_nbits else d for d, x in pairs]
            private.add(tuple(reduced if kept else reduced[::-1]))
        assert (len(private) == 1) == ((name == "fixed" and test != "none") or test == "base")
        assert (len({base for base, _, _ in found}) == 1) == (name == "fixed" and test == "base")
        again = random.Random(1)
        assert [getattr(classes, name)(again)[0] for _ in range(60)] == [x[0] for x in found]
    assert "; new " in classes.told
    assert classes.told.endswith("random order of the primes")


def shared_factors(found):
    """Return the two numbers that divide the moduli of all operations, one for each half."""
    pairs = pairwise(moduli for _, moduli, _ in found)
    counts = Counter(gcd(x, y) for one, other in pairs for x, y in zip(one, other, strict=True))
    return sorted(x for x, _ in counts.most_common(3) if x > 1)


@pytest.mark.parametrize(
    ("variation", "more"),
    [
        (Variation(), ()),
        (Variation(8), (8,)),
        (Variation(swaps=True), ("order",)),
        (Variation(8, swaps=True), (8, "order")),
    ],
    ids=str,
)
def test_keys_of_kept_traces(variation, more):
    """Without a variation, the key of kept traces has nothing more; each variation adds its own."""
    configuration = configure("crt_window", NBITS)
    made = TTest(_asked(configuration, variation), "base", lambda: None, "netlist")
    netlist, params, test, order, seed, noise, code, *others = made._key
    assert (netlist, test, order, seed, noise) == ("netlist", "base", 1, 0, 1.0)
    assert (params, len(code) > 8) == (dict(configuration.params), True)
    assert tuple(others) == more


def _asked(configuration, variation):
    return LeakRequest(configuration, ["base"], 64, 1.0, 0, "freepdk-45nm", 3.0, variation)


#: Digests of the operands before there was `--swap-primes`.
DRAWN = {"base": "d77e4975dc2ad81c", "exponent": "f3f94406002e16d2", "modulus": "824f01793a062483"}


@pytest.mark.parametrize("test", DRAWN)
def test_operands_without_the_option_are_as_before(test):
    """Kept traces and measured figures depend on the operands."""
    found = []
    for factor_nbits in (0, FACTOR_NBITS):
        configuration = configure("crt_window", NBITS, blinding="message")
        classes = classes_of(configuration, test, 5, Variation(factor_nbits))
        draw = random.Random(1)
        found += [(classes.fixed(draw), classes.varied(draw)) for _ in range(20)]
    assert sha256(repr(found).encode()).hexdigest()[:16] == DRAWN[test]


def test_a_design_that_is_too_narrow_is_refused():
    with pytest.raises(ValueError, match="two random primes of 13; give --nbits 34"):
        BlindedSource(configure("crt_window", NBITS), Variation(13))


@pytest.mark.slow
def test_traces(tmp_path):
    """The netlist gives the results of blinded moduli; blocks without them are others."""
    circuit = build("crt_window", tmp_path, nbits=NBITS)
    parts = circuit.configuration, circuit.netlist, circuit.module, slews_of(circuit.netlist)
    recorder = Recorder(*parts, calibration(circuit.configuration))
    found = []
    for variation in (Variation(), Variation(FACTOR_NBITS), Variation(swaps=True)):
        asked = _asked(circuit.configuration, variation)
        test = TTest(asked, "base", lambda: recorder, "netlist")
        test.store = tmp_path
        found.append(test.result())
    plain, blinded, swapped = found
    assert blinded.lengths == plain.lengths == swapped.lengths
    assert (plain.t != blinded.t).any()
    assert (plain.t != swapped.t).any()
