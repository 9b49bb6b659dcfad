"""Measured figures beside printed ones: the rows that terminal, page and files all show."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from eval.report.areas import Multipliers, multipliers
from eval.report.published import Figure, Published
from eval.report.results import OPERATION_TITLES, OPERATIONS, Operation, Result

# The documents print powers and energies with two digits after the point.
_PRINTED_DECIMALS = 2


@dataclass(frozen=True)
class Cell:
    """One design's entry in a row.

    Parameters
    ----------
    measured : float, str or None
        Our figure; None where the design has none.
    printed, normalized : Figure or None
        The document's figure, and the one less the document's dummy run.
    """

    measured: float | str | None
    printed: Figure | None = None
    normalized: Figure | None = None


@dataclass(frozen=True)
class Row:
    """A quantity of all designs.

    Parameters
    ----------
    key : str
        Name in the files, unit included.
    label, unit : str
        For people.
    decimals, printed_decimals : int
        Digits after the point of measured and of printed figures.
    cells : dict of str to Cell
        By design.
    """

    key: str
    label: str
    unit: str
    decimals: int
    printed_decimals: int
    cells: dict[str, Cell]

    def text(self, value: float | str | None) -> str:
        """Show a measured value without its unit."""
        if value is None:
            return "-"
        return value if isinstance(value, str) else f"{value:,.{self.decimals}f}"

    def printed_text(self, figure: Figure) -> str:
        """Show a printed value without its unit."""
        return f"{figure.value:,.{self.printed_decimals}f}"


@dataclass(frozen=True)
class Table:
    """Rows that share notes.

    Parameters
    ----------
    key, title : str
        Name in the files and for people.
    rows : list of Row
        Quantities.
    notes : tuple of str
        Keys of the notes that have to stand beside these figures, see ``eval.report.notes``.
    """

    key: str
    title: str
    rows: list[Row]
    notes: tuple[str, ...]

    @property
    def has_printed(self) -> bool:
        """Whether a document prints any of these figures."""
        return any(cell.printed for row in self.rows for cell in row.cells.values())


def tables(results: Mapping[str, Result], published: Published) -> list[Table]:
    """All tables, over the designs that have results."""

    def row(
        key: str,
        label: str,
        unit: str,
        decimals: int,
        measured: Callable[[Result], float | str | None],
        printed: str = "",
        normalized: str = "",
    ) -> Row:
        def cell(name: str, result: Result) -> Cell:
            figures = (published.get(name, x) if x else None for x in (printed, normalized))
            return Cell(measured(result), *figures)

        cells = {n: cell(n, r) for n, r in results.items()}
        return Row(key, label, unit, decimals, min(decimals, _PRINTED_DECIMALS), cells)

    def per_operation(
        key: str,
        label: str,
        unit: str,
        decimals: int,
        measured: Callable[[Operation], float],
        printed: str = "",
        normalized: str = "",
    ) -> list[Row]:
        return [
            row(
                f"{name}_{key}",
                label.format(OPERATION_TITLES[name]),
                unit,
                decimals,
                lambda result, name=name: measured(result.operations[name]),
                f"{name}.{printed}" if printed else "",
                f"{name}.{normalized}" if normalized else "",
            )
            for name in OPERATIONS
        ]

    def units(value: Callable[[Multipliers], float]) -> Callable[[Result], float | None]:
        def measured(result: Result) -> float | None:
            found = multipliers(result.record["area_by_module"])
            return value(found) if found else None

        return measured

    cycles = per_operation(
        "cycles", "{}", "cycles", 0, lambda op: op.cycles, "cycles", "cycles_normalized"
    )
    timing = [
        row("clock_ns", "Clock constraint", "ns", 2, lambda r: r.clock_ns),
        row("min_period_ns", "Smallest period", "ns", 3, lambda r: r.min_period_ns),
        row("period_ns", "Period used", "ns", 3, lambda r: r.period_ns),
        *per_operation("time_us", "{}", "us", 3, lambda op: op.time_us),
        *per_operation("operations_per_s", "{}s per second", "", 0, lambda op: op.operations_per_s),
    ]
    area = [
        row("area_um2", "Whole design", "um2", 0, lambda r: r.area_um2, "area"),
        row(
            "multiplier_area_um2",
            "Average multiplier",
            "um2",
            0,
            units(lambda m: m.each_um2),
            "multiplier_area",
        ),
        row("multipliers", "Multipliers", "", 0, units(lambda m: m.count), "multipliers"),
        row(
            "multipliers_percent",
            "Multipliers' share",
            "%",
            1,
            lambda r: _percent(units(lambda m: m.area_um2)(r), r.area_um2),
        ),
        row(
            "dividers_percent",
            "Share of their dividers",
            "%",
            1,
            lambda r: _percent(units(lambda m: m.divider_um2)(r), r.area_um2),
        ),
    ]
    energy = [
        *per_operation("power_mw", "{}, power", "mW", 2, lambda op: op.power_mw, "power"),
        *per_operation(
            "energy_nj",
            "{}, energy",
            "nJ",
            3,
            lambda op: op.energy_nj,
            "energy",
            "energy_normalized",
        ),
    ]
    return [
        Table("cycles", "Cycles per operation", cycles, ("cycles",)),
        Table("timing", "Clock and time per operation", timing, ("period",)),
        Table("area", "Area", area, ("area",)),
        Table("energy", "Power and energy per operation", energy, ("energy", "glitches")),
    ]


def _percent(part: float | None, whole: float) -> float | None:
    return None if part is None else 100 * part / whole


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

    def ratio(sizes: list[tuple[float, float, float]]) -> float:
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
