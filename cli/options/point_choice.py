"""Finds design points by names such as ``ssmm_r2l:32,lanes=1@0.5``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rsaxcel.cli.options.points import library_of_points, not_measured
from rsaxcel.eval.facts.points import NUMBERS, choices_and_program, choices_of
from rsaxcel.sim.replay import command
from rsaxcel.store.shown import choices_text

if TYPE_CHECKING:
    import pandas as pd

_CONDITIONS = ["library", "clock_ns", "stage", "activity"]
_FORM = (
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
            raise ValueError(f"point {text!r}: {_FORM}") from error

    def find(self, points: pd.DataFrame) -> pd.DataFrame:
        """Select the rows of this point, one for each set of conditions of a measurement."""
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
        if self.library is not None:
            found = _with_library(self.text, found, self.library)
        if self.stage is not None:
            found = _of_condition(self.text, found, "stage", self.stage, "measured at stage")
        return found


def _with_library(text: str, rows: pd.DataFrame, library: str) -> pd.DataFrame:
    """Select the rows of a point that were measured with a library; see ``_of_condition``."""
    return _of_condition(text, rows, "library", library, "measured with")


def _of_condition(
    text: str, rows: pd.DataFrame, column: str, value: str, verb: str
) -> pd.DataFrame:
    """Select the rows of a point that were measured under a condition."""
    found = rows[rows[column] == value]
    if found.empty:
        listed = ", ".join(rows[column].unique())
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
    found = [PointName.parse(text).find(points) for text in (a, b)]
    if library is not None:
        found = [_with_library(x, rows, library) for x, rows in zip((a, b), found, strict=True)]
    first, second = (_counted(rows) for rows in found)
    both = first.merge(second, on=_CONDITIONS, suffixes=("_a", "_b"))
    if both.empty:
        return points.loc[first.known.idxmax()], points.loc[second.known.idxmax()]
    best = both.loc[(both.known_a + both.known_b).idxmax()]
    return points.loc[best.row_a], points.loc[best.row_b]


def _counted(rows: pd.DataFrame) -> pd.DataFrame:
    """Return each row's conditions, its number of figures (``known``) and its index (``row``)."""
    counted = rows[_CONDITIONS].copy()
    counted["known"] = rows[list(NUMBERS)].notna().sum(axis=1)
    counted["row"] = rows.index
    return counted
