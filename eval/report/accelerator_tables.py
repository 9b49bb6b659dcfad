"""Tables of the accelerators on their own."""

from collections.abc import Callable, Mapping

from eval.report.added_tables import added_tables
from eval.report.areas import Multipliers, multipliers
from eval.report.comparison import Columns, Table
from eval.report.published import Published
from eval.report.results import OPERATIONS, POWER_PARTS, OperationFigures, Result

POWER_PART_TITLES = dict(
    zip(POWER_PARTS, ("Clock", "Other nets", "Inside of cells", "Leakage"), strict=True)
)

_GROUP = "designs"


def accelerator_tables(results: Mapping[str, Result], published: Published) -> list[Table]:
    """All tables, over the accelerators that have results."""
    if not results:
        return []
    columns = Columns(results, published)
    row, of = columns.row, columns.per_operation

    cycles = [of(x, "cycles", "{}", "cycles", 0, lambda op: op.cycles) for x in OPERATIONS]
    area = [
        row("area_um2", "Whole design", "um2", 0, lambda r: r.area_um2, "area"),
        row(
            "multiplier_area_um2",
            "Average multiplier",
            "um2",
            0,
            _units(lambda m: m.each_um2),
            "multiplier_area",
        ),
        row("multipliers", "Multipliers", "", 0, _units(lambda m: m.count), "multipliers"),
        row(
            "multipliers_percent",
            "Multipliers' share",
            "%",
            1,
            lambda r: _percent(_units(lambda m: m.area_um2)(r), r.area_um2),
        ),
        row(
            "dividers_percent",
            "Share of their dividers",
            "%",
            1,
            lambda r: _percent(_units(lambda m: m.divider_um2)(r), r.area_um2),
        ),
    ]
    energy = [
        *(of(x, "power_mw", "{}, power", "mW", 2, lambda op: op.power_mw) for x in OPERATIONS),
        *(of(x, "energy_nj", "{}, energy", "nJ", 3, lambda op: op.energy_nj) for x in OPERATIONS),
    ]
    parts = [
        of("encrypt", f"{part}_mw", label, "mW", 2, _part_mw(part))
        for part, label in POWER_PART_TITLES.items()
    ]
    return [
        Table("cycles", "Cycles per operation", _GROUP, cycles, ("cycles",)),
        timing_table("timing", _GROUP, columns),
        Table("area", "Area", _GROUP, area, ("area",)),
        Table("energy", "Power and energy per operation", _GROUP, energy, ("energy", "glitches")),
        Table(
            "power_parts",
            "Where the power of encryption goes",
            _GROUP,
            parts,
            ("clock", "glitches"),
        ),
        *added_tables(_GROUP, results, published),
    ]


def timing_table(key: str, group: str, columns: Columns) -> Table:
    """Clock, and the time of an operation; alike for accelerators and systems."""
    row, of = columns.row, columns.per_operation
    rows = [
        row("clock_ns", "Clock constraint", "ns", 2, lambda r: r.clock_ns),
        row("min_period_ns", "Smallest period", "ns", 3, lambda r: r.min_period_ns),
        row("period_ns", "Period used", "ns", 3, lambda r: r.period_ns),
        *(of(x, "time_us", "{}", "us", 3, lambda op: op.time_us) for x in OPERATIONS),
        *(
            of(x, "operations_per_s", "{}s per second", "", 0, lambda op: op.operations_per_s)
            for x in OPERATIONS
        ),
    ]
    return Table(key, "Clock and time per operation", group, rows, ("period",))


def _units(value: Callable[[Multipliers], float]) -> Callable[[Result], float | None]:
    def measured(result: Result) -> float | None:
        found = multipliers(result.record["area_by_module"])
        return value(found) if found else None

    return measured


def _percent(part: float | None, whole: float) -> float | None:
    return None if part is None else 100 * part / whole


def _part_mw(part: str) -> Callable[[OperationFigures], float]:
    return lambda op: op.power_parts_mw[part]
