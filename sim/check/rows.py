"""Operands (rows) for a check: corners, literals, small and random numbers."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence

from rsaxcel.circuit import Circuit, ProductCircuit, is_product
from rsaxcel.fl.status import InputRules, Status
from rsaxcel.sim import corners
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import PowerOperation, operation
from rsaxcel.sim.runners import cycles_or, translation, unknown_cycles
from rsaxcel.sim.vectors import random_vectors

LEAST_ROWS = 200  #: least number of rows that run, however many cycles a row takes

#: Rows that are compared with the models, besides two for each modulus of up to 8 bits.
MODELLED = 400

_CYCLES = 3e8  #: budget of cycles for a circuit on the native engine
_NUMBERS = 64
_PAIRS_NBITS = 8
_MODULI_NBITS = 13


def draw(rules: InputRules, count: int, seed: int, named: Iterable[int] = ()) -> list[Operands]:
    """Draw rows for the check of a design; ``count`` random rows come last.

    Numbers ``named`` in the circuit may be a specially treated modulus, or a stored answer.
    """
    nbits = rules.nbits
    draws = random.Random(f"named/{nbits}/{seed}")
    exponent_nbits = rules.exponent_nbits or nbits
    rows = [*_ends(nbits, exponent_nbits), *_named(nbits, exponent_nbits, named, draws)]
    if rules.odd_modulus:
        # Make even moduli odd, so that the circuit computes a result. The random operands below
        # include even moduli, which break an input rule.
        rows = [(b, e, m | 1) if m > 1 else (b, e, m) for b, e, m in rows]
    if only := rules.constant_modulus:
        rows = [(b % only, e, only) for b, e, m in rows]
    rows += _small(rules, draws)
    drawn = random_vectors(count, seed, nbits, PowerOperation(rules))
    return [*dict.fromkeys(rows), *(vector.operands for vector in drawn)]


def _ends(nbits: int, exponent_nbits: int) -> Iterator[Operands]:
    """Yield rows with the ends of the range of each operand, and with values just beyond."""
    most = (1 << nbits) - 1
    for modulus in corners.moduli(nbits):
        for base in sorted({*corners.residues(modulus), modulus, most}):
            for exponent in corners.exponents(exponent_nbits):
                yield base, exponent, modulus
    yield from ((1 << nbits, 3, most), (3, 1 << exponent_nbits, most), (3, 3, 1 << nbits))


def _small(rules: InputRules, draws: random.Random) -> Iterator[Operands]:
    """Yield rows with every modulus that the rules allow, at widths of up to 13 bits.

    At up to 8 bits, every modulus comes with every base; exponents are 2, 3 or random. At 9 to 13
    bits, every modulus comes once with random base and exponent, and with every base of which a
    power is 0 modulo m; then exponents are 2 to 7. A multiplier that gives m in place of 0 for a
    few products may have no fault at up to 8 bits that an exponentiation shows.
    """
    nbits = rules.nbits
    if nbits > _MODULI_NBITS:
        return
    step = 2 if rules.odd_modulus else 1
    allowed = range(rules.min_modulus, 1 << nbits, step)
    radicals = _radicals(1 << nbits)
    for modulus in [rules.constant_modulus] if rules.constant_modulus else allowed:
        pairs = nbits <= _PAIRS_NBITS
        for base in range(modulus) if pairs else [draws.randrange(modulus)]:
            drawn = max(draws.getrandbits(rules.exponent_nbits or nbits), rules.min_exponent)
            yield base, draws.choice((2, 3, drawn)) if pairs else drawn, modulus
        if not pairs:
            for base in range(radicals[modulus], modulus, radicals[modulus]):
                yield base, draws.randrange(2, 8), modulus


def _radicals(limit: int) -> list[int]:
    """Radicals (products of the different prime factors) of the numbers below a limit."""
    found = [1] * limit
    for number in range(2, limit):
        if found[number] == 1:
            for multiple in range(number, limit, number):
                found[multiple] *= number
    return found


def _named(
    nbits: int, exponent_nbits: int, named: Iterable[int], draws: random.Random
) -> Iterator[Operands]:
    """Yield rows in which a number x of ``named``, x - 1 or x + 1 is modulus, base or exponent."""
    most, exponents = (1 << nbits) - 1, 1 << exponent_nbits
    numbers = {y for x in named for y in (x - 1, x, x + 1)}
    found = sorted(x for x in numbers if 3 <= x <= most)
    if len(found) > 4 * _NUMBERS:
        found = sorted(draws.sample(found, 4 * _NUMBERS))
    for number in found:
        for _ in range(2):
            yield draws.randrange(number), draws.randrange(exponents), number
        modulus = draws.randrange(number, most) + 1 if number < most else most
        yield number % modulus, draws.randrange(exponents), modulus
        yield draws.randrange(modulus), number % exponents, modulus


def as_many_as(rows: Sequence[Operands], cycles: float, seed: int) -> list[Operands]:
    """Draw as many rows as a circuit runs in a few seconds, if a row takes ``cycles`` cycles."""
    count = max(LEAST_ROWS, int(_CYCLES / max(1, cycles)))
    if len(rows) <= count:
        return list(rows)
    return random.Random(f"affordable/{seed}").sample(rows, count)


def drawn_indices(rows: list[Operands], count: int, seed: int) -> list[int]:
    """Choose indices of rows for the models, which are slower than the circuit.

    ``count`` rows: half the first ones, half random ones; and up to two for each modulus of up to 8
    bits.
    """
    first = list(range(min(len(rows), count // 2)))
    rest = range(len(first), len(rows))
    draws = random.Random(f"models/{seed}")
    chosen = {*first, *draws.sample(rest, min(len(rest), count - len(first)))}
    seen: dict[int, int] = {}
    for index in draws.sample(range(len(rows)), len(rows)):
        modulus = rows[index][2]
        if modulus >> _PAIRS_NBITS == 0 and seen.get(modulus, 0) < 2:
            seen[modulus] = seen.get(modulus, 0) + 1
            chosen.add(index)
    return sorted(chosen)


_DIGITS = {10: ("dD", "0-9"), 2: ("bB", "01"), 16: ("hH", "0-9a-fA-F"), 8: ("oO", "0-7")}
_VALUES = {
    radix: re.compile(rf"'[sS]?[{mark}]\s*([{digits}][{digits}_]*)")
    for radix, (mark, digits) in _DIGITS.items()
}


def numbers_of(text: str, nbits: int) -> list[int]:
    """Sorted literals of a Verilog text that fit ``nbits`` bits."""
    # A circuit that treats one operand specially contains it as a literal, so a check uses all of
    # them.
    found = {int(x, radix) for radix, known in _VALUES.items() for x in known.findall(text)}
    return sorted(x for x in found if x >> nbits == 0)


_ABOVE = 500


def rows_of(configuration: Circuit, count: int, seed: int) -> list[Operands]:
    """Return rows to check a configuration with, up to ``count`` of them random.

    Operands of a multiplier meet its contract: its circuit does not check them.
    """
    to_do = operation(configuration)
    drawn = random_vectors(count, seed, configuration.nbits, to_do)
    if is_product(configuration):
        rows = [*_products(configuration, seed), *(x.operands for x in drawn)]
        return [row for row in dict.fromkeys(rows) if to_do.status(row) is Status.OK]
    assert configuration.rules is not None
    if configuration.halves:
        return [x.operands for x in drawn]
    named = numbers_of(translation(configuration, "rtl").text, configuration.nbits)
    return draw(configuration.rules, count, seed, named)


def _products(configuration: ProductCircuit, seed: int) -> list[Operands]:
    """Return rows (a, b, modulus): ends of ranges, up to 13 bits every modulus, then ``_above``."""
    draws = random.Random(f"products/{seed}")
    nbits, only, rows = configuration.nbits, configuration.constant_modulus, []
    for modulus in [only] if only else corners.moduli(nbits):
        limit = configuration.golden.operand_limit(modulus)
        ends = {*corners.residues(modulus), modulus, limit - 2, limit - 1}
        rows += [(a, b, modulus) for a in sorted(ends) for b in sorted(ends) if min(a, b) >= 0]
    if nbits <= _MODULI_NBITS and not only:
        odd = configuration.golden.odd_modulus
        for modulus in range(3, 1 << nbits, 2) if odd else range(2, 1 << nbits):
            limit = configuration.golden.operand_limit(modulus)
            rows.append((draws.randrange(limit), draws.randrange(limit), modulus))
    return [*rows, *_above(configuration, draws)]


def _above(configuration: ProductCircuit, draws: random.Random) -> Iterator[Operands]:
    """Draw operands up to the multiplier's limit, for moduli below it; random vectors have none."""
    for _ in range(_ABOVE):
        drawn = draws.getrandbits(draws.randint(2, configuration.nbits)) | 3
        modulus = configuration.usable_modulus(drawn)
        limit = configuration.golden.operand_limit(modulus)
        if limit > modulus:
            yield draws.randrange(limit), draws.randrange(limit), modulus


def affordable(
    configuration: Circuit, rows: Sequence[Operands], cycles: float, seed: int
) -> list[Operands]:
    """Choose as many random rows as can run in ``cycles`` cycles in total, but at least four."""
    draws = random.Random(f"affordable/{seed}")
    chosen: list[Operands] = []
    for row in draws.sample(rows, min(len(rows), int(cycles))):
        longest = unknown_cycles(configuration)
        cycles -= cycles_or(longest, configuration, row) + configuration.load_cycles + 2
        if cycles < 0 and len(chosen) >= 4:
            break
        chosen.append(row)
    return chosen
