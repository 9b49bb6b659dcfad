"""Operands (rows) for the check of any configuration: a design or a multiplier."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from rsaxcel.circuit import Circuit, ProductCircuit, is_product
from rsaxcel.fl.status import Status
from rsaxcel.sim import corners
from rsaxcel.sim.check import operands
from rsaxcel.sim.check.operands import MODULI_NBITS
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import operation
from rsaxcel.sim.runners import cycles_or, translation, unknown_cycles
from rsaxcel.sim.vectors import random_vectors

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
    return operands.draw(configuration.rules, count, seed, named)


def _products(configuration: ProductCircuit, seed: int) -> list[Operands]:
    """Return rows (a, b, modulus): ends of ranges, up to 13 bits every modulus, then ``_above``."""
    draws = random.Random(f"products/{seed}")
    nbits, only, rows = configuration.nbits, configuration.constant_modulus, []
    for modulus in [only] if only else corners.moduli(nbits):
        limit = configuration.golden.operand_limit(modulus)
        ends = {*corners.residues(modulus), modulus, limit - 2, limit - 1}
        rows += [(a, b, modulus) for a in sorted(ends) for b in sorted(ends) if min(a, b) >= 0]
    if nbits <= MODULI_NBITS and not only:
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
