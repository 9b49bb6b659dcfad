"""Options and names that select design points, shared by several commands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import click

from rsaxcel import catalog
from rsaxcel.cli.options.common import complete, named, together
from rsaxcel.cli.options.plain import Decorator, Widths
from rsaxcel.eval.facts.fact import OPERATIONS, USUAL_OPERATION
from rsaxcel.flow.layout import ACTIVITIES, STAGES
from rsaxcel.store.errors import UserError, nearest
from rsaxcel.store.shown import choices_text

if TYPE_CHECKING:
    import pandas as pd

_MOST_NAMES = 8
FORMS = ("design", "system", "multiplier", "all")
_MEASURES = (
    "`rsaxcel flow DESIGN` measures a design, `rsaxcel fpga DESIGN` its FPGA resources, "
    "`rsaxcel sweep SPEC.toml` all that a file lists"
)


@dataclass(frozen=True)
class Selection:
    """Conditions on design points; a selected point meets all of them."""

    #: names, in which ``*`` and ``?`` stand for any characters; all unless given
    designs: Sequence[str] = ()
    nbits: Sequence[int] = ()  #: widths in bits; all unless given
    #: names; all unless given
    libraries: Sequence[str] = ()
    multipliers: Sequence[str] = ()
    schedules: Sequence[str] = ()
    #: kind of points, one of ``FORMS``. If None, only designs are selected. But points of every
    #: kind are selected if ``designs`` are given, or if no design is measured.
    form: str | None = None
    conditions: Sequence[str] = ()  #: comparisons of columns, see ``matching``
    operation: str = USUAL_OPERATION  #: operation whose cycles, time and energy are shown
    project: Sequence[int] = ()  #: widths in bits to which measurements are projected
    activity: str | None = None  #: activity with which energy was measured; None: every activity
    stage: str | None = None  #: stage of the flow at which a point was measured; None: every stage


def operation_option(meaning: str) -> Decorator:
    """Return the decorator that adds --operation to a command; ``meaning`` is the help text."""
    return click.option(
        "--operation", type=click.Choice(OPERATIONS), default=USUAL_OPERATION, help=meaning
    )


def selection_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the argument DESIGN and the options of a selection to a command.

    The command gets their values under the names of the parameters of ``Selection``.
    """
    add = together(
        click.argument(
            "designs",
            nargs=-1,
            metavar="[DESIGN]...",
            callback=named,
            shell_complete=complete(catalog.designs),
        ),
        click.option(
            "--nbits",
            type=Widths(1, 1 << 20),
            multiple=True,
            callback=Widths.together,
            metavar="N,N,...",
            help="Widths in bits.",
        ),
        click.option(
            "--library",
            "libraries",
            multiple=True,
            metavar="NAME|PATH",
            callback=lambda _ctx, _param, names: tuple(map(library_of_points, names)),
            help="Cell library, NAME@CORNER for one corner, or FPGA family; can be repeated.",
        ),
        click.option(
            "--multiplier",
            "multipliers",
            multiple=True,
            metavar="NAME",
            help="Multiplier of the designs; can be repeated.",
        ),
        click.option(
            "--schedule",
            "schedules",
            multiple=True,
            metavar="NAME",
            help="Schedule of the designs; can be repeated.",
        ),
        click.option(
            "--form",
            type=click.Choice(FORMS),
            help="Designs on their own, systems with a processor, or multipliers.  "
            "[default: designs, or what DESIGN names, or all if no design is measured]",
        ),
        click.option(
            "--where",
            "conditions",
            multiple=True,
            metavar="CONDITION",
            help="Comparisons of columns, such as 'area_um2<5000 and lanes=1'; can be repeated.",
        ),
        operation_option("Operation whose cycles, time and energy are shown."),
        click.option(
            "--activity",
            type=click.Choice(ACTIVITIES),
            help="Energies with glitches (timed) or without (zero).  [default: both, in separate "
            "rows]",
        ),
        click.option(
            "--stage",
            type=click.Choice(STAGES),
            help="Points that were synthesized, placed or routed.  [default: all, in separate "
            "rows; a front has those of one stage]",
        ),
        click.option(
            "--project",
            type=click.IntRange(min=8),
            multiple=True,
            metavar="N",
            help="Project figures measured at three widths or more to N bits; can be repeated.",
        ),
    )
    return add(command)


def select(selection: Selection) -> pd.DataFrame:
    """Select the design points that meet a selection; columns as in ``eval.facts.points``."""
    from rsaxcel.eval.facts.points import load_facts, matching, tabulate, with_findings
    from rsaxcel.eval.facts.projection import projected_points

    facts = load_facts(flows=True)
    points = with_findings(tabulate(facts, selection.operation))
    if points.empty:
        raise UserError(not_measured("", ()))
    _check_names(selection, points)
    chosen = _named(points, selection)
    if selection.project:
        projected = projected_points(facts, chosen, selection.project, selection.operation)
        points = with_findings(projected)
        measured, chosen = chosen, _named(points, selection)
        if not (chosen.kind == "projected").any():
            click.echo(f"rsaxcel: {_not_projected(measured)}", err=True)
    if selection.nbits:
        chosen = chosen[chosen.nbits.isin([*selection.nbits, *selection.project])]
    for condition in selection.conditions:
        chosen = matching(chosen, condition)
    if chosen.empty:
        raise UserError(
            f"none of the {len(points)} design points in this folder meets all conditions "
            f"({_widths(points)}): {_MEASURES}"
        )
    return chosen.reset_index(drop=True)


