"""Power and energy of the systems, and what their differences are made of."""

from collections.abc import Callable, Mapping

from eval.report import derived
from eval.report.accelerator_tables import POWER_PART_TITLES
from eval.report.comparison import Columns, Printed, Row, Table
from eval.report.notes import constants_note
from eval.report.published import PrintedFigure, Published
from eval.report.results import OPERATION_TITLES, OPERATIONS, OperationFigures, Result, dummy_of
from eval.report.subjects import SOFTWARE

BASE = SOFTWARE[0]
"""What energies are compared with."""

_REST_OPERATION = OPERATIONS[0]


def energy_tables(group: str, results: Mapping[str, Result], published: Published) -> list[Table]:
    """Power and energy, plain, of the dummy and normalized; then the normalized ones apart."""
    columns = Columns(results, published)
    base = results.get(BASE.name)
    plain = [row for x in OPERATIONS for row in _plain(x, columns, published)]
    ratios, parts = [], []
    for x in OPERATIONS:
        if base:
            ratios += _ratios(x, base.operations[x], columns, published)
        parts += _against_printed(x, columns, published) + _parts(x, columns)
    if base:
        ratios.append(_at_rest(base, columns, published))
    tables = (
        ("systems_energy", "Power and energy", plain, "programs"),
        ("energy_ratios", "Energy as time and power", ratios, "ratios"),
        ("energy_parts", "Against the printed energy", parts, "parts"),
    )
    more = (*constants_note(results.values()), "glitches")
    return [Table(key, title, group, rows, (note, *more)) for key, title, rows, note in tables]


def _plain(x: str, columns: Columns, published: Published) -> list[Row]:
    def by(find: Callable[[Published, str, str], PrintedFigure | None]) -> Printed:
        return lambda name: find(published, name, x)

    kinds: list[tuple[str, str, Callable[[OperationFigures], float], str | Printed]] = [
        ("program_power_mw", "power", lambda op: op.plain.power_mw, "power"),
        (
            "dummy_power_mw",
            "power of the dummy",
            lambda op: dummy_of(op).power_mw,
            by(derived.dummy_power),
        ),
        (
            "power_mw",
            "power, normalized",
            lambda op: op.power_mw,
            by(derived.normalized_power),
        ),
        ("program_energy_nj", "energy", lambda op: op.plain.energy_nj, "energy"),
        (
            "dummy_energy_nj",
            "energy of the dummy",
            lambda op: dummy_of(op).energy_nj,
            "energy_dummy",
        ),
        ("energy_nj", "energy, normalized", lambda op: op.energy_nj, "energy_normalized"),
    ]
    units = {"mw": "mW", "nj": "nJ"}
    return [
        columns.per_operation(x, key, label, units[key[-2:]], 2, measured, printed)
        for key, label, measured, printed in kinds
    ]


def _ratios(x: str, base: OperationFigures, columns: Columns, published: Published) -> list[Row]:
    """Energy over that of naive software, which is the ratio of times by that of powers."""

    def printed(quantity: str) -> Printed:
        def find(name: str) -> PrintedFigure | None:
            one, other = (published.get(n, x, quantity) for n in (name, BASE.name))
            return derived.ratio(one, other, f"{name}.{x}.{quantity}_ratio")

        return find

    def printed_power(name: str) -> PrintedFigure | None:
        one, other = (derived.normalized_power(published, n, x) for n in (name, BASE.name))
        return derived.ratio(one, other, f"{name}.{x}.power_normalized_ratio")

    kinds: list[tuple[str, str, Callable[[OperationFigures], float], Printed]] = [
        (
            "energy_ratio",
            "energy over software naive",
            lambda op: op.energy_nj / base.energy_nj,
            printed("energy_normalized"),
        ),
        (
            "energy_time_ratio",
            "of it time",
            lambda op: op.energy_time_ns / base.energy_time_ns,
            printed("cycles_normalized"),
        ),
        (
            "power_ratio",
            "of it power",
            lambda op: op.power_mw / base.power_mw,
            printed_power,
        ),
    ]
    rows = [
        columns.per_operation(x, key, label, "", 3, measured, find)
        for key, label, measured, find in kinds
    ]
    return [
        *rows,
        columns.per_operation(
            x,
            "unclocked_energy_ratio",
            "energy over it, both without the clock's",
            "",
            3,
            lambda op: _unclocked_nj(op) / _unclocked_nj(base),
        ),
    ]


def _unclocked_nj(operation: OperationFigures) -> float:
    return operation.energy_nj - operation.power_parts_mw["clock"] * operation.energy_time_ns / 1e3


def _at_rest(base: Result, columns: Columns, published: Published) -> Row:
    """Power that an accelerator costs while the dummy program runs."""
    without = dummy_of(base.operations[_REST_OPERATION]).power_mw
    return columns.row(
        "rest_power_mw",
        "power of the accelerator",
        "mW",
        2,
        lambda result: (
            None
            if result.hardware == base.hardware
            else dummy_of(result.operations[_REST_OPERATION]).power_mw - without
        ),
        lambda name: derived.rest_power(published, name, BASE.name, _REST_OPERATION),
        section="At rest",
    )


def _against_printed(x: str, columns: Columns, published: Published) -> list[Row]:
    """Measured over printed: energy, which is the ratio of times by that of powers."""

    def over(
        quantity: str, measured: Callable[[OperationFigures], float], unit: float = 1.0
    ) -> Callable[[Result], float | None]:
        def value(result: Result) -> float | None:
            figure = published.value(result.name, x, quantity)
            return figure and measured(result.operations[x]) / (figure * unit)

        return value

    def power(result: Result) -> float | None:
        figure = derived.normalized_power(published, result.name, x)
        return result.operations[x].power_mw / figure.value if figure else None

    clock_ns = published.value("clock")
    kinds = [
        (
            "energy",
            "energy, measured over printed",
            over("energy_normalized", lambda op: op.energy_nj),
        ),
        (
            "time",
            "of it time",
            over("cycles_normalized", lambda op: op.energy_time_ns, clock_ns),
        ),
        ("power", "of it power", power),
    ]
    return [
        columns.row(
            f"{x}_{key}_over_printed_ratio", label, "", 2, measured, section=OPERATION_TITLES[x]
        )
        for key, label, measured in kinds
    ]


def _part_mw(part: str) -> Callable[[OperationFigures], float]:
    return lambda op: op.power_parts_mw[part]


def _parts(x: str, columns: Columns) -> list[Row]:
    return [
        columns.per_operation(
            x,
            f"{part}_mw",
            f"normalized power: {label.lower()}",
            "mW",
            2,
            _part_mw(part),
        )
        for part, label in POWER_PART_TITLES.items()
    ]
