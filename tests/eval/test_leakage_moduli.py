"""Side channels of designs whose moduli are random multiples of the primes of a key."""

import random

import pytest

from eval.leakage.measure import Campaign, calibration
from eval.leakage.operands import BlindedSource, classes_of
from eval.leakage.recorder import Recorder
from fl.keys import balanced_key
from fl.status import Status
from rsaxcel.cli import cli, guard
from sim.operations import expected_response, operation
from tests.eval.leaking_circuits import slews_of
from tests.flow.flow_circuits import build
from tests.harness import configure

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
    classes, draw = classes_of(configuration, test, 5, FACTOR_NBITS), random.Random(1)
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
    classes, draw = classes_of(configuration, "modulus", seed, FACTOR_NBITS), random.Random(1)
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


def test_refusals(capsys):
    with pytest.raises(ValueError, match="two random primes of 13; give --nbits 34"):
        BlindedSource(configure("crt_window", NBITS), 13)
    for arguments, told in (
        (("mont_r2l", "--blind-moduli", "8"), "only designs by two primes (crt) take it"),
        (("crt_window", "--blind-moduli", "13"), "give --nbits 34"),
        (
            ("crt_window", "--param", "blinding=both", "--blind-moduli", "8"),
            "blinding=message fits",
        ),
        (
            ("crt_window", "--attack", "simple", "--blind-moduli", "8"),
            "no --plot, no --test and no --blind-moduli with an attack",
        ),
        (("proc_null", "--blind-moduli", "8"), "--blind-moduli: proc_null is a system"),
    ):
        assert guard(cli, "rsaxcel", ["leak", *arguments]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert told in line


@pytest.mark.slow
def test_traces(tmp_path):
    """The netlist gives the results of blinded moduli; blocks without them are others."""
    circuit = build("crt_window", tmp_path, nbits=NBITS)
    parts = circuit.configuration, circuit.netlist, circuit.module, slews_of(circuit.netlist)
    recorder = Recorder(*parts, calibration(circuit.configuration))
    found = []
    for nbits in (0, FACTOR_NBITS):
        asked = circuit.configuration, "base", 0, 64, 1.0, lambda: recorder, "netlist"
        found.append(Campaign(*asked, directory=tmp_path, blind_nbits=nbits).result())
    plain, blinded = found
    assert blinded.lengths == plain.lengths
    assert (plain.t != blinded.t).any()
