"""Shells around cores of each protocol: results, back-pressure, resets and cycles."""

import random
from dataclasses import replace
from functools import cache

import pytest
from pymtl3 import Component, connect, mk_bits
from pymtl3.stdlib.stream import NormalQueueRTL
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.diagnosis.check import check_circuit
from rsaxcel.fl.messages import power_request, power_response, product_response
from rsaxcel.fl.status import InputRules
from rsaxcel.plan.protocols import Data, Piece
from rsaxcel.rtl.shells import shell
from rsaxcel.rtl.shells.shell import Front
from rsaxcel.sim.engine import open_engine
from rsaxcel.sim.stalls import STALL_PROFILES, StallProfile
from tests.shared.own_cores import core_of, in_beats, of_product, started, text_of, with_pointers

NBITS = 8
SHELLS = {
    # From the accepted request to the valid response, beyond those of the core.
    "streams": (core_of("streams", NBITS), 0),
    "start_done": (core_of("start_done", NBITS), 0),
    # Three words and the start are written in the next cycles; in the cycle of the end, ready is
    # read, in the next one the result, which is in its register one cycle later.
    "words": (core_of("words", NBITS), 6),
    "axi4_lite": (core_of("axi4_lite", NBITS), 13),
    "xcel": (core_of("xcel", NBITS), 9),
    "held": (started(NBITS, HELD=1, done="done"), 1),
    "busy": (started(NBITS, busy="busy", sampled=True), 0),
    "ready": (started(NBITS, ready="ready", sampled=True, result_held=True), 0),
    "level": (started(NBITS, LEVEL=1, HELD=1, level=True, done="done"), 1),
    "short": (started(NBITS, SHORT=1, done="done", sampled=True), 0),
    "once": (started(NBITS, ONCE=1, done="done", sampled=True, resets=True), 0),
    "long_reset": (started(NBITS, ONCE=1, done="done", sampled=True, resets=True, cycles=3), 0),
    "late": (started(NBITS, LATE=1, busy="busy", sampled=True, settles=2), 0),
    # Three beats in six cycles and the start; three beats of the result, and its register.
    "beats": (in_beats(NBITS, True), 11),
    "unasked_beats": (in_beats(NBITS, False), 11),
    # Nine writes and the pulse; finished, two reads of two cycles each, and the register.
    "pointers": (with_pointers(), 16),
}
SLOW = {"ready", "once", "late", "busy", "unasked_beats"}
"""Shells of which quick tests run a part in another shell."""

EACH = [
    pytest.param(
        name, marks=[pytest.mark.xdist_group(name), *([pytest.mark.slow] if name in SLOW else [])]
    )
    for name in SHELLS
]


@cache
def opened(name):
    """Engine of a shell."""
    core, _ = SHELLS[name]
    return open_engine("native", lambda: shell(core, rules_of(core), text_for(name)))


def text_for(name):
    """Verilog of the core in a shell."""
    module = SHELLS[name][0].module
    return text_of(name if module.startswith("skeleton") else module)


def rules_of(core):
    return InputRules(core.nbits, True, exponent_nbits=core.nbits)


def drawn(nbits, count, seed=1):
    """Operands of random length that meet the rules, and what each operation gives."""
    draw = random.Random(seed)
    rows = [(0, 0, 3), (2, 1, 3), ((1 << nbits) - 2, (1 << nbits) - 1, (1 << nbits) - 1)]
    while len(rows) < count:
        modulus = draw.getrandbits(draw.randint(2, nbits)) | 1
        if modulus > 2:
            rows.append((draw.randrange(modulus), draw.getrandbits(nbits), modulus))
    return [(*row, 0) for row in rows], [(pow(*row), 0) for row in rows]


@pytest.mark.parametrize("name", EACH)
def test_a_core_in_its_shell(name):
    """Results, statuses and cycles, with operands that move after they are taken."""
    core, beyond = SHELLS[name]
    requests, expected = drawn(core.nbits, 20)
    most = (1 << core.nbits) - 1
    bad = {
        (3, 3, 0, 0): 1,
        (3, 3, 1, 0): 1,
        (3, 3, 8, 0): 2,
        (most, 1, most, 0): 3,
        (0, 0, 3, 1): 4,
    }
    for request, status in bad.items():
        at = random.Random(status).randrange(len(requests))
        requests.insert(at, request)
        expected.insert(at, (0, status))
    batch = opened(name).run(requests)
    assert batch.responses == expected
    cycles = {
        status: {c for c, (_, s) in zip(batch.cycles, expected, strict=True) if s == status}
        for status in range(5)
    }
    own = cycles.pop(0)
    assert own == {2 * core.nbits**2 + 1 + beyond}  # from the core's start to its end, and beyond
    assert cycles == {status: {1} for status in range(1, 5)}


@pytest.mark.parametrize("name", SHELLS)
def test_what_examines_circuits_takes_it(name):
    core = SHELLS[name][0]
    component = shell(core, rules_of(core), text_for(name))
    component.elaborate()
    check_circuit(component)


