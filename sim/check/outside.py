"""What a core does with operands outside of its input rules: it is told, not judged."""

from __future__ import annotations

import random
from collections.abc import Iterator

from rsaxcel.circuit import DescribedCircuit, is_product
from rsaxcel.sim.check.bare import Bare, allowed
from rsaxcel.sim.corners import Operands

_ROWS = 12
#: To hang is to take more than the longest allowed operation, times the factor, plus the margin.
_HANG_FACTOR, _HANG_MARGIN = 4, 1000


def check_outside(circuit: DescribedCircuit, count: int, seed: int) -> str:
    """Say in a line for each kind of operands outside of the rules what the core does."""
    bare, draws = Bare(circuit), random.Random(f"outside/{circuit.nbits}/{seed}")
    good = [_row(circuit, draws) for _ in range(_ROWS)]
    took = [x.cycles for x in bare.in_turn(good)]
    bare.most_cycles = min(bare.most_cycles, _HANG_FACTOR * max(took) + _HANG_MARGIN)
    lines = [f"{title}: {_told(bare, rows, good[0])}" for title, rows in _kinds(circuit, draws)]
    return "\n".join(["what is not judged:", *lines])


def _told(bare: Bare, rows: list[Operands], good: Operands) -> str:
    found: dict[str, list[str]] = {}
    after = ""
    for row in rows:
        answer, expected = bare.alone(row), bare.expected(row)
        if answer.result is None:
            kind = "no answer" if answer.is_taken else "not accepted"
            example = bare.shown(row)
        elif expected is None:
            kind, example = "some answer", ""
        elif answer.result == expected:
            kind, example = "right", ""
        else:
            kind = "wrong"
            example = f"{bare.shown(row)}: {answer.result:#x} instead of {expected:#x}"
        found.setdefault(kind, []).append(example)
        if answer.result is not None and not after:
            _, then = bare.in_turn([row, good])
            if then.result != bare.expected(good):
                after = f"; the operation after {bare.shown(row)} is wrong, too"
    parts = [
        f"{kind} in {len(x)} of {len(rows)}{f' ({x[0]})' if x[0] else ''}"
        for kind, x in found.items()
    ]
    return ", ".join(parts) + after


def _row(circuit: DescribedCircuit, draws: random.Random) -> Operands:
    """Draw operands that meet the rules."""
    nbits = circuit.nbits
    while True:
        modulus = circuit.usable_modulus(draws.getrandbits(nbits) | 3)
        row = draws.randrange(modulus), draws.getrandbits(nbits), modulus
        if circuit.rules is None:
            row = row[0], row[1] % modulus, modulus
        if found := allowed(circuit, [row]):
            return found[0]


def _kinds(circuit: DescribedCircuit, draws: random.Random) -> Iterator[tuple[str, list[Operands]]]:
    """Yield kinds of operands that a rule excludes, with rows that keep all other rules."""
    rules, nbits, most = circuit.rules, circuit.nbits, (1 << circuit.nbits) - 1
    rows = [_row(circuit, draws) for _ in range(_ROWS)]

    def with_moduli(moduli: list[int]) -> list[Operands]:
        small = [
            x % max(1, y) for x, y in zip((0, 1, 2, most, *range(3, _ROWS)), moduli, strict=False)
        ]
        changed = zip(small, rows, moduli, strict=False)
        return [(x, row[1] if rules else row[1] % max(1, y), y) for x, row, y in changed]

    yield "modulus 0", [(b, e, 0) for b, e, _ in rows[:4]]
    yield "modulus 1", [(0, e if rules else 0, 1) for _, e, _ in rows[:4]]
    odd = rules.odd_modulus if rules else is_product(circuit) and circuit.golden.odd_modulus
    least = rules.min_modulus if rules else 2
    if odd:
        even = [2, most - 1, *(max(2, row[2] & ~1) for row in rows)][:_ROWS]
        yield "even modulus", with_moduli([x for x in even if x >= least - 1] or [most - 1])
    if least > 3:
        short = [3, 5, (1 << nbits - 1) - 1, *(row[2] >> 1 | 3 for row in rows)][:_ROWS]
        yield "modulus shorter than the width", with_moduli([x for x in short if x < least])
    above = [(n, e, n) for _, e, n in rows[:4]]
    above += [(draws.randint(n, most), e, n) for _, e, n in rows[4:]]
    if rules is None:
        above += [(e, b, n) for b, e, n in above]
        yield "an operand not below the modulus", above
    else:
        yield "base not below the modulus", [*above, (most, 3, rows[0][2])]
    if rules and rules.min_exponent:
        yield "exponent 0", [(b, 0, n) for b, _, n in rows]