def _not_projected(measured: pd.DataFrame) -> str:
    """Return a message on measured points of which none is projected."""
    from rsaxcel.eval.facts.projection import LEAST_WIDTHS

    widths = measured.groupby(["subject", "choices"]).nbits.nunique()
    few = [",".join(filter(None, name)) for name in widths[widths < LEAST_WIDTHS].index]
    if not few:
        return "--project: nothing lies beyond the measured widths that the designs can have"
    listed = ", ".join(few[:_MOST_NAMES]) + (", ..." if len(few) > _MOST_NAMES else "")
    have = "has" if len(few) == 1 else "have"
    return f"--project: nothing is projected; {listed} {have} figures at fewer than three widths"


def check_columns(names: Iterable[str], points: pd.DataFrame) -> None:
    """Check that all names are columns of a table of points."""
    for name in names:
        if name not in points.columns:
            listed = ", ".join(points.columns)
            raise UserError(f"column {name!r} is unknown; allowed: {listed}")


def _named(points: pd.DataFrame, selection: Selection) -> pd.DataFrame:
    """Return the points whose kind, name, choices, activity and stage meet a selection."""
    form = selection.form or ("all" if selection.designs else "design")
    if form != "all" and (selection.form or (points.form == form).any()):
        points = points[points.form == form]
    if selection.designs:
        points = points[
            points.subject.map(lambda x: any(fnmatchcase(x, y) for y in selection.designs))
        ]
    for column, names in _choices(selection).items():
        if names:
            points = points[points[column].isin(names)]
    if selection.activity:
        points = points[points.activity.isin(["", selection.activity])]
    if selection.stage:
        points = points[points.stage.isin(["", selection.stage])]
    return points


def _choices(selection: Selection) -> dict[str, Sequence[str]]:
    return {
        "library": selection.libraries,
        "multiplier": selection.multipliers,
        "schedule": selection.schedules,
    }


def _check_names(selection: Selection, points: pd.DataFrame) -> None:
    """Raise ``UserError`` for a name in a selection that is unknown or not measured."""
    from rsaxcel.flow.libraries import known_libraries

    known = {column: sorted(points[column].dropna().unique()) for column in _choices(selection)}
    known["library"] = sorted({*known["library"], *known_libraries()} - {""})
    known |= {axis: list(catalog.axes()[axis]) for axis in ("multiplier", "schedule")}
    for column, names in _choices(selection).items():
        for name in names:
            if name not in known[column]:
                raise UserError(
                    f"{column} {name!r} is unknown; allowed: {', '.join(known[column])}"
                )
    measured = list(points.subject.unique())
    for pattern in selection.designs:
        if not _fits_any(measured, pattern):
            raise UserError(not_measured(pattern, measured))


def library_of_points(text: str) -> str:
    """Return the name under which points have a library: of a folder, its whole path."""
    from rsaxcel.flow.libraries import canonical

    try:
        return canonical(text)
    except ValueError:  # a family of FPGAs, or a library that is no longer there
        return text


def not_measured(pattern: str, measured: Collection[str]) -> str:
    """Return a message on a name or pattern that fits no measured point.

    The message lists the names that are measured, or the commands that measure if there are none.
    """
    from rsaxcel.proc.kinds import ATTACHED
    from rsaxcel.proc.systems import NULL_SYSTEM

    if not measured:
        return f"no design is measured in this folder: {_MEASURES}"
    listed = f"measured in this folder: {', '.join(sorted(measured))}"
    systems = [f"{prefix}{design}" for prefix in ATTACHED for design in catalog.designs()]
    every = [*catalog.circuits(), NULL_SYSTEM, *systems]
    if pattern in every:
        measures = f"`rsaxcel flow {catalog.typed(pattern)}` measures it"
        return f"{pattern} is not measured: {measures}; {listed}"
    if _fits_any(every, pattern):
        return f"{pattern}: no such design is measured; {listed}"
    return f"no design {pattern!r}{nearest(pattern, [*every, *measured])}; {listed}"


def _fits_any(names: Iterable[str], pattern: str) -> bool:
    return any(fnmatchcase(name, pattern) for name in names)


def _widths(points: pd.DataFrame) -> str:
    counts = points.groupby("nbits").size().items()
    return ", ".join(
        f"{count} {'has' if count == 1 else 'have'} {nbits} bits" for nbits, count in counts
    )


