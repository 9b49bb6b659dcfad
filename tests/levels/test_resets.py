"""Resets of one to three cycles, in each cycle of a request, and from any register contents.

After a reset, a circuit must behave as after power-up, cycle by cycle. Runs without a reset in
flight are checked against Python's ``pow`` and the cycle model. The expected batch of a run with a
reset is joined from such runs.
"""

import random
from functools import cache, partial

import pytest

from rsaxcel import catalog
from rsaxcel.course.testing.cases import of_one_modulus, random_power_cases
from rsaxcel.fl.contract import MODULUS
from rsaxcel.sim.batch import Conditions
from rsaxcel.sim.engine import open_engine
from rsaxcel.sim.runners import hang_cycles
from rsaxcel.sim.stalls import NO_STALLS, StallProfile
from tests.shared.harness import (
    VARIANTS,
    built_once,
    check_batch,
    configure,
    engine_for,
    everything,
    response_of,
    table,
    usable,
)
from tests.shared.rejoin import after_reset

NBITS, WORDS_NBITS = 8, 64
LENGTHS = (1, 2, 3)
POWER_UPS = 24
"""Seeds of batches that start from random register contents, two for each length of a reset."""

REFUSED_SECOND = 3
"""With a seed that is a multiple of this number, the second row is refused."""


def other_parameters(name: str) -> dict:
    """First value of each parameter that is not the default."""
    found = {}
    for parameter in catalog.find(name).parameters:
        default = parameter.default(NBITS)
        # A constant modulus needs a cheap multiple in some designs: 13 has 65.
        allowed = [13] if parameter is MODULUS else parameter.allowed(NBITS)
        found[parameter.name] = next((value for value in allowed if value != default), default)
    return found


def points() -> list:
    """All designs and multipliers, and all designs with other parameters, as test parameters."""
    configurations = [configure(name, NBITS) for name in everything()]
    for name in (x for x in catalog.DESIGNS if x not in VARIANTS):
        other = configure(name, NBITS, **other_parameters(name))
        if other not in configurations:
            configurations.append(other)
    return [
        pytest.param(
            c,
            id=c.name,
            marks=[
                built_once(c.design.name, NBITS),
                *([pytest.mark.slow] if c.design.name in VARIANTS else []),
            ],
        )
        for c in configurations
    ]


def rows_of(configuration, seed: int) -> tuple[list, list]:
    """Operands and responses of three good requests and a refused one, which is not the last.

    A multiplier refuses no request.
    """
    draw = random.Random(f"{configuration.name}/{seed}")
    if isinstance(configuration, catalog.MultiplierConfiguration):
        pool, bad = list(zip(*table(configuration, "products"), strict=True)), []
    else:
        exponent_nbits = configuration.exponent_nbits
        drawn = random_power_cases(configuration.nbits, 200, seed, exponent_nbits)
        only, nbits = configuration.constant_modulus, configuration.nbits
        cases = [of_one_modulus(case, nbits, only) if only else case for case in drawn]
        rows = [case.operands for case in cases]
        if configuration.choices.domain.halves:
            rows = [usable(configuration, row) for row in rows]
        pool = [(row, response_of(configuration, row)) for row in rows]
        # Rows of the table that only the design's short exponent makes too wide are left out.
        bad = [
            row
            for row in zip(*table(configuration, "bad"), strict=True)
            if row[0][1] >> configuration.exponent_nbits == 0
        ]
    # Requests with long moduli and exponents leave most in registers, and are disturbed most.
    pool.sort(key=lambda row: (row[0][2].bit_length(), row[0][1].bit_length()))
    chosen = draw.sample(pool[-20:], 3)
    if bad:
        chosen.insert((1 + seed) % REFUSED_SECOND, draw.choice(bad))
    return [row for row, _ in chosen], [response for _, response in chosen]


class Bench:
    """Runs one batch of a configuration with and without resets."""

    def __init__(self, configuration, seed: int, in_flight: int | None):
        self.configuration = configuration
        self.engine = engine_for(configuration, "rtl", "native")
        self.operands, self.expected = rows_of(configuration, seed)
        self.requests = [configuration.request(*row) for row in self.operands]
        self.options = {"in_flight": in_flight, "max_idle_cycles": hang_cycles(configuration)}
        self.alone = cache(self._alone)

    def _alone(self, first: int, stalls: StallProfile):
        """Run the requests from number ``first`` on, without a reset in flight."""
        batch = self.engine.run(self.requests[first:], stalls=stalls, **self.options)
        rows, cycles = self.operands[first:], None
        if self.options["in_flight"] == 1:
            cycles = [self.configuration.cycles(*row) for row in rows]
        check_batch(self.configuration, "rtl", "native", rows, batch, self.expected[first:], cycles)
        return batch

    def check(self, batch, expected, under: Conditions) -> None:
        """Fail if a run differs from the expected batch; the message has its conditions."""
        if batch != expected:
            told = f"{self.configuration.name}: not as after power-up, under {under}"
            pytest.fail(f"{told}: {batch}; expected {expected}", pytrace=False)

    def reset_in(self, cycles: range, length: int, stalls: StallProfile) -> None:
        """Run once for each cycle, with a reset in that cycle, and check each run."""
        conditions = [Conditions(stalls, reset_at=cycle, reset_cycles=length) for cycle in cycles]
        batches = self.engine.run_each(self.requests, conditions, **self.options)
        for batch, under in zip(batches, conditions, strict=True):
            expected = after_reset(lambda first: self.alone(first, stalls), under)
            self.check(batch, expected, under)


