"""A few operations at widths that a description claims, beside those that are checked."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rsaxcel.circuit import is_product
from rsaxcel.sim.check.behaviour import compare
from rsaxcel.sim.check.hints import with_hints
from rsaxcel.sim.check.refused import Refused
from rsaxcel.sim.check.subject import subject_of
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import operation

_LISTED = 8  #: most widths of a list
_ROWS = 4
_CYCLES, _MOST_CYCLES = 3e6, 1e7  #: most cycles of all operations of a width, and of one


def claimed(widths: Sequence[int]) -> list[int]:
    """Widths that stand for all that are claimed: those of a short list, else ends and a middle."""
    if len(widths) <= _LISTED:
        return [*widths]
    return sorted({*widths[:2], widths[len(widths) // 2], widths[-1]})


def check_widths(
    entry: Any,
    params: Mapping[str, Any],
    widths: Sequence[int],
    circuit: Any,
    count: int,
    seed: int,
) -> str:
    """Compare a few results of full length at each of ``widths`` with Python's integers."""
    subject = subject_of(circuit)
    usual = max(int(x or 0) for x in subject.run([*_rows(circuit, seed)]).cycles)
    done, left = [], []
    for nbits in widths:
        expected = usual * (nbits / circuit.nbits) ** 2
        if expected > _MOST_CYCLES:
            left.append(nbits)
            continue
        try:
            other = entry.configure(nbits, **params)
        except ValueError as error:
            raise Refused("broken", f"{nbits} bits, which it claims: {error}") from error
        few = max(1, min(_ROWS, int(_CYCLES / max(1, expected))))
        with_hints(_compare)(other, few, seed)
        done.append(nbits)
    told = [f"{', '.join(map(str, done))} bits are right"] if done else []
    if left:
        most = f"{_MOST_CYCLES:,.0f}"
        told.append(f"not run at {', '.join(map(str, left))} bits: more than {most} cycles")
    return "; ".join(told)


def _compare(circuit: Any, count: int, seed: int) -> str:
    rows = [*_rows(circuit, seed)][:count]
    subject = subject_of(circuit)
    compare(subject, rows, subject.run(rows), "wrong", "")
    return ""


def _rows(circuit: Any, seed: int) -> Iterator[Operands]:
    """Draw operands of full length that meet the rules."""
    draws, nbits = random.Random(f"widths/{circuit.nbits}/{seed}"), circuit.nbits
    to_do, found = operation(circuit), 0
    while found < _ROWS:
        n = circuit.usable_modulus(draws.getrandbits(nbits) | 1 << nbits - 1 | 1)
        second = draws.getrandbits(nbits) | 1 << nbits - 1 | 1
        row = draws.randrange(n), second % n if is_product(circuit) else second, n
        if not to_do.status(row):
            found += 1
            yield row
