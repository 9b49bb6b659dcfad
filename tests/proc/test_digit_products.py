"""Montgomery products of numbers in signed digits, at every length: ``digit_products.S``."""

import random
from pathlib import Path

import pytest

from rsaxcel.proc import programs
from rsaxcel.proc.elf import load_elf
from rsaxcel.proc.run import run_fl
from tests.proc.programs import compile_own

FOLDER = Path(programs.__file__).parent
DIGIT_NBITS, BLOCK, MAX_DIGITS = 26, 5, 80
HALF = 1 << DIGIT_NBITS - 1
DRIVER = Path(__file__).with_name("digit_products.c").read_text("utf-8")


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    source = tmp_path_factory.mktemp("digits") / "driver.c"
    source.write_text(DRIVER)
    others = (FOLDER / name for name in ("crt0.S", "digit_products.S"))
    return compile_own(source.with_suffix(".elf"), source, *others)


def to_digits(number, count):
    found = []
    for _ in range(count):
        found.append((number + HALF) % (2 * HALF) - HALF)
        number = number - found[-1] >> DIGIT_NBITS
    assert number == 0
    return found


def to_number(digits):
    return sum(digit << DIGIT_NBITS * i for i, digit in enumerate(digits))


def signed(word):
    return word - (1 << 32) if word >> 31 else word


def products(driver, modulus, a, b, count):
    """Results a * b / R, a * a / R, and a * b / R computed in place of a."""
    image = load_elf(driver)
    factor = -pow(modulus, -1, 1 << DIGIT_NBITS) << 32 - DIGIT_NBITS
    for name, words in (
        ("modulus", [count, factor, *to_digits(modulus, count)]),
        ("a", to_digits(a, count)),
        ("b", to_digits(b, count)),
    ):
        start = image.symbols[name].address
        data = b"".join((x % (1 << 32)).to_bytes(4, "little") for x in words)
        image.memory[start : start + len(data)] = data
    done = run_fl(image)
    assert done.end.exit_status == 0
    assert len(done.messages) == 3 * count
    found = [[signed(x) for x in done.messages[i::3]] for i in range(3)]
    assert all(-HALF <= digit < HALF for digits in found for digit in digits)
    return [to_number(digits) for digits in found]


def extreme(draw, count, limit):
    """Draw a number with extreme digits, which give the largest column sums."""
    digits = [draw.choice((-HALF, -HALF, HALF - 1)) for _ in range(count)]
    number = to_number(digits)
    while abs(number) >= limit:
        number >>= 1
    return number


def rows(draw, count):
    """Yield corner and random rows: a modulus and two signed factors."""
    limit = 1 << DIGIT_NBITS * count - 2
    lowest = to_number([-HALF] * (count - 1)) - 1  # digits of 1 - 2**25, and -2**25 behind it
    yield (1 << DIGIT_NBITS * count - 3) + lowest | 1, lowest, lowest
    modulus = abs(extreme(draw, count, limit)) | 1
    yield modulus, extreme(draw, count, modulus), extreme(draw, count, modulus)
    modulus = draw.getrandbits(draw.randint(2, DIGIT_NBITS * count - 2)) | 3
    yield modulus, draw.randrange(modulus), -draw.randrange(modulus)
    yield modulus, 0, 1 - modulus
    # Each product has the largest part above the 26 bits that are summed separately.
    modulus, ones = limit - 1, to_number([1] * count)
    yield modulus, ones, -ones
    # The product to reduce has a factor near -R / 2.
    yield modulus, to_number([-HALF] * count), draw.randrange(modulus // 2)


# Lengths just below and above those at which the code changes.
@pytest.mark.quick_cases("5", "20", "30", "35", "60", "65", "80")
@pytest.mark.parametrize("count", range(BLOCK, MAX_DIGITS + 1, BLOCK))
def test_products(driver, count):
    draw, r = random.Random(count), 1 << DIGIT_NBITS * count
    for modulus, a, b in rows(draw, count):
        found = products(driver, modulus, a, b, count)
        for result, product in zip(found, (a * b, a * a, a * b), strict=True):
            if abs(product) < modulus * r // 2:
                assert (result * r - product) % modulus == 0
                assert abs(result) <= abs(product) // r + modulus // 2 + (modulus >> 26) + 1