@pytest.fixture(params=points())
def configuration(request):
    return request.param


@pytest.mark.quick_cases(
    "mulrem_r2l_8*-one",
    "mont_r2l_8-one",
    "montred_r2l_8-one",
    "montmul_csa_r2l_8-one",
    "ssmm_r2l_8_*-one",
    "interleaved_l2r_8-one",
    "ssmm_l2r_8-one",
    "systolic_l2r_always_8*-one",
    "digit_serial_r2l_8*-one",
    "dm_r2l_8-one",
    "cm_pm_r2l_8-one",
    "orup_window_8*-one",
    "mont_orup_8-one",
    "mont_mul_rem_8-one",
)
@pytest.mark.parametrize("in_flight", [1, None], ids=["one", "many"])
def test_reset_in_each_cycle(configuration, in_flight):
    """A reset drops accepted requests; later requests run as after power-up.

    The reset comes in each cycle of the first two of three or four requests.
    """
    # A request right after the reset finds most of what the reset may have left; late requests let
    # the reset hit an idle circuit.
    for seed, (length, late) in enumerate(((1, 0), (2, 0), (3, 2))):
        bench = Bench(configuration, seed, in_flight)
        stalls = StallProfile("late", source=(late, late))
        last = bench.alone(0, stalls).taken[1]
        bench.reset_in(range(last + 2), length, stalls)


def test_reset_while_a_response_waits(configuration):
    """A reset also drops the requests that back-pressure holds up behind the response."""
    reset_around_response(configuration, before=1)


def reset_around_response(configuration, before: int) -> None:
    """Reset in cycles from ``before`` the first valid response until after it is taken."""
    for seed, length in enumerate(LENGTHS):
        bench = Bench(configuration, REFUSED_SECOND * seed, None)
        shown = bench.alone(0, NO_STALLS).valid[0]
        stalls = StallProfile("waits", sink=(shown + 4, shown + 4))
        bench.reset_in(range(shown - before, shown + 7), length, stalls)


def streamed_multipliers() -> list[str]:
    """Names of the multipliers with streams, which a store of registers serves."""
    return [
        name
        for name in catalog.multipliers()
        if configure(name, NBITS).multiplier_golden.store == "registers"
    ]


@pytest.mark.parametrize("name", streamed_multipliers())
def test_reset_of_a_multiplier_on_its_own(name):
    """A reset in each cycle drops a product, also while its result waits.

    In a composition, results never wait.
    """
    make = partial(configure(name, NBITS).multiplier.build, "rtl", NBITS)
    (component := make()).elaborate()
    fields = component.recv.msg._dsl.Type.__bitstruct_fields__
    engine, draw = open_engine("native", make), random.Random(name)
    requests = [
        tuple(draw.getrandbits(kind.nbits - 1) | (field == "m") for field, kind in fields.items())
        for _ in range(3)
    ]
    stalls = StallProfile("waits", sink=(3, 3))
    alone = cache(lambda first: engine.run(requests[first:], stalls=stalls))
    conditions = [
        Conditions(stalls, reset_at=cycle, reset_cycles=1) for cycle in range(alone(0).taken[1])
    ]
    batches = engine.run_each(requests, conditions)
    for batch, under in zip(batches, conditions, strict=True):
        assert batch == after_reset(alone, under), under


def test_power_up_from_any_contents(configuration):
    """After the first reset of any length, nothing depends on the registers' former contents."""
    power_up_with(configuration, POWER_UPS)


def power_up_with(configuration, count: int) -> None:
    """Run batches with ``count`` seeds, each from random register contents."""
    for seed in range(count):
        bench = Bench(configuration, seed, None)
        conditions = [
            Conditions(power_up_seed=6 * seed + drawn, power_up_cycles=1 + drawn % 3)
            for drawn in range(1, 7)
        ]
        batches = bench.engine.run_each(bench.requests, conditions, **bench.options)
        for batch, under in zip(batches, conditions, strict=True):
            bench.check(batch, bench.alone(0, NO_STALLS), under)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=built_once(name, WORDS_NBITS))
        for name in catalog.DESIGNS
        if WORDS_NBITS in catalog.find(name).widths
        and configure(name, WORDS_NBITS).load_cycles > configure(name, NBITS).load_cycles
    ],
)
def test_resets_of_several_words(name):
    """Stores with several words: loading them takes longer than the answer to a refused request."""
    configuration = configure(name, WORDS_NBITS)
    power_up_with(configuration, 3)
    reset_around_response(configuration, before=2 * configuration.load_cycles)
