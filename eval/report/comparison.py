"""Measured figures beside printed ones: the rows that terminal, page and files all show."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from eval.report.areas import Multipliers, multipliers
from eval.report.published import Figure, Published
from eval.report.results import OPERATION_TITLES, OPERATIONS, Operation, Result

# The documents print powers and energies with two digits after the point.
_PRINTED_DECIMALS = 2
_POWER_PARTS = {
    "clock": "Clock",
    "switching": "Other nets",
    "internal": "Inside of cells",
    "leakage": "Leakage",
}


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
    parts = [
        row(
            f"encrypt_{part}_mw",
            label,
            "mW",
            2,
            lambda r, part=part: r.operations["encrypt"].power_parts_mw[part],
        )
        for part, label in _POWER_PARTS.items()
    ]
    return [
        Table("cycles", "Cycles per operation", cycles, ("cycles",)),
        Table("timing", "Clock and time per operation", timing, ("period",)),
        Table("area", "Area", area, ("area",)),
        Table("energy", "Power and energy per operation", energy, ("energy", "glitches")),
        Table("power_parts", "Where the power of encryption goes", parts, ("clock", "glitches")),
    ]


def _percent(part: float | None, whole: float) -> float | None:
    return None if part is None else 100 * part / whole
