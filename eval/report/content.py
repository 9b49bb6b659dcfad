"""Content of the report: studies with their facts filled in, and energies.

Energies of circuits and programs are shown by parts, and ranked with and without glitches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from rsaxcel import catalog
from rsaxcel.eval.facts.fact import PRODUCT, USUAL_OPERATION, Fact
from rsaxcel.eval.facts.points import BUILD, tabulate
from rsaxcel.eval.facts.printed import Printed
from rsaxcel.eval.facts.quantities import ENERGY_PARTS
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.measure.errors import Failure
from rsaxcel.eval.report.cards import (
    Anatomy,
    Card,
    Loader,
    Look,
    find_anatomy,
    make_cards,
    placed_anatomy,
    placed_circuits,
)
from rsaxcel.eval.report.choice import Choice, choices, draw_growth
from rsaxcel.eval.report.fidelity import Compared, Fidelity, by_place, compare
from rsaxcel.eval.report.layouts import draw_layouts
from rsaxcel.eval.report.names import (
    FORMS,
    colours_of,
    label_of,
    on_processor,
    shades,
    subject_label,
)
from rsaxcel.eval.report.plots import INK, MARK, STYLE, WIDTH_IN, Drawing, draw, finish
from rsaxcel.eval.report.spec import (
    NOTES,
    OPERATION_TITLES,
    Column,
    Layouts,
    ReportTable,
    Section,
    Study,
    Text,
)
from rsaxcel.eval.report.tables import ShownTable, show_table
from rsaxcel.eval.report.words import MISSING, FigureWords
from rsaxcel.eval.studies.designs import DOCUMENT as DESIGNS
from rsaxcel.flow.layout import PLACED_STAGES, TIMED
from rsaxcel.flow.names import SEPARATOR
from rsaxcel.store.shown import choices_text

Shown = ShownTable | Drawing | Text


#: Data in place of those of a document, for a study without a document.
_OURS = {"title": "", "author": "", "short": "rsaxcel", "technology": ""}


@dataclass(frozen=True)
class ShownSection:
    """Section with its figures."""

    section: Section
    introduction: str  #: introduction with its figures filled in
    blocks: Sequence[Shown]  #: texts, and tables and plots that have figures
    columns: Sequence[str]  #: keys of columns that no earlier section has

    @property
    def tables(self) -> list[ShownTable]:
        return [x for x in self.blocks if isinstance(x, ShownTable)]

    @property
    def inside(self) -> str:
        """Titles of the blocks, in one line."""
        return "; ".join(getattr(block, "table", block).title for block in self.blocks)


@dataclass(frozen=True)
class ShownStudy:
    """Study with its figures."""

    study: Study
    document: Mapping[str, str]  #: title, author, short name, technology
    sections: Sequence[ShownSection]
    notes: Mapping[str, str]  #: notes by key, with their figures filled in
    colours: Mapping[str, str]  #: colours by key of the column; none for columns of figures
    labels: Mapping[str, str]  #: labels by key of the column
    systems: frozenset[str]  #: keys of columns about systems
    headline: str = ""  #: text for the summary; empty if a figure is missing

    @property
    def topic(self) -> str:
        """Topic of the study, or else the title of its document."""
        return self.study.topic or self.document["title"]

    @property
    def tables(self) -> list[ShownTable]:
        return [table for section in self.sections for table in section.tables]


@dataclass(frozen=True)
class Content:
    """Content of the report: its page, output on the terminal and files."""

    facts: Facts
    studies: Sequence[ShownStudy]
    fidelity: Sequence[Fidelity]  #: nearness for each table or figure of the documents
    compared: Sequence[Compared]  #: each printed figure with ours beside it
    failures: Sequence[Failure]
    printed: Printed
    workload: Mapping[str, str]  #: texts on the workload by heading
    waiting: str  #: text on measurements that are still running
    choices: Sequence[Choice]  #: all designs, for each width
    growth: Drawing | None  #: plot of figures over the width; None: there is one width
    points: pd.DataFrame  #: points, also of earlier sweeps and searches
    cards: Sequence[Card]  #: card of each subject of the points
    insides: Mapping[int, Mapping[str, Any]]  #: inner structure by row of points
    energies: Sequence[EnergyGroup]

    @property
    def tables(self) -> list[ShownTable]:
        return [table for study in self.studies for table in study.tables]


def assemble(
    studies: Sequence[Study],
    facts: Facts,
    failures: Sequence[Failure],
    printed: Printed,
    workload: Mapping[str, str],
    waiting: str,
    library: str,
    folder: Path,
    swept: Sequence[Fact] = (),
    look: Look | None = None,
) -> Content:
    """Fill in tables and texts, and draw plots.

    ``swept``: facts of earlier sweeps and searches, for the design points only. ``look`` finds the
    inner structure of a circuit, by default in the flow's folders.
    """
    load = placed_circuits(BUILD / "flow")
    shown = [_show(study, facts, printed, folder, load) for study in studies]
    # of two equal facts, the last one is shown: that of the report
    points = tabulate([*swept, *facts])
    colours = colours_of(points["subject"])
    cards, insides = make_cards(points, facts, colours, look or _look(folder, load))
    compared = compare(studies, printed, facts)
    places = by_place(studies, printed, compared)
    runs_on = {name: on for study in studies for name, on in study.runs_on.items()}
    energies = energy_groups(facts, _names(studies), runs_on, folder)
    counted = facts, shown, places, compared, failures, printed
    tables = (x for study in studies if study.document == DESIGNS for x in study.tables)
    widths = [x.where["nbits"] for x in tables]
    chosen = choices(points[points["nbits"].isin(widths)], colours, library, folder)
    growth = draw_growth(chosen, folder)
    return Content(*counted, workload, waiting, chosen, growth, points, cards, insides, energies)


def _look(folder: Path, load: Loader) -> Look:
    """Return a function that reads the inner structure of circuits, placed or not."""

    def look(*about: Any) -> Anatomy:
        placed = load(about[-1])
        return find_anatomy(folder, *about) if placed is None else placed_anatomy(folder, placed)

    return look


def _names(studies: Sequence[Study]) -> Names:
    """Label by subject and text of choices, from the first column that shows them."""
    found: dict[tuple[str, str], str] = {}
    for column in (x for study in studies for x in study.columns):
        about = column.where.get("subject", column.key), column.where.get("choices") or {}
        found.setdefault((str(about[0]), choices_text(about[1])), label_of(column))
    return found


def _show(study: Study, every: Facts, printed: Printed, folder: Path, load: Loader) -> ShownStudy:
    facts = every.of_document(study.document)
    words = FigureWords(facts, study.where)
    columns = {x.key: x for x in study.columns}
    named = {key: x.where.get("subject", key) for key, x in columns.items() if not x.of_figures}
    colour_of = shades(named)
    sections = []
    seen: set[str] = set()
    for section in study.sections:
        blocks = [x for x in _blocks(section, facts, colour_of, words, folder, load) if x]
        if any(not isinstance(x, Text) for x in blocks):
            introduction = words.fill(section.introduction)
            keys = dict.fromkeys(y.key for y in section.columns if not y.of_figures)
            own = [x for x in keys if x not in seen]
            sections.append(ShownSection(section, introduction, blocks, own))
            seen.update(own)
    notes = {key: words.fill(text) for key, text in {**NOTES, **study.notes}.items()}
    headline = words.fill(study.headline)
    return ShownStudy(
        study,
        printed.documents.get(study.document, _OURS),
        sections,
        notes,
        colour_of,
        {key: label_of(x) for key, x in columns.items()},
        frozenset(key for key, x in columns.items() if on_processor(x, study.runs_on)),
        "" if MISSING in headline else headline,
    )


def _blocks(
    section: Section,
    facts: Facts,
    colour_of: Mapping[str, str],
    words: FigureWords,
    folder: Path,
    load: Loader,
) -> Iterator[Any]:
    for block in section.blocks:
        if isinstance(block, ReportTable):
            yield show_table(block, facts)
        elif isinstance(block, Text):
            yield Text(block.title, words.fill(block.text), block.folded)
        elif isinstance(block, Layouts):
            yield draw_layouts(block, facts, load, folder)
        else:
            yield draw(block, facts, colour_of, folder)


_GLITCHES = "_glitches"
#: Readable on white and on near-black; glitches have the colour of the part that toggles.
_ENERGY_COLOURS = {
    "clock": "#7c6ae0",
    "registers": "#0891b2",
    "combinational": "#dd6b10",
    "wires": "#3f9142",
    "leakage": "#868e9c",
}
_GLITCH_ALPHA = 0.28
_UJ_FROM_NJ = 1e4


def draw_energies(
    key: str, title: str, rows: Sequence[EnergyRow], timed: bool, folder: Path
) -> Drawing:
    """Draw a bar for each subject, with parts in the order of ``ENERGY_PARTS``, glitches last."""
    most_nj = max(row.figures["energy_nj"] for row in rows)
    unit, scale = ("µJ", 1e-3) if most_nj >= _UJ_FROM_NJ else ("nJ", 1.0)
    shown = [x for x in ENERGY_PARTS if any(row.parts.get(x, 0.0) > 0 for row in rows)]
    with matplotlib.rc_context({**STYLE, "hatch.linewidth": 1.1}):
        figure = Figure(figsize=(WIDTH_IN, 1.5 + 0.42 * len(rows)), layout="constrained")
        axes = figure.add_subplot()
        for place, row in enumerate(rows):
            total_nj = row.figures["energy_nj"]
            style: Any = {"textcoords": "offset points", "va": "bottom", "weight": "bold"}
            axes.annotate(row.label, (0, place - 0.2), (1, 1.5), fontsize=8.5, **style)
            end = 0.0
            for part in shown:
                value = max(row.parts.get(part, 0.0), 0.0) * scale
                if value:
                    said = f"{ENERGY_PARTS[part]}: {value:,.4g} {unit}"
                    said += f", {100 * value / scale / total_nj:.0f} % of all"
                    for style in _energy_styles(part):
                        axes.barh(place, value, 0.4, left=end, **style)[0].set_gid(
                            MARK.format(row.subject, said)
                        )
                end += value
            factor = row.figures.get("glitch_factor") if timed else None
            text = f"{total_nj * scale:,.3g} {unit}{f', factor {factor:.2f}' if factor else ''}"
            beside: Any = {"textcoords": "offset points", "va": "center", "fontsize": 8.5}
            axes.annotate(text, (end, place), (4, 0), **beside)
        axes.set_xlim(0, 1.3 * most_nj * scale)
        axes.set_ylim(len(rows) - 0.6, -0.75)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(f"energy of an operation in {unit}; factor: over that without glitches")
        handles: Any = [tuple(Patch(**style) for style in _energy_styles(part)) for part in shown]
        names = [ENERGY_PARTS[part] for part in shown]
        figure.legend(handles, names, loc="outside upper center", ncols=3, labelcolor=INK)
        alt = f"{title}: energy of an operation by what takes it; what glitches take is hatched."
        return finish(figure, f"energy_{key}", title, alt, folder)


def _energy_styles(part: str) -> list[dict[str, Any]]:
    """Styles to draw over each other: a colour, or for glitches a light colour and a hatch."""
    colour = _ENERGY_COLOURS[part.removesuffix(_GLITCHES)]
    if not part.endswith(_GLITCHES):
        return [{"facecolor": colour, "linewidth": 0}]
    lines: Any = {"facecolor": "none", "edgecolor": colour, "linewidth": 0, "hatch": "//////"}
    return [{"facecolor": colour, "alpha": _GLITCH_ALPHA, "linewidth": 0}, lines]


#: Label of a subject with its choices, by subject and choices.
Names = Mapping[tuple[str, str], str]

_ENERGY_QUANTITIES = {part: f"energy_{part}_nj" for part in ENERGY_PARTS}
_ENERGY_FIGURES = ("energy_nj", "energy_lower_nj", "glitch_factor", "glitch_module")
_CHAIN_FIGURES = ("glitch_chain", "glitch_chain_gates", "glitch_chain_percent")
_ENERGY_FACTS = {
    *_ENERGY_QUANTITIES.values(),
    *_ENERGY_FIGURES,
    *_CHAIN_FIGURES,
    "glitch_module_percent",
}
_ENERGY_FORMS = ("design", "system", "multiplier")
_FIRST_ENERGY_NBITS = 32


def _alike(pair: tuple[str, str]) -> bool:
    return pair[0] == pair[1]


@dataclass(frozen=True)
class EnergyRow:
    """Energy of a subject."""

    subject: str
    label: str
    colour: str
    system: bool  #: whether the subject is a system
    figures: Mapping[str, Any]  #: figures by quantity; unknown ones are missing
    places: tuple[int, int]  #: ranks without and with glitches; 1: least energy

    @property
    def parts(self) -> dict[str, float]:
        """Energy in nJ by keys of ``ENERGY_PARTS``."""
        figures = self.figures
        return {part: figures[name] for part, name in _ENERGY_QUANTITIES.items() if name in figures}

    @property
    def moved(self) -> int:
        """Change of rank by glitches; a value below 0 is a change to a better rank."""
        return self.places[1] - self.places[0]

    @property
    def chain(self) -> str:
        """Text on the gate chain with most glitch energy: module, both ends, number of gates."""
        if "glitch_chain" not in self.figures:
            return ""
        ends = self.figures["glitch_chain"].split(" to ")
        first, last = (end.split(SEPARATOR) for end in ends)
        both = [one for one, _ in takewhile(_alike, zip(first[:-1], last[:-1], strict=False))]
        inside = " to ".join(SEPARATOR.join(end[len(both) :]) for end in (first, last))
        module = f"{SEPARATOR.join(both)}: " if both else ""
        return f"{module}{inside}, {self.figures['glitch_chain_gates']:.0f} gates"


@dataclass(frozen=True)
class EnergyGroup:
    """Group of subjects with the same form, width and conditions: comparable energies."""

    key: str  #: name in files
    title: str
    operation: str  #: title of the operation
    timed: bool  #: gates have delays: glitches are counted
    rows: Sequence[EnergyRow]  #: the least energy first
    drawing: Drawing | None  #: bars of the energies' parts
    folded: bool  #: whether the page folds the group

    @property
    def order(self) -> str:
        """Sentence on how glitches change the ranking by energy; empty without glitches."""
        moved = [f"{x.label} ({x.places[0]} to {x.places[1]})" for x in self.rows if x.moved]
        if not self.timed or len(self.rows) < 2:
            return ""
        if not moved:
            return "The order by energy is the same with and without glitches."
        return f"Glitches change places in the order by energy: {', '.join(moved)}."


class _EnergyConditions(NamedTuple):
    """Conditions of a group, in the order of groups: 32 bits first, designs before systems."""

    other_width: bool
    form: int  #: index in ``_ENERGY_FORMS``
    nbits: int
    library: str
    clock_ns: float
    stage: str
    activity: str
    operation: str

    @property
    def placed(self) -> bool:
        return self.stage in PLACED_STAGES


def energy_groups(
    facts: Iterable[Fact], names: Names, programs: Mapping[str, str], folder: Path
) -> list[EnergyGroup]:
    """Group the energies of the usual operation, or of a product, and draw them.

    ``names``: labels by subject and choices. ``programs``: the system of each program.
    """
    found: dict[_EnergyConditions, dict[tuple[str, str], dict[str, Any]]] = defaultdict(dict)
    for fact in facts:
        if fact.quantity in _ENERGY_FACTS and not (fact.printed or fact.part) and fact.activity:
            if fact.operation in (USUAL_OPERATION, PRODUCT):
                own = found[_energy_conditions(fact, programs)].setdefault(
                    (fact.subject, fact.choices), {}
                )
                own.setdefault(fact.quantity, fact.value)
    colours = colours_of([subject for group in found.values() for subject, _ in group])
    groups = []
    for conditions in sorted(found):
        members = {
            who: x
            for who, x in found[conditions].items()
            if {"energy_nj", _ENERGY_QUANTITIES["clock"]} <= {*x}
        }
        # Placed designs, each at a clock of its own, cannot be compared.
        if len(members) > 1 or (members and not conditions.placed):
            rows = list(
                _energy_rows(members, names, colours, _ENERGY_FORMS[conditions.form] == "system")
            )
            groups.append(_energy_group(conditions, rows, folder))
    return groups


def _energy_conditions(fact: Fact, programs: Mapping[str, str]) -> _EnergyConditions:
    if on_processor(Column(fact.subject, {"subject": fact.subject}), programs):
        form = "system"
    else:
        form = "multiplier" if catalog.is_multiplier(fact.subject) else "design"
    return _EnergyConditions(
        fact.nbits != _FIRST_ENERGY_NBITS,
        _ENERGY_FORMS.index(form),
        fact.nbits,
        fact.library,
        fact.clock_ns or 0.0,
        fact.stage,
        fact.activity,
        fact.operation,
    )


def _energy_rows(
    members: Mapping[tuple[str, str], dict[str, Any]],
    names: Names,
    colours: Mapping[str, str],
    system: bool,
) -> Iterator[EnergyRow]:
    """Yield the rows of a group by energy, each with its rank without and with glitches."""
    energies = [
        (x.get("energy_lower_nj", x["energy_nj"]), x["energy_nj"]) for x in members.values()
    ]
    lower, whole = (sorted(values) for values in zip(*energies, strict=True))
    for (who, figures), (own, more) in sorted(
        zip(members.items(), energies, strict=True), key=lambda x: (x[1][1], x[0][0])
    ):
        places = lower.index(own) + 1, whole.index(more) + 1
        label = names.get(who) or ", ".join(
            (subject_label(who[0]), *filter(None, who[1].split(",")))
        )
        yield EnergyRow(who[0], label, colours[who[0]], system, figures, places)


def _energy_group(group: _EnergyConditions, rows: Sequence[EnergyRow], folder: Path) -> EnergyGroup:
    form = _ENERGY_FORMS[group.form]
    clock = f"{group.clock_ns:g}"
    title = f"{FORMS[form].capitalize()} of {group.nbits} bits, {group.library}, for {clock} ns"
    parts = [form, group.nbits, group.library, clock.replace(".", "_"), group.activity]
    if group.placed:
        title = f"{title}, {group.stage}"
        parts.append(group.stage)
    key = "_".join(str(x) for x in parts)
    timed = group.activity == TIMED
    named = OPERATION_TITLES.get(group.operation, "A product of random operands")
    drawing = draw_energies(key, title, rows, timed, folder)
    folded = group.other_width or group.placed
    return EnergyGroup(key, title, named, timed, rows, drawing, folded)
