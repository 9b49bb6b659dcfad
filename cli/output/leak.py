"""Prints the side channels of a design: time, and t-tests of energy."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from rsaxcel.cli.options.common import design_fields, design_text
from rsaxcel.flow.layout import ZERO
from rsaxcel.lab.guessing import SIGNIFICANT
from rsaxcel.lab.leakage.attacks import CORRELATION
from rsaxcel.store.shown import aligned

if TYPE_CHECKING:
    from rsaxcel.lab.leakage.attacks import Attacked
    from rsaxcel.lab.leakage.measure import Peak, TestResult
    from rsaxcel.lab.leakage.request import LeakRequest
    from rsaxcel.lab.leakage.software import SoftwareTiming
    from rsaxcel.lab.leakage.timing import TimeSpread
    from rsaxcel.proc.systems import System

_SHOWN = 5
_RANGES = 8
_TOP = "(top)"
_KNOWN = "the attacker knows design, modulus and bases, and that an exponent's outer bits are 1"
_MEANING = "traces are those of each exponent"
_OUTSIDE = "outside: cycles outside the measured region, such as those of constants of the modulus"
_DECLARED = {True: "varies", False: "constant", None: "-"}


def title_of(asked: LeakRequest) -> str:
    """Text on the circuit and its traces."""
    configuration = asked.configuration
    name = design_text(configuration.design_name, configuration.nbits, configuration.changed)
    where = f"{asked.library}, {asked.clock_ns:g} ns, {asked.netlist}"
    return f"{name}; {where}; seed {asked.seed}"


def show_json(
    asked: LeakRequest, timings: Sequence[TimeSpread], results: Sequence[TestResult]
) -> None:
    """Print an object for each operand whose time was tested, and for each t-test."""
    about, energy = _about(asked), _energy(asked)
    for timing in timings:
        click.echo(json.dumps({**about, "kind": "time", **timing.as_json()}))
    for result in results:
        click.echo(json.dumps({**about, "kind": "energy", **energy, **result.as_json()}))


def _about(asked: LeakRequest) -> dict[str, Any]:
    return {**design_fields(asked.configuration), "seed": asked.seed}


def _energy(asked: LeakRequest) -> dict[str, Any]:
    layout = asked.layout
    choices = layout.as_fields() if layout.placed else {"stage": layout.stage}
    if "seed" in choices:
        choices["placement_seed"] = choices.pop("seed")
    conditions = {"library": asked.library, "clock_ns": asked.clock_ns, **choices}
    if asked.unhidden_nbits:
        conditions["unhidden_nbits"] = list(asked.unhidden_nbits)
    return {**conditions, "activity": asked.activity}


def show(asked: LeakRequest, timings: Sequence[TimeSpread], results: Sequence[TestResult]) -> None:
    """Print tables of time, of the t-tests, and of modules and registers with the largest |t|."""
    lines = [title_of(asked), "", *_times(timings), "", *_tests(results)]
    for result in results:
        for kind, peaks in (("module", result.modules), ("register", result.registers)):
            if peaks:
                lines += ["", *_largest(result, kind, peaks)]
    click.echo("\n".join((*lines, "", *_notes(asked, results))))


def show_attack_json(asked: LeakRequest, found: Attacked) -> None:
    """Print an object with the result of an attack."""
    click.echo(json.dumps({**_about(asked), "kind": "attack", **_energy(asked), **found.as_json()}))


def show_attack(asked: LeakRequest, found: Attacked) -> None:
    """Print a table of an attack by number of traces."""
    lines = [title_of(asked), ""]
    ordered = found.attack == CORRELATION
    head = ["traces", "bits right", "exponents", "chance of a guess", "better than a guess"]
    rows = [tuple(head[:2] + ["before an error"] * ordered + head[2:])]
    for row in found.rows:
        first = [] if row.first_wrong is None else [f"{row.first_wrong:.1f}"]
        share, whole = f"{row.right} of {row.bits}", f"{row.whole} of {found.exponents}"
        verdict = "yes" if row.significant else "no"
        rows.append((f"{row.traces:,}", share, *first, whole, f"{row.chance:.2g}", verdict))
    lines += aligned(rows)
    lines += ["", f"{found.attack} analysis of {found.exponents} exponents; {_KNOWN}; {_MEANING}"]
    noise = f"noise {found.noise:g} times the signal"
    lines.append(f"{noise}; {_energies(asked)}; docs/explanation/leaks.md")
    least = f"a guess has as many right bits with a probability of up to {SIGNIFICANT:g}"
    lines.append(f"better than a guess: {least}")
    click.echo("\n".join(lines))


def _times(timings: Sequence[TimeSpread]) -> list[str]:
    rows: list[tuple[str, ...]] = [
        ("time varies with", "cycles", "declared", "corr. with ones", "with length")
    ]
    for timing in timings:
        spread = _range(timing.least, timing.most)
        shown = f"{timing.operand}: {'yes' if timing.varies else 'no'}"
        numbers = ("-" if x is None else f"{x:.2f}" for x in (timing.ones, timing.length))
        rows.append((shown, spread, _DECLARED[timing.declared], *numbers))
    return list(aligned(rows))


def _tests(results: Sequence[TestResult]) -> list[str]:
    head = ("t-test", "max |t|", "cycle", "threshold", "leaks", "traces to detection")
    rows: list[tuple[str, ...]] = [(*head, "load", "run", "response")]
    for result in results:
        peaks = (f"{peak.t:.1f}" for peak in result.parts.values())
        found = f"{result.detected:,}" if result.detected else f"more than {result.traces:,}"
        part = "in a part" if result.leaks else "not seen"
        verdict = "yes" if result.detected else part
        peak, limit = result.peak, f"{result.threshold:.2f}"
        rows.append(
            (result.label, f"{peak.t:.1f}", f"{peak.cycle:,}", limit, verdict, found, *peaks)
        )
    return list(aligned(rows))


def _largest(result: TestResult, kind: str, peaks: Mapping[str, Peak]) -> list[str]:
    rows = [(f"{result.label}: energy of {kind}", "max |t|", "cycle", "leaks")]
    for name, peak in list(peaks.items())[:_SHOWN]:
        verdict = "yes" if peak.above else "not seen"
        rows.append((name or _TOP, f"{peak.t:.1f}", f"{peak.cycle:,}", verdict))
    if more := sum(peak.above for peak in list(peaks.values())[_SHOWN:]):
        rows.append((f"and {more} more above the threshold", "", "", ""))
    return list(aligned(rows))


def _energies(asked: LeakRequest) -> str:
    glitches = "gates with delays, so with glitches"
    if asked.activity == ZERO:
        glitches = "zero-delay gates without glitches"
    wires = "with wires and clock tree" if asked.layout.placed else "before placement"
    return f"{glitches}, {wires}"


def _notes(asked: LeakRequest, results: Sequence[TestResult]) -> Iterator[str]:
    for result in results:
        shortest, longest = result.lengths
        cycles = f"{longest:,}" if shortest == longest else f"{shortest:,} to {longest:,}"
        yield (
            f"{result.label}: {result.traces:,} traces of {cycles} cycles, {result.told}; "
            f"noise {result.noise:g} times the signal's {result.sigma_fj:,.0f} fJ"
        )
        if ranges := result.above:
            shown = ", ".join(f"{x:,} to {y:,}" if y > x else f"{x:,}" for x, y in ranges[:_RANGES])
            more = f" and {len(ranges) - _RANGES} more ranges" if len(ranges) > _RANGES else ""
            yield f"{result.label}: |t| is above the threshold in cycles {shown}{more}"
        if asked.configuration.shelled:
            yield f"{result.label}: {_parts(result, asked.configuration.shelled.core)}"
    if asked.unhidden_nbits:
        powers = zip(asked.unhidden_nbits, "pq", strict=True)
        told = " and ".join(f"2^{nbits} divides {prime} - 1" for nbits, prime in powers)
        yield f"blinding: {told} of this key; so many low bits of the exponents stay as they are"
    means = "order 1: means are compared; what shows in variances alone takes --order 2"
    yield means if asked.order == 1 else "order 2: variances are compared; means take --order 1"
    yield f"energy: {_energies(asked)}; docs/explanation/leaks.md"


def _parts(result: TestResult, core: str) -> str:
    """Text on a core in Verilog and the shell around it, both of which are measured."""
    most = {"core": 0.0, "shell": 0.0}
    for name, peak in result.modules.items():
        part = "core" if name.split(".")[0] == core else "shell"
        most[part] = max(most[part], peak.t)
    told = " and ".join(f"{t:.1f} in a module of the {part}" for part, t in most.items())
    return f"core and shell are measured together; max |t| is {told}"


def show_software_json(system: System, seed: int, found: Sequence[SoftwareTiming]) -> None:
    """Print an object for each program and operand."""
    about = {**design_fields(system), "seed": seed, "kind": "software"}
    for timing in found:
        click.echo(json.dumps({**about, **timing.as_json()}))


def show_software(system: System, seed: int, found: Sequence[SoftwareTiming]) -> None:
    """Print a row for each program and operand."""
    rows: list[tuple[str, ...]] = [
        (
            "program: time varies with",
            "cycles",
            "declared",
            "outside",
            "addresses",
            "first difference",
        )
    ]
    for timing in found:
        spread = _range(timing.least, timing.most)
        outside = _range(timing.outside_least, timing.outside_most)
        difference, where = timing.difference, "-"
        if difference:
            where = f"{difference.what} {difference.instruction} at {difference.place}"
        shown = f"{timing.program}, {timing.operand}: {'yes' if timing.varies else 'no'}"
        same = "differ" if difference else "the same"
        rows.append((shown, spread, _DECLARED[timing.declared], outside, same, where))
    count = found[0].count if found else 0
    title = design_text(system.design_name, system.nbits, system.params)
    click.echo("\n".join((title, "", *aligned(rows), "", _OUTSIDE)))
    about = f"{count} runs for each operand; seed {seed}"
    click.echo(f"{about}; energy is not measured; docs/explanation/leaks.md")


def _range(least: int, most: int) -> str:
    return f"{least:,}" if most == least else f"{least:,}..{most:,}"
