"""Host constants at the xcel registers: complete, missing, too many, too wide, outdated."""

import pytest

from rsaxcel.fl.status import Status
from rsaxcel.fl.xcel import Register
from rsaxcel.sim.stalls import STALL_PROFILES
from tests.shared.harness import IN_PYTHON_SLOW, SETUPS, built_once, configure, engine_for
from tests.xcel.bench import Script, accelerator_of, run

NBITS = 40
NAME = "systolic_l2r_always"
ROW = (0x1234567891, 0x8000000005, (1 << 40) - 87)
OTHER = (3, 0x8000000001, 0xFFFFFFFFFB)

pytestmark = built_once(f"xcel-{NAME}", NBITS)


@pytest.fixture(params=IN_PYTHON_SLOW)
def play(request):
    """Run a script at one level."""
    level, engine = request.param
    configuration = configure(NAME, NBITS)
    return lambda script, **options: run(
        accelerator_of(configuration, level), engine, script, **options
    )


def words_of(modulus: int) -> list[int]:
    """R mod m, R^2 mod m and m' for radix 2^16, each in three words."""
    r = 1 << 48  # 42 bits in words of 16
    values = (r % modulus, r * r % modulus, -pow(modulus, -1, 1 << 16) % (1 << 16))
    return [value >> 32 * i & 0xFFFFFFFF for value in values for i in range(3)]


def good(script: Script, row: tuple[int, int, int], *given: int, constants=()) -> None:
    """Start with what is given, which completes a row, and check the result."""
    script.call(*given, result=pow(*row), constants=constants)


def missing(script: Script, *given: int, constants=()) -> None:
    """Start with what is given, and check the status ``constants_missing``."""
    script.call(*given, result=0, status=Status.CONSTANTS_MISSING, constants=constants)


def test_the_configuration_computes_them():
    assert configure(NAME, NBITS).constant_words(ROW[2]) == words_of(ROW[2])
    assert configure(NAME, NBITS).constant_words(0) == [0] * 9


def test_number_of_words(play):
    """xr3 reads the number of constant words at any time; xr6 reads 0."""
    script = Script()
    script.read(Register.MODULUS, 9)
    script.load_constants(words_of(ROW[2]))
    script.read(Register.MODULUS, 9)
    script.read(Register.CONSTANTS, 0)
    play(script)


def test_loaded_once_per_modulus(play):
    """A second exponentiation with the same key writes only what changes."""
    script = Script()
    good(script, ROW, *ROW, constants=words_of(ROW[2]))
    good(script, ROW)
    good(script, (OTHER[0], *ROW[1:]), OTHER[0])
    good(script, OTHER, *OTHER, constants=words_of(OTHER[2]))
    play(script)


def test_none(play):
    """A request without constants is refused at once; the next good one gets its result."""
    script = Script()
    missing(script, *ROW)
    good(script, ROW, constants=words_of(ROW[2]))
    play(script)


@pytest.mark.parametrize("change", [slice(0, 8), slice(0, 1), slice(0, 0)])
def test_too_few(play, change):
    script = Script()
    missing(script, *ROW, constants=words_of(ROW[2])[change])
    play(script)


def test_too_many(play):
    """With one word too many, constants count as missing, even if the word is 0."""
    script = Script()
    missing(script, *ROW, constants=[*words_of(ROW[2]), 0])
    good(script, ROW, constants=words_of(ROW[2]))
    play(script)


def test_too_wide(play):
    """A bit in the padding of a constant makes the constants missing."""
    for position, bit in ((1, 8), (2, 0), (6, 16), (8, 31)):
        words = words_of(ROW[2])
        words[position] |= 1 << bit
        script = Script()
        missing(script, *ROW, constants=words)
        play(script)


def test_older_than_the_modulus(play):
    """The first word of a modulus drops the constants, complete or not."""
    words = words_of(ROW[2])
    script = Script()
    script.give(*ROW, constants=words)
    # A third word of the modulus does not drop them.
    script.load(Register.MODULUS, 0, words=1)
    good(script, ROW)
    script.load(Register.MODULUS, ROW[2])
    missing(script)
    script.load_constants(words[:4])
    script.load(Register.MODULUS, ROW[2])
    missing(script, constants=words[4:])
    good(script, ROW, constants=words)
    play(script)


def test_rewound(play):
    """xr5 rewinds the constants; after it, all words must be written again."""
    words = words_of(ROW[2])
    script = Script()
    script.give(*ROW, constants=words[:5])
    script.write(Register.STATE, 0)
    good(script, ROW, constants=words)
    missing(script, constants=words[:5])
    play(script)


def test_other_rules_come_first(play):
    """Constants do not matter to a request that is refused anyway."""
    script = Script()
    for row, status in (
        ((5, 3, 1), Status.MODULUS_TOO_SMALL),
        ((5, 3, 8), Status.MODULUS_EVEN),
        ((9, 3, 7), Status.BASE_TOO_LARGE),
        ((1 << 40, 3, 7), Status.OPERAND_TOO_WIDE),
        ((5, 3, 7), Status.CONSTANTS_MISSING),
    ):
        script.call(*row, result=0, status=status)
    play(script)


@pytest.mark.quick_cases("70-*native", "17-*pymtl")
@pytest.mark.parametrize(("level", "engine"), SETUPS)
@pytest.mark.parametrize("exponent_nbits", [17, 70])
def test_exponent_of_its_own_width(level, engine, exponent_nbits):
    """Exponents shorter or longer than the other operands; one bit more is too wide."""
    configuration = configure(NAME, NBITS, exponent_nbits=exponent_nbits)
    script = Script()
    script.load(Register.BASE, ROW[0])
    script.load(Register.MODULUS, ROW[2])
    script.load_constants(words_of(ROW[2]))
    for exponent in (65537, (1 << exponent_nbits) - 1):
        script.load(Register.EXPONENT, exponent, words=4)
        good(script, (ROW[0], exponent, ROW[2]))
    for exponent in (1 << exponent_nbits, 1 << 96 | 3):
        script.load(Register.EXPONENT, exponent)
        script.call(result=0, status=Status.OPERAND_TOO_WIDE)
    run(accelerator_of(configuration, level), engine, script)


@pytest.mark.parametrize("stalls", STALL_PROFILES.values(), ids=STALL_PROFILES)
def test_dropped_under_stalls(play, stalls):
    script = Script()
    for row in (ROW, OTHER):
        missing(script, *row)
        good(script, row, constants=words_of(row[2]))
    play(script, stalls=stalls)


@pytest.mark.parametrize(("level", "engine"), SETUPS)
def test_at_the_stream(level, engine):
    """A request sets the flag ``missing``, and the exponentiator refuses it."""
    configuration = configure(NAME, 16)
    request = configuration.request(5, 3, 0xFFF1)
    requests = [request, (*request[:-1], 1), request]
    batch = engine_for(configuration, level, engine).run(requests)
    assert batch.responses == [(125, 0), (0, Status.CONSTANTS_MISSING), (125, 0)]
