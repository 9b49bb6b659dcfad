"""Figures 17.3 and 17.4, and area by time against other designs."""

from collections.abc import Callable

from eval.report.comparison import Cell, Row, Table, Value
from eval.report.derived import SCOPE
from eval.report.published import PrintedFigure, Published
from eval.report.studies.cilardo.measurements import (
    COLUMNS,
    DESIGN,
    DOCUMENT,
    LANES,
    NBITS,
    RANKED,
    Figures,
)
from eval.report.studies.grid import at, figure_rows, no_figure, width_rows

_BASE = next(iter(COLUMNS))

Lookup = Callable[[str, int], Value]


def tables(figures: Figures, published: Published) -> list[Table]:
    """All tables that have rows."""
    ranking = Table(
        f"{DOCUMENT}_ranking",
        "Area by time against other designs",
        DOCUMENT,
        _ranking(figures),
        ("cilardo_ranking",),
    )
    found = [*_over_digits(_View(figures, published)), ranking]
    return [table for table in found if table.rows]


def _over_digits(view: "_View") -> list[Table]:
    """Tables of the document's own width, if it is to be shown."""
    if not view.shown:
        return []
    return [
        Table(
            f"{DOCUMENT}_encryption",
            "Encryption with 1024 bits (figure 17.4)",
            DOCUMENT,
            view.encryption(),
            ("cilardo_cycles", "cilardo_time"),
        ),
        Table(
            f"{DOCUMENT}_fpga",
            "FPGA resources (figure 17.3)",
            DOCUMENT,
            view.fpga(),
            ("cilardo_fpga",),
        ),
    ]


class _View:
    """Rows over S, with and without the Z-processor."""

    def __init__(self, figures: Figures, published: Published) -> None:
        self._figures = figures
        self._published = published
        self.shown = NBITS in figures.widths

    def encryption(self) -> list[Row]:
        """Cycles, period, area, time and their products."""
        return [
            *self._rows("cycles", "", 0, self._figures.cycles, "cycles"),
            *self._rows("min_period_ns", "ns", 3, self._entry("min_period_ns"), "period"),
            *self._rows("time_ms", "ms", 3, self._figures.time_ms, "time"),
            *self._rows("area_um2", "um2", 0, self._entry("area_um2")),
            *self._rows("slices", "", 0, no_figure, "slices"),
            *self._rows("flip_flops", "", 0, self._entry("flip_flop_count")),
            *self._rows("area_time_um2_ms", "um2 ms", 0, self._figures.area_time_um2_ms),
            *self._rows("slices_time_slices_ms", "slices ms", 0, no_figure, "area_time"),
            *self._percent_rows(),
        ]

    def fpga(self) -> list[Row]:
        """LUTs and flip-flops beside the printed slices."""

        def resource(name: str) -> Lookup:
            def of(column: str, lanes: int) -> Value:
                found = self._figures.fpga(column, lanes)
                return found and found[name]

            return of

        return [
            *self._rows("luts", "", 0, resource("luts")),
            *self._rows("memory_luts", "", 0, resource("memory_luts")),
            *self._rows("fpga_flip_flops", "", 0, resource("flip_flops")),
            *self._rows("carry_bits", "", 0, resource("carry_bits")),
            *self._rows("fpga_slices", "", 0, no_figure, "slices"),
        ]

    def _entry(self, key: str) -> Lookup:
        def of(column: str, lanes: int) -> Value:
            record = self._figures.record(column, lanes)
            return record and record[key]

        return of

    def _rows(
        self, key: str, unit: str, decimals: int, measured: Lookup, printed: str = ""
    ) -> list[Row]:
        """Rows of a quantity; only the version with the Z-processor is printed."""

        def figure(column: str, lanes: int) -> PrintedFigure | None:
            if lanes == 1 or not printed:
                return None
            return self._published.get(DESIGN, str(COLUMNS[column]), printed)

        rows = []
        for lanes, title in LANES.items():
            rows += figure_rows(
                f"{key}_lanes_{lanes}",
                _LABELS[key],
                title,
                unit,
                decimals,
                COLUMNS,
                at(measured, lanes),
                at(figure, lanes),
                printed_decimals=2 if printed in ("period", "time") else 0,
            )
        return rows

    def _percent_rows(self) -> list[Row]:
        """Area by time in percent of that for the smallest S."""

        def percent(column: str, lanes: int) -> Value:
            own, base = (self._figures.area_time_um2_ms(c, lanes) for c in (column, _BASE))
            return None if own is None or base is None else 100 * own / base

        rows = self._rows("area_time_percent", "%", 1, percent)
        for row in rows:
            if row.key.endswith("_lanes_2"):
                for column, cell in row.cells.items():
                    row.cells[column] = Cell(cell.measured, self._printed_percent(column))
        return rows

    def _printed_percent(self, column: str) -> PrintedFigure | None:
        own, base = (
            self._published.get(DESIGN, str(COLUMNS[c]), "area_time") for c in (column, _BASE)
        )
        if not (own and base):
            return None
        where = f"{own.where} over that for S = {COLUMNS[_BASE]}"
        name = f"{own.id}_percent"
        value = round(100 * own.value / base.value)
        return PrintedFigure(name, value, "percent", own.document, own.section, where, SCOPE)


_LABELS = {
    "cycles": "Cycles",
    "min_period_ns": "Smallest clock period",
    "time_ms": "Time",
    "area_um2": "Cell area",
    "slices": "Slices",
    "flip_flops": "Flip-flops",
    "area_time_um2_ms": "Area by time",
    "slices_time_slices_ms": "Slices by time",
    "area_time_percent": "Area by time, of that for S = 32",
    "luts": "LUTs (estimate)",
    "memory_luts": "of them memory and shift registers",
    "fpga_flip_flops": "Flip-flops (estimate)",
    "carry_bits": "Carry (estimate)",
    "fpga_slices": "Slices",
}


def _ranking(figures: Figures) -> list[Row]:
    def entry(key: str) -> Callable[[str, int], Value]:
        def of(name: str, nbits: int) -> Value:
            record = figures.ranked(name, nbits)
            return record and record[key]

        return of

    area_time = figures.ranked_area_time_mm2_ms

    def rank(name: str, nbits: int) -> Value:
        own = area_time(name, nbits)
        others = [area_time(x, nbits) for x in RANKED]
        return None if own is None else 1 + sum(x is not None and x < own for x in others)

    quantities: list[tuple[str, str, str, int, Callable[[str, int], Value]]] = [
        ("area_um2", "Cell area", "um2", 0, entry("area_um2")),
        ("min_period_ns", "Smallest clock period", "ns", 3, entry("min_period_ns")),
        ("time_ms", "Time of a decryption", "ms", 3, figures.ranked_time_ms),
        ("area_time_mm2_ms", "Area by time", "mm2 ms", 4, area_time),
        ("rank", "Rank by area by time", "", 0, rank),
    ]
    return [
        row
        for key, title, unit, decimals, of in quantities
        for row in width_rows(key, title, unit, decimals, list(RANKED), figures.widths, of)
    ]