@pytest.mark.slow_cases("axi4_lite")
@pytest.mark.parametrize("name", EACH)
def test_back_pressure(name):
    requests, expected = drawn(SHELLS[name][0].nbits, 30, seed=2)
    longest = max(opened(name).run(requests).cycles)
    late = StallProfile("late_sink", sink=(longest + 1, longest + 12))
    for profile in (*STALL_PROFILES.values(), late):
        for in_flight in (1, None):
            batch = opened(name).run(requests, stalls=profile, in_flight=in_flight)
            assert batch.responses == expected


@pytest.mark.slow_cases("axi4_lite")
@pytest.mark.parametrize("name", EACH)
def test_a_reset_in_flight(name):
    """At any moment: it drops at most one operation, and changes no later one."""
    requests, expected = drawn(SHELLS[name][0].nbits, 4, seed=3)
    engine = opened(name)
    last = engine.run(requests).taken[1]
    for at in range(0, last, 7):
        batch = engine.run(requests, reset_at=at, reset_cycles=1 + at % 3, power_up_seed=at + 1)
        assert len(batch.dropped) <= 1
        for response, wanted in zip(batch.responses, expected, strict=True):
            assert response in (None, wanted)


@pytest.mark.xdist_group("product")
def test_a_product_has_no_status():
    engine = open_engine("native", lambda: shell(of_product(NBITS), None, text_of("product")))
    draw = random.Random(4)
    rows = [(draw.getrandbits(8), draw.getrandbits(8), draw.randrange(1, 256)) for _ in range(200)]
    for profile in STALL_PROFILES.values():
        batch = engine.run(rows, stalls=profile)
        assert batch.responses == [(a * b % m,) for a, b, m in rows]
        assert {*batch.cycles} == {1}


@pytest.mark.xdist_group("host_constant")
def test_a_constant_comes_from_the_host():
    """The constant takes the place of the base, to be seen in the result."""
    core = core_of("streams", NBITS)
    pieces = (Piece("k", NBITS), Piece("e", NBITS), Piece("m", NBITS))
    stream = replace(core.protocol.operands[0], data=(Data("operands", pieces),))
    protocol = replace(core.protocol, operands=(stream,))
    core = replace(core, protocol=protocol, constants=(("k", NBITS),))
    rules = InputRules(NBITS, True, host_constants=True, exponent_nbits=NBITS)
    engine = open_engine("native", lambda: shell(core, rules, text_of("streams")))
    batch = engine.run([(1, 5, 7, 3, 0, 0), (1, 5, 7, 3, 0, 1), (2, 9, 251, 4, 0, 0)])
    assert batch.responses == [(5, 0), (0, 5), (pow(4, 9, 251), 0)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["words", "axi4_lite", "xcel"])
def test_operands_of_several_words(name):
    """Three words of an operand, of which the highest one has 6 bits."""
    nbits = 70
    core = core_of(name, nbits)
    rules = InputRules(nbits, True, exponent_nbits=nbits)
    engine = open_engine("native", lambda: shell(core, rules, text_of(name)))
    requests, expected = drawn(nbits, 12)
    assert engine.run(requests).responses == expected


def test_front_without_a_core():
    """In PyMTL3 itself: a queue in place of the adapter, whose result is the base."""
    engine = open_engine("pymtl", Checked)
    requests = [(b, 1, m, w) for b in range(8) for m in range(8) for w in (0, 1)]
    rules = InputRules(NBITS, True, exponent_nbits=NBITS)
    expected = [(4 if w else int(rules.status(b, 1, m))) for b, _, m, w in requests]
    for profile in STALL_PROFILES.values():
        batch = engine.run(requests, stalls=profile)
        assert batch.responses == [
            (0 if status else row[0], status)
            for row, status in zip(requests, expected, strict=True)
        ]
        assert {*batch.cycles} == {1}


class Checked(Component):
    """A ``Front``, and a queue of one request."""

    def construct(s):
        request, response = power_request(NBITS, (), NBITS), power_response(NBITS)
        result = product_response(NBITS)
        s.recv, s.send = RecvIfcRTL(request), SendIfcRTL(response)
        rules = InputRules(NBITS, True, exponent_nbits=NBITS)
        s.front = Front(request, response, result, rules)
        s.queue = NormalQueueRTL(mk_bits(NBITS), num_entries=1)
        connect(s.recv, s.front.recv)
        connect(s.send, s.front.send)
        connect(s.front.blocked, 0)
        connect(s.front.request.msg.b, s.queue.recv.msg)
        connect(s.front.request.val, s.queue.recv.val)
        connect(s.front.request.rdy, s.queue.recv.rdy)
        connect(s.queue.send.msg, s.front.response.msg.r)
        connect(s.queue.send.val, s.front.response.val)
        connect(s.queue.send.rdy, s.front.response.rdy)
