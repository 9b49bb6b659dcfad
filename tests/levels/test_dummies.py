"""Designs that form products without a use at random places (``dummies``)."""

import json
import random
from itertools import islice

import numpy as np
import pytest

from rsaxcel.fl.status import Status
from rsaxcel.flow.requests import workload_operands
from rsaxcel.lab.leakage.operands import classes_of
from rsaxcel.plan.measures import DUMMY, SEED_NBITS, Places, advanced
from rsaxcel.plan.steps import When
from rsaxcel.rtl.lib.slots import Slots
from tests.levels.test_blinding import PRIMES, expected_of, power
from tests.levels.test_clearing import Bench
from tests.levels.test_doubled_states import rows_of
from tests.shared.arithmetic import power_of_x
from tests.shared.harness import HALVES, built_once, check_levels, configure, response_of

SEEDS = (1, 1 << SEED_NBITS - 1, (1 << SEED_NBITS) - 1, 0x12345678, 0xDEADBEEF)
HARDENED = {"check": "public_exponent", "blinding": "both", "states": "doubled"}


def with_dummies(name, nbits, **params):
    """Configure a design with dummies."""
    return configure(name, nbits, dummies="squares", **params)


def row_of(configuration, base, p, q, dp, dq, seed):
    """Operands with a random number."""
    halves = configuration.halves
    return base, halves.joined_exponents(dp, dq, blinds=(seed,)), halves.joined(p, q)


def rows(configuration, count):
    """Yield operands with their status, and with the residues of the result if it is ok."""
    rng = random.Random(f"dummies/{configuration.name}")
    nbits, half = configuration.nbits, configuration.halves.nbits
    primes = [x for x in PRIMES if x.bit_length() <= half]
    for seed in (*SEEDS, *(rng.randrange(1, 1 << SEED_NBITS) for _ in range(count))):
        p, q = rng.sample(primes, 2) if nbits < 64 else (2**31 - 1, 2**31 - 19)
        numbers = rng.getrandbits(nbits), p, q, rng.getrandbits(half), rng.getrandbits(half)
        yield row_of(configuration, *numbers, seed), Status.OK, power(*numbers)
    numbers = 3, 7, 11, 0, 1
    yield row_of(configuration, *numbers, 0), Status.CONSTANTS_MISSING, None
    yield row_of(configuration, *numbers, 1 << SEED_NBITS), Status.OPERAND_TOO_WIDE, None
    yield row_of(configuration, 3, 7, 10, 0, 1, 5), Status.MODULUS_EVEN, None
    yield row_of(configuration, *numbers, 5), Status.OK, power(*numbers)


def order_of(configuration, row):
    """Products of lane 0 in the model, in the order in which they are formed."""
    model, program = configuration.golden, configuration.programs[0]
    formed = (each for step in model.run(program, model.begin(*row)) for each in step)
    return [x.product.dst for x in formed if program.lane_of[x.product, x.half] == 0]


def order_in_circuit(bench, row):
    """Products of lane 0 in the circuit, in the order in which they are offered."""
    issued = next(path for path in bench.registers if path.endswith(".issue_reg"))
    slots = Slots(bench.configuration.programs[0])
    offered, before = [], 0
    for contents in bench.serve(row):
        new = contents[issued] & ~before
        offered += [slots.products[k].dst for k in range(slots.per_lane) if new >> k & 1]
        before = contents[issued]
    bench.when_free()
    return offered


@built_once("dummies-{name}", "{nbits}")
@pytest.mark.parametrize("nbits", [8, 16, 32, 64])
@pytest.mark.parametrize("name", HALVES)
@pytest.mark.quick_cases("crt_window_shared-8")
def test_all_levels(name, nbits):
    """All levels have the same responses, in the same cycles; powers are right by ``pow``."""
    configuration = with_dummies(name, nbits)
    told = [*rows(configuration, 10)]
    operands = [row for row, *_ in told]
    expected = expected_of(configuration, told)
    assert len({configuration.cycles(*row) for row, status, _ in told if not status}) == 1
    check_levels(configuration, operands, expected)


