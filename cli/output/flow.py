"""Prints the record of a flow as text; the record as JSON has more figures."""

from collections.abc import Iterator, Mapping

from rsaxcel.cli.options.common import design_text
from rsaxcel.fl.modulus_parameter import MODULUS
from rsaxcel.flow.layout import PLACED, ROUTED, SYNTHESIZED
from rsaxcel.flow.products import product_modulus
from rsaxcel.flow.record import OperationRecord, Record
from rsaxcel.flow.requests import describe_workload
from rsaxcel.plan.domains import HALF_NBITS
from rsaxcel.store.shown import shorten

_MODULES_SHOWN = 20
_EXPONENT = 24  # most characters of an exponent
_LEAST = 0.01
"""Figures below this one have three significant digits; others have three decimals."""
_GLITCHES = ("energy_lower_nj", "glitch_factor")
_STAGES = {
    SYNTHESIZED: "after synthesis",
    PLACED: "placed, with clock tree and wires",
    ROUTED: "routed, with clock tree",
}
_POWER_PARTS = ("switching_mw", "internal_mw", "clock_mw", "leakage_mw")


def describe(record: Record) -> Iterator[str]:
    """Yield lines of text on a record, each figure with its unit."""
    yield _row("design", design_text(record.design, record.nbits, record.params))
    yield _row("library", f"{record.library} ({record.corner}), {_STAGES[record.stage]}")
    yield _row("clock", _clock(record))
    path = record.critical_path
    yield _row("longest path", f"{path.delay_ns:.3f} ns, {path.start} to {path.end}")
    cells = f"{record.cell_count:,} cells, {record.flip_flop_count:,} of them flip-flops"
    yield _row("area", f"{record.area_um2:,.1f} um2, {cells}")
    yield from _core(record)
    yield from _modules(record.area_by_module)
    yield ""
    yield from _operations(record.operations)
    yield ""
    yield _row("workload", _workload(record))
    for note in (record.glitches, *record.notes):
        yield _row("note", note)
    yield _row("tools", ", ".join(f"{name} {text}" for name, text in record.tools.items()))
    yield _row("hash", record.hash)


def _core(record: Record) -> Iterator[str]:
    """Yield lines on core, clock tree and checks of a placed circuit."""
    found = record.physical
    if found is None:
        return
    core, used = record.core_area_um2 or 0.0, record.utilisation or 0.0
    wires = f"{found['wire_length_mm']:,.1f} mm of wires, overflow {found['overflow']:g}"
    if "violations" in found:
        wires += f", {found['violations']} violations of rules where wires are drawn"
    yield _row("core", f"{core:,.1f} um2 at a utilisation of {used:.3g}; {wires}")
    tree = f"{found['clock_buffers']} buffers, {found['clock_area_um2']:,.1f} um2 with clock gates"
    latency = f"latency up to {found['insertion_delay_ns']:.3f} ns, skew {found['skew_ns']:.3f} ns"
    yield _row("clock tree", f"{tree}; {latency}")
    hold = f"hold slack {found['hold_slack_ns']:.3f} ns with {found['hold_buffers']} buffers"
    yield _row("checks", f"{hold}; slews and loads allowed")
    yield _row("placed by", f"{found['tool']}, seed {found['seed']}")


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
        yield _row("", f"{len(ranked) - _MODULES_SHOWN} smaller modules")


def _operations(operations: Mapping[str, OperationRecord]) -> Iterator[str]:
    energies = ("energy_nj", *(_GLITCHES if _has_glitches(operations) else ()))
    columns = ("cycles", "power_mw", *energies, *_POWER_PARTS)
    has_exponents = any(x.exponent is not None for x in operations.values())
    head = " ".join(f"{name:>{_width(name)}}" for name in columns)
    yield _row("operation", f"{head}  exponent" if has_exponents else head)
    for name, operation in operations.items():
        figures = (_mean(operation.cycles), *(_figure(getattr(operation, x)) for x in columns[1:]))
        row = " ".join(f"{x:>{_width(name)}}" for name, x in zip(columns, figures, strict=True))
        if operation.exponent is not None:
            row += f"  {shorten(f'{operation.exponent:#x}', _EXPONENT)}"
        yield _row(name, row)
    yield from _wasted(operations)


def _has_glitches(operations: Mapping[str, OperationRecord]) -> bool:
    return all(operation.glitch_factor is not None for operation in operations.values())


def _width(name: str) -> int:
    return max(12, len(name))


def _wasted(operations: Mapping[str, OperationRecord]) -> Iterator[str]:
    """Yield lines on the module with most glitches, and on the cycles in which gates had delays."""
    for name, operation in operations.items():
        glitches = 1 - operation.energy_lower_nj / operation.energy_nj
        for worst in list(operation.glitch_modules or ())[:1]:
            where = worst["module"] or "the top module"
            most = f"{worst['share']:.0%} of that in {where}"
            yield _row("", f"{name}: {glitches:.0%} of the energy in glitches, {most}")
        share, error = operation.timed_share, operation.glitch_error
        if share is not None and share < 1:
            known = "unknown" if error is None else f"{error:.1%}"
            exact = f"standard error of the glitches' energy: {known}"
            yield _row("", f"{name}: gates had delays in {share:.1%} of the cycles; {exact}")


def _mean(cycles: float) -> str:
    return f"{cycles:,.0f}" if float(cycles).is_integer() else f"{cycles:,.2f}"


def _figure(value: float) -> str:
    """Text of a power or an energy; a small figure has three significant digits."""
    return f"{value:.3g}" if 0 < value < _LEAST else f"{value:.3f}"


def _workload(record: Record) -> str:
    only = int(record.params.get(MODULUS.name, "0"), 16)
    # Operations of a system are named PROGRAM_OPERATION.
    exponents = {
        name.removeprefix(f"{operation.program}_"): operation.exponent
        for name, operation in record.operations.items()
        if operation.exponent is not None
    }
    if exponents:
        halves = HALF_NBITS.name in record.params
        return describe_workload(record.nbits, exponents, only, halves)
    modulus = shorten(str(product_modulus(record.nbits, only)), _EXPONENT)
    count = record.standard.operations
    return f"{count} products of random a and b below the modulus, {modulus}"


def _row(label: str, value: str) -> str:
    return f"{label:<14}{value}"
