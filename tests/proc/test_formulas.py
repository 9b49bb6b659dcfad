"""C code generated from formulas: the processor computes the same values as Python."""

import random
from dataclasses import dataclass

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rsaxcel.fl.xcel import NullRegisters, Register
from rsaxcel.plan.modulus_constants import (
    Formula,
    ModulusConstant,
    NegatedInverse,
    PowerOfTwo,
    ProductOf,
    Reciprocal,
    Remainder,
)
from rsaxcel.proc.operands import EXIT_NO_OPERANDS, write_operands
from rsaxcel.proc.programs.build import SOURCES, build
from rsaxcel.proc.programs.formulas import table_of
from rsaxcel.proc.run import Devices, run_fl
from rsaxcel.proc.systems import System, find_system

WIDEST = 4128
"""Bits of the longest place for a constant at 4096 bits: one word more than the modulus."""


class Accelerator(NullRegisters):
    """Accelerator for operands of ``words`` words, which records the words of constants."""

    def __init__(self, words):
        self.words = words
        self.taken = []

    def write(self, address, data):
        if address == Register.CONSTANTS:
            self.taken.append(data)

    def read(self, address):
        return self.words if address == Register.BASE else 0


def declared(formulas, nbits=WIDEST):
    """Declare a constant for each formula, all of one width."""
    return tuple(ModulusConstant(f"c{i}", nbits, f, "") for i, f in enumerate(formulas))


