"""Designs that were asked for, against the standard ones."""

from collections.abc import Callable, Mapping

from eval.report.comparison import Columns, Row, Table
from eval.report.published import Published
from eval.report.results import OPERATION_TITLES, OPERATIONS, OperationFigures, Result
from eval.report.subjects import ACCELERATORS

_OF_OPERATIONS: dict[str, Callable[[OperationFigures], float]] = {
    "cycles": lambda operation: operation.cycles,
    "time": lambda operation: operation.time_us,
    "energy": lambda operation: operation.energy_nj,
}


def added_tables(group: str, results: Mapping[str, Result], published: Published) -> list[Table]:
    """Ratios to every standard design; none where nothing was added, or no standard one is left."""
    standard = {name: x for name, x in results.items() if x.subject in ACCELERATORS}
    columns = Columns({name: x for name, x in results.items() if name not in standard}, published)
    rows = [row for name, base in standard.items() for row in _over(name, base, columns)]
    if not any(row.cells for row in rows):
        return []
    notes = ("added", "glitches")
    return [Table("added", "Against the standard designs", group, rows, notes)]


def _over(name: str, base: Result, columns: Columns) -> list[Row]:
    def row(key: str, label: str, figure: Callable[[Result], float]) -> Row:
        whole = figure(base)
        return columns.row(
            f"{key}_over_{name}_ratio",
            label,
            "",
            2,
            lambda result: figure(result) / whole,
            section=f"Over {name}",
        )

    rows = [
        row("area", "area", lambda result: result.area_um2),
        row("min_period", "smallest period", lambda result: result.min_period_ns),
    ]
    for x in OPERATIONS:
        rows += [
            row(
                f"{x}_{key}",
                f"{OPERATION_TITLES[x].lower()}, {key}",
                _of_operation(x, figure),
            )
            for key, figure in _OF_OPERATIONS.items()
        ]
    return rows


def _of_operation(x: str, figure: Callable[[OperationFigures], float]) -> Callable[[Result], float]:
    return lambda result: figure(result.operations[x])
