"""Tables 1 to 5 of the document, and the exponentiator in standard cells."""

from collections.abc import Callable, Iterable
from functools import partial

from eval.report import derived
from eval.report.comparison import Row, Table, Value
from eval.report.published import PrintedFigure, Published
from eval.report.studies.grid import at, figure_rows, no_figure, product
from eval.report.studies.morales_romero.measurements import (
    DESIGN,
    DOCUMENT,
    MULTIPLIER,
    PRINTED_NBITS,
    WIDTHS,
    Figures,
)

OTHERS = (
    "perin_virtex4",
    "perin_virtex5",
    "wang_virtex5",
    "mcivor_virtex2",
    "mrabet_artix7",
    "mrabet_virtex5",
)
"""Works that Table 4 quotes."""

LARGER_INTERVAL = "mcivor_wang"
"""The two of them whose exponentiation the text sets against its own."""

_AT = str(PRINTED_NBITS)
_ESTIMATE = "FPGA (measured: estimate)"
_RESOURCES = {
    "luts": ("LUTs", "luts"),
    "memory_luts": ("of them memory and shift registers", ""),
    "memory_blocks": ("memory blocks", ""),
    "flip_flops": ("flip-flops", "registers"),
    "carry_bits": ("carry", ""),
    "dsp": ("DSPs", "dsps"),
}
"""Our name of a resource to its label and the document's name."""


def tables(figures: Figures, published: Published) -> list[Table]:
    """All tables that have rows."""
    view = View(figures, published)
    titles: list[tuple[str, str, Callable[[], list[Row]], tuple[str, ...]]] = [
        (
            "multiplier",
            "Multiplier (Tables 1 to 3)",
            view.multiplier,
            ("cycles", "fpga"),
        ),
        (
            "comparison",
            f"Multiplier of {_AT} bits and other works (Table 4)",
            view.comparison,
            ("fpga", "comparison"),
        ),
        (
            "exponentiation",
            f"Exponentiation of {_AT} bits (Table 5)",
            view.exponentiation,
            ("exponentiation", "resources", "fpga"),
        ),
    ]
    found = [
        Table(f"{DOCUMENT}_{key}", title, DOCUMENT, rows(), tuple(f"{DOCUMENT}_{n}" for n in notes))
        for key, title, rows, notes in titles
    ]
    title = "Exponentiation in standard cells"
    notes = (f"{DOCUMENT}_cells", "glitches")
    found.append(Table(f"{DOCUMENT}_cells", title, DOCUMENT, view.cells(), notes))
    return [table for table in found if table.rows]


