"""Operands of exponentiations: corners, what the Verilog names, all small ones, and random ones."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from eval import corners
from eval.operations import Operands, Power
from eval.vectors import random_vectors
from fl.status import InputRules

_NUMBERS = 64
_PAIRS_NBITS = 8
_MODULI_NBITS = 13


def draw(rules: InputRules, count: int, seed: int, named: Iterable[int] = ()) -> list[Operands]:
    """Operands, the same for the same seed, of which ``count`` are random.

    Parameters
    ----------
    rules
        Of the design; its width is that of the operands.
    count, seed
        How many random ones, and what decides them.
    named
        Numbers that the circuit names: who treats a modulus apart has to name it, and so has who
        knows an answer.
    """
    nbits = rules.nbits
    draws = random.Random(f"named/{nbits}/{seed}")
    rows = [*_ends(nbits), *_named(nbits, named, draws)]
    if rules.odd_modulus:
        # the rule is tried by the random ones; of these, as many as can be should be operations
        rows = [(b, e, m | 1) if m > 1 else (b, e, m) for b, e, m in rows]
    if only := rules.constant_modulus:
        rows = [(b % only, e, only) for b, e, m in rows]
    rows += _small(rules, draws)
    drawn = random_vectors(count, seed, nbits, Power(rules))
    return [*dict.fromkeys(rows), *(vector.operands for vector in drawn)]


def _ends(nbits: int) -> Iterator[Operands]:
    """Give the ends of each operand's range, and just beyond."""
    most = (1 << nbits) - 1
    for modulus in corners.moduli(nbits):
        for base in sorted({*corners.residues(modulus), modulus, most}):
            for exponent in corners.exponents(nbits):
                yield base, exponent, modulus
    yield from ((1 << nbits, 3, most), (3, 1 << nbits, most), (3, 3, 1 << nbits))


def _small(rules: InputRules, draws: random.Random) -> Iterator[Operands]:
    """Of up to 8 bits, give each base with each modulus, squared, cubed or to some power.

    Of up to 13 bits, give each modulus once.
    """
    nbits = rules.nbits
    if nbits > _MODULI_NBITS:
        return
    step = 2 if rules.odd_modulus else 1
    allowed = range(3 if rules.odd_modulus else 2, 1 << nbits, step)
    for modulus in [rules.constant_modulus] if rules.constant_modulus else allowed:
        pairs = nbits <= _PAIRS_NBITS
        for base in range(modulus) if pairs else [draws.randrange(modulus)]:
            drawn = draws.getrandbits(min(nbits, rules.exponent_nbits))
            yield base, draws.choice((2, 3, drawn)) if pairs else drawn, modulus


def _named(nbits: int, named: Iterable[int], draws: random.Random) -> Iterator[Operands]:
    """Take numbers that are named, and those beside them, as every operand."""
    most = (1 << nbits) - 1
    numbers = {y for x in named for y in (x - 1, x, x + 1)}
    found = sorted(x for x in numbers if 3 <= x <= most)
    if len(found) > 4 * _NUMBERS:
        found = sorted(draws.sample(found, 4 * _NUMBERS))
    for number in found:
        for _ in range(2):
            yield draws.randrange(number), draws.randrange(most + 1), number
        modulus = draws.randrange(number, most) + 1 if number < most else most
        yield number % modulus, draws.randrange(most + 1), modulus
        yield draws.randrange(modulus), number, modulus


def drawn_indices(rows: list[Operands], count: int, seed: int) -> list[int]:
    """Choose rows for the models, which take longer than the circuit.

    The first ones, others that are drawn, and two of each modulus of up to 8 bits.
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
