"""``python -m tools.figures``: measures anew what README and pages print of changed circuits."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import click

from rsaxcel.cli.main import guard
from rsaxcel.eval.facts.fact import DERIVED, Fact
from rsaxcel.eval.measure.collect import collect, in_order, kept
from rsaxcel.eval.measure.errors import Failure
from rsaxcel.eval.measure.job import Job, Measurement, Place, Progress
from rsaxcel.eval.measure.outcome import JobOutcome
from rsaxcel.eval.progress import steps
from rsaxcel.eval.report.build import measurements_of
from rsaxcel.eval.studies import STUDIES
from rsaxcel.eval.sweep.measuring import measurements_of as measurements_of_point
from rsaxcel.eval.sweep.points import points_of
from rsaxcel.eval.sweep.spec import read_spec
from rsaxcel.eval.widest import MAX_NBITS
from rsaxcel.flow.conditions import TIMED
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import PLACED, SYNTHESIZED
from rsaxcel.store.errors import RunError, UserError
from tools import readme
from tools.figure_keys import WholeKey, cheap_key, plain, whole_key, width_of
from tools.figure_table import FigureTable, Measured, circuit_of

STAGES = SYNTHESIZED, PLACED
"""Stages whose figures are printed."""

SWEEPS = ("energy", "engine", "wide-engine")
"""Sweeps of docs/examples that measure figures of pages, beside the studies of the report."""

_COSTS = ("flow_cpu_seconds", "synthesis_cpu_seconds")
_WEIGHT_PER_SECOND = 6.0  # of jobs whose cost is not known, see ``eval.measure.flows``

Jobs = Mapping[str, list[Measurement]]


def all_jobs() -> Jobs:
    """Measurements of all studies and sweeps, by the name of their job; the job runs once."""
    found: dict[str, list[Measurement]] = defaultdict(list)
    measurements: list[Measurement] = []
    measurements += measurements_of(STUDIES, MAX_NBITS, DEFAULT_LIBRARY, TIMED)
    for name in SWEEPS:
        spec = read_spec(readme.PAGES / "examples" / f"{name}.toml")
        for point in points_of(spec).points:
            measurements += (x.measurement for x in measurements_of_point(point))
    for measurement in measurements:
        found[measurement.job.name].append(measurement)
    return found


def stale(table: FigureTable, jobs: Jobs) -> list[str]:
    """Names of the jobs whose figures are older than the sources on which they depend."""
    return [
        name
        for name, measured in table.items()
        if name not in jobs or cheap_key(jobs[name][0].job) != measured.cheap
    ]


def told(table: FigureTable, jobs: Jobs) -> list[str]:
    """Lines with the pages that print stale figures, or figures of no job, and do not say so."""
    names = {x for x in stale(table, jobs) if not table[x].outdated} | {""}
    facts = readme.AskedFacts(readme.read_kept())
    lines = []
    for template, page in readme.templates().items():
        facts.asked.clear()
        readme.render(facts, template)
        by_job = table.jobs_of(facts.asked)
        if found := sorted({circuit_of(x)[0] for name in names for x in by_job.get(name, ())}):
            lines.append(f"{page.relative_to(readme.ROOT)}: {', '.join(found)}")
    return lines


def _merged(
    old: Sequence[Fact], new: Sequence[Fact], table: FigureTable, done: Iterable[str]
) -> list[Fact]:
    """Replace the facts of jobs by new ones; what is derived from them is derived again."""
    by_job = table.jobs_of(old)
    mine = {fact for name in done for fact in by_job.get(name, ())}
    gone = {x for name in done if name in table for x in table[name].circuits}
    gone -= {circuit_of(x) for x in new}
    gone -= {x for name in table.keys() - set(done) for x in table[name].circuits}
    known = {readme.about(x) for x in new}
    kept = [
        x
        for x in old
        if readme.about(x) not in known
        and not (x in mine and (x.kind == DERIVED or circuit_of(x) in gone))
    ]
    return [*new, *kept]


def _seconds(table: FigureTable, job: Job) -> float:
    known = table[job.name].cpu_seconds if job.name in table else 0.0
    return known or job.weight / _WEIGHT_PER_SECOND


def _whole_keys(jobs: Iterable[Job], progress: Progress, place: Place) -> dict[str, WholeKey]:
    """Keys of jobs by their circuits, which workers translate; none of a job that has none."""
    plains = [plain(x) for x in jobs]
    asked = [Job(x.name, whole_key, (x.function, x.arguments), x.weight) for x in plains]
    found: dict[str, WholeKey] = {}
    collect([Measurement(x, lambda _: ()) for x in asked], progress, place=place, found=found)
    return {name: key for name, key in found.items() if key.rest}


def check(table: FigureTable, jobs: Jobs, names: Iterable[str], place: Place) -> None:
    """Renew the keys of jobs whose circuit, and the code that measures it, are the same."""
    asked = [jobs[name][0].job for name in names if table[name].whole.rest]
    with steps("figures") as progress:
        keys = _whole_keys(asked, progress, place)
    for name, key in keys.items():
        if key.same(known := table[name].whole):
            found = replace(key, netlist=key.netlist or known.netlist)
            cheap = cheap_key(jobs[name][0].job)
            table[name] = replace(table[name], cheap=cheap, whole=found, outdated="")


def measure(table: FigureTable, jobs: Jobs, names: Iterable[str], place: Place) -> list[Failure]:
    """Measure the figures of jobs, or take kept results; write facts and pages."""
    asked = [x for name in names for x in jobs[name]]
    costs: dict[str, float] = {}
    with steps("figures") as progress:
        results = kept(in_order(asked), progress)

        def note(job: Job, outcome: JobOutcome) -> None:
            costs[job.name] = outcome.core_seconds

        _, failures = collect(asked, progress, place=place, note=note, found=results)
        done = [name for name in names if name in results]
        keys = _whole_keys((jobs[name][0].job for name in done), progress, place)
    own = {name: [y for x in jobs[name] for y in x.facts(results[name])] for name in done}
    facts = _merged(readme.read_kept(), [y for x in own.values() for y in x], table, done)
    for name in done:
        known = sum(float(x.value) for x in own[name] if x.quantity in _COSTS)
        table[name] = Measured(
            cheap_key(jobs[name][0].job),
            keys.get(name, WholeKey()),
            round(max(known, costs.get(name, 0.0)), 1),
            tuple(sorted({circuit_of(x) for x in own[name]}, key=str)),
        )
    readme.renew(facts, table)
    return failures


@click.command()
@click.option("--check", "checks", is_flag=True, help="Renew keys of what is the same by its key.")
@click.option("--dry-run", is_flag=True, help="List what would be measured; measure nothing.")
@click.option(
    "--only", default="", metavar="PATTERN", help="Only measurements with this in the name."
)
@click.option("--stage", type=click.Choice(STAGES), help="Only circuits of this stage.")
@click.option("--max-bits", type=int, default=MAX_NBITS, help="Only circuits up to this width.")
@click.option("--new", is_flag=True, help="Also what no page prints yet; needs --only.")
@click.option("--outdated", metavar="REASON", help="Print the old figures, and say why.")
@click.option("--workers", type=int, default=0, help="Processes; by default one for each core.")
def command(
    checks: bool,
    dry_run: bool,
    only: str,
    stage: str | None,
    max_bits: int,
    new: bool,
    outdated: str | None,
    workers: int,
) -> None:
    """Measure the printed figures whose circuits or flow have changed; write README and pages.

    Kept results are used again, so that an interrupted run goes on where it stopped. With --check,
    circuits are only translated: where the same Verilog is synthesized by the same code, or the
    same netlist is kept, and is measured by the same code, figures count as measured.
    """
    if new and not only:
        raise UserError("--new: has a meaning with --only PATTERN")
    if (checks and (new or outdated)) or (new and outdated):
        raise UserError("--check, --new and --outdated: one of them is allowed")
    try:
        pattern = re.compile(only)
    except re.error as error:
        raise UserError(f"--only {only!r}: {error}; regular expressions are allowed") from error
    table, jobs = FigureTable.read(readme.FIGURES), all_jobs()
    old = set(stale(table, jobs))

    def is_asked(name: str) -> bool:
        job = plain(jobs[name][0].job)
        placed = "placed by " in name
        return (
            (name in old or (new and name not in table))
            and pattern.search(name) is not None
            and (stage is None or placed == (stage == PLACED))
            and width_of(job) <= max_bits
        )

    names = [name for name in jobs if is_asked(name)]
    seconds = {name: _seconds(table, jobs[name][0].job) for name in names}
    if dry_run:
        for name in sorted(names, key=lambda x: -seconds[x]):
            click.echo(f"{seconds[name]:8.0f} s  {name}")
    every = sum(_seconds(table, jobs[name][0].job) for name in table if name in jobs)
    click.echo(
        f"{len(names)} of {len(table)} measurements, {sum(seconds.values()) / 3600:.1f} of "
        f"{every / 3600:.1f} hours of processor time"
    )
    place = Place(workers=workers)
    failures: list[Failure] = []
    if dry_run or not names:
        pass
    elif outdated:
        table |= {name: replace(table[name], outdated=outdated) for name in names if name in table}
    elif checks:
        check(table, jobs, names, place)
    else:
        failures = measure(table, jobs, names, place)
    if not dry_run and names and (outdated or checks):
        readme.renew(readme.read_kept(), table)
    for line in told(table, jobs):
        click.echo(f"older than its circuit or the flow: {line}")
    if failures:
        raise RunError("; ".join(f"{x.name}: {x.message}" for x in failures))


if __name__ == "__main__":
    sys.exit(guard(command, "python -m tools.figures"))
