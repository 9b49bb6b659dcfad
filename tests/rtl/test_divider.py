"""The dividers: all small widths, preloaded dividends, and RISC-V's division by zero."""

import pytest

from rsaxcel.cl.lib import aligning_divider_cycles, divider_cycles
from rsaxcel.plan.parameters import divisors
from rsaxcel.rtl.lib.aligning_divider import AligningDivider
from rsaxcel.rtl.lib.divider import Divider
from rsaxcel.sim.engine import open_engine
from rsaxcel.sim.stalls import STALL_PROFILES


def every_row(dividend_nbits, divisor_nbits, preloaded=True):
    """All dividends and divisors, with each preload below the divisor, and what they give.

    A divisor may be 0 where the remainder fits.
    """
    rows = [
        (high, low, divisor)
        for divisor in range(1 << divisor_nbits)
        for high in range(max(divisor, 1) if preloaded else 1)
        for low in range(1 << dividend_nbits)
        if divisor or low < 1 << divisor_nbits
    ]
    ones = (1 << dividend_nbits) - 1
    return rows, [divmod(h << dividend_nbits | x, d) if d else (ones, x) for h, x, d in rows]


@pytest.mark.parametrize(
    ("dividend_nbits", "divisor_nbits", "bits_per_cycle"),
    [(n, v, k) for n in (1, 3, 4) for v in (1, 2, 3) for k in divisors(n)],
)
def test_exhaustive(dividend_nbits, divisor_nbits, bits_per_cycle):
    """All dividends and divisors, with each preload below the divisor."""
    engine = open_engine("pymtl", lambda: Divider(dividend_nbits, divisor_nbits, bits_per_cycle))
    rows, expected = every_row(dividend_nbits, divisor_nbits)
    batch = engine.run(rows, max_idle_cycles=100)
    assert batch.responses == expected
    assert set(batch.cycles) == {dividend_nbits // bits_per_cycle + 1}


@pytest.mark.parametrize(
    ("dividend_nbits", "divisor_nbits", "bits_per_cycle", "skip_nbits"),
    [(4, 4, 1, 1), (4, 2, 1, 2), (4, 4, 2, 4), (3, 5, 1, 3), (6, 3, 1, 3)],
)
def test_leading_zeros_of_the_quotient_are_skipped(
    dividend_nbits, divisor_nbits, bits_per_cycle, skip_nbits
):
    """All dividends, divisors (0 too) and preloads; cycles follow the quotient's groups."""
    shape = (dividend_nbits, divisor_nbits, bits_per_cycle, skip_nbits)
    engine = open_engine("pymtl", lambda: Divider(*shape))
    rows, expected = every_row(dividend_nbits, divisor_nbits)
    batch = engine.run(rows, max_idle_cycles=100)
    assert batch.responses == expected
    for (high, _, _), (quotient, _), cycles in zip(rows, expected, batch.cycles, strict=True):
        groups = -(-len(f"{quotient:b}".lstrip("0")) // skip_nbits)
        iterated = dividend_nbits if high else groups * skip_nbits
        assert cycles == iterated // bits_per_cycle + 1
        assert cycles == divider_cycles(
            dividend_nbits, bits_per_cycle, skip_nbits, None if high else quotient
        )


SHAPES = [*((n, v, k) for n in (1, 3, 4) for v in (1, 3, 5) for k in divisors(n)), (6, 3, 2)]
#: Divisors narrower and wider than dividends, from one bit to all bits per cycle.
COMPILED = [(1, 1, 1), (3, 5, 1), (4, 3, 4), (6, 3, 2)]


@pytest.mark.parametrize(
    ("dividend_nbits", "divisor_nbits", "bits_per_cycle", "engine"),
    [
        *((*shape, "pymtl") for shape in SHAPES),
        *(
            pytest.param(*shape, "native", marks=[] if shape in COMPILED else [pytest.mark.slow])
            for shape in SHAPES
        ),
    ],
)
def test_aligning_divider(dividend_nbits, divisor_nbits, bits_per_cycle, engine):
    """All dividends and divisors, 0 too; the divisor shifts by the quotient's bits, up and down."""
    shape = (dividend_nbits, divisor_nbits, bits_per_cycle)
    rows, expected = every_row(dividend_nbits, divisor_nbits, preloaded=False)
    batch = open_engine(engine, lambda: AligningDivider(*shape)).run(rows, max_idle_cycles=100)
    assert batch.responses == expected
    for (quotient, _), cycles in zip(expected, batch.cycles, strict=True):
        moves = -(-len(f"{quotient:b}".lstrip("0")) // bits_per_cycle)
        assert cycles == (1 + moves + 1 + moves if quotient else 1)
        assert cycles == aligning_divider_cycles(quotient, bits_per_cycle)


_RISC_V_DIVIDERS = {
    "restoring": lambda: Divider(32, 32, 2),
    "skipping": lambda: Divider(32, 32, 2, 8),
    "aligning": lambda: AligningDivider(32, 32, 2),
}


@pytest.mark.parametrize("engine", ["pymtl", "native"])
@pytest.mark.parametrize("divider", _RISC_V_DIVIDERS)
def test_division_by_zero_is_as_risc_v_has_it(engine, divider):
    """Division by zero gives a quotient of ones, and the dividend as remainder."""
    batch = open_engine(engine, _RISC_V_DIVIDERS[divider]).run(
        [(0, x, 0) for x in (0, 1, 0x80000000, 0xFFFFFFFF)]
    )
    assert batch.responses == [(0xFFFFFFFF, x) for x in (0, 1, 0x80000000, 0xFFFFFFFF)]


@pytest.mark.parametrize("stalls", STALL_PROFILES.values(), ids=STALL_PROFILES)
def test_stalls(stalls):
    """Back-pressure changes no result."""
    rows = [(i % 3, 37 * i % 256, 3 + i) for i in range(20)]
    batch = open_engine("pymtl", lambda: Divider(8, 8, 4)).run(rows, stalls=stalls, in_flight=None)
    assert batch.responses == [divmod(h << 8 | low, d) for h, low, d in rows]
    rows = [(0, low, divisor) for _, low, divisor in rows]
    engine = open_engine("pymtl", lambda: AligningDivider(8, 8, 4))
    batch = engine.run(rows, stalls=stalls, in_flight=None)
    assert batch.responses == [divmod(low, d) for _, low, d in rows]


def test_reset_of_the_aligning_divider_in_flight():
    """After a reset at any time, the next division is right, in its usual cycles."""
    rows = [(0, 255, 1), (0, 200, 7)]
    engine = open_engine("pymtl", lambda: AligningDivider(8, 8, 1))
    for cycle in range(1, 30):
        batch = engine.run(rows, reset_at=cycle)
        for i in set(range(2)) - set(batch.dropped):
            assert batch.responses[i] == divmod(*rows[i][1:])
            assert batch.cycles[i] == aligning_divider_cycles(batch.responses[i][0], 1)


@pytest.mark.parametrize(
    "shape", [(8, 8, 3), (8, 8, 0), (0, 8, 1), (8, 0, 1), (8, 8, 2, 1), (8, 8, 2, 6)]
)
def test_shapes_that_cannot_be_built(shape):
    """The message is one line with the parameter."""
    with pytest.raises(ValueError, match=r"bits_per_cycle|widths|skip_nbits"):
        Divider(*shape).elaborate()
