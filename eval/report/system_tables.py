"""Tables of the systems: a processor that computes by software or with an accelerator."""

from collections.abc import Callable, Mapping

from eval.report import derived
from eval.report.accelerator_tables import timing_table
from eval.report.comparison import Columns, Row, Table
from eval.report.energy_tables import energy_tables
from eval.report.notes import constants_note
from eval.report.published import PrintedFigure, Published
from eval.report.results import (
    OPERATION_TITLES,
    OPERATIONS,
    OperationFigures,
    Result,
    by_hardware,
    dummy_of,
)
from eval.report.subjects import SOFTWARE
from proc.systems import NULL_SYSTEM

_GROUP = "systems"
_BASELINES = {subject.name: subject.program for subject in SOFTWARE}
_TITLES = {subject.name: subject.name.replace("_", " ") for subject in SOFTWARE}


def system_tables(results: Mapping[str, Result], published: Published) -> list[Table]:
    """All tables, over the systems that have results."""
    if not results:
        return []
    columns = Columns(results, published)
    hardware = by_hardware(results)
    more = constants_note(results.values())
    tables = [
        Table("systems_cycles", "Cycles", _GROUP, _cycles(columns, published), ("calls", *more)),
        Table(
            "speedups",
            "Speed-up",
            _GROUP,
            _speedups(results, columns, published),
            ("speedups", *more),
        ),
        timing_table("systems_timing", _GROUP, columns),
        Table("systems_area", "Area", _GROUP, _areas(hardware, published), ("systems_area",)),
        *energy_tables(_GROUP, results, published),
    ]
    return [table for table in tables if table.rows]


def _cycles(columns: Columns, published: Published) -> list[Row]:
    def dummy(name: str) -> PrintedFigure | None:
        return published.get("dummy_cycles") if name in published.designs else None

    def program(operation: str) -> Callable[[str], PrintedFigure | None]:
        return lambda name: derived.program_cycles(published, name, operation)

    kinds: list[tuple[str, str, Callable[[OperationFigures], float], str]] = [
        ("call_cycles", "call", lambda op: op.plain.measured_cycles, "cycles"),
        ("dummy_cycles", "call of the dummy", lambda op: dummy_of(op).measured_cycles, ""),
        ("cycles", "normalized: the difference", lambda op: op.cycles, "cycles_normalized"),
        ("program_cycles", "whole program", lambda op: op.plain.cycles, ""),
    ]
    others = {"dummy_cycles": lambda x: dummy, "program_cycles": program}
    return [
        columns.per_operation(
            x, key, label, "cycles", 0, measured, others[key](x) if key in others else printed
        )
        for x in OPERATIONS
        for key, label, measured, printed in kinds
    ]


def _speedups(results: Mapping[str, Result], columns: Columns, published: Published) -> list[Row]:
    """Rows of every operation over every baseline; in time too where it is not that in cycles."""
    kinds: list[tuple[str, str, Callable[[OperationFigures], float], bool]] = [
        ("speedup_{}_ratio", "over {}", lambda op: op.cycles, True),
        (
            "call_speedup_{}_ratio",
            "not normalized, over {}",
            lambda op: op.plain.measured_cycles,
            False,
        ),
    ]
    if len({result.period_ns for result in results.values()}) > 1:
        title = "in time, over {}"
        kinds.append(("time_speedup_{}_ratio", title, lambda op: op.time_us, False))
    rows = []
    for operation in OPERATIONS:
        rows += [
            columns.per_operation(
                operation,
                key.format(program),
                label.format(_TITLES[base]),
                "",
                2,
                _over(results[base].operations[operation], amount),
                f"speedup_{program}" if printed else "",
            )
            for key, label, amount, printed in kinds
            for base, program in _BASELINES.items()
            if base in results
        ]
        rows.append(_against_printed(operation, columns, published))
    return rows


def _against_printed(operation: str, columns: Columns, published: Published) -> Row:
    """Cycles over those printed: two of them make the difference of a speed-up."""

    def measured(result: Result) -> float | None:
        printed = published.value(result.name, operation, "cycles_normalized")
        return result.operations[operation].cycles / printed if printed else None

    return columns.row(
        f"{operation}_cycles_over_printed_ratio",
        "cycles, measured over printed",
        "",
        2,
        measured,
        section=OPERATION_TITLES[operation],
    )


def _over(
    base: OperationFigures, amount: Callable[[OperationFigures], float]
) -> Callable[[OperationFigures], float | None]:
    """Speed-up over an operation; none over itself."""
    return lambda op: None if op is base else amount(base) / amount(op)


def _areas(hardware: Mapping[str, Result], published: Published) -> list[Row]:
    def instance(name: str) -> Callable[[Result], float | None]:
        return lambda result: result.record["area_by_module"].get(name)

    def accelerator(name: str) -> PrintedFigure | None:
        return published.get(name.removeprefix("proc_"), "area")

    row = Columns(hardware, published).row
    null = hardware.get(NULL_SYSTEM)
    rows = [
        row("area_um2", "Whole system", "um2", 0, lambda r: r.area_um2, "area"),
        row("processor_area_um2", "Processor", "um2", 0, instance("proc")),
        row(
            "accelerator_area_um2",
            "Accelerator with xcel adapter",
            "um2",
            0,
            instance("xcel"),
            accelerator,
        ),
    ]
    if null:
        over = row(
            "area_ratio",
            f"Over {NULL_SYSTEM}",
            "",
            2,
            lambda r: None if r is null else r.area_um2 / null.area_um2,
            "area_ratio",
        )
        rows.insert(1, over)
    return rows
