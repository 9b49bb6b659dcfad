"""Labels and colours of subjects, which they have everywhere: on the page, in plots and texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from colorsys import hls_to_rgb
from functools import cache

from rsaxcel import catalog
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.quantities import QUANTITIES
from rsaxcel.eval.report.spec import Column
from rsaxcel.flow.resources import MODULE_FAMILIES
from rsaxcel.proc.kinds import ATTACHED
from rsaxcel.proc.systems import NULL_SYSTEM, is_system


def caption(title: str, ours: Iterable[Fact]) -> str:
    """Title, and the cell libraries of the measured facts; cycles depend on none."""
    found = {fact.library for fact in ours if QUANTITIES[fact.quantity].unit != "cycles"}
    return ", ".join((title, *sorted({*found} - {"", *MODULE_FAMILIES})))


#: end of the keys of columns whose systems are built as in the document
PRINTED_END = "_as_printed"

#: Plural of each form of circuit; ``eval.facts.points.tabulate`` describes the forms.
FORMS = {"design": "designs", "system": "systems", "multiplier": "multipliers", "other": "others"}

_SOFTWARE = {
    "software_naive": "software naive",
    "software_montgomery": "software Montgomery",
    "software_crt": "software by the primes",
}
_SYSTEMS = {"proc_": "processor with {}", "axi_": "processor and bus with {}"}


def label_of(column: Column) -> str:
    """Label of a column; names of designs and multipliers are kept, others become words.

    ``software_naive_as_printed`` becomes ``software naive, as printed``, and ``proc_mont_r2l``
    becomes ``processor with mont_r2l``.
    """
    if column.label:
        return column.label
    key, subject = column.key, str(column.where.get("subject", ""))
    name = key.removesuffix(PRINTED_END)
    choices: Mapping[str, object] = column.where.get("choices") or {}
    ending = "".join(f"_{parameter}_{value}" for parameter, value in choices.items())
    parts = [subject_label(name.removesuffix(ending) if subject else name)]
    if ending and name.endswith(ending):
        parts += [f"{parameter}={value}" for parameter, value in choices.items()]
    if name != key:
        parts.append("as printed")
    return ", ".join(parts)


def subject_label(name: str) -> str:
    """Label of a subject; names of designs and multipliers are kept, others become words."""
    if name in _SOFTWARE:
        return _SOFTWARE[name]
    if name == NULL_SYSTEM:
        return "processor alone"
    for prefix, words in _SYSTEMS.items():
        if prefix in ATTACHED and name.startswith(prefix):
            return words.format(name.removeprefix(prefix))
    known = catalog.circuits()
    return ", ".join(x if x in known else x.replace("_", " ") for x in name.split(", "))


def on_processor(column: Column, programs: Mapping[str, str]) -> bool:
    """Whether a column is about a system or its programs (``programs``: system by program)."""
    subject = str(column.where.get("subject", ""))
    software = subject in programs or subject in _SOFTWARE
    return software or subject == NULL_SYSTEM or is_system(subject)


def choice_words() -> dict[str, dict[str, str]]:
    """Labels of the choices in the page's filters, by axis and name of the choice."""
    schedules = {x: text.partition(":")[0] for x, text in catalog.axes()["schedule"].items()}
    multipliers = {x: entry.classes.fl.label or x for x, entry in catalog.multipliers().items()}
    return {"multiplier": multipliers, "schedule": schedules, "form": FORMS}


_SHARED = "_shared"

#: Readable on white and on near-black; neighbours in the list differ clearly.
_HUES = (
    "#a855f7",
    "#3b82f6",
    "#dc2626",
    "#0d9488",
    "#db2777",
    "#ca8a04",
    "#4f8f1d",
    "#0891b2",
    "#6d6af0",
    "#e8710a",
    "#a0673c",
    "#16a34a",
    "#c2549d",
    "#7c8b2a",
    "#d0575f",
    "#2f7fb8",
)
_GOLDEN = (5**0.5 - 1) / 2
_OF_SOFTWARE = {
    "software_naive": "#c2690c",
    "software_montgomery": "#128a4a",
    NULL_SYSTEM: "#64748b",
}
_OTHERS = ("#64748b", "#8b6f5c", "#6f7f52", "#7a6a94", "#4f7f86", "#96606e")
#: How to make the shades of a colour, in their order: a colour to mix in, and its share.
_TOWARDS = (("#ffffff", 0.42), ("#000000", 0.28), ("#ffffff", 0.66), ("#000000", 0.45))


@cache
def _of_designs() -> Mapping[str, str]:
    """Colours of the registry's designs; ``NAME_shared`` has a shade of the colour of ``NAME``."""
    found: dict[str, str] = dict(_OF_SOFTWARE)
    names = (*catalog.designs(), *catalog.multipliers())
    for names_of_kind in (catalog.designs(), catalog.multipliers()):
        unshared = (name for name in names_of_kind if not name.endswith(_SHARED))
        found |= {name: _hue(number) for number, name in enumerate(unshared)}
    for name in names:
        if name.endswith(_SHARED):
            found[name] = mix(found.get(name.removesuffix(_SHARED), _OTHERS[0]), *_TOWARDS[0])
    return found


def _hue(number: int) -> str:
    """Colour by its number: from the list, then hues that divide the circle by the golden ratio."""
    if number < len(_HUES):
        return _HUES[number]
    parts = hls_to_rgb(number * _GOLDEN % 1, 0.45, 0.6)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def design_of(subject: str) -> str:
    """Name of the design whose colour a subject has; a system has its accelerator's colour."""
    *_, hardware = subject.split("_on_")
    for prefix in ATTACHED:
        if hardware.startswith(prefix) and hardware != NULL_SYSTEM:
            return hardware.removeprefix(prefix)
    return hardware


def colours_of(subjects: Iterable[str]) -> dict[str, str]:
    """Colour of each subject; colours of designs do not depend on the other subjects."""
    found: dict[str, str] = {}
    others = iter(_OTHERS * len(list(subjects := list(subjects))))
    for subject in subjects:
        if subject not in found:
            found[subject] = _of_designs().get(design_of(subject)) or next(others)
    return found


def shades(subjects: Mapping[str, str]) -> dict[str, str]:
    """Give each column its subject's colour, or a shade if another name has that already."""
    colour_of = colours_of(subjects.values())
    seen: dict[str, list[str]] = {}
    found = {}
    for name, subject in subjects.items():
        # A system and its accelerator have the same colour, without a shade, because their names
        # tell both apart.
        same = seen.setdefault(colour_of[subject], [])
        alike = design_of(name)
        if alike not in same:
            same.append(alike)
        index = same.index(alike)
        colour = colour_of[subject]
        found[name] = mix(colour, *_TOWARDS[(index - 1) % len(_TOWARDS)]) if index else colour
    return found


def mix(colour: str, other: str, share: float) -> str:
    parts = (
        round(int(colour[i : i + 2], 16) * (1 - share) + int(other[i : i + 2], 16) * share)
        for i in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02x}" for part in parts)
