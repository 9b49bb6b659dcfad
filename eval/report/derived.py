"""What follows from printed figures without being printed itself."""

import math
from collections.abc import Callable, Sequence
from statistics import median

from eval.report.published import PrintedFigure, Published
from eval.report.results import OPERATIONS

SCOPE = "derived"


def program_cycles(published: Published, name: str, operation: str) -> PrintedFigure | None:
    """Cycles over which Table 3 was taken: energy over power and clock period."""
    return _derive(
        f"{name}.{operation}.program_cycles",
        "cycles",
        "energy over power and clock period",
        lambda energy, power, clock_ns: 1e3 * energy / power / clock_ns,
        published.get(name, operation, "energy"),
        published.get(name, operation, "power"),
        published.get("clock"),
    )


def normalized_power(published: Published, name: str, operation: str) -> PrintedFigure | None:
    """Power in mW while a system computes: normalized energy over normalized cycles."""
    return _derive(
        f"{name}.{operation}.power_normalized",
        "mw",
        "normalized energy over normalized cycles and clock period",
        lambda energy, cycles, clock_ns: 1e3 * energy / cycles / clock_ns,
        published.get(name, operation, "energy_normalized"),
        published.get(name, operation, "cycles_normalized"),
        published.get("clock"),
    )


def around_cycles(published: Published) -> float | None:
    """Cycles of a program before and after its call: the median over all that is printed."""
    found = []
    for name in published.designs:
        for operation in OPERATIONS:
            call = published.value(name, operation, "cycles")
            program = program_cycles(published, name, operation)
            if program and call:
                found.append(program.value - call)
    return median(found) if found else None


def dummy_power(published: Published, name: str, operation: str) -> PrintedFigure | None:
    """Power in mW of the dummy program: its energy over the cycles around the call, and its own."""
    around = around_cycles(published)
    if not around:
        return None
    return _derive(
        f"{name}.{operation}.power_dummy",
        "mw",
        f"the dummy's energy over clock period and cycles, its own and {around:.0f} more",
        lambda energy, own, clock_ns: 1e3 * energy / (own + around) / clock_ns,
        published.get(name, operation, "energy_dummy"),
        published.get("dummy_cycles"),
        published.get("clock"),
    )


def rest_power(published: Published, name: str, base: str, operation: str) -> PrintedFigure | None:
    """Power in mW of the dummy program less that on another system, None on the same."""
    figures = [dummy_power(published, x, operation) for x in (name, base)]
    energies = [published.value(x, operation, "energy_dummy") for x in (name, base)]
    if energies[0] == energies[1]:
        return None
    how = f"power of the dummy less that of {base}"
    return _derive(f"{name}.{operation}.rest_power", "mw", how, lambda a, b: a - b, *figures)


def ratio(
    one: PrintedFigure | None, other: PrintedFigure | None, name: str
) -> PrintedFigure | None:
    """Ratio of two figures under a name of its own."""
    return _derive(
        name, "ratio", f"{one.id} over {other.id}" if one and other else "", _divide, one, other
    )


def time_us(
    cycles: PrintedFigure | None, frequency_mhz: PrintedFigure | None, name: str
) -> PrintedFigure | None:
    """Time in us of so many cycles, under a name of its own."""
    how = f"{cycles.id} over {frequency_mhz.id}" if cycles and frequency_mhz else ""
    return _derive(name, "us", how, _divide, cycles, frequency_mhz)


def percent(
    parts: Sequence[PrintedFigure | None], wholes: Sequence[PrintedFigure | None], name: str
) -> PrintedFigure | None:
    """Product of figures in percent of that of others, under a name of its own."""
    figures = (*parts, *wholes)
    if None in figures:
        return None
    how = " over ".join(" by ".join(x.id for x in group if x) for group in (parts, wholes))

    def value(*values: float) -> float:
        return 100 * math.prod(values[: len(parts)]) / math.prod(values[len(parts) :])

    return _derive(name, "percent", how, value, *figures)


def _divide(one: float, other: float) -> float:
    return one / other


def _derive(
    name: str, unit: str, how: str, value: Callable[..., float], *figures: PrintedFigure | None
) -> PrintedFigure | None:
    """Compute a figure of others; None if one of them is missing."""
    known = [figure for figure in figures if figure]
    if len(known) < len(figures):
        return None
    first = known[0]
    number = value(*(figure.value for figure in known))
    return PrintedFigure(
        name, number, unit, first.document, first.section, f"derived: {how}", SCOPE
    )