_ALIKE = ["library", "clock_ns", "stage", "activity"]
_POINT = (
    "DESIGN:NBITS[,CHOICE=VALUE]...[,library=NAME[@CORNER]][,stage=NAME][@CLOCK_NS], such as "
    "mont_r2l:32, is allowed"
)


@dataclass(frozen=True)
class PointName:
    """Parsed name of a point."""

    text: str  #: the name, such as ``ssmm_r2l:32,lanes=1@0.5``
    #: design (``ssmm_r2l``), width in bits (32), and choices by axis or parameter
    subject: str
    nbits: int
    choices: dict[str, str]
    clock_ns: float | None  #: requested clock period (0.5); None for any period
    #: cell library or FPGA family, and stage of the flow, written like choices
    #: (``library=osu018``); None for any
    library: str | None = None
    stage: str | None = None

    @classmethod
    def parse(cls, text: str) -> PointName:
        from rsaxcel.eval.facts.points import choices_of  # loads slowly

        place, has_clock, clock = text.rpartition("@")
        if not has_clock or clock[:1].isalpha():  # the corner of a library follows an @, too
            place, clock = text, ""
        named, *choices = place.split(",")
        subject, _, nbits = named.partition(":")
        try:
            asked = choices_of(",".join(choices))
            library = asked.pop("library", None)
            conditions = library and library_of_points(library), asked.pop("stage", None)
            at = float(clock) if clock else None
            return cls(text, subject, int(nbits), asked, at, *conditions)
        except ValueError as error:
            raise ValueError(f"point {text!r}: {_POINT}") from error

    def find(self, points: pd.DataFrame) -> pd.DataFrame:
        """Select the rows of this point, one for each set of conditions of a measurement."""
        from rsaxcel.eval.facts.points import choices_and_program, choices_of
        from rsaxcel.sim.replay import command

        known = list(points.subject.unique())
        if self.subject not in known:
            raise ValueError(not_measured(self.subject, known))
        own = points[points.subject == self.subject]
        at_width = own[own.nbits == self.nbits]
        if at_width.empty:
            widths = ", ".join(map(str, sorted(own.nbits.unique())))
            raise ValueError(
                f"{self.text}: {self.subject} is measured at {widths} bits only; "
                f"`{command('flow', self.subject, self.nbits, {})}` measures it"
            )
        choices = at_width.choices.map(choices_of)
        found = at_width[choices == self.choices]
        if found.empty:
            changed, _ = choices_and_program(self.subject, self.nbits, self.choices)
            found = at_width[choices == choices_of(choices_text(changed))]
        if found.empty:
            listed = ", ".join(at_width.point.unique())
            raise ValueError(f"{self.text} is not measured; {listed} are")
        if self.clock_ns is not None:
            clocks = found.clock_ns
            found = found[clocks == self.clock_ns]
            if found.empty:
                listed = ", ".join(f"{x:g}" for x in sorted(clocks.dropna().unique()))
                raise ValueError(f"{self.text}: synthesized for {listed} ns")
        found = _measured(self.text, found, "library", self.library)
        return _measured(self.text, found, "stage", self.stage)


_VERBS = {"library": "measured with", "stage": "measured at stage"}


def _measured(text: str, rows: pd.DataFrame, column: str, value: str | None) -> pd.DataFrame:
    """Select the rows of a point that were measured under a condition; None: all rows."""
    found = rows if value is None else rows[rows[column] == value]
    if found.empty:
        listed, verb = ", ".join(rows[column].unique()), _VERBS[column]
        raise ValueError(f"{text}: not {verb} {value}; {verb}: {listed}")
    return found


def choose_pair(
    points: pd.DataFrame, a: str, b: str, library: str | None = None
) -> tuple[pd.Series, pd.Series]:
    """Choose a row of each of two points, so that the two rows can be compared.

    A point has a row for each set of conditions (such as library and clock period) under which it
    was measured. Two rows with the same conditions are preferred; if there are several such pairs,
    the pair with the most figures. If there is none, each point's row with the most figures is
    chosen.
    """
    found = {text: PointName.parse(text).find(points) for text in (a, b)}
    first, second = (_counted(_measured(text, found[text], "library", library)) for text in (a, b))
    both = first.merge(second, on=_ALIKE, suffixes=("_a", "_b"))
    if both.empty:
        return points.loc[first.known.idxmax()], points.loc[second.known.idxmax()]
    best = both.loc[(both.known_a + both.known_b).idxmax()]
    return points.loc[best.row_a], points.loc[best.row_b]


def _counted(rows: pd.DataFrame) -> pd.DataFrame:
    """Return each row's conditions, its number of figures (``known``) and its index (``row``)."""
    from rsaxcel.eval.facts.points import NUMBERS

    counted = rows[_ALIKE].copy()
    counted["known"] = rows[list(NUMBERS)].notna().sum(axis=1)
    counted["row"] = rows.index
    return counted
