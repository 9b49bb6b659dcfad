"""Why one design is so much larger than another, here and in the document."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval.report.areas import multipliers
from eval.report.published import Published
from eval.report.results import Result


@dataclass(frozen=True)
class AreaFactor:
    """One of the three things that make the ratio of the areas.

    Parameters
    ----------
    label : str
        For people.
    measured, printed : float
        In um2.
    ratio_if_printed : float
        What the measured ratio would be if this one alone were as printed.
    """

    label: str
    measured: float
    printed: float
    ratio_if_printed: float


@dataclass(frozen=True)
class AreaRatio:
    """Area of one design over another's, measured and printed, taken apart.

    Parameters
    ----------
    large, small : str
        Designs.
    measured, printed : float
        Ratios.
    unit_measured, unit_printed : float
        Ratios of one multiplier's area.
    factors : tuple of AreaFactor
        Multiplier of each design, and what is not multiplier.
    """

    large: str
    small: str
    measured: float
    printed: float
    unit_measured: float
    unit_printed: float
    factors: tuple[AreaFactor, ...]


def area_ratio(
    results: Mapping[str, Result], published: Published, large: str, small: str
) -> AreaRatio | None:
    """Take the ratio of two areas apart; None where a figure is missing."""
    if large not in results or small not in results:
        return None
    ours, theirs = [], []
    for design in (large, small):
        found = multipliers(results[design].record["area_by_module"])
        names = ("area", "multiplier_area", "multipliers")
        area, each, count = (published.value(design, name) for name in names)
        if not found or None in (area, each, count):
            return None
        total = results[design].area_um2
        ours.append((found.each_um2, found.count, total - found.area_um2))
        theirs.append((each, count, area - count * each))

    def ratio(sizes: Sequence[Sequence[float]]) -> float:
        (a, m, rest_a), (b, n, rest_b) = sizes
        return (a * m + rest_a) / (b * n + rest_b)

    def exchanged(design: int, field: int) -> float:
        sizes = [list(x) for x in ours]
        sizes[design][field] = theirs[design][field]
        return ratio(sizes)

    def factor(label: str, design: int, field: int) -> AreaFactor:
        values = ours[design][field], theirs[design][field]
        return AreaFactor(label, *values, exchanged(design, field))

    factors = [
        factor(f"One {published.designs[name]['multiplier']}", i, 0)
        for i, name in ((1, small), (0, large))
    ]
    factors += [factor(f"{name} without multipliers", i, 2) for i, name in ((1, small), (0, large))]
    return AreaRatio(
        large,
        small,
        ratio(ours),
        ratio(theirs),
        ours[0][0] / ours[1][0],
        theirs[0][0] / theirs[1][0],
        tuple(factors),
    )
