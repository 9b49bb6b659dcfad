"""Tables of the systems: a processor that computes by software or with an accelerator."""

from collections.abc import Callable, Mapping

from eval.report import derived
from eval.report.accelerator_tables import timing_table
from eval.report.comparison import Columns, Row, Table
from eval.report.energy_tables import energy_tables
from eval.report.published import Figure, Published
from eval.report.results import OPERATIONS, Operation, Result, by_hardware
from eval.report.subjects import SOFTWARE

_GROUP = "systems"
_BASELINES = {subject.name: subject.program for subject in SOFTWARE}
_NULL_SYSTEM = SOFTWARE[0].hardware


def system_tables(results: Mapping[str, Result], published: Published) -> list[Table]:
    """All tables, over the systems that have results."""
    if not results:
        return []
    columns = Columns(results, published)
    hardware = by_hardware(results)
    tables = [
        Table("systems_cycles", "Cycles", _GROUP, _cycles(columns, published), ("calls",)),
        Table("speedups", "Speed-up", _GROUP, _speedups(results, columns), ()),
        timing_table("systems_timing", _GROUP, columns),
        Table("systems_area", "Area", _GROUP, _areas(hardware, published), ("systems_area",)),
        *energy_tables(_GROUP, results, published),
    ]
    return [table for table in tables if table.rows]


def _cycles(columns: Columns, published: Published) -> list[Row]:
    def dummy(name: str) -> Figure | None:
        return published.get("dummy_cycles") if name in published.designs else None

    def program(operation: str) -> Callable[[str], Figure | None]:
        return lambda name: derived.program_cycles(published, name, operation)

    of = columns.per_operation
    rows = []
    for x in OPERATIONS:
        rows += [
            of(x, "call_cycles", "{}", "cycles", 0, lambda op: op.plain.measured_cycles, "cycles"),
            of(
                x,
                "cycles",
                "{}, normalized",
                "cycles",
                0,
                lambda op: op.cycles,
                "cycles_normalized",
            ),
        ]
    rows.append(
        of(
            "encrypt",
            "dummy_cycles",
            "Dummy function",
            "cycles",
            0,
            lambda op: op.dummy.measured_cycles,
            dummy,
        )
    )
    return rows + [
        of(
            x,
            "program_cycles",
            "{}, whole program",
            "cycles",
            0,
            lambda op: op.plain.cycles,
            program(x),
        )
        for x in OPERATIONS
    ]


def _speedups(results: Mapping[str, Result], columns: Columns) -> list[Row]:
    """Rows of every operation over every baseline; in time too where it is not that in cycles."""
    kinds: list[tuple[str, str, Callable[[Operation], float], bool]] = [
        ("speedup_{}_ratio", "{{}}, over software {}", lambda op: op.cycles, True),
        (
            "call_speedup_{}_ratio",
            "{{}}, not normalized, over software {}",
            lambda op: op.plain.measured_cycles,
            False,
        ),
    ]
    if len({result.period_ns for result in results.values()}) > 1:
        title = "{{}}, in time, over software {}"
        kinds.append(("time_speedup_{}_ratio", title, lambda op: op.time_us, False))
    return [
        columns.per_operation(
            operation,
            key.format(program),
            label.format(program.title() if program == "montgomery" else program),
            "",
            2,
            _over(results[base].operations[operation], amount),
            f"speedup_{program}" if printed else "",
        )
        for operation in OPERATIONS
        for key, label, amount, printed in kinds
        for base, program in _BASELINES.items()
        if base in results
    ]


def _over(
    base: Operation, amount: Callable[[Operation], float]
) -> Callable[[Operation], float | None]:
    """Speed-up over an operation; none over itself."""
    return lambda op: None if op is base else amount(base) / amount(op)


def _areas(hardware: Mapping[str, Result], published: Published) -> list[Row]:
    def instance(name: str) -> Callable[[Result], float | None]:
        return lambda result: result.record["area_by_module"].get(name)

    def accelerator(name: str) -> Figure | None:
        return published.get(name.removeprefix("proc_"), "area")

    row = Columns(hardware, published).row
    null = hardware.get(_NULL_SYSTEM)
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
            f"Over {_NULL_SYSTEM}",
            "",
            2,
            lambda r: None if r is null else r.area_um2 / null.area_um2,
            "area_ratio",
        )
        rows.insert(1, over)
    return rows
