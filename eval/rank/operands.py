"""Operands that a design has not seen: corners, what its Verilog names, and random ones."""

from __future__ import annotations

import random
from collections.abc import Iterator

from eval.operations import Power
from eval.rank.verilog import numbers_of
from eval.vectors import random_vectors
from flow.subjects.given import GivenDesign

Operands = tuple[int, int, int]

_NUMBERS = 64


def draw(given: GivenDesign, count: int, seed: int) -> list[Operands]:
    """Operands, the same for the same seed, of which ``count`` are random."""
    nbits = given.nbits
    rows = [*_corners(nbits), *_named(given, random.Random(f"named/{nbits}/{seed}"))]
    if given.odd_modulus:
        # the rule is tried by the random ones; of these, as many as can be should be operations
        rows = [(b, e, m | 1) if m > 1 else (b, e, m) for b, e, m in rows]
    drawn = random_vectors(count, seed, nbits, Power(given.rules))
    return [*dict.fromkeys(rows), *(vector.operands for vector in drawn)]


def _corners(nbits: int) -> Iterator[Operands]:
    """Give the ends of each operand's range, and just beyond."""
    most, top = (1 << nbits) - 1, 1 << (nbits - 1)
    for modulus in (0, 1, 2, 3, 4, 5, top - 1, top, top + 1, most - 2, most - 1, most):
        bases = {0, 1, 2, modulus >> 1, modulus - 2, modulus - 1, modulus, most}
        for base in sorted(b for b in bases if b >= 0):
            for exponent in (0, 1, 2, 3, top, most - 1, most):
                yield base, exponent, modulus
    yield from ((1 << nbits, 3, most), (3, 1 << nbits, most), (3, 3, 1 << nbits))


def _named(given: GivenDesign, draws: random.Random) -> Iterator[Operands]:
    """Take numbers that the Verilog names, and those beside them, as every operand.

    Who treats a modulus apart has to name it; so has who knows an answer.
    """
    most = (1 << given.nbits) - 1
    numbers = {y for x in numbers_of(given.text, given.nbits) for y in (x - 1, x, x + 1)}
    found = sorted(x for x in numbers if 3 <= x <= most)
    if len(found) > 4 * _NUMBERS:
        found = sorted(draws.sample(found, 4 * _NUMBERS))
    for number in found:
        for _ in range(2):
            yield draws.randrange(number), draws.randrange(most + 1), number
        modulus = draws.randrange(number, most) + 1 if number < most else most
        yield number % modulus, draws.randrange(most + 1), modulus
        yield draws.randrange(modulus), number, modulus