class View:
    """Rows over widths, and over the works at one width."""

    def __init__(self, figures: Figures, published: Published) -> None:
        self._figures = figures
        self._published = published

    def multiplier(self) -> list[Row]:
        """Elements, cycles per product and resources."""
        columns = self._figures.widths
        rows = figure_rows(
            "elements",
            "Row",
            "elements, a word each",
            "",
            0,
            columns,
            self._figures.elements,
            self._of(MULTIPLIER, "elements"),
        )
        rows += figure_rows(
            "product_cycles",
            "Row",
            "cycles between dependent products",
            "",
            0,
            columns,
            self._figures.product_cycles,
            self._of(MULTIPLIER, "product_cycles"),
        )
        return rows + self._resources("multiplier", columns, MULTIPLIER, self._figures.multiplier)

    def comparison(self) -> list[Row]:
        """Quantities of Table 4, and times."""
        columns = self._compared()
        figures = self._figures
        resource = partial(at, figures.multiplier)

        kinds: list[tuple[str, str, str, Callable[[str], Value]]] = [
            ("device", "", "Device", resource("device")),
            ("frequency", "", "Frequency in MHz", no_figure),
            ("product_cycles", "", "Cycles", figures.product_cycles),
            ("luts", _ESTIMATE, "LUTs", resource("luts")),
            ("registers", _ESTIMATE, "flip-flops", resource("flip_flops")),
            ("slices", _ESTIMATE, "slices", no_figure),
            ("dsps", _ESTIMATE, "DSPs", resource("dsp")),
        ]
        rows = []
        for key, section, label, measured in kinds:
            name, printed = f"compared_{key}", self._of(MULTIPLIER, key)
            rows += figure_rows(name, section, label, "", 0, columns, measured, printed)
        times: list[
            tuple[str, str, Callable[[str], Value], Callable[[str], PrintedFigure | None]]
        ] = [
            ("at the printed frequency", "product_us", self.product_us, self.printed_product_us),
            ("in standard cells", "cells_product_us", figures.cells_product_us, no_figure),
        ]
        for label, key, measured, of in times:
            name, section = f"compared_{key}", "Time of a product"
            rows += figure_rows(name, section, label, "us", 3, columns, measured, of)
        return rows

    def printed(
        self, column: str, quantity: str, subject: str = MULTIPLIER
    ) -> PrintedFigure | None:
        """Figure printed of a subject at the column's width, or of the work in the column."""
        if column in WIDTHS:
            return self._published.get(subject, str(WIDTHS[column].printed), quantity)
        return self._published.get(column, _AT, quantity)

    def product_us(self, column: str) -> float | None:
        """Time of a product in us at the frequency that the document prints for its own."""
        frequency_mhz = self._published.value(MULTIPLIER, _AT, "frequency")
        return product(self._figures.product_cycles(column), 1 / frequency_mhz)

    def printed_product_us(self, column: str) -> PrintedFigure | None:
        """Time of a product in us that follows from printed cycles and frequency."""
        cycles, frequency = (self.printed(column, x) for x in ("product_cycles", "frequency"))
        return derived.time_us(cycles, frequency, f"{column}.product_us")

    def exponentiation(self) -> list[Row]:
        """Cycles and resources of the whole."""
        columns = self._figures.exponentiators
        if not columns:
            return []
        figures = self._figures
        kinds: list[tuple[str, str, Callable[[str], Value]]] = [
            ("products", "products", figures.products),
            ("products_cycles", "cycles of the products", figures.products_cycles),
            ("control_cycles", "cycles of control", figures.control_cycles),
            ("cycles", "cycles in all", figures.cycles),
            ("load_cycles", "loading before, in cycles", figures.load_cycles),
        ]
        rows = []
        for key, label, measured in kinds:
            rows += figure_rows(
                f"exponentiation_{key}",
                f"Exponent of {_AT} bits",
                label,
                "",
                0,
                [*columns, LARGER_INTERVAL],
                measured,
                self._of(DESIGN, key),
            )
        return rows + self._resources(
            "exponentiator", [*columns, LARGER_INTERVAL], DESIGN, figures.exponentiator
        )

    def cells(self) -> list[Row]:
        """Area, period, time and energy in standard cells."""

        def entry(key: str) -> Callable[[str], Value]:
            def of(column: str) -> Value:
                record = self._figures.record(column)
                return record and record[key]

            return of

        def decryption(key: str, factor: float = 1.0) -> Callable[[str], Value]:
            def of(column: str) -> Value:
                record = self._figures.record(column)
                return record and record["operations"]["decrypt"][key] * factor

            return of

        def time_ms(column: str) -> Value:
            return product(decryption("cycles")(column), entry("min_period_ns")(column), 1e-6)

        kinds: list[tuple[str, str, str, int, Callable[[str], Value]]] = [
            ("area_um2", "Cell area", "um2", 0, entry("area_um2")),
            ("flip_flops", "Flip-flops", "", 0, entry("flip_flop_count")),
            ("min_period_ns", "Smallest clock period", "ns", 3, entry("min_period_ns")),
            ("decrypt_cycles", "Decryption, cycles", "", 0, decryption("cycles")),
            ("decrypt_time_ms", "Decryption, time", "ms", 3, time_ms),
            ("decrypt_energy_uj", "Decryption, energy", "uJ", 3, decryption("energy_nj", 1e-3)),
        ]
        rows = []
        for key, label, unit, decimals, of in kinds:
            name, columns = f"cells_{key}", self._figures.cells
            rows += figure_rows(name, "", label, unit, decimals, columns, of, no_figure)
        return rows

    def _compared(self) -> list[str]:
        ours = list(self._figures.exponentiators)
        return [*ours, *OTHERS] if ours else []

    def _of(self, subject: str, quantity: str) -> Callable[[str], PrintedFigure | None]:
        return lambda column: self.printed(column, quantity, subject)

    def _resources(
        self,
        key: str,
        columns: Iterable[str],
        subject: str,
        measured: Callable[[str, str], Value],
    ) -> list[Row]:
        rows = []
        for name, (label, printed) in _RESOURCES.items():
            figure, of = self._of(subject, printed) if printed else no_figure, at(measured, name)
            rows += figure_rows(f"{key}_{name}", _ESTIMATE, label, "", 0, columns, of, figure)
        slices = self._of(subject, "slices")
        return rows + figure_rows(
            f"{key}_slices", _ESTIMATE, "slices", "", 0, columns, no_figure, slices
        )
