"""Writes in words what placement changes: how near figures come to printed ones, and rankings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

_MOST_NAMED = 12


@dataclass(frozen=True)
class Near:
    """A figure over the printed one, as synthesized and as placed.

    Parameters
    ----------
    synthesized, placed
        Measured figure over the printed one, at each stage.
    """

    synthesized: float
    placed: float

    @property
    def is_nearer(self) -> bool:
        """Whether the placed figure is nearer to the printed one, by the ratio."""
        return abs(log(self.placed)) < abs(log(self.synthesized))


def nearness(found: Sequence[Near]) -> str:
    """Text that counts the figures whose placed value is nearer to print than the synthesized."""
    nearer = [x for x in found if x.is_nearer]
    farther = [x for x in found if not x.is_nearer]
    text = f"of {len(found)} figures and ratios, {len(nearer)} are nearer to print as placed"
    if not farther:
        return f"{text}."
    above = sum(x.synthesized > 1 and x.placed > x.synthesized for x in farther)
    return (
        f"{text} and {len(farther)} farther; of the latter, {above} are above print as "
        "synthesized, and grow."
    )


def moved(before: Mapping[str, float], after: Mapping[str, float]) -> str:
    """Text on the subjects whose place in a ranking changes, the least figure first.

    Parameters
    ----------
    before, after
        Figures by subject; subjects that lack one of the two are not ranked.
    """
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
