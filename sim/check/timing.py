"""On which operands the cycles of a circuit depend, measured: one operand changes at a time."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from rsaxcel.circuit import is_product
from rsaxcel.sim.check.refused import Refused
from rsaxcel.sim.check.subject import CheckSubject, subject_of
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import operation

_WORDS = {"base": "the base", "exp": "the exponent", "n": "the modulus", "a": "a", "b": "b"}
_REPEATED = 3  #: values of the same length and weight
_DECLARED = {"exp": "exponent_dependent", "base": "base_dependent"}


def check_cycles(circuit: Any, count: int, seed: int) -> str:
    """Say on which operands the cycles depend; refuse what contradicts a declaration."""
    subject, draws = subject_of(circuit), random.Random(f"cycles/{circuit.nbits}/{seed}")
    told, counted = [], set()
    for place, name in enumerate(subject.keys):
        rows = _varied(circuit, place, draws)
        cycles = _cycles(subject, rows)
        counted |= {*cycles}
        values = [row[place] for row in rows]
        special = [(x, y) for x, y in zip(values, cycles, strict=True) if x < 2]
        if dependence := _dependence([*zip(values, cycles, strict=True)]):
            _compare(circuit, subject, name, rows, cycles)
            least, most = min(cycles), max(cycles)
            told.append(f"the {dependence} of {_WORDS[name]}: {least:,} to {most:,}")
        elif len({*cycles}) > 1:
            _compare(circuit, subject, name, rows, cycles)
            usual = max(cycles, key=cycles.count)
            few = ", ".join(f"{x}: {y:,}" for x, y in dict(special).items() if y != usual)
            told.append(f"whether {_WORDS[name]} is small ({few}; else {usual:,})")
    if not told:
        return f"cycles: constant ({min(counted):,})"
    return f"cycles depend on {'; on '.join(told)}"


def _varied(circuit: Any, place: int, draws: random.Random) -> list[Operands]:
    """Rows in which one operand changes, in length, weight and value, and the others stay."""
    nbits = circuit.nbits
    to_do = operation(circuit)
    lengths = sorted({nbits, nbits - 1, 3 * nbits // 4, nbits // 2, max(3, nbits // 4)})
    while True:
        modulus = circuit.usable_modulus((1 << nbits) - 1 - 2 * draws.getrandbits(nbits - 2))
        fixed = [draws.randrange(modulus) for _ in range(2)] + [modulus]
        if not to_do.status((fixed[0], fixed[1], modulus)):
            break
    if place == 2:  # the others are below each modulus
        fixed[0] = draws.randrange(1, 4)
        if is_product(circuit):
            fixed[1] = draws.randrange(1, 4)
    values = [0, 1]
    for length in lengths:
        for weight in sorted({2, (length + 1) // 2, max(2, length - 1)}):
            values += [_number(length, weight, draws, place == 2) for _ in range(_REPEATED)]
    rows = []
    for value in values:
        row = [*fixed]
        row[place] = value
        rows.append((row[0], row[1], row[2]))
    return [x for x in rows if not to_do.status(x)]


def _number(length: int, weight: int, draws: random.Random, odd: bool) -> int:
    """Draw a number of a length with so many ones, as far as there is one."""
    found = 1 << length - 1 | odd
    places = [x for x in range(length) if not found >> x & 1]
    for place in draws.sample(places, min(len(places), max(0, weight - found.bit_count()))):
        found |= 1 << place
    return found


def _cycles(subject: CheckSubject, rows: Sequence[Operands]) -> list[int]:
    return [int(x or 0) for x in subject.run(rows).cycles]


def _dependence(pairs: Sequence[tuple[int, int]]) -> str:
    """Say what of a value determines the cycles; "": at most whether it is 0 or 1 does."""
    usual = [(x, y) for x, y in pairs if x > 1]
    if len({y for _, y in usual}) < 2:
        return ""
    kinds: dict[str, Callable[[int], Any]] = {
        "length": int.bit_length,
        "weight (number of ones)": int.bit_count,
        "length and weight (number of ones)": lambda x: (x.bit_length(), x.bit_count()),
    }
    for name, kind in kinds.items():
        groups: dict[Any, set[int]] = {}
        for value, cycles in usual:
            groups.setdefault(kind(value), set()).add(cycles)
        if all(len(x) == 1 for x in groups.values()):
            return name
    return "value"


def _compare(
    circuit: Any, subject: CheckSubject, name: str, rows: Sequence[Operands], cycles: Sequence[int]
) -> None:
    """Refuse a core that declares that an operand never changes its cycles."""
    if name not in _DECLARED or getattr(circuit, _DECLARED[name]):
        return
    places = cycles.index(min(cycles)), cycles.index(max(cycles))
    shown = " and ".join(
        f"{cycles[i]:,} cycles for "
        + ", ".join(f"{k}={x:#x}" for k, x in zip(subject.keys, rows[i], strict=True))
        for i in places
    )
    told = f"{circuit.nbits} bits: secrecy.{_DECLARED[name]} = false is declared, but there are"
    raise Refused("declared", f"{told} {shown}", subject.replay([rows[i] for i in places]))
