"""What hardening measures have in common: resets, clearing, keys of others, and where they fit."""

import pickle
import random

import pytest
import rsa

from rsaxcel.plan.measures import DUMMY, MULTIPLE
from tests.levels import test_blinding, test_dummies, test_result_check
from tests.levels.test_clearing import Bench
from tests.levels.test_doubled_states import DOUBLED, blinded
from tests.levels.test_doubled_states import rows_of as rows_of_doubled
from tests.shared.harness import (
    HALVES,
    built_once,
    check_reset,
    check_rows,
    configure,
    last_cycle,
    response_of,
)

BLINDING, CHECK = {"blinding": "both"}, test_result_check.CHECK
DUMMIES = {"dummies": "squares"}
#: Choices and operands.
MEASURES = {
    "blinding": (BLINDING, test_blinding.directed),
    "check": (CHECK, test_result_check.directed),
    "dummies": (DUMMIES, lambda x: test_dummies.rows(x, 0)),
    "doubled": (DOUBLED, lambda x: ((row,) for row in rows_of_doubled(x))),
}
KEYED = {
    "blinding": {**BLINDING, "window_nbits": 3},
    "both": {**BLINDING, **CHECK, "window_nbits": 3},
    "check": CHECK,
    "all": {**BLINDING, **DOUBLED, **CHECK, "window_nbits": 3},
}


def measured(name, nbits, measure):
    """Configuration with a measure, and its operands."""
    params, operands = MEASURES[measure]
    configuration = configure(name, nbits, **params)
    return configuration, [row for row, *_ in operands(configuration)]


@pytest.mark.parametrize(
    "measure",
    [
        pytest.param("blinding", marks=built_once("both-crt_window", 32)),
        *(pytest.param(x, marks=built_once(f"{x}-crt_window", 32)) for x in ("check", "dummies")),
    ],
)
def test_reset_in_flight(measure):
    """A reset drops an operation while exponents are blinded, a dummy formed, a result checked."""
    configuration, rows = measured("crt_window", 32, measure)
    last = last_cycle(configuration, rows[3])
    moments = {*range(20, last, last // 12), *range(60, 120, 10), last - 100}
    check_reset(configuration, rows[3:6], sorted(moments | {last - 10, last - 1, last}))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "nbits"), [*((measure, 8) for measure in MEASURES), ("check", 32)]
)
@pytest.mark.parametrize("name", HALVES)
def test_a_request_leaves_nothing(name, measure, nbits):
    """After good and refused requests, and resets in flight, registers are as after power-up.

    So are those that hold the product of the next step, whose table entry is a digit of the
    exponent; and at 32 bits, those that name the source for a group of digits.
    """
    configuration, rows = measured(name, nbits, measure)
    driven, draw = Bench(configuration), random.Random(0)
    seen = []
    for row in {response_of(configuration, row)[1]: row for row in rows}.values():
        seen += driven.serve(row)
        driven.check(driven.when_free())
    for contents in draw.sample(seen, 8):
        driven.put(contents)
        driven.check(driven.after_reset(draw.choice((1, 2, 5))))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("nbits", "choices", "register"),
    [
        # two groups of digits
        (64, {**CHECK, "pipeline": "none", "digit_nbits": 4}, "group_reads_reg"),
        (16, {"blinding": "exponents", "blind_nbits": 2}, "above_reg"),
    ],
    ids=["group_reads_reg", "above_reg"],
)
def test_a_reset_leaves_no_digit_of_the_exponent(nbits, choices, register):
    """Nor an index of the table, in registers that hold one for a few cycles."""
    configuration = configure("crt_window_shared", nbits, exponent_nbits=4, **choices)
    halves, draw = configuration.halves, random.Random(0)
    primes = [251, 241] if nbits == 16 else [4294967291, 4294967279]
    blinds = (3, 3) if "blinding" in choices else ()
    row = 7, halves.joined_exponents(13, 11, 3 * (not blinds), blinds), halves.joined(*primes)
    bench = Bench(configuration)
    held = [x for x in bench.serve(row) if any(x[path] for path in x if register in path)]
    assert held
    for contents in draw.sample(held, min(8, len(held))):
        bench.put(contents)
        bench.check(bench.after_reset(1))


@pytest.mark.slow
@pytest.mark.parametrize("measure", KEYED)
@pytest.mark.parametrize("nbits", [64, 512])
def test_a_key_of_the_rsa_package(nbits, measure):
    """Signatures by keys of the package ``rsa``, whose exponents come from the package, too."""
    params = {"half_nbits": nbits // 2 + nbits // 16, **KEYED[measure]}
    configuration = configure("crt_window", nbits, **params)
    halves, rows, results = configuration.halves, [], []
    for _ in range(3):
        _, key = rsa.newkeys(nbits)
        public = key.e if "check" in params else 0
        exponents = halves.joined_exponents(key.exp1, key.exp2, public)
        row = random.randrange(key.n), exponents, halves.joined(key.p, key.q)
        rows.append(blinded(configuration, row))
        results.append((rsa.core.decrypt_int(row[0], key.d, key.n), 0))
    check_rows(configuration, rows, results)


def test_halves_go_to_another_process():
    """Measurements run in processes of their own."""
    halves = configure("crt_window", 32, **CHECK, **BLINDING, **DUMMIES).halves
    assert pickle.loads(pickle.dumps(halves)) == halves


def test_numbers_of_a_request_have_their_places():
    """Missing ones are 0; one too many is refused, not dropped."""
    halves = configure("crt_window", 32, **CHECK, **BLINDING).halves
    blinds = tuple(range(2, 8))
    exponents = halves.joined_exponents(5, 7, 65537, blinds)
    assert halves.split_exponents(exponents) == ((5, 7), 65537, blinds)
    assert halves.split_exponents(halves.joined_exponents(5, 7, 1)).blinds == (0,) * 6
    with pytest.raises(ValueError, match="8 numbers above the exponents: at most 7 are allowed"):
        halves.joined_exponents(5, 7, 65537, (*blinds, 0))


@pytest.mark.parametrize("params", [BLINDING, CHECK, DUMMIES, DOUBLED])
def test_they_are_off_unless_asked_for(params):
    plain, (axis,) = configure("crt_window", 32), params
    off = "single" if axis == "states" else "none"
    assert configure("crt_window", 32, **{axis: off}) == plain
    assert not {MULTIPLE, DUMMY} & {*plain.programs[0].residues}
