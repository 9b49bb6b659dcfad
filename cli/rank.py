"""``rsaxcel rank``: checks, measures and ranks the designs that students have handed in."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rsaxcel import catalog
from rsaxcel.cli.options.common import complete, confinement_options, nbits_option
from rsaxcel.cli.options.flow import (
    OWN_CLOCK,
    SHORT_CLOCK_NS,
    activity_option,
    check_uncertainty,
    flow_options,
    layout_options,
    timed_cycles_option,
)
from rsaxcel.cli.options.plain import (
    FiniteRange,
    file_option,
    json_option,
    random_option,
    seed_option,
    worker_options,
)
from rsaxcel.cli.options.points import operation_option
from rsaxcel.course.rank.objectives import OBJECTIVES, objective_of
from rsaxcel.flow.layout import Layout
from rsaxcel.store.errors import UserError
from rsaxcel.store.shown import LONGEST_LINE, shown

if TYPE_CHECKING:
    from rsaxcel.eval.measure.job import Workers

_BASELINE = "mulrem_r2l"
_FORMATS = (".csv", ".html")
_LEAST_NBITS = 8


@click.command(
    epilog="""\b
    Examples:
      rsaxcel rank ann/booth bob/barrett
      rsaxcel rank class/* --nbits 64 --objective energy --output ranking.html
      rsaxcel rank booth --baseline ssmm_r2l --seed 7 --json
      rsaxcel rank class/* --stage placed --utilisation 0.7
    """
)
@click.argument(
    "folders", nargs=-1, required=True, metavar="FOLDER...", type=click.Path(path_type=Path)
)
@click.option(
    "--objective",
    type=click.Choice(tuple(OBJECTIVES)),
    default=next(iter(OBJECTIVES)),
    help="Figure that designs are ranked by; less is better.",
)
@click.option(
    "--baseline",
    default=_BASELINE,
    metavar="DESIGN",
    shell_complete=complete(lambda: catalog.DESIGNS),
    help="Design of the registry that is ranked beside the designs in FOLDERs.",
)
@nbits_option("Width of operands and result in bits at which designs are measured.")
@operation_option(
    "Operation of the workload: with the private or the public exponent of the standard key."
)
@flow_options("Standard cells.", f"Clock period of all designs, in nanoseconds.  {OWN_CLOCK}", None)
@activity_option
@timed_cycles_option
@layout_options()
@random_option(
    "Random vectors at each width, besides corners and numbers that occur in the Verilog.",
    10_000,
    10_000_000,
)
@seed_option(
    "Seed of the vectors; without it, one is drawn when a design has been translated.",
    None,
    most=(1 << 32) - 1,
)
@click.option(
    "--seconds",
    type=FiniteRange(1),
    default=1800.0,
    metavar="T",
    help="Time limit in seconds for each step of a design: translation, checks, models, flow.",
)
@click.option(
    "--memory-gb",
    type=FiniteRange(0.5),
    default=8.0,
    metavar="GB",
    help="Memory limit in GB for each process of a design.",
)
@confinement_options
@file_option("--rubric", "Points, cases, limits and deadline, in TOML.", "rubric_file")
@click.option(
    "--one",
    is_flag=True,
    help="Grade one FOLDER, without a baseline; write results.json as Gradescope reads it.",
)
@file_option(
    "--metadata", "With --one: Gradescope's submission_metadata.json, with student and time."
)
@file_option(
    "--output",
    "Write the ranking to a file as well, .csv or .html; with --one, only to a file, .json.",
    exists=False,
)
@worker_options()
@json_option("One JSON object per design, nothing else.")
def command(
    folders: tuple[Path, ...],
    objective: str,
    baseline: str,
    nbits: int,
    operation: str,
    library: str,
    clock_ns: float | None,
    activity: str,
    timed_cycles: int,
    layout: Layout,
    count: int,
    seed: int | None,
    seconds: float,
    memory_gb: float,
    confinement: str,
    rubric_file: Path | None,
    one: bool,
    metadata: Path | None,
    output: Path | None,
    pool: Workers,
    as_json: bool,
) -> int:
    """Check the designs in FOLDERs, measure them on one workload and rank them.

    Each FOLDER has the form that `rsaxcel new` writes: a project with its project.toml, a package
    with one design in its DESIGNS, or a core in Verilog with its core.toml, of which nothing is run
    but its circuit in a simulation. A multiplier in Verilog is measured as a part of a design.
    Whatever reads or runs a part of it is confined by bubblewrap: it sees the tools and a copy of
    the folder, no other file, no network and no other process, and writes only to memory. The
    design's Python code runs only to translate it and to run its models. Its Verilog is checked
    against Python's pow, on vectors that are drawn after the translation, at N bits and at 8 and
    13: corners, numbers that occur in the Verilog, random ones; in other orders, twice, alone, with
    stalls and resets. The cycle model has
    to give the circuit's cycles, and the golden model its results.

    A design that is wrong, keeps state, knows the workload, touches files, hangs or cannot be built
    is listed with the reason and, if vectors show the fault, with the command that runs them again.
    The other designs are ranked all the same. Earlier checks and measurements are reused while the
    files stay the same.

    All designs are measured at one stage. With --stage placed, they are ranked by the area of the
    core in place of the cells' area. A constraint that all designs miss would waste area and energy
    on repairs, so each placed design has its own: 1.1 times its smallest period after synthesis,
    then the period that comes out, until the two are within 3 %.

    With --scheduler, designs are checked here, and a cluster takes those that pass through the
    flow, in a sandbox of each worker.

    Exit status: 0 if all designs are ranked, 1 if one is not, 2 for bad input.
    """
    check_width(nbits)
    check_uncertainty(layout, clock_ns)
    formats = (".json",) if one else _FORMATS
    if output is not None and output.suffix not in formats:
        raise UserError(f"--output={output}: names that end in {' or '.join(formats)} are allowed")
    if one and (len(folders) > 1 or as_json):
        raise UserError("--one: one FOLDER is allowed, and no --json")
    if metadata and not one:
        raise UserError("--metadata: with --one alone")
    if output is not None and not output.parent.is_dir():
        raise UserError(f"--output={output}: there is no folder {output.parent}")
    for folder in folders:
        if not os.path.lexists(folder):  # a broken link is ranked as a faulty design
            raise UserError(f"{folder} does not exist")
    from rsaxcel.cli.progress import steps
    from rsaxcel.course.rank import answers
    from rsaxcel.course.rank.assess import Assessment
    from rsaxcel.course.rank.handed import Handed, counted, find_handed, of_gradescope, read
    from rsaxcel.course.rank.output import results, rows, table, write
    from rsaxcel.course.rank.points import earned
    from rsaxcel.course.rank.ranking import RankingConditions, rank
    from rsaxcel.course.rank.rubric import CRITERIA_ALONE, read_rubric
    from rsaxcel.course.rank.sandbox import Limits
    from rsaxcel.flow.run import check_tools

    began = time.monotonic()
    limits = Limits(seconds, memory_gb, confinement)
    rubric = read_rubric(rubric_file, nbits) if rubric_file else CRITERIA_ALONE
    catalog.get(baseline).configure(nbits)
    check_tools(library, layout)
    hand_ins = [of_gradescope(x, metadata) if metadata else counted(x, rubric) for x in folders]
    students = [x.student for x in hand_ins]
    if rubric_file and len(set(students)) < len(students):
        again = next(x for x in students if students.count(x) > 1)
        raise UserError(f"{again}: several FOLDERs have this name; a rubric needs one per student")
    reader = answers.read if rubric.questions else read
    handed = find_handed([x.folder for x in hand_ins], limits, reader)
    if rubric_file or one:
        handed = [replace(x, label=name) for x, name in zip(handed, students, strict=True)]
    if baseline in (x.label for x in handed):
        raise UserError(f"{baseline}: the baseline has this name; rename the folder")
    if clock_ns is None and not layout.placed:
        clock_ns = SHORT_CLOCK_NS
    by = objective_of(objective, placed=layout.placed)
    conditions = RankingConditions(
        library, clock_ns, operation, activity, timed_cycles, limits, layout
    )
    common = Assessment(nbits, count, seed, limits)
    tasks = [common.of_student(rubric, x) if rubric_file else common for x in students]
    if not (one or rubric.questions):
        handed.append(Handed(baseline, None, ""))
        tasks.append(common)
    with steps(f"rank {len(handed)} designs") as progress:
        if rubric.questions:
            places = answers.graded(handed, rubric, progress)
        else:
            places = rank(handed, tasks, conditions, by, progress, pool)
    if one:
        (place,), (hand_in,) = places, hand_ins
        points = earned(place.verdict, place.figures, rubric, hand_in.at)
        told = results(points, place.figures, hand_in, by.key, time.monotonic() - began)
        text = json.dumps(told, indent=1)
        if output is None:
            click.echo(text)
        else:
            output.write_text(text, encoding="utf-8")
        return int(bool(place.verdict.kind))
    by_label = {x.label: y for x, y in zip(handed, hand_ins, strict=False)}
    found = rows(places, by, baseline, conditions, rubric, by_label)
    if output is not None:
        write(found, output, by, rubric.title)
    for line in map(json.dumps, found) if as_json else table(found, by):
        click.echo(shown(line, LONGEST_LINE))
    return int(any(row["verdict"] != "right" for row in found))


def check_width(nbits: int) -> None:
    """Raise ``UserError`` for a width that no key has."""
    if nbits < _LEAST_NBITS:
        raise UserError(f"--nbits={nbits}: {_LEAST_NBITS} or more are allowed, as keys need them")
