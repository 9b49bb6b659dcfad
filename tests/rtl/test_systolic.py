"""The systolic multiplier: printed figures, errata, and operands at their limits."""

import random

import pytest

from rsaxcel import catalog
from rsaxcel.course.testing.cases import draw_modulus
from rsaxcel.fl.status import Status
from tests.shared.harness import configure, engine_for, simulate

NAME = "systolic_l2r_always"


def product_interval(nbits: int, **params) -> int:
    """Cycles between dependent products: two more exponent bits are four more products."""
    cycles = [
        configure(NAME, nbits, exponent_nbits=count, **params).cycles(3, 5, (1 << nbits) - 1)
        for count in (nbits, nbits + 2)
    ]
    return (cycles[1] - cycles[0]) // 4


@pytest.mark.parametrize(
    ("nbits", "interval"),
    [(510, 98), (1022, 194), (2046, 386), (512, 101), (1024, 197), (2048, 389)],
)
def test_dependent_products(nbits, interval):
    """Cycles between dependent products are as printed; some hold at widths less 2 bits."""
    assert product_interval(nbits) == interval


@pytest.mark.parametrize(("nbits", "products"), [(1022, 397_700), (1024, 403_850)])
def test_exponentiation(nbits, products):
    """2,050 products for 1024 exponent bits; control takes ``2 * words + 1`` cycles, below 2 %."""
    configuration = configure(NAME, nbits, exponent_nbits=1024)
    cycles = configuration.cycles(3, 1 << 1021, (1 << nbits) - 1)
    words = -(-(nbits + 2) // 16)
    assert configuration.load_cycles == words + 1
    assert products == 2050 * (3 * words + 2)
    assert cycles - products == 2 * words + 1
    assert (cycles + words - products) / products < 0.02


@pytest.mark.quick_cases("params*-pymtl", "params0-native")
@pytest.mark.parametrize("engine", ["pymtl", "native"])
@pytest.mark.parametrize("params", [{}, {"radix_nbits": 5}, {"final_subtraction": "on"}])
def test_width_of_the_exponent(engine, params):
    """Each exponent bit costs two products, set or not, for short and for long exponents."""
    nbits = 14
    row = (0x1ABC, 0x5B, (1 << nbits) - 3)
    seen = []
    for count in (7, nbits + 3):
        configuration = configure(NAME, nbits, exponent_nbits=count, **params)
        full = (row[0], (1 << count) - 1, row[2])
        rows = [row, full, (row[0], 1 << count, row[2]), row]
        batch = simulate(configuration, "rtl", engine, rows)
        good = (pow(*row), 0)
        assert batch.responses == [good, (pow(*full), 0), (0, Status.OPERAND_TOO_WIDE), good]
        assert batch.cycles[0] == batch.cycles[1] == batch.cycles[3]
        seen.append(batch.cycles[0])
    assert seen[1] - seen[0] == 10 * 2 * product_interval(nbits, **params)


@pytest.mark.quick_cases("pymtl-8-7-*", "native-64-16-*")
@pytest.mark.parametrize("final_subtraction", ["off", "on"])
@pytest.mark.parametrize(
    ("engine", "nbits", "radix_nbits"),
    [
        *(("pymtl", nbits, radix_nbits) for nbits in (8, 16) for radix_nbits in (4, 7, 16, 32)),
        ("native", 64, 16),
        ("native", 64, 31),
    ],
)
def test_operands_at_their_limits(engine, nbits, radix_nbits, final_subtraction):
    """Words of ones: the longest carries, and intermediate values up to 2m."""
    configuration = configure(
        NAME, nbits, radix_nbits=radix_nbits, final_subtraction=final_subtraction
    )
    full = (1 << nbits) - 1
    rng = random.Random(nbits)
    moduli = [full, (1 << nbits - 1) + 1, 3, *(draw_modulus(rng, nbits) for _ in range(3))]
    rows = [(m - 1 - k, full - k, m) for m in moduli for k in (0, 1)]
    batch = simulate(configuration, "rtl", engine, rows)
    assert batch.responses == [(pow(*row), 0) for row in rows]
    assert set(batch.cycles) == {configuration.cycles(*rows[0])}


def word_product(x: int, y: int, modulus: int, k: int, words: int, drops: bool = False) -> int:
    """Algorithm 2, step by step, on Python's integers; ``drops`` bits above the words, if asked."""
    radix = 1 << k
    m_prime = -pow(modulus, -1, radix) % radix
    total = 0
    for i in range(words):
        x_i = x >> k * i & radix - 1
        u = (total + x_i * y) * m_prime % radix
        total = (total + x_i * y + u * modulus) >> k
        if drops:
            total %= 1 << k * words
    return total


@pytest.mark.parametrize(
    ("k", "words", "modulus", "x", "y", "result"),
    [(2, 2, 7, 12, 13, 15), (16, 2, (1 << 31) - 1, (1 << 32) - 3, (1 << 32) - 3, 0x13FFFFFFE)],
)
def test_erratum_of_the_operands_range(k, words, modulus, x, y, result):
    """2m < R is not enough: the result exceeds 2m. With one more word it does not."""
    r = 1 << k * words
    assert x < 2 * modulus < r
    assert y < 2 * modulus
    assert word_product(x, y, modulus, k, words) == result
    assert result >= 2 * modulus
    assert word_product(x, y, modulus, k, words + 1) < 2 * modulus


def controller(last: int) -> tuple[int, int]:
    """Algorithm 4: how often the row is enabled, and the cycles, if the loop ends at i = last."""
    i, enabled, cycles = 0, 0, 1
    while not enabled or i < last:
        enabled += 1
        i += 1
        cycles += 3
    return enabled, cycles + 1


def test_erratum_of_the_controllers_loop():
    """As printed, the loop ends a step too early; the printed cycles are those of all steps."""
    for words, cycles in ((32, 98), (64, 194), (128, 386)):
        assert controller(words - 1) == (words - 1, cycles - 3)
        assert controller(words) == (words, cycles)


def test_erratum_of_the_printed_lengths():
    """512 bits in 32 words: all exponentiations are wrong; with one word more, none is.

    The last element drops its carry in each step (section 3.3).
    """
    rng = random.Random(1)
    wrong = {32: 0, 33: 0}
    for _ in range(40):
        modulus = draw_modulus(rng, 512)
        base, exponent = rng.randrange(modulus), rng.getrandbits(64)
        for words in wrong:
            r = 1 << 16 * words
            s0 = r % modulus
            x = word_product(base, r * r % modulus, modulus, 16, words, drops=True)
            for i in reversed(range(64)):
                s0 = word_product(s0, s0, modulus, 16, words, drops=True)
                s1 = word_product(x, s0, modulus, 16, words, drops=True)
                s0 = s1 if exponent >> i & 1 else s0
            s0 = word_product(s0, 1, modulus, 16, words, drops=True)
            wrong[words] += s0 % modulus != pow(base, exponent, modulus)
    assert wrong == {32: 40, 33: 0}


def test_erratum_of_the_last_product():
    """The last product by 1 gives m if the result is 0; the store subtracts it."""
    configuration = configure(NAME, 8)
    program = configuration.programs[0]
    model = configuration.golden
    states = model.begin(3, 2, 9)
    for _ in model.run(program, states):
        pass
    assert states[-1].residues["r"] == 9
    for engine in ("pymtl", "native"):
        assert simulate(configuration, "rtl", engine, [(3, 2, 9)]).responses == [(0, 0)]


@pytest.mark.parametrize("params", [{}, {"radix_nbits": 4}, {"final_subtraction": "on"}], ids=str)
def test_constants_of_another_modulus(params):
    """With a wrong m', the golden model and the circuit give the same wrong results."""
    configuration = configure("systolic", 14, **params)
    rng = random.Random(3)
    requests = []
    for _ in range(200):
        modulus = draw_modulus(rng, rng.randint(2, 14))
        a, b, m, _ = configuration.request(rng.randrange(modulus), rng.randrange(modulus), modulus)
        requests.append((a, b, m, rng.getrandbits(configuration.golden.radix_nbits)))
    fl, cl, rtl = (
        engine_for(configuration, level, "pymtl").run(requests) for level in catalog.LEVELS
    )
    assert fl.responses == cl.responses == rtl.responses
    assert fl.responses != [
        (a * b * pow(configuration.golden.r, -1, m) % m,) for a, b, m, _ in requests
    ]