@pytest.mark.parametrize(
    ("name", "nbits", "params"),
    [
        pytest.param(name, nbits, params, id=f"{name}-{nbits}-{label}")
        for name in HALVES
        for nbits in (16, 64)
        for label, params in (
            ("blinding", {"blinding": "both"}),
            ("hardened", HARDENED),
            ("more", {"dummy_count": nbits, "window_nbits": 3, "blinding": "exponents"}),
            ("one", {"dummy_count": 1, "states": "doubled"}),
        )
    ],
)
@pytest.mark.slow
def test_together_with_other_measures(name, nbits, params):
    """Responses are those of the design without dummies, at all levels."""
    configuration = with_dummies(name, nbits, **params)
    own = {x: y for x, y in params.items() if x != "dummy_count"}
    without = configure(name, nbits, **own)
    halves, plain, draw = configuration.halves, without.halves, random.Random(5)
    operands, expected = [], []
    for base, exponents, moduli in rows_of(without):
        private, public, _ = plain.split_exponents(exponents)
        row = base, halves.blinded_exponents(moduli, *private, public, draw), moduli
        blinds = halves.split_exponents(row[1]).blinds[:-1]
        operands.append(row)
        exponents = plain.joined_exponents(*private, public, blinds)
        expected.append(response_of(without, (base, exponents, moduli)))
    assert expected == [response_of(configuration, row) for row in operands]
    assert {status for _, status in expected} > {Status.OK}
    check_levels(configuration, operands, expected)


@pytest.fixture(scope="module", params=HALVES)
def bench(request):
    """Drives an 8-bit circuit with so many dummies that the first digit has its own limit."""
    found = Bench(with_dummies(request.param, 8, dummy_count=8, exponent_nbits=12))
    assert found.configuration.programs[0].dummy_limits == (128, 36)
    return found


@pytest.mark.slow_cases("crt_window")
def test_the_circuit_follows_the_random_number(bench):
    """Products are offered in the order of the model, which differs with the random number."""
    orders = set()
    for seed in SEEDS[-2:]:
        row = row_of(bench.configuration, 200, 7, 11, 0x9C6, 0x5F1, seed)
        order = order_of(bench.configuration, row)
        assert order_in_circuit(bench, row) == order
        orders.add(tuple(order))
    assert len(orders) == 2


@pytest.mark.parametrize("name", HALVES)
@pytest.mark.parametrize("nbits", [16, 64])
def test_each_product_of_the_loop_takes_the_same_cycles(name, nbits):
    """Time does not tell dummies from squares, and squares from products.

    The first product is left out: it always comes first, and no dummy before it.
    """
    configuration = with_dummies(name, nbits)
    timing, program = configuration.timing, configuration.programs[0]
    more = timing.more_cycles(program)
    row = next(rows(configuration, 0))[0]
    loop = {p for step in (*program.loop[1:], program.dummy) for p in step}
    loop |= {p for p in program.loop[0] if p.when is not When.FIRST}
    states = configuration.golden.begin(*row)
    taken = {
        timing.step_cycles(formed, program, [x.modulus for x in states], more)
        for formed in configuration.golden.run(program, states)
        if formed and formed[0].product in loop
    }
    assert len(taken) == 1


