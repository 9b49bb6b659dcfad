"""The programs for modular exponentiation, on the simulator, at widths up to 2048 bits."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rsaxcel import catalog
from rsaxcel.course.testing.cases import POWER_TABLES, power_cases
from rsaxcel.fl.keys import seeded_key
from rsaxcel.fl.status import InputRules, Status
from rsaxcel.fl.xcel import NullRegisters, XcelRegisters
from rsaxcel.proc.elf import ProgramError
from rsaxcel.proc.isa import Cause
from rsaxcel.proc.operands import (
    EXIT_NO_ACCELERATOR,
    EXIT_NO_OPERANDS,
    EXIT_REFUSED,
    SYMBOL,
    join_words,
    max_words,
    write_operands,
)
from rsaxcel.proc.programs.build import SOURCES, build
from rsaxcel.proc.run import Devices, run_fl
from rsaxcel.proc.systems import find_system
from tests.proc.harness import ACCELERATOR, FAST_SETUPS, run_system
from tests.shared.harness import HOSTED_FIRST, VARIANTS, table

rtl_only = pytest.mark.parametrize("setup", [s for s in FAST_SETUPS if s.values == ("rtl",)])
SOFTWARE = ("naive", "montgomery")
PRINTED = ("naive_printed", "montgomery_printed")
PASSED = "\n **PASSED** \n\n"
CHARACTER, NUMBER = 0x30001, 0x30000  #: types of messages of the printed programs


def run(name, operands, registers=None, constants=(), halves=None):
    image = build(name, constants)
    if operands is not None:
        write_operands(image, *operands, halves=halves)
    return run_fl(image, Devices(registers or NullRegisters()))


def accelerator(nbits, design="mont_r2l"):
    return XcelRegisters(catalog.get(design).configure(nbits))


def check(name, operands, odd_modulus, nbits=64 * 32):
    """Check the result by pow, or the refusal by the input rules."""
    status = InputRules(nbits, odd_modulus).status(*operands)
    done = run(name, operands)
    assert done.end.cause is Cause.ECALL
    if status is not Status.OK:
        assert (done.end.exit_status, done.messages) == (EXIT_REFUSED + status, ())
        return
    assert done.end.exit_status == 0
    if name in PRINTED:
        result, *line = done.messages
        assert (result, line) == (pow(*operands), sent(PASSED))
        return
    words = max(1, *(-(-value.bit_length() // 32) for value in operands))
    assert len(done.messages) == words
    assert join_words(done.messages) == pow(*operands)


def sent(text):
    """Messages by which a printed program sends a text."""
    return [message for x in text for message in (CHARACTER, ord(x))]


@pytest.mark.parametrize("nbits", [32, 128])
@pytest.mark.parametrize("table", POWER_TABLES)
@pytest.mark.parametrize("name", SOFTWARE)
def test_software_on_the_shared_tables(name, table, nbits):
    for row in power_cases(table, nbits):
        check(name, row.operands, name == "montgomery")


@pytest.mark.parametrize("table", POWER_TABLES)
@pytest.mark.parametrize("name", PRINTED)
def test_printed_software_on_the_shared_tables(name, table):
    for row in power_cases(table, 32):
        check(name, row.operands, name == "montgomery_printed", 32)


@pytest.mark.parametrize("modulus", [3, 5, 0x7FFFFFFF, 0x80000001, 0xFFFFFFFB, 0xFFFFFFFF])
@pytest.mark.parametrize("name", PRINTED)
def test_printed_software_at_the_corners(name, modulus):
    for base in (0, 1, 2, modulus - 1, modulus):
        for exponent in (0, 1, 2, 3, 0xFFFFFFFF):
            check(name, (base, exponent, modulus), name == "montgomery_printed", 32)


@settings(max_examples=60, deadline=None)
@given(
    modulus=st.integers(1, 32).flatmap(lambda nbits: st.integers(0, (1 << nbits) - 1)),
    base=st.integers(0, (1 << 32) - 1),
    exponent=st.integers(0, (1 << 32) - 1),
)
def test_printed_software_at_any_modulus(modulus, base, exponent):
    for name in PRINTED:
        check(name, (base % max(modulus, 1), exponent, modulus), name == "montgomery_printed", 32)


@pytest.mark.parametrize("operands", [(5, 3, 7), (0, 0, 2), (6, 0xFFFFFFFF, 7)])
def test_the_printed_dummy_returns_the_expected_result(operands):
    result, *line = run("dummy_printed", operands).messages
    assert (result, line) == (pow(*operands), sent(PASSED))


@pytest.mark.parametrize("name", [*PRINTED, "dummy_printed"])
def test_a_printed_program_tells_a_wrong_result(name):
    image = build(name)
    write_operands(image, 5, 3, 7, expect=1)
    done = run_fl(image, Devices(NullRegisters()))
    if name == "dummy_printed":
        assert done.end.exit_status == 0
        return
    before, between, after = map(sent, ("\n FAILED: ", " instead of ", "\n\n"))
    assert done.end.exit_status == 2
    assert list(done.messages) == [6, *before, NUMBER, 6, *between, NUMBER, 1, *after]


def test_printed_programs_refuse_operands_of_two_words_and_missing_ones():
    for name in (*PRINTED, "dummy_printed", "xcel_printed"):
        registers = accelerator(32) if name == "xcel_printed" else None
        wide = run(name, (5, 3, 1 << 32 | 1), registers)
        assert wide.end.exit_status == EXIT_REFUSED + Status.OPERAND_TOO_WIDE
        assert run(name, None, registers).end.exit_status == EXIT_NO_OPERANDS


@pytest.mark.parametrize("table", POWER_TABLES)
@pytest.mark.parametrize("design", ["mulrem_r2l", "mont_r2l"])
def test_the_printed_driver_on_the_shared_tables(design, table):
    rules = catalog.get(design).configure(32).rules
    for row in power_cases(table, 32):
        status = rules.status(*row.operands)
        done = run("xcel_printed", row.operands, accelerator(32, design))
        if status is not Status.OK:
            assert (done.end.exit_status, done.messages) == (EXIT_REFUSED + status, ())
            continue
        result, *line = done.messages
        assert (done.end.exit_status, result, line) == (0, pow(*row.operands), sent(PASSED))


def test_the_printed_driver_needs_an_accelerator():
    assert run("xcel_printed", (5, 3, 7)).end.exit_status == EXIT_NO_ACCELERATOR


DRIVEN = [
    (design, nbits)
    for design in catalog.DESIGNS
    for nbits in (8, 32, 33, 128, *((64, 256) if design in HOSTED_FIRST else ()))
]


# The driver is one program except for constants: one design runs at each width.
EVERYWHERE = {"mulrem_r2l", *HOSTED_FIRST}
ONCE = [(design, 33) for design in catalog.DESIGNS if design not in VARIANTS]


@pytest.mark.quick_cases(
    "mulrem_r2l-32", "mulrem_r2l-128", "systolic_l2r_always-8", "mm_r2l-8", "orup_window-32"
)
@pytest.mark.parametrize(
    ("design", "nbits"),
    [
        pytest.param(
            design,
            nbits,
            marks=[] if design in EVERYWHERE or (design, nbits) in ONCE else [pytest.mark.slow],
        )
        for design, nbits in DRIVEN
    ],
)
def test_driver_on_the_shared_tables(design, nbits):
    system = find_system(design, nbits)
    for name in POWER_TABLES:
        for operands, (result, status) in zip(*table(system.configuration, name), strict=True):
            registers = system.devices().registers
            done = run("xcel", operands, registers, system.constants, system.halves)
            assert done.end.exit_status == (EXIT_REFUSED + status if status else 0)
            if not status:
                assert join_words(done.messages) == result


@st.composite
def exponentiations(draw):
    """Draw operands of any width up to 256 bits; moduli with few or many ones are frequent."""
    nbits = draw(st.integers(1, 256))
    modulus = draw(st.integers(1 << nbits - 1, (1 << nbits) - 1))
    low = draw(st.integers(-3, 3))
    shape = draw(st.sampled_from(("any", "power", "sparse")))
    if shape != "any":
        modulus = (1 << nbits) + low if shape == "power" else 1 << nbits - 1 | 1
    modulus = max(modulus, 0)
    base = draw(st.sampled_from((0, 1, modulus - 1, draw(st.integers(0, max(0, modulus - 1))))))
    return max(base, 0), draw(st.integers(0, 1 << draw(st.integers(0, 40)))), modulus


@settings(max_examples=80, deadline=None)
@given(exponentiations())
@example(((1 << 96) - 1, 3, (1 << 128) - (1 << 95)))
@example(((1 << 64) - 2, 5, (1 << 64) - 1))
def test_software_at_any_width(operands):
    for name in SOFTWARE:
        check(name, operands, name == "montgomery")


def test_quotient_digits_that_are_corrected():
    """Rare cases of division: quotient estimates too large by 1, by 2, or for a word."""
    draw = random.Random(9)
    tops = (0x80000000, 0x80000001, 0xFFFFFFFF, 0x8000FFFF, 0xFFFF0000)
    for _ in range(30):
        words = [draw.choice((0, 1, 0xFFFFFFFF, 0x80000000, draw.getrandbits(32))) for _ in "12"]
        modulus = join_words([*words, draw.choice(tops)])
        if modulus % 2 == 0:
            modulus += 1
        base = modulus - draw.choice((1, 2, 1 << 32, 1 << 64))
        for name in SOFTWARE:
            check(name, (base, 3, modulus), True)


@pytest.mark.parametrize("nbits", [1024, 2048, pytest.param(4096, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", SOFTWARE)
def test_keys_in_use(name, nbits):
    key = seeded_key(nbits)
    message = random.Random(nbits).randrange(key.n)
    done = run(name, (message, key.e, key.n))
    assert join_words(done.messages) == key.encrypt(message)


def test_both_ways_with_a_key():
    key = seeded_key(256)
    for name in SOFTWARE:
        cipher = join_words(run(name, (12345, key.e, key.n)).messages)
        assert join_words(run(name, (cipher, key.d, key.n)).messages) == 12345


def test_dummy_gives_what_it_was_told():
    key = seeded_key(128)
    for operands in ((5, 65537, 0xC0000001), (5, 65537, key.n)):
        assert join_words(run("dummy", operands).messages) == pow(*operands)
    image = build("dummy")
    write_operands(image, 1, 2, 3, expect=77)
    assert run_fl(image).messages == (77,)


def test_measured_region_is_the_call():
    """Loading operands and sending the result are outside the measured region."""
    dummy = run("dummy", (5, 3, 77))
    assert 0 < dummy.measured_instructions < 20
    short, long = (run("naive", (5, exponent, 77)) for exponent in (3, 3 << 8 | 3))
    assert long.measured_instructions > short.measured_instructions + 100
    outside = {done.instructions - done.measured_instructions for done in (short, long)}
    assert len(outside) == 1


@pytest.mark.parametrize("name", ["xcel", "dummy"])
def test_one_instruction_reaches_the_result(name):
    """The result is below 2 KiB in every program, so that one instruction reaches it."""
    image = build(name)
    assert image.symbols[SYMBOL].address - 4 * max_words(image) < 1 << 11


def test_programs_without_operands_or_accelerator():
    assert run("naive", None).end.exit_status == EXIT_NO_OPERANDS
    assert run("xcel", (2, 3, 5)).end.exit_status == EXIT_NO_ACCELERATOR


def test_operands_that_have_no_place():
    image = build("naive")
    assert max_words(image) == 128
    with pytest.raises(ValueError, match="base of 4097 bits: up to 4096 are allowed"):
        write_operands(image, 1 << 4096, 3, 5)
    with pytest.raises(ValueError, match="exponent -1: 0 or more is allowed"):
        write_operands(image, 1, -1, 5)
    with pytest.raises(ProgramError, match="reads no operands"):
        write_operands(build("selfcheck"), 1, 2, 3)


@pytest.mark.parametrize("setup", FAST_SETUPS)
def test_system_does_what_the_simulator_does(setup):
    cases = [
        ("naive", (7, 9, 11)),
        ("montgomery", (3, 5, (1 << 64) + 13)),
        ("xcel", (123456, 65537, 0xC0000001)),
        ("xcel", (5, 3, 4)),
        ("dummy", (1 << 70, 3, 5)),
    ]
    for name, operands in cases:
        image = build(name)
        write_operands(image, *operands)
        done = run(name, operands, XcelRegisters(ACCELERATOR))
        outcome = run_system(setup, image)
        assert (outcome.end, outcome.messages) == (done.end, done.messages)
        assert outcome.instructions == done.instructions


@pytest.mark.parametrize("name", ["naive", "montgomery", "xcel"])
@rtl_only
def test_shared_table_on_the_circuit(setup, name):
    odd_modulus = name != "naive"
    for row in power_cases("directed", 32):
        image = build(name)
        write_operands(image, *row.operands)
        result, status = row.expected(odd_modulus)
        outcome = run_system(setup, image)
        assert outcome.end.exit_status == (EXIT_REFUSED + status if status else 0)
        if not status:
            assert join_words(outcome.messages) == result


@rtl_only
def test_self_check_passes(setup):
    done = run("selfcheck", None)
    assert (done.messages, done.end.exit_status) == ((1,), 0)
    outcome = run_system(setup, build("selfcheck"))
    assert (outcome.messages, outcome.instructions) == (done.messages, done.instructions)


def test_unknown_program():
    with pytest.raises(ValueError, match=f"no program 'x'; there are {', '.join(SOURCES)}"):
        build("x")
