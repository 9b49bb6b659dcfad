"""Designs whose state machines have copies, and a trap for a fault (``states=doubled``)."""

import random
from functools import cache

import pytest

from rsaxcel.fl.status import Status
from tests.levels.test_clearing import Bench
from tests.levels.test_result_check import row_of
from tests.shared.harness import (
    HALVES,
    built_once,
    check_levels,
    check_reset,
    configure,
    engine_for,
    last_cycle,
    response_of,
)

DOUBLED = {"states": "doubled"}
HARDENED = {"check": "public_exponent", "blinding": "both"}


def doubled(name, nbits, **params):
    """Configure a design with doubled states."""
    return configure(name, nbits, **DOUBLED, **params)


def rows_of(configuration):
    """Operands of two keys, and requests that are refused in between."""
    nbits, halves = configuration.nbits, configuration.halves
    keys = ((7, 11, 7), (5, 13, 5)) if nbits < 64 else ((2**31 - 1, 2**31 - 19, 65537),) * 2
    for p, q, e in keys:
        for base in (0, 1, p, 9, p * q - 1, (1 << nbits) - 1):
            yield blinded(configuration, row_of(configuration, base, p, q, e))
        yield row_of(configuration, 2, p - 1, q, e, (1, 1))
        yield blinded(configuration, row_of(configuration, 2, q, p, e))
    yield 0, 0, 0
    yield 3, halves.joined_exponents(1, 1, 1), halves.joined(1, 3)
    p, q, e = keys[0]
    yield blinded(configuration, row_of(configuration, 3, p, q, e))


def blinded(configuration, row):
    """Give a row random numbers, where the design takes some."""
    base, exponents, moduli = row
    halves = configuration.halves
    if not halves.blinds:
        return row
    return base, halves.reblinded(exponents, moduli, random.Random(str(row))), moduli


@pytest.mark.parametrize("params", [{}, HARDENED], ids=["alone", "hardened"])
@pytest.mark.parametrize("nbits", [8, 16, 64])
@pytest.mark.parametrize("name", HALVES)
@pytest.mark.slow_cases("*-64-*", "*-16-*", "*-alone", "crt_window_shared-*")
def test_all_levels(name, nbits, params):
    """All levels agree, and responses and cycles are those of the design without copies."""
    configuration, single = doubled(name, nbits, **params), configure(name, nbits, **params)
    rows = list(rows_of(configuration))
    expected = [response_of(configuration, row) for row in rows]
    assert expected == [response_of(single, row) for row in rows]
    assert {status for _, status in expected} > {Status.OK}
    assert all(configuration.cycles(*row) == single.cycles(*row) for row in rows)
    check_levels(configuration, rows, expected)


@built_once("doubled-crt_window", 16)
@pytest.mark.slow_cases("check")
@pytest.mark.parametrize("params", [{}, {"check": "public_exponent"}], ids=["alone", "check"])
def test_power_up_and_resets(params):
    """No contents after power-up, and no reset, are taken for a fault; a reset drops a request."""
    configuration = doubled("crt_window", 16, **params)
    rows = [row for row in rows_of(configuration) if response_of(configuration, row)[1] == 0][:4]
    expected = [response_of(configuration, row) for row in rows]
    engine = engine_for(configuration, "rtl", "native")
    requests = [configuration.request(*row) for row in rows]
    for seed in range(1, 30):
        assert engine.run(requests, power_up_seed=seed).responses == expected
    last = last_cycle(configuration, rows[0])
    check_reset(configuration, rows, (1, 5, 20, last // 2, last - 10, last - 1, last))


@cache
def bench():
    """Drives the 8-bit circuit, and writes its registers."""
    return Bench(doubled("crt_window", 8))


EXECUTOR = "s.core.executor"
#: Register, bit, and a cycle in which the bit matters: it decides on the next step, or is read
#: soon. A flip in another cycle may be without effect.
FLIPS = {
    "state": (f"{EXECUTOR}.state_reg", 2, 100),
    "state of the copy": (f"{EXECUTOR}.executor_copy.state_reg", 0, 100),
    "clears": (f"{EXECUTOR}.clear_reg", 0, 60),
    "step": (f"{EXECUTOR}.sequencer.step_reg", 1, 200),
    "step of the copy": (f"{EXECUTOR}.sequencer_copy.step_reg", 1, 200),
    "outstanding products": (f"{EXECUTOR}.sequencer.wait_reg", 4, 230),
    "pass": (f"{EXECUTOR}.store.bank0.lane.control.passes.state_reg", 2, 200),
    "reduction": (f"{EXECUTOR}.store.bank1.lane.control.reduction.reducing_reg", 0, 200),
    "destination": (f"{EXECUTOR}.store.bank0.in_flight.result_reg", 1, 204),
    "modulus is new": (f"{EXECUTOR}.store.prepare_reg", 0, 200),
    "refusal": (f"{EXECUTOR}.store.refused_reg", 0, 200),
    "trap": ("s.core.fault_reg", 0, 200),
    "no trap": ("s.core.sound_reg", 0, 200),
    "vote": ("s.core.owes_reg[1]", 0, 200),
}

AGAIN = "s.core.again_reg"  #: the trap was entered; the next request clears it


@built_once("doubled-flips", 8)
@pytest.mark.slow_cases(*(x for x in FLIPS if x != "step"))
@pytest.mark.parametrize("flip", FLIPS.values(), ids=FLIPS.keys())
def test_a_flip_is_refused(flip):
    """A flip in a machine gives the status and no result, soon; the next request is right."""
    path, bit, after = flip
    driven = bench()
    configuration, top = driven.configuration, driven.top
    row = row_of(configuration, 5, 11, 13, 7)
    driven.ask(row)
    cycles = configuration.cycles(*row)
    for cycle in range(1, cycles + 1):
        top.sim_edge()
        if cycle == after:
            driven.put({path: driven.contents()[path] ^ 1 << bit})
        driven.settle(rdy=1)
        if top.send.val:
            break
    assert top.send.val
    assert (int(top.send.msg.r), int(top.send.msg.status)) == (0, Status.FAULT_DETECTED)
    assert after <= cycle <= cycles
    top.sim_edge()
    driven.check({**driven.when_free(), AGAIN: 0})
    driven.serve(row)


WAITING = ("state", "state of the copy", "clears", "modulus is new", "refusal", "trap", "no trap")


@built_once("doubled-flips", 8)
@pytest.mark.slow_cases(*(f"{x}-*" for x in WAITING if x != "state"), "state-[05]")
@pytest.mark.parametrize("waits", [0, 1, 5])
@pytest.mark.parametrize("flip", WAITING)
def test_a_response_that_waits_is_never_withdrawn(flip, waits):
    """It becomes a refusal without a gap, and is given once: a bus takes it in a single cycle."""
    path, bit, _ = FLIPS[flip]
    driven = bench()
    configuration, top = driven.configuration, driven.top
    row = row_of(configuration, 5, 11, 13, 7)
    driven.ask(row)
    for _ in range(configuration.cycles(*row) + 2):
        top.sim_edge()
        driven.settle()
    good, refusal = response_of(configuration, row), (0, Status.FAULT_DETECTED)
    driven.put({path: driven.contents()[path] ^ 1 << bit})
    for cycle in range(waits + 1):
        driven.settle(rdy=cycle == waits)
        assert top.send.val
        found = int(top.send.msg.r), int(top.send.msg.status)
        assert found in (good, refusal)
        top.sim_edge()
    assert waits < 2 or found == refusal
    driven.check({**driven.when_free(), AGAIN: 0})
    driven.serve(row)