def compute(constants, modulus, words):
    """Run the driver on an accelerator of ``words`` words; return the constants it writes."""
    image = build("xcel", constants)
    write_operands(image, 0, 0, modulus)
    accelerator = Accelerator(words)
    done = run_fl(image, Devices(accelerator))
    assert done.end.exit_status == 0
    taken = accelerator.taken
    each = max(words + 1, *(-(-constant.nbits // 32) for constant in constants))
    assert len(taken) in (0, len(constants) * each)
    places = (taken[i : i + each] for i in range(0, len(taken), each))
    return [sum(word << 32 * k for k, word in enumerate(place)) for place in places]


@dataclass(frozen=True)
class Drawn:
    """A formula, and the equal Python expression in m."""

    formula: Formula
    expression: str


def leaves(odd):
    """Draw formulas of one operation."""
    exponents = st.integers(0, 700)
    powers = st.one_of(exponents, st.integers(0, 63).flatmap(lambda n: st.integers(0, 1 << n)))
    operations = [
        powers.map(lambda k: Drawn(PowerOfTwo(k), f"pow(2, {k}, m)")),
        exponents.map(lambda k: Drawn(Reciprocal(k), f"((1 << {k}) // m)")),
    ]
    if odd:
        bits = st.integers(1, 300)
        operations.append(bits.map(lambda n: Drawn(NegatedInverse(n), f"pow(-m, -1, 1 << {n})")))
    return st.one_of(operations)


def nested(odd):
    """Draw formulas of several operations, up to some thousand bits."""
    return st.recursive(
        leaves(odd),
        lambda inner: st.one_of(
            st.tuples(inner, inner).map(
                lambda of: Drawn(
                    ProductOf(of[0].formula, of[1].formula),
                    f"({of[0].expression} * {of[1].expression})",
                )
            ),
            inner.map(lambda of: Drawn(Remainder(of.formula), f"({of.expression} % m)")),
        ),
        max_leaves=4,
    )


@st.composite
def moduli(draw, odd):
    """Draw moduli of 1 to 256 bits; few or many ones, and zero words, are frequent."""
    length = draw(st.integers(1, 256))
    top = 1 << length - 1
    shape = draw(st.sampled_from(("any", "any", "power", "ones", "high")))
    if shape == "any":
        modulus = draw(st.integers(top, 2 * top - 1))
    elif shape == "high":
        modulus = top | draw(st.integers(0, top - 1)) & draw(st.integers(0, top - 1))
    else:
        modulus = top if shape == "power" else 2 * top - 1
    return modulus | 1 if odd else modulus


@settings(max_examples=6, deadline=None)
@given(data=st.data(), odd=st.booleans())
def test_any_formula_of_any_modulus(data, odd):
    """Any formulas are right, on accelerators with at least the words of the modulus."""
    drawn = data.draw(st.lists(nested(odd), min_size=1, max_size=6))
    constants = declared([each.formula for each in drawn])
    for modulus in data.draw(st.lists(moduli(odd), min_size=1, max_size=5)):
        expected = [eval(each.expression, {"m": modulus, "pow": pow}) for each in drawn]
        shortest = -(-modulus.bit_length() // 32)
        words = max(shortest, max(-(-value.bit_length() // 32) - 1 for value in expected))
        if words <= 128:
            assert compute(constants, modulus, words) == expected


@settings(max_examples=3, deadline=None)
@given(
    modulus=st.integers(1, 4096).flatmap(lambda n: st.integers(1 << n - 1, (1 << n) - 1)),
    exponent=st.integers(4096, 8300),
)
@example(modulus=(1 << 4096) - 1, exponent=8224)
@example(modulus=1 << 4095, exponent=8222)
@example(modulus=(1 << 4095) + (1 << 4063) + 1, exponent=8191)
def test_longest(modulus, exponent):
    """Barrett's constant of the longest moduli, and remainders of numbers twice as long."""
    r = 1 << 4096
    quotient = (1 << exponent) // modulus
    formulas = [Reciprocal(exponent)] if quotient < 1 << WIDEST else []
    formulas += [
        Remainder(Reciprocal(exponent)),
        Remainder(ProductOf(PowerOfTwo(exponent), Reciprocal(exponent))),
        NegatedInverse(4096),
    ]
    values = compute(declared(formulas), modulus, 128)
    if modulus % 2:
        assert (values[-1] * modulus + 1) % r == 0
    assert values[-1] < r
    remainder = (1 << exponent) - quotient * modulus
    expected = [quotient] * (len(formulas) - 3)
    assert values[:-1] == [*expected, quotient % modulus, remainder * quotient % modulus]


def test_quotients_that_are_corrected():
    """Rare cases of division: quotient estimates too large by 1, by 2, or for a word."""
    draw = random.Random(5)
    constants = declared([Reciprocal(k) for k in (250, 255, 256, 257, 280)])
    tops = (0x80000000, 0x80000001, 0xFFFFFFFF, 0x8000FFFF, 0xFFFF0000, 1, 3)
    for _ in range(40):
        words = [draw.choice((0, 1, 0xFFFFFFFF, 0x80000000, draw.getrandbits(32))) for _ in "123"]
        modulus = sum(word << 32 * i for i, word in enumerate([*words, draw.choice(tops)]))
        expected = [(1 << k) // modulus for k in (250, 255, 256, 257, 280)]
        assert compute(constants, modulus, 8) == expected


MODULI = {"zero": 0, "one": 1, "even": 1 << 40, "long": 1 << 64, "longest": (1 << 4096) - 1}


@pytest.mark.parametrize("modulus", MODULI.values(), ids=MODULI)
def test_moduli_that_are_refused(modulus):
    """For refused moduli, the driver ends and writes all words of the constants, or none."""
    formulas = [PowerOfTwo(200), Reciprocal(130), NegatedInverse(90)]
    formulas += [Remainder(ProductOf(formulas[1], formulas[2])), ProductOf(*formulas[:2])]
    values = compute(declared(formulas, 96), modulus, 2)
    if modulus in (0, 1 << 64, (1 << 4096) - 1):
        assert values == [0] * 5
    else:
        quotient = (1 << 130) // modulus
        power = pow(2, 200, modulus)
        fits = quotient < 1 << 96
        assert bool(values) == fits
        if fits:
            assert values[:2] == [power, quotient]
            assert values[4] == power * quotient


@pytest.mark.parametrize(
    ("nbits", "words", "fits"), [(66, 2, True), (65, 2, False), (66, 1, True), (64, 1, False)]
)
def test_constant_that_has_no_place(nbits, words, fits):
    """A constant longer than its place: none is written. Places fit the widest constant."""
    constants = declared([PowerOfTwo(3), Reciprocal(96)], nbits)
    modulus = (1 << 31) - 1
    quotient = (1 << 96) // modulus
    assert quotient.bit_length() == 66
    assert compute(constants, modulus, words) == ([8, quotient] if fits else [])


@pytest.mark.parametrize("exponent", [(1 << 32) - 1, 1 << 32, (1 << 32) + 1, (1 << 64) - 1])
def test_far_powers(exponent):
    modulus = (1 << 96) - 17
    assert compute(declared([PowerOfTwo(exponent)]), modulus, 3) == [pow(2, exponent, modulus)]


def test_shared_operations_are_computed_once():
    r = PowerOfTwo(64)
    table = table_of(declared([r, Remainder(ProductOf(r, r)), ProductOf(r, r)]))
    assert len(table.steps) == 3 + len(("power", "product", "remainder"))


class Unknown(Formula):
    """Formula without C code."""

    def most_nbits(self, modulus_nbits):
        return modulus_nbits

    def value(self, modulus):
        return modulus

    def __str__(self):
        return "m"


LONG = Reciprocal(12000)
IMPOSSIBLE = {
    "unknown": (Unknown(), 32, "constant c0: m: the host has no such operation"),
    "power": (PowerOfTwo(-1), 32, "exponent -1: 0 to 18446744073709551615 are allowed"),
    "far power": (PowerOfTwo(1 << 64), 32, "exponent 18446744073709551616: 0 to"),
    "reciprocal": (Reciprocal(-1), 32, "exponent -1: 0 or more is allowed"),
    "inverse": (NegatedInverse(0), 32, "number of bits 0: 1 or more is allowed"),
    "long": (Reciprocal(16384), 32, r"2\^16384 / m.* up to 16416 bits, 16384 are allowed"),
    "long inverse": (NegatedInverse(16385), 32, "up to 16416 bits, 16384 are allowed"),
    "on the way": (Remainder(ProductOf(LONG, LONG)), 32, "up to 24064 bits, 16384 are allowed"),
    "no width": (PowerOfTwo(1), 0, "constant c0: 0 bits wide: 1 to 16384 are allowed"),
    "wide": (PowerOfTwo(1), 16385, "constant c0: 16385 bits wide: 1 to 16384 are allowed"),
}


@pytest.mark.parametrize(("formula", "nbits", "message"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_refused_before_the_compiler(formula, nbits, message):
    with pytest.raises(ValueError, match=message):
        build("xcel", declared([formula], nbits))


def test_system_that_its_driver_cannot_serve(monkeypatch):
    """The system is refused, before a program is built; the message names the constant."""
    monkeypatch.setattr(System, "constants", declared([LONG, Reciprocal(20000)]))
    with pytest.raises(ValueError, match=r"constant c1: floor\(2\^20000 / m\) is too long"):
        find_system("proc_systolic_l2r_always", 64)


def test_too_many():
    with pytest.raises(ValueError, match=r"600 constants: the host needs \d+ bytes of memory"):
        build("xcel", declared([PowerOfTwo(k) for k in range(600)]))


def test_as_many_as_there_is_space_for():
    exponents = range(500)
    modulus = (1 << 64) - 59
    expected = [pow(2, k, modulus) for k in exponents]
    assert compute(declared([PowerOfTwo(k) for k in exponents]), modulus, 2) == expected


def test_only_drivers_compute_constants():
    """What a driver's constants change is not in its measured code."""
    drivers = {name for name in SOURCES if name.startswith(("xcel", "axi"))} - {"xcel_printed"}
    for name in SOURCES:
        plain = build(name)
        if name not in drivers:
            assert build(name, declared([Unknown()])) == plain
            continue
        found = build(name, declared([PowerOfTwo(1)]))
        prepare = next(x.address for x in plain.labels if x.name == "prepare")
        changed = {x for x in plain.code if plain.word(x) != found.word(x)}
        assert changed == {prepare}


def test_nothing_to_compute_without_operands():
    image = build("xcel", declared([PowerOfTwo(1)]))
    assert run_fl(image, Devices(Accelerator(2))).end.exit_status == EXIT_NO_OPERANDS
