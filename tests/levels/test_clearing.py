"""After a request, no register of an engine depends on the operands.

Every register in the hierarchy is read in the first cycle in which the next request may be
accepted, and compared with its value at that time after power-up. The operands stay at the inputs
all the time, as an adapter leaves them there.
"""

import random

import pytest

from rsaxcel import catalog
from rsaxcel.diagnosis.component import message_types
from rsaxcel.fl.multipliers import ORUP_PIPELINES
from rsaxcel.fl.status import Status
from rsaxcel.plan.schedules import SCHEDULES
from rsaxcel.sim.pymtl_engine import prepare
from tests.shared.compositions import compose, fits
from tests.shared.harness import configure, response_of, simulate, usable

ENGINES = [n for n in catalog.DESIGNS if configure(n, 32).choices.store.rtl.is_cleared]

LENGTHS = (1, 2, 3)
"""Lengths of a reset in cycles."""

OPERANDS = ("b_reg", "m2_reg", "modulus_reg", "exponent_reg", "residue_reg[0]", "residue_reg[1]")
"""Registers that hold operands, or values computed from them, in every engine."""

_ENOUGH = 20_000

Contents = dict[str, int]


class Bench:
    """Drives a component cycle by cycle; reads and writes its registers."""

    def __init__(self, configuration):
        self.configuration = configuration
        self.top = configuration.component("rtl")
        self.top.elaborate()
        written = self.top.get_all_upblk_metadata()[1]
        clocked = {
            x.get_top_level_signal() for b in self.top.get_all_update_ff() for x in written[b]
        }
        self.request = message_types(self.top)[0]
        prepare(self.top, None)
        self.registers = {path: eval(path, {"s": self.top}) for path in map(repr, clocked)}
        self.nbits = {path: register.nbits for path, register in self.registers.items()}
        self.fresh = self.after_reset(3)

    def contents(self) -> Contents:
        """Values of all registers by path."""
        return {path: int(register) for path, register in self.registers.items()}

    def put(self, contents: Contents) -> None:
        """Set registers to other values."""
        for path, value in contents.items():
            self.registers[path] <<= value
            self.registers[path]._flip()

    def settle(self, val: int = 0, rdy: int = 0, reset: int = 0) -> None:
        """Set the control inputs of a cycle; the operands stay."""
        self.top.recv.val @= val
        self.top.send.rdy @= rdy
        self.top.reset @= reset
        self.top.sim_settle()

    def when_free(self) -> Contents:
        """Run to the first cycle in which a request may be accepted; return the registers."""
        for _ in range(_ENOUGH):
            self.settle()
            if self.top.recv.rdy:
                return self.contents()
            self.top.sim_edge()
        raise AssertionError("never free")

    def ask(self, row) -> None:
        """Offer a request in the first cycle after a reset."""
        self.top.recv.msg @= self.request(*self.configuration.request(*row))
        self.after_reset(1)
        self.settle(val=1)

    def after_reset(self, length: int) -> Contents:
        """Reset the component for ``length`` cycles; return the registers when it is free."""
        for _ in range(length):
            self.settle(reset=1)
            self.top.sim_edge()
        return self.when_free()

    def serve(self, row, waits: int = 0) -> list[Contents]:
        """Run a request and check its response, taken ``waits`` cycles late.

        Returns the registers in each cycle.
        """
        request = self.configuration.request(*row)
        self.top.recv.msg @= self.request(*request)
        self.settle(val=1)
        seen = [self.contents()]
        for _ in range(_ENOUGH):
            self.top.sim_edge()
            self.settle()
            seen.append(self.contents())
            waits -= bool(self.top.send.val)
            if waits < 0:
                break
        assert (self.top.send.msg.r, self.top.send.msg.status) == response_of(
            self.configuration, row
        )
        self.settle(rdy=1)
        self.top.sim_edge()
        return seen

    def check(self, left: Contents) -> None:
        """Fail if registers differ from those after power-up."""
        assert {path for path, value in left.items() if value != self.fresh[path]} == set()


def rows_of(configuration, draw: random.Random) -> list[tuple[int, int, int]]:
    """Good operands of the full width, and copies with one mistake each."""
    nbits = configuration.nbits
    top = 1 << nbits - 1
    base, exponent, modulus = (draw.getrandbits(nbits - 1) | top | 1 for _ in range(3))
    exponent &= (1 << configuration.choices.exponent_nbits) - 1
    good = usable(configuration, (base, exponent, modulus))
    moduli = (1, modulus - 1, modulus | top << 1)
    bad = [usable(configuration, (base, exponent, m)) for m in moduli]
    bad.append(usable(configuration, (base, exponent | top << 1, modulus)))
    return [good, *bad, (good[0] | top << 1, *good[1:])]


