"""The digit-serial circuit with the test as its memory, word by word and cycle by cycle."""

import random
from dataclasses import replace

import pytest
from pymtl3 import DefaultPassGroup

from rsaxcel import catalog
from rsaxcel.plan.schedules import SCHEDULES
from rsaxcel.plan.steps import Product, When
from rsaxcel.rtl.multipliers.digit_serial.digit_serial import DigitSerial
from tests.shared.harness import simulate

SHAPES = [
    # the words have no, one, two, and many bits beyond nbits + 2
    (30, 8),
    (29, 8),
    (28, 8),
    (27, 8),
    # fewer words than the pipeline has stages, down to one
    (8, 64),
    (8, 10),
    (8, 8),
    (13, 8),
    (14, 8),
    (22, 8),
    # digits of any width
    (16, 9),
    (64, 13),
    (80, 16),
]


class Bench:
    """A DigitSerial circuit that reads operands from, and writes results to, Python's numbers."""

    def __init__(self, nbits: int, digit_nbits: int, lanes: int):
        self.unit = DigitSerial(nbits, lanes, 2, digit_nbits)
        self.unit.elaborate()
        self.unit.apply(DefaultPassGroup())
        self.digit_nbits = digit_nbits
        self.words = -(-(nbits + 2) // digit_nbits)
        self.unit.sim_reset()

    def word(self, value: int, index) -> int:
        """Word of a number at an index."""
        assert int(index) < self.words
        return value >> self.digit_nbits * int(index) & (1 << self.digit_nbits) - 1

    def cycle(self, products: list, offered: list[bool], modulus: int, results: list[int]) -> list:
        """Run one cycle; return for each lane whether it accepts and whether it answers."""
        ports = self.unit.lanes
        for lane, port in enumerate(ports):
            port.offered @= offered[lane]
            port.slot @= 2 if offered[lane] else 1
        self.unit.sim_eval_combinational()
        for port, product in zip(ports, products, strict=True):
            # slot 2 is the product's; slot 1 would read wrong numbers, slot 0 zeros
            a, b = {0: (0, 0), 1: (-1, -1), 2: product or (-1, -1)}[int(port.read_slot)]
            port.a_word @= self.word(a, port.a_index)
            port.b_word @= self.word(b, port.b_index)
            port.m_word @= self.word(modulus, port.m_index)
        self.unit.sim_eval_combinational()
        events = [(bool(port.accepts & port.offered), bool(port.answers)) for port in ports]
        for lane, port in enumerate(ports):
            if port.write:
                assert int(port.write_slot) == 2
                results[lane] |= int(port.write_word) << self.digit_nbits * int(port.write_index)
        self.unit.sim_tick()
        return events

    def run(self, products: list, modulus: int) -> tuple[list[int], int]:
        """Results of the products, one (a, b) or None per lane, and the cycles they take."""
        results = [0] * len(products)
        offered = [product is not None for product in products]
        for cycles in range(1, 100_000):
            events = self.cycle(products, offered, modulus, results)
            assert [accepted for accepted, _ in events] == offered
            offered = [False] * len(products)
            if any(answered for _, answered in events):
                assert [answered for _, answered in events] == [p is not None for p in products]
                return results, cycles
        raise AssertionError("no answer")


def product(a: int, b: int, modulus: int, nbits: int) -> int:
    """Unreduced Montgomery product, by its definition."""
    r = 1 << nbits + 2
    q = -a * b * pow(modulus, -1, r) % r
    assert (a * b + q * modulus) % r == 0
    return (a * b + q * modulus) // r


def rows(nbits: int) -> list[tuple[int, int, int]]:
    """Operands below twice the modulus: a, b, modulus."""
    rng = random.Random(nbits)
    found = []
    for m in (3, (1 << nbits) - 1, rng.getrandbits(nbits) | 1 << nbits - 1 | 1):
        top = 2 * m - 1
        found += [(0, top, m), (top, 0, m), (1, 1, m), (top, top, m), (m, m - 1, m), (m - 1, m, m)]
        found += [(rng.randrange(2 * m), rng.randrange(2 * m), m)]
    return found


@pytest.mark.quick_cases("30-8-2", "13-8-2", "16-9-2")
@pytest.mark.parametrize("lanes", [1, 2])
@pytest.mark.parametrize(("nbits", "digit_nbits"), SHAPES)
def test_products_and_cycles(nbits, digit_nbits, lanes):
    """Corners: results below 2m, and the document's cycles for three words or more."""
    bench = Bench(nbits, digit_nbits, lanes)
    m_words = max(3, bench.words)
    rng = random.Random(1)
    for number, (a, b, modulus) in enumerate(rows(nbits)):
        products = [(a, b), (rng.randrange(2 * modulus), b)][:lanes]
        if lanes == 2 and number % 3:
            products[number % 3 - 1] = None
        results, cycles = bench.run(products, modulus)
        assert results == [product(*p, modulus, nbits) if p else 0 for p in products]
        assert max(results) < 2 * modulus
        assert cycles == (2 * m_words + 2) + (nbits + 3) * m_words


def test_a_product_after_a_reset_in_flight():
    """After a reset at any time, the next product is right."""
    bench = Bench(30, 8, 2)
    m = (1 << 30) - 35
    for cycle in (1, 3, 6, 9, 12, 80, 171, 172):
        for i in range(cycle):
            bench.cycle([(2 * m - 1, 2 * m - 1), (m, 2 * m - 1)], [i == 0] * 2, m, [0, 0])
        bench.unit.reset @= 1
        bench.cycle([None, None], [False, False], m, [0, 0])
        bench.unit.reset @= 0
        results, _ = bench.run([(5, 7), None], m)
        assert results == [product(5, 7, m, 30), 0]


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
