"""Exponentiators with strobes: results, pulses of one cycle, and Li and Chu's cycles."""

import random
from functools import cache

import pytest
from pymtl3 import Bits1, Bits32, Component, DefaultPassGroup, Wire, connect, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.cl.exponentiator import STROBE
from rsaxcel.course.testing.cases import PUBLISHED, random_power_cases
from rsaxcel.fl.messages import message
from rsaxcel.sim.engine import open_engine
from tests.shared.harness import ANY_MODULUS, built_once, configure

NBITS = 8
EXTRA_CYCLES = 2
"""Cycles from strobe to ready beyond the exponentiator's: operands and result are registered."""


class StrobeHost(Component):
    """Adapter from streams to strobes; counts the cycles of ``busy``, and to ``ready``.

    Operands are on the ports in the cycle of the strobe only, and their opposites in all others.
    """

    def construct(s, configuration):
        s.unit = configuration.strobe("rtl")
        request_type = configuration.messages[0]
        s.recv = RecvIfcRTL(request_type)
        response = (("r", configuration.nbits), ("status", 8), ("busy", 32), ("cycles", 32))
        s.send = SendIfcRTL(message(f"StrobeResp{configuration.nbits}", response))

        s.waits_reg = Wire(Bits1)
        s.done_reg = Wire(Bits1)
        s.busy_reg = Wire(Bits32)
        s.cycles_reg = Wire(Bits32)
        for name in request_type.__bitstruct_fields__:
            if name not in ("wide", "missing"):
                port = name if name in ("b", "e", "m") else f"constant_{name}"
                connect(getattr(s.recv.msg, name), getattr(s.unit, port))

        @update
        def comb_streams():
            s.recv.rdy @= ~s.waits_reg & ~s.done_reg
            s.unit.strobe @= s.recv.val & s.recv.rdy
            s.send.val @= s.done_reg
            s.send.msg.r @= s.unit.r
            s.send.msg.status @= s.unit.status
            s.send.msg.busy @= s.busy_reg
            s.send.msg.cycles @= s.cycles_reg

        @update_ff
        def seq_counters():
            if s.reset:
                s.waits_reg <<= 0
                s.done_reg <<= 0
            elif s.unit.strobe:
                s.waits_reg <<= 1
                s.busy_reg <<= 0
                s.cycles_reg <<= 1
            else:
                if s.waits_reg & s.unit.ready:
                    s.waits_reg <<= 0
                    s.done_reg <<= 1
                elif s.waits_reg:
                    s.cycles_reg <<= s.cycles_reg + 1
                if s.waits_reg & s.unit.busy:
                    s.busy_reg <<= s.busy_reg + 1
                if s.done_reg & s.send.rdy:
                    s.done_reg <<= 0


@cache
def host(configuration, engine):
    return open_engine(engine, lambda: StrobeHost(configuration))


def run(configuration, engine, operands):
    """Result, status, cycles of ``busy`` and cycles from strobe to ready of each request."""
    requests = [configuration.request(*row) for row in operands]
    cycles = max(configuration.cycles(*row) for row in operands)
    batch = host(configuration, engine).run(requests, max_idle_cycles=4 * cycles + 1000)
    return batch.responses


TRANSLATED = ("mont_r2l", "ssmm_r2l", "systolic_l2r_always", "digit_serial_r2l")
"""Designs with several executors, with one, with constants from the host, and with digits."""

RUNS = [(name, "pymtl") for name in ANY_MODULUS] + [(name, "native") for name in TRANSLATED]


@pytest.mark.quick_cases("ssmm_r2l-*", "digit_serial_r2l-native", "mulrem_r2l-*")
@pytest.mark.parametrize(
    ("name", "engine"),
    [pytest.param(*run, marks=built_once(run[0], NBITS), id="-".join(run)) for run in RUNS],
)
def test_every_design(name, engine):
    configuration = configure(name, NBITS)
    cases = random_power_cases(NBITS, configuration.exponent_nbits, 6)
    operands = [case.operands for case in cases] + [(3, 5, 1), (2, 3, 7)]
    expected = [case.expected(configuration.odd_modulus) for case in cases] + [(0, 1), (1, 0)]
    for row, wanted, got in zip(
        operands, expected, run(configuration, engine, operands), strict=True
    ):
        cycles = configuration.cycles(*row) + configuration.load_cycles + EXTRA_CYCLES
        # A request waits while the previous one is cleared.
        late = got[-1] - cycles
        assert 0 <= late <= configuration.clear_cycles + 1, row
        assert got == (*wanted, cycles - 1 + late, cycles + late), row


