"""Labels of columns, choices, subjects and kinds of circuits on the report's page and plots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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
