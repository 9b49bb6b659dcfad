"""Table 1, quantity by quantity, and exponentiation on the processor."""

from collections.abc import Callable, Mapping

from eval.report import derived
from eval.report.comparison import Cell, Row, Table
from eval.report.published import PrintedFigure, Published
from eval.report.results import OPERATION_TITLES, OPERATIONS
from eval.report.studies.grid import Lookup, Printed, no_figure, product, width_rows
from eval.report.studies.li_chu.measurements import (
    BASE,
    CALL_NBITS,
    CALLS,
    DOCUMENT,
    NAMES,
    Figures,
)

_ALMS = "FPGA: logic modules (measured: estimate)"
_REGISTERS = "FPGA: flip-flops (measured: estimate)"
_DSPS = "FPGA: DSP blocks (measured: estimate)"
_SOFTWARE = {"software_naive": "software naive", "software_montgomery": "software Montgomery"}


def tables(figures: Figures, published: Published) -> list[Table]:
    """All tables that have rows."""
    view = _View(figures, published)
    titles: list[tuple[str, str, Callable[[], list[Row]], tuple[str, ...]]] = [
        ("cycles", "Cycles per operation", view.cycles, ("li_chu_cycles",)),
        ("timing", "Clock and time per operation", view.timing, ("li_chu_timing",)),
        ("area", "Area and registers", view.area, ("li_chu_area",)),
        ("ratios", f"Against {BASE}", view.ratios, ("li_chu_ratios",)),
        ("energy", "Energy", view.energy, ("li_chu_energy", "glitches")),
    ]
    found = [Table(f"{DOCUMENT}_{k}", t, DOCUMENT, rows(), notes) for k, t, rows, notes in titles]
    title = f"Exponentiation of {CALL_NBITS} bits on the processor"
    found.append(Table(f"{DOCUMENT}_calls", title, DOCUMENT, _calls(figures), ("li_chu_calls",)))
    return [table for table in found if table.rows]


