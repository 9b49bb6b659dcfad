"""Writes in words what placement changes: how near figures come to printed ones, and rankings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

_MOST_NAMED = 12
_ALIKE = 0.0005


@dataclass(frozen=True)
class Near:
    """A measured figure over the printed one, as synthesized and as placed."""

    synthesized: float
    placed: float

    @property
    def approach(self) -> float:
        """By how much the placed figure is nearer to the printed one, in logarithms of ratios."""
        return abs(log(self.synthesized)) - abs(log(self.placed))


def nearness(found: Sequence[Near]) -> str:
    """Text that counts the figures whose placed value is nearer to print than the synthesized."""
    nearer = sum(x.approach > _ALIKE for x in found)
    farther = [x for x in found if x.approach < -_ALIKE]
    alike = len(found) - nearer - len(farther)
    counts = {"nearer to print as placed": nearer, "as near": alike, "farther": len(farther)}
    told = ", ".join(f"{words}: {count}" for words, count in counts.items() if count)
    text = f"Figures and ratios: {len(found)}; {told}"
    if not farther:
        return f"{text}."
    above = sum(x.synthesized > 1 and x.placed > x.synthesized for x in farther)
    return f"{text}, of which above print as synthesized, and larger as placed: {above}."


def distances(found: Sequence[Near]) -> str:
    """Text on the ranges of figures over print at each stage, and on how many come nearer."""
    nearer = sum(x.approach > _ALIKE for x in found)
    ranges = [
        " to ".join(dict.fromkeys(f"{end(ratios):.2f}" for end in (min, max)))
        for ratios in ([x.synthesized for x in found], [x.placed for x in found])
    ]
    counted = f"{nearer} of {len(found)} nearer"
    return f"{ranges[0]} of print as synthesized, {ranges[1]} as placed, {counted}"


def moved(before: Mapping[str, float], after: Mapping[str, float]) -> str:
    """Text on the subjects whose place in a ranking changes, the least figure first."""
    both = [x for x in before if x in after]
    places = [
        {name: number for number, name in enumerate(sorted(both, key=figures.__getitem__), 1)}
        for figures in (before, after)
    ]
    first, second = places
    changed = sorted((x for x in both if first[x] != second[x]), key=second.__getitem__)
    if not changed:
        return f"none of {len(both)} changes its place"
    shown = changed[:_MOST_NAMED]
    listed = ", ".join(f"{x} from {first[x]} to {second[x]}" for x in shown)
    more = f", and {len(changed) - len(shown)} others" if len(changed) > len(shown) else ""
    return f"{len(changed)} of {len(both)} change their places: {listed}{more}"