PRINTED = (16612, 16893)
"""Cycles of ``busy`` in the printed Verilog for the printed example: encryption, decryption."""


def test_example_of_li_and_chu():
    """An exponent bit takes two cycles less than in the printed Verilog, all else four more."""
    configuration = configure("ssmm_r2l", 128)
    rows = [row[1:4] for row in PUBLISHED if row[0].startswith("li and chu")]
    runs = run(configuration, "native", rows)
    for row, (r, status, busy, cycles), printed in zip(rows, runs, PRINTED, strict=True):
        assert (r, status) == (pow(*row), 0)
        assert cycles == busy + 1
        _, document = configuration.timing_with(STROBE).evaluate(*row)
        assert sum(document) == printed
        assert busy == printed - 2 * row[1].bit_length() + 4


@pytest.fixture
def idle():
    """A circuit in PyMTL3, without an engine, after its reset."""
    configuration = configure("ssmm_r2l", NBITS)
    circuit = configuration.strobe("rtl")
    circuit.elaborate()
    circuit.apply(DefaultPassGroup())
    circuit.sim_reset()
    return circuit


def start(circuit, b, e, m):
    circuit.b @= b
    circuit.e @= e
    circuit.m @= m
    circuit.strobe @= 1
    circuit.sim_tick()
    circuit.strobe @= 0


def finish(circuit):
    """Tick until ready, with changing operands."""
    draw = random.Random(1)
    for _ in range(1000):
        circuit.sim_eval_combinational()
        if circuit.ready:
            return int(circuit.r)
        assert circuit.busy
        for port in (circuit.b, circuit.e, circuit.m):
            port @= draw.getrandbits(NBITS)
        circuit.sim_tick()
    pytest.fail("never ready")


def test_pulses(idle):
    assert not idle.busy
    assert not idle.ready
    start(idle, 5, 7, 33)
    assert finish(idle) == pow(5, 7, 33)
    assert not idle.busy
    # the next strobe comes with ready
    start(idle, 7, 9, 55)
    idle.sim_eval_combinational()
    assert (int(idle.busy), int(idle.ready), int(idle.r)) == (1, 0, pow(5, 7, 33))
    assert finish(idle) == pow(7, 9, 55)
    for _ in range(50):
        idle.sim_tick()
        assert (int(idle.busy), int(idle.ready), int(idle.r)) == (0, 0, pow(7, 9, 55))


def test_strobe_while_busy_changes_nothing(idle):
    start(idle, 5, 7, 33)
    for _ in range(3):
        start(idle, 2, 3, 255)
    assert finish(idle) == pow(5, 7, 33)


@pytest.mark.parametrize("before", ["offered", "busy", "ready"])
def test_reset_ends_it(idle, before):
    start(idle, 5, 255, 251)
    for _ in range(20 if before == "busy" else 0):
        idle.sim_tick()
    if before == "ready":
        finish(idle)
    idle.reset @= 1
    for _ in range(2):
        idle.sim_tick()
        assert not idle.ready
    idle.reset @= 0
    for _ in range(500):
        idle.sim_tick()
        assert not idle.busy
        assert not idle.ready
    start(idle, 6, 3, 35)
    assert finish(idle) == pow(6, 3, 35)


@pytest.mark.parametrize("base", [5, 40], ids=["ok", "base_too_large"])
def test_reset_forgets_the_result(idle, base):
    """The port of the result, or of the status, is not 0 before the reset."""
    start(idle, base, 7, 33)
    finish(idle)
    assert int(idle.r) or int(idle.status)
    idle.reset @= 1
    for _ in range(2):
        idle.sim_tick()
        assert (int(idle.r), int(idle.status)) == (0, 0)
