"""What the wrong results of a core have in common, which names a mistake of its description."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import permutations
from typing import Any

from rsaxcel.circuit import DescribedCircuit
from rsaxcel.sim.check.handshakes import (
    Answer,
    Bare,
    allowed,
    handshakes,
    has_addresses,
    too_early,
    what_is_stuck,
)
from rsaxcel.sim.check.refused import Refused
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import operation
from rsaxcel.sim.vectors import random_vectors

_ROWS = 120
_FEW = 12
_PAIRS = 8
_CYCLES = 2e7  #: budget of cycles of the rows
_EARLY = 2  #: cycles in which no operation ends

Check = Callable[[Any, int, int], str]
Number = Callable[[int, int], int]  #: makes a number of a number and its width


def with_hints(check: Check) -> Check:
    """Add to a fault of a core what its wrong results have in common."""

    def checked(circuit: Any, count: int, seed: int) -> str:
        try:
            return check(circuit, count, seed)
        except Refused as fault:
            if told := hint(circuit, seed):
                raise Refused(fault.kind, f"{fault.reason}; {told}", fault.replay) from fault
            raise

    return checked


def hint(circuit: DescribedCircuit, seed: int) -> str:
    """Say what the wrong results of a core have in common; "": nothing is found."""
    bare, to_do = Bare(circuit), operation(circuit)
    draw = random.Random(f"hints/{seed}")
    rows = [x.operands for x in random_vectors(_ROWS, seed, circuit.nbits, to_do)]
    rows = allowed(circuit, [*rows, *(to_do.draw_corner(draw, circuit.nbits) for _ in rows)])
    first = bare.alone(rows[0])
    longest = max(bare.most_cycles if first.result is None else first.cycles, 1)
    count = max(_FEW, int(_CYCLES / longest))
    rows = draw.sample(rows, min(len(rows), count))
    answers = [bare.alone(x) for x in rows]
    wrong = [i for i, x in enumerate(answers) if x.result != bare.expected(rows[i])]
    if told := handshakes(circuit):
        return told
    if not wrong:
        return _in_turn(bare, rows) or what_is_stuck(circuit)
    if len(wrong) < len(rows) / 2:
        return _in_common(bare, rows, answers, {*wrong})
    return _of_most(bare, rows, answers)


def _of_most(bare: Bare, rows: Sequence[Operands], answers: Sequence[Answer]) -> str:
    """Say why most results may be wrong."""
    tried = bare.circuit.variants()
    ended = [x for x in answers if x.result is not None]
    late = len(ended) > len(rows) / 2 and min(x.cycles for x in ended) > _EARLY
    if not late or has_addresses(bare.circuit.described_core):
        for name, core, told in tried:
            other = Bare(bare.circuit, core, name)
            other.most_cycles = min(other.most_cycles, 20_000 + 64 * bare.circuit.nbits**2)
            few = rows[:_FEW]
            if all(other.alone(x).result == other.expected(x) for x in few):
                return f"with {told} in the description, results are right"
    if not late:
        if not ended:
            seen = what_is_stuck(bare.circuit)
            told = f" ({seen})" if seen else ""
            look = "look at the polarity of the reset, and at what tells the end"
            return f"no operation ends{told}: {look}"
        if len({x.cycles for x in ended}) == 1 and ended[0].cycles <= _EARLY:
            return (
                f"every operation ends after {ended[0].cycles} cycles: look at the polarity of the "
                "reset, at what tells the end (done, busy, ready), and at settles"
            )
    if told := too_early(bare.circuit):
        return told
    if told := _unreduced(bare, rows, answers) or _in_turn(bare, rows):
        return told
    if told := _rearranged(bare):
        return told
    if len({x.result for x in ended}) == 1:
        return f"every result is {ended[0].result:#x}"
    if told := _narrower(bare):
        return told
    return _in_common(
        bare,
        rows,
        answers,
        {i for i, x in enumerate(answers) if x.result != bare.expected(rows[i])},
    )


def _unreduced(bare: Bare, rows: Sequence[Operands], answers: Sequence[Answer]) -> str:
    """Say that wrong results are right modulo the modulus."""
    pairs = [(x.result, bare.expected(row), row[2]) for x, row in zip(answers, rows, strict=True)]
    wrong = [(x, y, n) for x, y, n in pairs if x != y]
    if any(x is None or y is None or x % n != y for x, y, n in wrong):
        return ""
    if all(y == 0 and x == n for x, y, n in wrong):
        return "results that are 0 are wrong: the core gives the modulus itself"
    return "results are right modulo the modulus, but not below it: a last reduction is missing"


def _in_turn(bare: Bare, rows: Sequence[Operands]) -> str:
    """Say that results come one operation late."""
    few = rows[: 2 * _FEW]
    found = [x.result for x in bare.in_turn(few)][1:]
    before = [bare.expected(x) for x in few][:-1]
    right = [bare.expected(x) for x in few][1:]
    told = [x == y for x, y, z in zip(found, before, right, strict=True) if y != z]
    if told and all(told):
        return (
            "each result is that of the operation before: the end is told before the result is "
            "there, or an answer came twice"
        )
    return ""


def _seen(bare: Bare) -> Iterator[tuple[str, Callable[[Operands], Operands], Number]]:
    """Yield mistakes: what the core makes of operands, and of the result."""
    nbits, names = bare.circuit.nbits, ("a", "b", "n") if bare.is_product else ("b", "e", "n")
    numbers: list[tuple[str, Number]] = [("bits are reversed", _reversed_by(1))]
    words = {8, 16, 32, 64, *bare.circuit.word_widths}
    numbers += [
        (f"words of {x} bits come in the other order", _reversed_by(x))
        for x in sorted(words)
        if x < nbits
    ]

    def same(number: int, width: int) -> int:
        return number

    for order in list(permutations(range(3)))[1:]:
        said = ", ".join(
            f"{names[x]} where {names[i]} belongs" for i, x in enumerate(order) if i != x
        )
        yield f"operands are exchanged: {said}", partial(_exchanged, order), same
    for told, number in numbers:
        yield (
            f"{told} of all operands and of the result",
            partial(_each, number, nbits, (0, 1, 2)),
            number,
        )
        yield f"{told} of all operands", partial(_each, number, nbits, (0, 1, 2)), same
        yield f"{told} of the result", partial(_each, number, nbits, ()), number
        for i, name in enumerate(names):
            yield f"{told} of {name}", partial(_each, number, nbits, (i,)), same


def _exchanged(order: Sequence[int], row: Operands) -> Operands:
    first, second, third = (row[i] for i in order)
    return first, second, third


def _each(number: Number, nbits: int, places: Sequence[int], row: Operands) -> Operands:
    first, second, third = (number(x, nbits) if i in places else x for i, x in enumerate(row))
    return first, second, third


def _reversed_by(width: int) -> Number:
    def turned(number: int, nbits: int) -> int:
        mask, found = (1 << width) - 1, 0
        for _ in range(-(-nbits // width)):
            found, number = found << width | number & mask, number >> width
        return found & (1 << nbits) - 1

    return turned


def _rearranged(bare: Bare) -> str:
    """Say which rearrangement of operands and result makes results right."""
    to_do = operation(bare.circuit)
    nbits: Any = bare.circuit.nbits
    for told, mistake, result in _seen(bare):
        drawn = [x.operands for x in random_vectors(400, 1, bare.circuit.nbits, to_do)]
        # Rows, and what the core makes of them, which meets the rules.
        pairs = [
            (x, mistake(x)) for row in drawn for x in (row, mistake(row), mistake(mistake(row)))
        ]
        seen = {*allowed(bare.circuit, [x for _, x in pairs])}
        few = [(x, y) for x, y in pairs if y in seen and bare.expected(y)][:_PAIRS]
        if few and all(
            bare.alone(x).result == result(bare.expected(y) or 0, nbits) for x, y in few
        ):
            return f"results are right if {told}"
    return ""


def _narrower(bare: Bare) -> str:
    """Say up to how many bits of the operands results are right, if none of full length is."""
    draws, most, right = random.Random(0), bare.circuit.nbits, 0

    def are_right(nbits: int) -> set[bool]:
        rows = []
        for _ in range(6):
            n = draws.getrandbits(nbits) | 1 << nbits - 1 | 1
            rows.append((draws.randrange(n), draws.getrandbits(nbits) % n or 1, n))
        return {bare.alone(x).result == bare.expected(x) for x in allowed(bare.circuit, rows)}

    if are_right(most) != {False}:
        return ""
    for nbits in (*(1 << x for x in range(1, most.bit_length())), most - 1):
        if nbits < most and are_right(nbits) == {True}:
            right = max(right, nbits)
    return f"results are right for operands of at most {right} bits" if right > 1 else ""


def _in_common(
    bare: Bare, rows: Sequence[Operands], answers: Sequence[Answer], wrong: set[int]
) -> str:
    """Say which property operands have if and only if their results are wrong."""
    nbits, most = bare.circuit.nbits, (1 << bare.circuit.nbits) - 1
    kinds: dict[str, Callable[[int, int, int, int | None], bool]] = {
        "the result is 0": lambda a, b, n, r: r == 0,
        "the modulus has its full length": lambda a, b, n, r: bool(n >> nbits - 1),
        "the modulus is shorter than the width": lambda a, b, n, r: not n >> nbits - 1,
        "the modulus is even": lambda a, b, n, r: n % 2 == 0,
        "the modulus is odd": lambda a, b, n, r: n % 2 == 1,
        "the first operand is 0": lambda a, b, n, r: a == 0,
        "the first operand is the modulus less 1": lambda a, b, n, r: a == n - 1,
        "the second operand is 0": lambda a, b, n, r: b == 0,
        "the second operand is 0 or 1": lambda a, b, n, r: b < 2,
        "the second operand is even": lambda a, b, n, r: b % 2 == 0,
        "the second operand is odd": lambda a, b, n, r: b % 2 == 1,
        "the second operand has its full length": lambda a, b, n, r: bool(b >> nbits - 1),
        "all bits of the second operand are 1": lambda a, b, n, r: b == most,
    }
    if not bare.is_product:
        swap = {"first operand": "base", "second operand": "exponent"}
        for old, new in swap.items():
            kinds = {name.replace(old, new): kind for name, kind in kinds.items()}
    late = f"; {_unreduced(bare, rows, answers)}" if _unreduced(bare, rows, answers) else ""
    for name, kind in kinds.items():
        has = {i for i, row in enumerate(rows) if kind(*row, bare.expected(row))}
        if has and wrong <= has and len(wrong) >= 0.8 * len(has) and len(has) < len(rows):
            return f"results are wrong where {name} ({len(wrong)} of {len(has)}), else right{late}"
    for name, kind in kinds.items():
        has = {i for i, row in enumerate(rows) if kind(*row, bare.expected(row))}
        if len(wrong) > 2 and wrong <= has and len(has) < 0.7 * len(rows):
            return f"results are wrong only where {name} ({len(wrong)} of {len(has)}){late}"
    return late.removeprefix("; ") or _narrower(bare)