@pytest.mark.parametrize("name", HALVES)
def test_all_dummies_are_formed(name):
    """Each half has all dummies for every random number, somewhere from the first to the last."""
    configuration = with_dummies(name, 64)
    program = configuration.programs[0]
    count = program.dummies.count
    loop = program.scan.ndigits * len(program.loop)
    after = set()
    for row, *_ in islice(rows(configuration, 20), 20):
        order = order_of(configuration, row)
        assert order.count(DUMMY) == (count + 1) * (2 // program.lanes)
        first = order.index("r")
        assert DUMMY not in order[first + loop + count :] or program.lanes == 1
        after |= {i - first for i, x in enumerate(order) if x == DUMMY and i > first}
    assert len(after) > loop


@pytest.mark.parametrize("name", HALVES)
def test_no_dummy_repeats_a_square(name):
    """No dummy has the operands of a product of the exponent, whatever its leading digits are."""
    configuration = with_dummies(name, 64, dummy_count=20)
    model, program = configuration.golden, configuration.programs[0]
    for lead in (1, 2, 3, 4, 8):
        numbers = 0xABCDEF, 2**31 - 1, 2**31 - 19, lead << 28, lead << 28
        row = row_of(configuration, *numbers, 0x5A5A5A5A)
        formed = [x for step in model.run(program, model.begin(*row)) for x in step]
        dummies, others = (
            {(x.a, x.b, x.half) for x in formed if (x.product.dst == DUMMY) == is_dummy}
            for is_dummy in (True, False)
        )
        assert len(dummies) == 2 * (20 + 1)
        assert not dummies & others


def test_the_random_bits():
    """The register passes through all states but 0, and its bits are shifted out in order."""
    poly = 1 << 32 | 1 << 22 | 1 << 2 | 1 << 1 | 1
    full = (1 << 32) - 1
    assert power_of_x(full, poly) == 1
    assert all(power_of_x(full // factor, poly) != 1 for factor in (3, 5, 17, 257, 65537))
    state, bits = 0x89ABCDEF, [0x89ABCDEF >> i & 1 for i in range(32)]
    for i in range(200):
        bits.append(bits[i] ^ bits[i + 1] ^ bits[i + 2] ^ bits[i + 22])
        state = advanced(state)
        assert state == sum(bits[i + 1 + k] << k for k in range(32))


def test_places():
    """A dummy follows where the bits of a decision are below a limit; the rest, the last step."""
    places = Places(2, (128, 16), 0x0F_10_7F_00)  # three decisions, the last one at the left
    places.begin_turn()
    assert [places.follows(first, False) for first in (1, 0, 0)] == [1, 0, 1]
    places.begin_turn()
    assert [places.follows(False, True) for _ in range(3)] == [1, 1, 0]
    assert not places.follows(True, False)


@pytest.mark.slow_cases("1024")
@pytest.mark.parametrize("nbits", [32, 64, 1024])
def test_no_product_stays_in_its_place(nbits):
    """Each product of the loop is at any place in at most 3 of 10 operations."""
    program = with_dummies("crt_window", nbits).programs[0]
    steps = program.scan.ndigits * len(program.loop)
    rng, count = random.Random(2), 1000
    before = np.zeros((count, steps), int)
    for each in before:
        places = program.places(rng.randrange(1, 1 << SEED_NBITS))
        places.begin_turn()
        for step in range(1, steps):
            each[step] = each[step - 1]
            while places.follows(step < len(program.loop), False):
                each[step] += 1
    most = [np.bincount(column).max() / count for column in before.T]
    assert max(most[len(program.loop) - 1 :]) < 0.3
    assert most[steps // 2] < 2.5 / nbits**0.5


def test_random_numbers_are_new():
    """Each operation of a workload, and each trace, has another random number."""
    configuration = with_dummies("crt_window", 64)
    halves, draw = configuration.halves, random.Random(1)
    rows = workload_operands(configuration, 3, 8)
    exponents = [e for _, e, _ in rows] + [halves.reblinded(*rows[0][1:], draw) for _ in range(8)]
    seeds = {halves.split_exponents(exponent).blinds[-1] for exponent in exponents}
    assert len(seeds) == 16
    assert max(seeds).bit_length() > SEED_NBITS - 8
    classes = classes_of(configuration, "none", 0)
    drawn = [classes.fixed(draw)[1] for _ in range(8)]
    assert len({halves.split_exponents(exponent).blinds[-1] for exponent in drawn}) == 8


def test_vectors(rsaxcel, vectors):
    """A vector may have the random number; without it, one is drawn. 0 is refused."""
    plain = {"base": "5", "p": "b", "q": "d", "dp": "3", "dq": "5"}
    options = ("--nbits", 8, "--param", "dummies=squares", "--level", "fl", "--json")
    records = [plain, {**plain, "dummy_seed": "77"}, {**plain, "dummy_seed": "0"}]
    finished = rsaxcel("sim", "crt_window", *options, "--vectors", vectors(records))
    drawn, given, missing = (json.loads(line) for line in finished.out.splitlines())
    assert int(drawn["dummy_seed"], 16) > 0
    assert int(given["dummy_seed"], 16) == 0x77
    assert {int(x["result"], 16) for x in (drawn, given)} == {70}
    assert missing["status"] == "constants_missing"