class _View:
    """Rows over the designs that have figures."""

    def __init__(self, figures: Figures, published: Published) -> None:
        self._figures = figures
        self._published = published
        self._columns = figures.any_of(NAMES)

    def cycles(self) -> list[Row]:
        """Cycles, and how far they are from the printed ones."""
        ours = self._figures.cycles
        printed = self._printed("cycles")

        def document(name: str, nbits: int) -> float | None:
            return ours(name, nbits, "document")

        def percent(of: Lookup) -> Lookup:
            def deviation(name: str, nbits: int) -> float | None:
                figure, value = printed(name, nbits), of(name, nbits)
                return None if figure is None or value is None else 100 * (value / figure.value - 1)

            return deviation

        rows = self._rows("cycles", "This circuit", "", 0, ours, printed)
        rows += self._rows(
            "document_handshake_cycles", "With the document's handshake", "", 0, document, printed
        )
        kinds = {
            "cycles": ("This circuit, against the printed cycles", ours),
            "document_handshake": (
                "The document's handshake, against the printed cycles",
                document,
            ),
        }
        for key, (title, of) in kinds.items():
            rows += self._rows(f"{key}_deviation_percent", title, "%", 2, percent(of))
        return rows

    def timing(self) -> list[Row]:
        """Period, frequency and time."""

        def frequency(name: str, nbits: int) -> float | None:
            period_ns = self._record("min_period_ns")(name, nbits)
            return period_ns and 1e3 / period_ns

        time = self._figures.time_ms
        return [
            *self._rows(
                "min_period_ns", "Smallest clock period", "ns", 3, self._record("min_period_ns")
            ),
            *self._rows(
                "frequency_mhz", "Frequency", "MHz", 2, frequency, self._printed("frequency")
            ),
            *self._rows("time_ms", "Time per operation", "ms", 3, time, self._printed("time")),
        ]

    def area(self) -> list[Row]:
        """Cells and flip-flops beside logic modules and registers."""
        flip_flops = self._record("flip_flop_count")
        registers = self._printed("registers")
        return [
            *self._rows("area_um2", "Cell area", "um2", 0, self._record("area_um2")),
            *self._rows("flip_flops", "Flip-flops of the cells", "", 0, flip_flops, registers),
            *self._rows("alms", _ALMS, "", 0, self._alms, self._printed("alms")),
            *self._rows("registers", _REGISTERS, "", 0, self._fpga("flip_flops"), registers),
            *self._rows("dsps", _DSPS, "", 0, self._fpga("dsp")),
        ]

    def ratios(self) -> list[Row]:
        """Area, registers, time and area by time in percent of the base's."""
        area, time = self._record("area_um2"), self._figures.time_ms
        kinds: list[tuple[str, str, Lookup, tuple[str, ...]]] = [
            ("area", "Cell area", area, ()),
            ("alms", _ALMS, self._alms, ("alms",)),
            ("flip_flops", "Flip-flops", self._record("flip_flop_count"), ("registers",)),
            ("time", "Time per operation", time, ("time",)),
            (
                "area_time",
                "Cell area by time; printed: logic modules by time",
                lambda name, nbits: product(area(name, nbits), time(name, nbits)),
                ("alms", "time"),
            ),
        ]
        rows = []
        for key, title, of, printed in kinds:
            rows += self._rows(
                f"{key}_over_{BASE}_percent",
                title,
                "%",
                1,
                _over_base(of),
                self._printed_percent(printed),
            )
        return rows

    def energy(self) -> list[Row]:
        """Energy of a decryption."""

        def decryption(name: str, nbits: int) -> float | None:
            operations = self._record("operations")(name, nbits)
            return operations and operations["decrypt"]["energy_nj"] / 1e3

        def simulated(name: str, nbits: int) -> float | None:
            operations = self._record("operations")(name, nbits)
            found = operations and operations["decrypt"]
            return found and 100 * found["simulated_cycles"] / found["cycles"]

        return [
            *self._rows("decrypt_energy_uj", "Decryption", "uJ", 3, decryption),
            *self._rows("simulated_percent", "Share of its cycles simulated", "%", 0, simulated),
        ]

    def _rows(
        self,
        key: str,
        title: str,
        unit: str,
        decimals: int,
        measured: Lookup,
        printed: Printed = no_figure,
    ) -> list[Row]:
        columns, widths = self._columns, self._figures.widths
        return width_rows(key, title, unit, decimals, columns, widths, measured, printed)

    def _record(self, key: str) -> Lookup:
        return lambda name, nbits: self._figures.record(name, nbits, key)

    @property
    def _alms(self) -> Lookup:
        return self._fpga("alms")

    def _fpga(self, resource: str) -> Lookup:
        return lambda name, nbits: self._figures.fpga(name, nbits, resource)

    def _printed(self, quantity: str) -> Printed:
        return lambda name, nbits: self._published.get(name, str(nbits), quantity)

    def _printed_percent(self, quantities: tuple[str, ...]) -> Printed:
        """Percentage that follows from printed figures: of their product, in the base's."""

        def percent(name: str, nbits: int) -> PrintedFigure | None:
            ours, base = (
                [self._published.get(x, str(nbits), quantity) for quantity in quantities]
                for x in (name, BASE)
            )
            name = f"{name}.{nbits}.{'_'.join(quantities)}_percent"
            if ours == base:  # the base itself, or nothing printed of either
                return None
            return derived.percent(ours, base, name)

        return percent


def _over_base(of: Lookup) -> Lookup:
    """Percentage of the base's figure; none of the base itself."""

    def percent(name: str, nbits: int) -> float | None:
        part, whole = of(name, nbits), of(BASE, nbits)
        return None if name == BASE or None in (part, whole) else 100 * part / whole

    return percent


def _calls(figures: Figures) -> list[Row]:
    calls = {(n, x): figures.call(n, x) for n in CALLS for x in OPERATIONS}
    columns = [n for n in CALLS if any(calls[n, x] for x in OPERATIONS)]

    def row(key: str, section: str, label: str, unit: str, decimals: int, value: Mapping) -> Row:
        cells = {name: Cell(value.get(name)) for name in columns}
        return Row(key, section, label, unit, decimals, decimals, cells)

    rows = []
    for x in OPERATIONS:
        title = OPERATION_TITLES[x]
        cycles = {name: calls[name, x] for name in columns}
        rows.append(row(f"{x}_{CALL_NBITS}_bits_call_cycles", title, "call", "cycles", 0, cycles))
        for base, label in _SOFTWARE.items():
            slow = cycles.get(base)
            if slow is None:
                continue
            over = {n: slow / c for n, c in cycles.items() if c is not None and n != base}
            key = f"{x}_{CALL_NBITS}_bits_speedup_{base}_ratio"
            rows.append(row(key, title, f"speed-up over {label}", "", 2, over))
    return rows if columns else []
