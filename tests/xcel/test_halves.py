"""Moduli and exponents of two halves through the adapter, at every level."""

import random

import pytest

from rsaxcel.fl.status import Status
from rsaxcel.fl.xcel import Register
from rsaxcel.sim.stalls import STALL_PROFILES
from tests.shared.harness import SETUPS, built_once, configure, response_of
from tests.xcel.bench import WORD, Script, accelerator_of, run

CONFIGURATIONS = {"crt_window": (40, {}), "crt_window_shared": (66, {"half_nbits": 35})}
"""Halves of one word; halves of two words, together longer than the base."""


def drawn_rows(configuration, count: int) -> list[tuple[int, int, int]]:
    """Draw operands that meet the rules, with corners and short halves, and ones that do not."""
    rng = random.Random(configuration.name)
    halves = configuration.rules.halves
    ones, top = (1 << halves.nbits) - 1, 1 << halves.nbits
    most = (1 << configuration.nbits) - 1
    rows = []
    for turn in range(count):
        p, q = halves.split(configuration.usable_modulus(rng.getrandbits(2 * halves.nbits)))
        if turn % 3 == 1:
            p = 3 if q % 3 else 5
        dp, dq = (rng.choice((0, 1, ones, rng.getrandbits(halves.nbits))) for _ in "pq")
        base = rng.choice((0, p, q, most, rng.getrandbits(configuration.nbits)))
        rows.append((base, halves.joined(dp, dq), halves.joined(p, q)))
        bad = rng.choice(
            (
                (base, halves.joined(dp, dq), halves.joined(p + 1, q)),
                (base, halves.joined(dp, dq), halves.joined(p, 1)),
                (base, halves.joined(dp, dq), halves.joined(p | top, q)),
                (base, halves.joined(dp, dq | top), halves.joined(p, q)),
                (base | most + 1, halves.joined(dp, dq), halves.joined(p, q)),
                (base, halves.joined(dp, dq), halves.joined(p, q) | 1 << halves.joined_nbits),
            )
        )
        rows.append(bad)
    return rows


@pytest.mark.quick_cases("crt_window-random")
@pytest.mark.parametrize("profile", ["no_stalls", "random"])
@pytest.mark.parametrize("name", CONFIGURATIONS)
@built_once("xcel-{name}", 66)
def test_every_level(name, profile):
    """Results and statuses are right at all levels; CL has the handshakes of RTL."""
    nbits, params = CONFIGURATIONS[name]
    configuration = configure(name, nbits, **params)
    words = -(-max(nbits, configuration.rules.halves.joined_nbits) // 32)
    script = Script()
    script.read(Register.BASE, words)
    script.read(Register.MODULUS, 3 * (words + 1))
    for turn, row in enumerate(drawn_rows(configuration, 4)):
        constants = configuration.constant_words(row[-1])
        script.start(*row, constants=constants)
        result, status = response_of(configuration, row)
        script.finish(result, status, nbits)
        if turn == 2:
            script.start(*row, constants=constants[:-1])
            missing = status or Status.CONSTANTS_MISSING
            script.finish(0, missing, nbits)
            script.read(Register.STATE, 2 | missing << 8)
    batches = [
        run(accelerator_of(configuration, level), engine, script, STALL_PROFILES[profile])
        for level, engine in SETUPS
        if (level, engine) != ("rtl", "pymtl")
    ]
    assert batches[1] == batches[2]


@pytest.mark.quick_cases(
    "crt_window-rtl-native", "crt_window-cl-*", "systolic_l2r_always-*-native", "mont_r2l-[fc]l-*"
)
@pytest.mark.parametrize(
    ("name", "setup"),
    [
        pytest.param(name, setup, id="-".join((name, *setup)))
        for name in ("mont_r2l", "systolic_l2r_always", "crt_window")
        for setup in SETUPS
        if (name, setup) != ("crt_window", ("rtl", "pymtl"))  # slow
    ],
)
@built_once("xcel-{name}", 40)
def test_clearing(name, setup):
    """Clearing at any time removes operands, constants, result and status; then a call works."""
    level, engine = setup
    configuration = configure(name, 40)
    rng = random.Random(name)
    base, exponent = rng.getrandbits(39), rng.getrandbits(9)
    modulus = configuration.usable_modulus(rng.getrandbits(40) | 1)
    row = (base % modulus, exponent, modulus)
    constants = configuration.constant_words(modulus)
    result, status = response_of(configuration, row)
    assert status == Status.OK
    script = Script()

    def cleared() -> None:
        script.write(Register.STATE, WORD)
        script.read(Register.STATE, 0)
        script.read(Register.GO, 0)
        script.read(Register.RESULT, 0)
        script.call(result=0, status=Status.MODULUS_TOO_SMALL)

    cleared()
    for finishes in (True, False):
        script.start(*row, constants=constants)
        if finishes:
            script.finish(result, status, 40)
        cleared()
    script.give(*row, constants=constants[:1])
    cleared()
    script.load(Register.MODULUS, modulus)  # exponent and constants were cleared
    script.start()
    missing = Status.CONSTANTS_MISSING if constants else Status.OK
    script.finish(0 if missing else 1, missing, 40)
    script.call(*row, result=result, status=status, constants=constants)
    run(accelerator_of(configuration, level), engine, script)
