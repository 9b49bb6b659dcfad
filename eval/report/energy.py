"""Energies of circuits and programs by parts, and their ranking with and without glitches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from rsaxcel import catalog
from rsaxcel.eval.facts.fact import PRODUCT, USUAL_OPERATION, Fact
from rsaxcel.eval.facts.quantities import ENERGY_PARTS
from rsaxcel.eval.report.names import FORMS, colours_of, on_processor, subject_label
from rsaxcel.eval.report.plots import INK, MARK, STYLE, WIDTH_IN, Drawing, finish
from rsaxcel.eval.report.spec import OPERATION_TITLES, Column
from rsaxcel.flow.layout import PLACED_STAGES, TIMED
from rsaxcel.flow.names import SEPARATOR

_GLITCHES = "_glitches"
#: Readable on white and on near-black; glitches have the colour of the part that toggles.
_COLOURS = {
    "clock": "#7c6ae0",
    "registers": "#0891b2",
    "combinational": "#dd6b10",
    "wires": "#3f9142",
    "leakage": "#868e9c",
}
_LIGHT = 0.28
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
                    for style in _styles(part):
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
        handles: Any = [tuple(Patch(**style) for style in _styles(part)) for part in shown]
        names = [ENERGY_PARTS[part] for part in shown]
        figure.legend(handles, names, loc="outside upper center", ncols=3, labelcolor=INK)
        alt = f"{title}: energy of an operation by what takes it; what glitches take is hatched."
        return finish(figure, f"energy_{key}", title, alt, folder)


def _styles(part: str) -> list[dict[str, Any]]:
    """Styles to draw over each other: a colour, or for glitches a light colour and a hatch."""
    colour = _COLOURS[part.removesuffix(_GLITCHES)]
    if not part.endswith(_GLITCHES):
        return [{"facecolor": colour, "linewidth": 0}]
    lines: Any = {"facecolor": "none", "edgecolor": colour, "linewidth": 0, "hatch": "//////"}
    return [{"facecolor": colour, "alpha": _LIGHT, "linewidth": 0}, lines]


Names = Mapping[
    tuple[str, str], str
]  #: label of a subject with its choices, by subject and choices

_PARTS = {part: f"energy_{part}_nj" for part in ENERGY_PARTS}
_FIGURES = ("energy_nj", "energy_lower_nj", "glitch_factor", "glitch_module")
_CHAIN = ("glitch_chain", "glitch_chain_gates", "glitch_chain_percent")
_WANTED = {*_PARTS.values(), *_FIGURES, *_CHAIN, "glitch_module_percent"}
_ORDER = ("design", "system", "multiplier")
_FIRST_NBITS = 32


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
        return {part: figures[name] for part, name in _PARTS.items() if name in figures}

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


class _Conditions(NamedTuple):
    """Conditions of a group, in the order of groups: 32 bits first, designs before systems."""

    other_width: bool
    form: int  #: index in ``_ORDER``
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
    found: dict[_Conditions, dict[tuple[str, str], dict[str, Any]]] = defaultdict(dict)
    for fact in facts:
        if fact.quantity in _WANTED and not (fact.printed or fact.part) and fact.activity:
            if fact.operation in (USUAL_OPERATION, PRODUCT):
                own = found[_conditions(fact, programs)].setdefault(
                    (fact.subject, fact.choices), {}
                )
                own.setdefault(fact.quantity, fact.value)
    colours = colours_of([subject for group in found.values() for subject, _ in group])
    groups = []
    for conditions in sorted(found):
        members = {
            who: x for who, x in found[conditions].items() if {"energy_nj", _PARTS["clock"]} <= {*x}
        }
        # Placed designs, each at a clock of its own, cannot be compared.
        if len(members) > 1 or (members and not conditions.placed):
            rows = list(_rows(members, names, colours, _ORDER[conditions.form] == "system"))
            groups.append(_group(conditions, rows, folder))
    return groups


def _conditions(fact: Fact, programs: Mapping[str, str]) -> _Conditions:
    if on_processor(Column(fact.subject, {"subject": fact.subject}), programs):
        form = "system"
    else:
        form = "multiplier" if catalog.is_multiplier(fact.subject) else "design"
    return _Conditions(
        fact.nbits != _FIRST_NBITS,
        _ORDER.index(form),
        fact.nbits,
        fact.library,
        fact.clock_ns or 0.0,
        fact.stage,
        fact.activity,
        fact.operation,
    )


def _rows(
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


def _group(group: _Conditions, rows: Sequence[EnergyRow], folder: Path) -> EnergyGroup:
    form = _ORDER[group.form]
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
