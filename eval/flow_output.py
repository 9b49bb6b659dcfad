"""A flow record for people to read; the record as JSON has more."""

from collections.abc import Iterator, Mapping

from eval.options import design_text
from eval.shortened import shorten
from fl.domains import HALF_NBITS
from fl.parameters import MODULUS
from flow.record import OperationRecord, Record
from flow.requests import describe_workload

_MODULES_SHOWN = 20
_EXPONENT = 24  # digits
_POWER_PARTS = ("switching_mw", "internal_mw", "clock_mw", "leakage_mw")


def describe(record: Record) -> Iterator[str]:
    """Lines of text on a record, each figure with its unit."""
    yield _row("design", design_text(record.design, record.nbits, record.params))
    yield _row("library", f"{record.library} ({record.corner}), after {record.stage}")
    yield _row("clock", _clock(record))
    path = record.critical_path
    yield _row("longest path", f"{path.delay_ns:.3f} ns, {path.start} to {path.end}")
    cells = f"{record.cell_count:,} cells, {record.flip_flop_count:,} of them flip-flops"
    yield _row("area", f"{record.area_um2:,.1f} um2, {cells}")
    yield from _modules(record.area_by_module)
    yield ""
    yield from _operations(record.operations)
    yield ""
    only = int(record.params.get(MODULUS.name, "0"), 16)
    halves = HALF_NBITS.name in record.params
    yield _row("workload", describe_workload(record.nbits, _exponents(record), only, halves))
    for note in (record.glitches, *record.notes):
        yield _row("note", note)
    yield _row("tools", ", ".join(f"{name} {text}" for name, text in record.tools.items()))
    yield _row("hash", record.hash)


def _clock(record: Record) -> str:
    asked, needed = record.clock_ns, record.min_period_ns
    if needed <= asked:
        return f"{asked:g} ns asked and met; {needed:.3f} ns would do"
    met = f"{asked:g} ns asked and not met: the design needs {needed:.3f} ns"
    return f"{met}, and its power is given at {needed:.3f} ns"


def _modules(areas: Mapping[str, float]) -> Iterator[str]:
    ranked = sorted(areas.items(), key=lambda item: item[1], reverse=True)
    for name, area in ranked[:_MODULES_SHOWN]:
        yield _row("", f"{area:>12,.1f} um2  {name}")
    if len(ranked) > _MODULES_SHOWN:
        yield _row("", f"{len(ranked) - _MODULES_SHOWN} smaller ones")


def _operations(operations: Mapping[str, OperationRecord]) -> Iterator[str]:
    columns = ("cycles", "power_mw", "energy_nj", *_POWER_PARTS)
    yield _row("operation", " ".join(f"{name:>12}" for name in columns) + "  exponent")
    for name, operation in operations.items():
        figures = (operation.cycles, *(f"{getattr(operation, x):.3f}" for x in columns[1:]))
        exponent = shorten(f"{operation.exponent:x}", _EXPONENT)
        yield _row(name, " ".join(f"{x:>12}" for x in figures) + f"  {exponent}")


def _exponents(record: Record) -> dict[str, int]:
    """Exponents by type; those of a system have the program before it."""
    return {
        name.removeprefix(f"{operation.program}_"): operation.exponent
        for name, operation in record.operations.items()
    }


def _row(label: str, value: str) -> str:
    return f"{label:<14}{value}"
