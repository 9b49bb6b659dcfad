"""``python -m tools.figures``: measures the printed figures of changed circuits anew."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import isclose
from typing import Any

import click

from rsaxcel.cli.main import guard
from rsaxcel.cli.options.plain import only_with, worker_options
from rsaxcel.cli.progress import steps
from rsaxcel.eval import MAX_NBITS
from rsaxcel.eval.facts.fact import DERIVED, Fact
from rsaxcel.eval.facts.quantities import QUANTITIES
from rsaxcel.eval.measure.collect import collect, in_order, kept
from rsaxcel.eval.measure.errors import Failure, JobOutcome
from rsaxcel.eval.measure.flows import nodes_of
from rsaxcel.eval.measure.job import Job, Measurement, Progress, Workers
from rsaxcel.eval.report.build import measurements_of
from rsaxcel.eval.studies import STUDIES
from rsaxcel.eval.sweep import measurements_of as measurements_of_point
from rsaxcel.eval.sweep import points_of, read_spec
from rsaxcel.flow import opensta
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import OPENSTA, PLACED, SYNTHESIZED, TIMED, Layout
from rsaxcel.store.errors import RunError, UserError
from tools import readme
from tools.figure_table import (
    RUNS_ON,
    Circuit,
    FigureTable,
    Measured,
    WholeKey,
    cheap_key,
    circuit_of,
    kind_of,
    plain,
    searches_clock,
    targets_of,
    whole_key,
    width_of,
)

STAGES = SYNTHESIZED, PLACED

#: Sweeps of docs/examples that measure figures of pages, beside the studies of the report.
SWEEPS = "energy", "engine", "measures"

#: Measurements of each kind that ``--sample`` measures anew; one more if all are of one width.
SAMPLE = 3

#: Seconds of a kind's sample, or share of the kind's time, above which the sample gets no further
#: job.
_SAMPLE_SECONDS, _SAMPLE_SHARE = 60.0, 0.1

#: Conditions that a derived fact shares with the facts in its formula, unless these leave a
#: condition empty.
_CONDITIONS = "operation", "library", "clock_ns", "stage", "activity"

_COSTS = ("flow_cpu_seconds", "synthesis_cpu_seconds")
#: Weights per second of jobs whose cost is not known, see ``eval.measure.flows``.
_FLOW, _COUNT = 6.0, 100.0

Jobs = Mapping[str, list[Measurement]]


def all_jobs() -> Jobs:
    """Measurements of all studies and sweeps, by the name of their job; the job runs once."""
    found: dict[str, list[Measurement]] = defaultdict(list)
    measurements: list[Measurement] = []
    measurements += measurements_of(STUDIES, MAX_NBITS, DEFAULT_LIBRARY, TIMED)
    for name in SWEEPS:
        spec = read_spec(readme.PAGES / "examples" / f"{name}.toml")
        for point in points_of(spec).points:
            measurements += (x for _, x in measurements_of_point(point))
    for measurement in map(_by_opensta, measurements):
        found[measurement.job.name].append(measurement)
    return found


def _by_opensta(measurement: Measurement) -> Measurement:
    """Name a job as with OpenSTA, which times the printed figures, even without OpenSTA here."""
    job, name = measurement.job, measurement.job.name
    for layout in (x for x in plain(job).arguments if isinstance(x, Layout)):
        name = name.replace(str(layout), str(replace(layout, timer=OPENSTA)))
    return replace(measurement, job=replace(job, name=name))


def stale(table: FigureTable, jobs: Jobs) -> list[str]:
    """Names of the jobs whose figures are older than the sources on which they depend."""
    return [
        name
        for name, measured in table.items()
        if name not in jobs or cheap_key(jobs[name][0].job) != measured.cheap
    ]


def told(table: FigureTable, jobs: Jobs) -> list[str]:
    """Lines with the pages that print stale figures, or figures of no job, without saying so."""
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


@cache
def _inputs_of(quantity: str) -> frozenset[str]:
    """Names of the quantities from which a quantity is derived, directly or indirectly."""
    names = QUANTITIES.keys() & set(re.findall(r"\w+", QUANTITIES[quantity].formula))
    return frozenset(names).union(*map(_inputs_of, names))


def _merged(
    old: Sequence[Fact], new: Sequence[Fact], table: FigureTable, done: Collection[str]
) -> list[Fact]:
    """Replace the facts of jobs by new ones; facts derived from these are derived again.

    A derived fact that cannot be derived again stays if no fact in its formula has changed: such
    facts need not be kept.
    """
    by_job = table.jobs_of(old)
    mine = {fact for name in done for fact in by_job.get(name, ())}
    known, gone = {readme.about(x) for x in new}, _gone(new, table, done)
    values = {readme.about(x): x.value for x in old}
    changed = [x for x in new if not _same(values.get(readme.about(x)), x.value)]
    entered = _entered(mine, new)
    others = [x for x in old if readme.about(x) not in known and x not in entered]
    kept = [x for x in others if not (x in mine and circuit_of(x) in gone)]
    again = {readme.about(x) for x in readme.AskedFacts([*new, *kept])}
    valid = entered - _entered(entered, changed)
    left = [x for x in old if x in valid and readme.about(x) not in again]
    return [*new, *kept, *(x for x in left if circuit_of(x) not in gone)]


def _gone(new: Iterable[Fact], table: FigureTable, done: Collection[str]) -> set[Circuit]:
    """Circuits of jobs without facts in ``new``."""
    gone = {x for name in done if name in table for x in table[name].circuits}
    gone -= {circuit_of(x) for x in new}
    return gone - {x for name in table.keys() - set(done) for x in table[name].circuits}


def _entered(facts: Iterable[Fact], by: Iterable[Fact]) -> set[Fact]:
    """Find derived facts whose formula has one of the facts ``by``, under the same conditions."""
    known: dict[tuple[str, str, int, str], list[Fact]] = defaultdict(list)
    for x in by:
        known[x.quantity, x.subject, x.nbits, x.choices].append(x)

    def enters(x: Fact, fact: Fact) -> bool:
        return all(getattr(x, name) in ("", None, getattr(fact, name)) for name in _CONDITIONS)

    return {
        fact
        for fact in facts
        if fact.kind == DERIVED
        for quantity in _inputs_of(fact.quantity)
        for subject in {fact.subject, RUNS_ON.get(fact.subject, fact.subject)}
        if any(enters(x, fact) for x in known[quantity, subject, fact.nbits, fact.choices])
    }


def _seconds(table: FigureTable, job: Job) -> float:
    known = table[job.name].cpu_seconds if job.name in table else 0.0
    return known or job.weight / (_FLOW if nodes_of(plain(job)) else _COUNT)


def _whole_keys(
    jobs: Iterable[Job], progress: Progress, workers: Workers
) -> tuple[dict[str, WholeKey], list[Failure]]:
    """Keys of jobs by their circuits, which workers translate; a job without circuit has none."""
    plains = [plain(x) for x in jobs]
    asked = [Job(x.name, whole_key, (x.function, x.arguments), x.weight) for x in plains]
    found: dict[str, WholeKey] = {}
    measurements = [Measurement(x, lambda _: ()) for x in asked]
    _, failures = collect(measurements, progress, workers=workers, found=found)
    return {name: key for name, key in found.items() if key.work}, failures


def check(
    table: FigureTable, jobs: Jobs, names: Iterable[str], workers: Workers
) -> tuple[dict[str, WholeKey], list[Failure]]:
    """Renew the keys of jobs whose circuit, and the code that measures it, are the same.

    Keys of jobs in which only the code differs are returned; and failed translations.
    """
    asked = [jobs[name][0].job for name in names if table[name].whole.work]
    with steps("figures") as progress:
        keys, failures = _whole_keys(asked, progress, workers)
    for name, key in keys.items():
        if key.same(table[name].whole):
            _renew(table, jobs, name, key, table[name].sampled)
    return {
        name: key
        for name, key in keys.items()
        if key.like(table[name].whole) and not key.same(table[name].whole)
    }, failures


def _renew(
    table: FigureTable, jobs: Jobs, name: str, key: WholeKey, sampled: tuple[str, ...]
) -> None:
    found = replace(key, netlist=key.netlist or table[name].whole.netlist)
    cheap = cheap_key(jobs[name][0].job)
    table[name] = replace(table[name], cheap=cheap, whole=found, outdated="", sampled=sampled)


def sample(table: FigureTable, jobs: Jobs, names: Iterable[str], workers: Workers) -> list[Failure]:
    """Renew the keys of jobs with changes in code only, if a sample gives the printed figures.

    Of each kind of measurement, the cheapest jobs are measured. If a figure differs, all figures of
    the kind are outdated, and the difference is reported.
    """
    keys, failures = check(table, jobs, names, workers)
    kinds: dict[str, dict[str, float]] = defaultdict(dict)
    seconds = {name: _seconds(table, jobs[name][0].job) for name in keys}
    for name in sorted(keys, key=lambda x: (seconds[x], x)):
        kinds[kind_of(jobs[name][0].job)][name] = seconds[name]
    samples = [(_few(own, jobs), own) for own in kinds.values()]
    run = _Run(jobs, workers, failures)
    run.measure([x for few, _ in samples for x in few])
    old = readme.read_kept()
    printed = table.jobs_of(old)
    for few, own in samples:
        if not all(name in run.results for name in few):
            continue
        differing = []
        for x in few:
            found = _differing(old, printed[x], run.facts([x]))
            if not run.keys[x].like(table[x].whole):
                differing.append(f"netlist of {x}")
            elif found is None and not run.keys[x].netlist:
                differing.append(f"no printed figure of {x}")
            differing += found or ()
        if differing:
            reason = f"measured with earlier code ({'; '.join(differing)} in a sample)"
            table |= {name: replace(table[name], outdated=reason) for name in own}
            click.echo(f"outdated, as a sample differs: {', '.join(own)}: {'; '.join(differing)}")
            continue
        click.echo(f"{len(own)} renewed by {', '.join(few)}")
        for name in own:
            _renew(table, jobs, name, keys[name], () if name in few else tuple(few))
    return run.failures


def _few(seconds: Mapping[str, float], jobs: Jobs) -> list[str]:
    """Return the first jobs, and one of another width, as many as a sample has time for."""
    first, *others = seconds
    few, more = [first], others[: SAMPLE - 1]
    width, *widths = (width_of(plain(jobs[x][0].job)) for x in seconds)
    if {*widths[: SAMPLE - 1]} <= {width}:
        more += [x for x, other in zip(others, widths, strict=True) if other != width][:1]
    most = max(_SAMPLE_SECONDS, _SAMPLE_SHARE * sum(seconds.values()))
    for name in more:
        if sum(seconds[x] for x in (*few, name)) <= most:
            few.append(name)
    return few


def _differing(
    old: Iterable[Fact], printed: Collection[Fact], measured: Sequence[Fact]
) -> list[str] | None:
    """Lines with the figures that are not measured as they are printed; costs may differ.

    None if no figure can be compared. Not every fact is compared: jobs of one circuit share its
    printed facts, and derived facts may have unprinted sources.
    """
    own = {readme.about(x) for x in measured}
    others = [x for x in old if x.kind != DERIVED and readme.about(x) not in own]
    known = {readme.about(x): x.value for x in readme.AskedFacts([*measured, *others])}
    compared = [
        x
        for x in printed
        if x.quantity not in _COSTS
        and readme.about(x) in known
        and (x.kind == DERIVED or readme.about(x) in own)
    ]
    pairs = ((fact, known[readme.about(fact)]) for fact in compared)
    found = [
        f"{fact.quantity} of {fact.subject} {fact.value} -> {value}"
        for fact, value in pairs
        if not _same(fact.value, value)
    ]
    return found if compared else None


def _same(one: Any, other: Any) -> bool:
    floats = isinstance(one, float) and isinstance(other, float)
    return isclose(one, other, rel_tol=1e-12) if floats else one == other


class _Run:
    """Results of jobs, measured now or kept."""

    def __init__(self, jobs: Jobs, workers: Workers, failures: list[Failure]) -> None:
        self.jobs, self.failures = jobs, failures
        self.results: dict[str, Any] = {}
        self.costs: dict[str, float] = {}
        self.keys: dict[str, WholeKey] = {}
        self._workers = workers

    def measure(self, names: Iterable[str]) -> None:
        """Measure jobs, and take the keys of their circuits."""
        opensta.find_sta()  # another timer would give other figures
        names = list(names)
        asked = [x for name in names for x in self.jobs[name]]
        with steps("figures") as progress:
            self.results |= kept(in_order(asked), progress)

            def note(job: Job, outcome: JobOutcome) -> None:
                self.costs[job.name] = outcome.core_seconds

            how: Any = {"workers": self._workers, "note": note, "found": self.results}
            _, failures = collect(asked, progress, **how)
            done = [self.jobs[name][0].job for name in names if name in self.results]
            keys, untranslated = _whole_keys(done, progress, self._workers)
        self.failures += [*failures, *untranslated]
        self.keys |= keys

    def facts(self, names: Iterable[str]) -> list[Fact]:
        return [y for name in names for x in self.jobs[name] for y in x.facts(self.results[name])]

    def measured(self, name: str, earlier: float) -> Measured:
        """Return keys and cost; a kept result with unknown cost gets the ``earlier`` cost."""
        own = self.facts([name])
        known = sum(float(x.value) for x in own if x.quantity in _COSTS)
        return Measured(
            cheap_key(self.jobs[name][0].job),
            self.keys.get(name, WholeKey()),
            round(max(known, self.costs.get(name, 0.0)) or earlier, 1),
            tuple(sorted({circuit_of(x) for x in own}, key=str)),
        )


def measure(
    table: FigureTable, jobs: Jobs, names: Iterable[str], workers: Workers
) -> list[Failure]:
    """Measure the figures of jobs, or take kept results; write facts and pages."""
    run, old, asked = _Run(jobs, workers, []), readme.read_kept(), list(names)
    more = asked
    while more:
        run.measure(more)
        facts = _merged(old, run.facts(run.results), table, run.results)
        more = _lacking(table, jobs, _lost(old, facts), asked)[:1]
        asked += more
    while lost := _printed(_lost(old, facts), facts, _gone(facts, table, run.results)):
        # Pages would lose these figures: all figures of their circuits stay unchanged.
        own = ", ".join(sorted({f"{x.quantity} of {x.subject}" for x in lost}))
        for name in table.jobs_of(lost).keys() & run.results.keys():
            run.failures.append(Failure(name, f"{own} cannot be derived again"))
            del run.results[name]
        facts = _merged(old, run.facts(run.results), table, run.results)
    for name in run.results:
        earlier = table[name].cpu_seconds if name in table else 0.0
        table[name] = run.measured(name, earlier)
    readme.renew(facts, table)
    return run.failures


def _lost(old: Iterable[Fact], facts: Iterable[Fact]) -> list[Fact]:
    """Find the derived facts that cannot be derived again."""
    known = {readme.about(x) for x in readme.AskedFacts(facts)}
    return [x for x in old if x.kind == DERIVED and readme.about(x) not in known]


def _printed(lost: Iterable[Fact], facts: Iterable[Fact], gone: Collection[Circuit]) -> list[Fact]:
    """Lost facts that a page would print, of circuits that keep other facts."""
    lost = [x for x in lost if circuit_of(x) not in gone]
    every = readme.AskedFacts([*facts, *lost])
    if lost:
        readme.render_all(every)
    return [x for x in lost if x in every.asked]


def _lacking(
    table: FigureTable, jobs: Jobs, lost: Iterable[Fact], asked: Sequence[str]
) -> list[str]:
    """Jobs that may give missing sources of derived facts, such as cycles of a circuit.

    A printed fact can be derived from facts that no page prints. The cheapest job is the first.
    """
    by_job = table.jobs_of(lost)
    # A flow that chooses its clock has its own cycles, and derived figures have another clock.
    known_jobs = [jobs[x][0].job for x in by_job if x in jobs]
    targets = {y for x in known_jobs if not searches_clock(x) for y in targets_of(x)}
    found = [
        name
        for name, (first, *_) in jobs.items()
        if name not in asked
        and (name in by_job or not nodes_of(plain(first.job)))
        and targets & targets_of(first.job)
    ]
    return sorted(found, key=lambda x: _seconds(table, jobs[x][0].job))


@click.command()
@click.option("--check", "checks", is_flag=True, help="Renew keys of what is the same by its key.")
@click.option("--sample", "samples", is_flag=True, help="Check; measure a sample if code differs.")
@click.option("--dry-run", is_flag=True, help="List what would be measured; measure nothing.")
@click.option(
    "--only", default="", metavar="PATTERN", help="Only measurements with this in the name."
)
@click.option("--stage", type=click.Choice(STAGES), help="Only circuits of this stage.")
@click.option("--max-bits", type=int, default=MAX_NBITS, help="Only circuits up to this width.")
@click.option("--new", is_flag=True, help="Also what no page prints yet; needs --only.")
@click.option("--outdated", metavar="REASON", help="Print the old figures, and say why.")
@worker_options()
@only_with(("--new",), "--only")
def command(
    checks: bool,
    samples: bool,
    dry_run: bool,
    only: str,
    stage: str | None,
    max_bits: int,
    new: bool,
    outdated: str | None,
    pool: Workers,
) -> None:
    """Measure the printed figures whose circuits or flow have changed; write README and pages.

    Kept results are used again, so that an interrupted run goes on where it stopped. With --check,
    circuits are only translated: where the same Verilog is synthesized by the same code, or the
    same netlist is kept, and is measured by the same code, figures count as measured. With
    --sample, they also do where only code has changed, and the cheapest measurements of the kind
    give the printed figures with it.
    """
    if sum(map(bool, (checks, samples, new, outdated))) > 1:
        raise UserError("--check, --sample, --new and --outdated: one of them is allowed")
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
    failures: list[Failure] = []
    if dry_run or not names:
        pass
    elif outdated:
        table |= {name: replace(table[name], outdated=outdated) for name in names if name in table}
    elif checks:
        _, failures = check(table, jobs, names, pool)
    elif samples:
        failures = sample(table, jobs, names, pool)
    else:
        failures = measure(table, jobs, names, pool)
    if not dry_run and names and (outdated or checks or samples):
        readme.renew(readme.read_kept(), table)
    for line in told(table, jobs):
        click.echo(f"older than its circuit or the flow: {line}")
    if failures:
        raise RunError("; ".join(f"{x.name}: {x.message}" for x in failures))


if __name__ == "__main__":
    sys.exit(guard(command, "python -m tools.figures"))
