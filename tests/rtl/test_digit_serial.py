"""Designs with the digit-serial multiplier: their cycles, and figures of the errata."""

import random
from dataclasses import replace

import pytest

from rsaxcel import catalog
from rsaxcel.plan.schedules import SCHEDULES
from rsaxcel.plan.steps import Product, When
from tests.shared.harness import simulate


def product(a: int, b: int, modulus: int, nbits: int) -> int:
    """Unreduced Montgomery product, by its definition."""
    r = 1 << nbits + 2
    q = -a * b * pow(modulus, -1, r) % r
    assert (a * b + q * modulus) % r == 0
    return (a * b + q * modulus) // r


@pytest.mark.quick_cases("256-*", "64-*")
@pytest.mark.parametrize(
    ("digit_nbits", "cycles"), [(32, 645288), (64, 332440), (128, 176016), (256, 97804)]
)
def test_cycles_that_the_document_prints(digit_nbits, cycles):
    """The circuit has the cycles of figure 17.4, whose lines for 64 and 128 bits are swapped."""
    configuration = catalog.get("digit_serial_r2l").configure(1024, S=digit_nbits)
    rng = random.Random(digit_nbits)
    modulus = rng.getrandbits(1024) | 1 << 1023 | 1
    rows = [(modulus - 1, 65537, modulus), (rng.randrange(modulus), 65537, modulus)]
    batch = simulate(configuration, "rtl", "native", rows)
    assert batch.responses == [(pow(*row), 0) for row in rows]
    assert batch.cycles == [cycles, cycles] == [configuration.cycles(*row) for row in rows]


@pytest.mark.quick_cases("64-16-1", "254-8-2")
@pytest.mark.parametrize(
    ("nbits", "digit_nbits", "lanes"),
    [(64, 16, 1), (62, 16, 2), (61, 9, 1), (254, 8, 2), (1023, 100, 1)],
)
def test_exponentiations_with_one_and_two_lanes(nbits, digit_nbits, lanes):
    """Results and cycles of the circuit, for exponents with few and with many ones."""
    configuration = catalog.get("digit_serial_r2l").configure(
        nbits, digit_nbits=digit_nbits, lanes=lanes
    )
    rng = random.Random(nbits)
    modulus = rng.getrandbits(nbits) | 1 << (nbits - 1) | 1
    full = (1 << nbits) - 1
    rows = [(modulus - 1, full >> nbits - 20, modulus), (2, 1 << 19, modulus), (0, 5, full)]
    rows += [(full - 1, 0b10110111, full), (2, 3, 3), (rng.randrange(modulus), 0, modulus)]
    batch = simulate(configuration, "rtl", "native", rows)
    assert batch.responses == [(pow(*row), 0) if row[0] < row[2] else (0, 3) for row in rows]
    assert batch.cycles == [configuration.cycles(*row) for row in rows]


@pytest.mark.parametrize("lanes", [2, 1])
def test_cycles_of_an_exponentiation(lanes):
    """Cycles follow the formula for any width and digit; fewer than three words count as three."""
    for nbits, digit_nbits in ((32, 8), (32, 9), (64, 16), (8, 8)):
        configuration = catalog.get("digit_serial_r2l").configure(
            nbits, digit_nbits=digit_nbits, lanes=lanes
        )
        words = -(-(nbits + 2) // digit_nbits)
        slots = max(words, 3)
        for e in (0, 1, 2, 3, 0x80, 0xFF):
            h, ones = e.bit_length(), e.bit_count()
            products = h + 2 if lanes == 2 else h + ones + 3
            expected = products * ((2 * slots + 2) + (nbits + 3) * slots) + words + (words + 1)
            assert configuration.cycles(5, e, 171) == expected


def sums(a: int, b: int, modulus: int, nbits: int) -> list[int]:
    """Every sum U + V of section 17.2, before it is halved."""
    u, found = 0, []
    for i in range(nbits + 3):
        found.append(u + (a >> i & 1) * 2 * b + (u & 1) * modulus)
        assert found[-1] % 2 == 0
        u = found[-1] // 2
    assert u == product(a, b, modulus, nbits)
    return found


def test_figures_of_the_errata():
    """Figures of docs/records/errata.md on this document."""
    assert max(sums(2**15 - 3, 2**15 - 3, 2**14 - 1, 14)) >= 2**17
    periods_ns = {32: 8.74, 64: 11.6, 128: 18.6, 256: 30.9}
    times_ms = {
        digit_nbits: catalog.get("digit_serial_r2l")
        .configure(1024, S=digit_nbits)
        .cycles(2, 65537, 2**1024 - 105)
        * period_ns
        * 1e-6
        for digit_nbits, period_ns in periods_ns.items()
    }
    printed_ms = {32: 5.64, 64: 3.86, 128: 3.27, 256: 2.99}
    off = [s for s, time_ms in times_ms.items() if abs(time_ms - printed_ms[s]) > 0.0051]
    assert off == [256]
    assert round(times_ms[256], 2) == 3.02
    contract = catalog.get("digit_serial_r2l").configure(8).multiplier_golden
    residue = 3 * contract.r % 9
    one_step = contract.product(residue, residue, 9)
    assert contract.product(one_step, 1, 9) == 9
    assert contract.final_reduction(9, 9) == 0


def test_lanes_take_products_of_one_b(monkeypatch):
    """Lanes share the multiples of b, so a schedule with different b gets one lane."""
    steps = ((Product("r", "b", "r", When.SET), Product("b", "b", "b", lane=1)),)
    swapped = replace(SCHEDULES["r2l"], name="swapped", per_bit=steps)
    monkeypatch.setitem(SCHEDULES, "swapped", swapped)
    design = catalog.get("digit_serial_r2l")
    assert design.configure(16, schedule="swapped").params["lanes"] == 1
    with pytest.raises(
        ValueError, match=r"lanes=2: digit_serial needs one b for r = mul\(b, r\), b"
    ):
        design.configure(16, schedule="swapped", lanes=2)