def requests_leave_nothing(configuration, seed: int, phases: int, contents: int) -> None:
    """Check that good and refused requests, and resets, leave nothing in the registers.

    Resets start from the contents of ``phases`` cycles, and from ``contents`` random contents.
    """
    bench, draw = Bench(configuration), random.Random(f"{configuration.name}/{seed}")
    good, *bad = rows_of(configuration, draw)
    seen = []
    for row in (good, *bad):
        assert (response_of(configuration, row)[1] == Status.OK) == (row is good)
        seen += bench.serve(row, draw.randrange(4))
        bench.check(bench.when_free())
    for name in OPERANDS:
        paths = [path for path in bench.fresh if path.endswith(f".{name}")]
        assert paths
        assert {bench.fresh[path] for path in paths} == {0}
        assert all(any(cycle[path] for cycle in seen) for path in paths)
    found = draw.sample(seen, min(phases, len(seen)))
    found += [{x: draw.getrandbits(n) for x, n in bench.nbits.items()} for _ in range(contents)]
    for before in found:
        bench.put(before)
        bench.check(bench.after_reset(draw.choice(LENGTHS)))


def test_all_engines_are_here():
    assert ENGINES == ["orup_window", "crt_window", "crt_window_shared"]


@pytest.mark.slow_cases("counted down")
@pytest.mark.parametrize(
    ("name", "nbits", "params"),
    [
        pytest.param("orup_window", 13, {"exponent_nbits": 4}, id="window"),
        pytest.param("orup_window", 9, {"quotient_radix": 8}, id="triple"),
        pytest.param("orup_window", 8, {"schedule": "sliding"}, id="sliding"),
        pytest.param("orup_window", 8, {"schedule": "repeated"}, id="counted down"),
        pytest.param("crt_window", 16, {"exponent_nbits": 4}, id="halves"),
        pytest.param("crt_window_shared", 26, {"exponent_nbits": 4}, id="halves shared"),
    ],
)
def test_a_request_leaves_nothing(name, nbits, params):
    """Narrow exponents, a schedule that skips zeros, and halves on two lanes or on one."""
    requests_leave_nothing(configure(name, nbits, **params), 0, phases=4, contents=4)


@pytest.mark.parametrize(
    ("exponent_nbits", "free"),
    [pytest.param(34, 41, id="as long"), pytest.param(35, 42, id="longer")],
)
def test_cycles_of_shifting(exponent_nbits, free):
    """The exponent is shifted out as long as the lane prepares, 40 cycles, or one cycle longer."""
    params = {"exponent_nbits": exponent_nbits, "digit_nbits": 4, "pipeline": "none"}
    configuration = configure("orup_window", 18, schedule="l2r_always", **params)
    refused = [(0, 0, 0)] * 3
    circuit, model = (simulate(configuration, level, "pymtl", refused) for level in ("rtl", "cl"))
    assert model == circuit
    apart = [b - a - 1 for a, b in zip(circuit.taken, circuit.accepted[1:], strict=False)]
    assert [circuit.accepted[0], *apart] == [free] * len(refused)


@pytest.mark.slow
@pytest.mark.parametrize("pipeline", ORUP_PIPELINES)
@pytest.mark.parametrize("name", ENGINES)
def test_a_lane_of_any_kind_leaves_nothing(name, pipeline):
    draw = random.Random(f"{name}/{pipeline}")
    nbits = draw.randrange(32, 48)  # each half is at least as wide as a digit
    params = {"pipeline": pipeline, "digit_nbits": 2 * draw.randrange(2, 9)}
    params |= {
        "quotient_radix": draw.choice((4, 8)),
        "exponent_nbits": 7,
        "window_nbits": draw.randrange(1, 6),
    }
    requests_leave_nothing(configure(name, nbits, **params), 1, phases=60, contents=20)


@pytest.mark.slow
@pytest.mark.parametrize("schedule", [x for x in SCHEDULES if fits(("mont_orup", x, 1), 8)])
def test_any_schedule_leaves_nothing(schedule):
    configuration = compose(("mont_orup", schedule, 1), 8)
    requests_leave_nothing(configuration, 2, phases=60, contents=20)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["crt_window", "crt_window_shared"])
def test_a_message_of_more_digits_than_the_exponent_leaves_nothing(name):
    configuration = configure(name, 400, digit_nbits=4, exponent_nbits=9, window_nbits=5)
    requests_leave_nothing(configuration, 3, phases=20, contents=10)
