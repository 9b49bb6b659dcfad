"""Renders the report as one self-contained HTML page, with a plot that the reader filters."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from rsaxcel.eval.facts.described import AXES
from rsaxcel.eval.facts.fact import OPERATIONS
from rsaxcel.eval.facts.printed import Printed
from rsaxcel.eval.facts.quantities import QUANTITIES, compared, enough_digits, on_paper
from rsaxcel.eval.report.cards import heading
from rsaxcel.eval.report.choice import FIGURES, figure_text
from rsaxcel.eval.report.content import Content, ShownStudy
from rsaxcel.eval.report.fidelity import Fidelity, total
from rsaxcel.eval.report.names import choice_words
from rsaxcel.eval.report.plots import Drawing
from rsaxcel.eval.report.spec import NOTES, OPERATION_TITLES, Text
from rsaxcel.eval.report.tables import ShownRow, ShownTable
from rsaxcel.eval.studies.designs import DOCUMENT as CHOICE

_SCRIPTS = (
    "page.js",
    "tables.js",
    "folds.js",
    "scatter.js",
    "circuits.js",
    "explorer.js",
    "floor.js",
    "cards.js",
    "start.js",
)
#: Level of gzip; a higher one takes three times as long, for a page that is 3 % smaller.
_LEVEL = 4


def pack(content: bytes) -> str:
    """Compress for a browser's ``DecompressionStream``, in base64; always the same text."""
    return b64encode(gzip.compress(content, _LEVEL, mtime=0)).decode("ascii")


def pack_json(content: Any) -> str:
    return pack(json.dumps(content, separators=(",", ":")).encode())


@cache
def plotting() -> str:
    """Pack Plotly's script; the file is read directly, as importing the package takes longer."""
    found = find_spec("plotly")
    assert found is not None  # Plotly is a dependency, so that its files are there
    assert found.origin is not None
    return pack(Path(found.origin).with_name("package_data").joinpath("plotly.min.js").read_bytes())


def script() -> str:
    folder = files("rsaxcel.eval.report").joinpath("scripts")
    return "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in _SCRIPTS)


_TERMS = {
    "normalized": "Normalized: without what the dummy takes, a function that computes nothing; "
    "not normalized: with it.",
    "of it ": "Of it time, of it power: the ratio of the energies is the product of both.",
}
_SPEEDUP = "A speed-up over a program: its cycles, or its time, divided by those of the column."


def legend(table: ShownTable) -> list[str]:
    """Sentences that explain words in the labels of a table, and its dashes."""
    labels = "\n".join(row.label.lower() for row in table.rows)
    found = [_SPEEDUP] if any(row.row.mode == "speedup" for row in table.rows) else []
    found += [text for term, text in _TERMS.items() if term in labels]
    modes = {x.key: x.mode for x in table.table.columns}
    dashes = dict.fromkeys(
        _why_none(row, name, modes.get(name) or row.row.mode)
        for row in table.rows
        for name in _dashes(row, table)
    )
    if dashes:
        found.append(f"A dash: {', or '.join(dashes)}.")
    return found


def _dashes(row: ShownRow, table: ShownTable) -> list[str]:
    """Columns in which a row shows a dash."""
    measured = table.measured_columns
    return [x for x in table.columns if x in measured and row.cells[x].measured is None]


def _why_none(row: ShownRow, column: str, mode: str) -> str:
    if row.row.base == column:
        return "the column would be compared with itself"
    if mode in ("deviation", "over_printed"):
        return "the document prints nothing to compare with"
    return "not measured"


@dataclass(frozen=True)
class Footnote:
    mark: str  #: letter: the note is for all documents; number: for one document
    anchor: str  #: id of the footnote on the page
    text: str


class Footnotes:
    """Footnotes of all studies that a shown table or plot refers to."""

    def __init__(self, studies: Sequence[ShownStudy]) -> None:
        self._common: dict[str, Footnote] = {}
        self._own: dict[str, dict[str, Footnote]] = {}
        for study in studies:
            own = self._own.setdefault(study.study.document, {})
            for key in dict.fromkeys(_asked(study)):
                text = study.notes[key]
                if key in NOTES and key not in study.study.notes:
                    mark = ascii_lowercase[len(self._common)]
                    self._common.setdefault(key, Footnote(mark, f"note-{key}", text))
                else:
                    mark = str(len(own) + 1)
                    own[key] = Footnote(mark, f"note-{study.study.document}-{mark}", text)

    @property
    def common(self) -> list[Footnote]:
        """Footnotes that apply to all documents."""
        return list(self._common.values())

    def of(self, study: ShownStudy) -> list[Footnote]:
        """Footnotes that apply to this study only."""
        return list(self._own[study.study.document].values())

    def marks(self, study: ShownStudy, keys: Sequence[str]) -> list[Footnote]:
        """Footnotes of the notes with these keys, in the order of their marks: numbers first."""
        own = self._own[study.study.document]
        found = [own.get(key) or self._common[key] for key in keys]
        return sorted(found, key=lambda x: (x.mark.isalpha(), len(x.mark), x.mark))


def _asked(study: ShownStudy) -> Iterator[str]:
    for section in study.sections:
        for block in section.blocks:
            if isinstance(block, ShownTable | Drawing):
                yield from block.notes


INDEX = "index.html"  #: file name of the first page

_UNIT = re.compile(r"(?<=\d )(?:um2|mm2|us|uJ)\b")


def render(content: Content) -> dict[str, str]:
    """Render the first page (``INDEX``) and one for each study with figures, by file name."""
    environment = Environment(
        loader=PackageLoader("rsaxcel.eval.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["unit"] = on_paper
    environment.filters["breakable"] = breakable
    environment.filters["times"] = lambda ratio: compared(ratio, 1)
    environment.filters["units"] = _with_units
    environment.filters["ems"] = _ems
    environment.filters["legend"] = legend
    environment.filters["two_lines"] = _two_lines
    environment.tests["table"] = lambda x: isinstance(x, ShownTable)
    environment.tests["drawing"] = lambda x: isinstance(x, Drawing)
    environment.tests["text"] = lambda x: isinstance(x, Text)
    environment.globals |= {"card_heading": heading, "numbers": _numbers, "quantity": _quantity}
    environment.globals |= {"choice_figures": FIGURES, "figure_text": figure_text}
    chosen = [x for x in content.studies if x.study.document == CHOICE]
    keys = dict.fromkeys(key for x in chosen for table in x.tables for key in table.notes)
    environment.globals["choice_notes"] = [chosen[0].notes[key] for key in keys]
    environment.globals |= {"content": content, "total": total(content.fidelity)}
    environment.globals |= {"made": made(), "script": Markup(script())}
    # The figures of a choice have a place on the first page.
    documents = [x for x in content.studies if x.sections and x.study.document != CHOICE]
    environment.globals["near"] = {x.study.document: _near(content.fidelity, x) for x in documents}
    environment.globals["footnotes"] = Footnotes(documents)
    pages = {}
    for study in documents:
        text = environment.get_template("study.html").render(study=study)
        pages[f"{study.study.document}.html"] = text
    colours = {card.name: card.colour for card in content.cards}
    data = {**explorer(content.points, colours), "insides": dict(content.insides)}
    pages[INDEX] = environment.get_template("report.html").render(
        documents=documents,
        records=_records(content.facts.frame),
        conditions=_conditions(content.facts.frame),
        sources=_sources(content.printed, documents),
        plotting=Markup(plotting()),
        data=Markup(pack_json(data)),
    )
    return pages


def _quantity(key: str, value: float) -> str:
    quantity = QUANTITIES[key]
    return quantity.text(value, enough_digits(value, quantity.digits))


def _with_units(text: str) -> str:
    """Replace units such as um2, after the figures of a text, by units for print such as µm²."""
    return _UNIT.sub(lambda found: on_paper(found[0]), text)


def _ems(table: ShownTable, labels: Mapping[str, str]) -> float:
    """Estimate the width of a table in em. On paper, a table can't scroll."""
    total = 13.0  #: width of the labels
    for name in table.columns:
        cells = [(row, row.cells[name]) for row in table.rows]
        ours = [row.text(x) for row, x in cells] if name in table.measured_columns else []
        theirs = [row.printed_text(x.printed) + "*" for row, x in cells if x.printed]
        heading = (
            "measured" if table.printed_columns else max(re.split("[ ._/,]", labels[name]), key=len)
        )
        for texts in filter(None, (ours, theirs)):
            total += 0.6 * max(len(text) for text in (*texts, heading)) + 1.0
    return round(total, 1)


def made() -> Mapping[str, str]:
    """Date, version of rsaxcel and commit that made the page."""
    found = {"date": date.today().isoformat(), "version": version("rsaxcel")}
    root = Path(__file__).parents[2]
    if (root / ".git").exists():
        found["commit"] = git(root, "rev-parse", "--short=10", "HEAD")
        if found["commit"] and git(root, "status", "--porcelain", "-uno"):
            found["commit"] += " and uncommitted changes"
    return {name: text for name, text in found.items() if text}


def git(root: Path, *arguments: str) -> str:
    """Return what git prints of a folder; empty if it fails, or is missing."""
    try:
        run = subprocess.run(
            ["git", "-C", str(root), *arguments],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except OSError:
        return ""
    return run.stdout.strip() if run.returncode == 0 else ""


def _near(rows: Sequence[Fidelity], study: ShownStudy) -> Fidelity:
    """Add up how near measured figures are to printed ones, over a study's whole document."""
    return total([row for row in rows if row.document == study.study.document])


def _numbers(row: Fidelity) -> Sequence[tuple[str, int]]:
    """List the numbers of printed figures, of compared figures and of each class, with headings."""
    counts = row.counts.items()
    return [("figures printed", row.printed), ("ours beside", row.compared), *counts]


def _two_lines(text: str) -> str:
    """Text with a line break allowed after the first word only."""
    first, space, rest = text.partition(" ")
    return first + space + rest.replace(" ", "\N{NO-BREAK SPACE}")


def breakable(path: str) -> Markup:
    """Path of an instance with line breaks allowed after its separators."""
    text = Markup.escape(path)
    for separator in "./_,":
        text = text.replace(separator, separator + Markup("<wbr>"))
    return text


def _records(frame: pd.DataFrame) -> Sequence[Mapping[str, str]]:
    """Conditions of each record of the flow, one row per record."""
    columns = ["subject", "nbits", "choices", "library", "clock_ns", "stage", "provenance"]
    found = frame[(frame.provenance != "")][columns].drop_duplicates()
    return found.astype(str).to_dict("records")


def _conditions(frame: pd.DataFrame) -> Mapping[str, Sequence[str]]:
    """Corners of the library and versions of tools in all records, each once."""
    return {
        QUANTITIES[name].label: frame[frame.quantity == name].text.drop_duplicates().to_list()
        for name in ("corner", "tools")
    }


def _sources(printed: Printed, studies: Sequence[ShownStudy]) -> Sequence[Mapping[str, str]]:
    """List the sources of the printed figures of the shown documents."""
    shown = {study.study.document for study in studies}
    return [
        {
            "place": f"{printed.documents[x.document]['short']}, section {x.section}, {x.place}, "
            f"{x.where}",
            "value": str(x.value),
            "quantity": x.quantity,
            "scope": printed.scopes[x.scope],
            "erratum": x.erratum,
        }
        for x in printed.facts
        if x.document in shown
    ]


#: Quantities for the axes of the plot and the columns of the table.
EXPLORED = (
    "area_um2",
    "min_period_ns",
    "cycles",
    "time_us",
    "energy_nj",
    "power_mw",
    "area_time_um2_ms",
    "cell_count",
    "flip_flops",
    "alms",
    "luts",
    "core_area_um2",
    "core_area_time_um2_ms",
)

#: Headings of the filters by column.
FILTERS = {
    "nbits": "Width in bits",
    "library": "Library",
    "stage": "Stage",
    "multiplier": "Multiplier",
    "schedule": "Schedule",
    "form": "What it is",
}

_ABOUT = ("point", "subject", "choices", "clock_ns", "kind", *FILTERS)
_MORE = tuple(name for name in AXES if name not in FILTERS)
_DIGITS = 5


def explorer(frame: pd.DataFrame, colours: Mapping[str, str]) -> dict[str, Any]:
    """Make the data of plot and table for the page's script."""
    figures = []
    for quantity in EXPLORED:
        # A figure of the hardware has one column, as it is the same for all operations.
        of_operations = [f"{name}_{quantity}" for name in OPERATIONS]
        figures += of_operations if of_operations[0] in frame else [quantity]
    columns = {name: [_plain(x) for x in frame[name]] for name in (*_ABOUT, *_MORE, *figures)}
    return {
        "columns": columns,
        "colours": {name: colours[name] for name in dict.fromkeys(frame["subject"])},
        "filters": FILTERS,
        "operations": {name: OPERATION_TITLES[name].lower() for name in OPERATIONS},
        "quantities": {name: describe(name) for name in EXPLORED},
        "words": choice_words(),
    }


def describe(name: str) -> dict[str, Any]:
    """Label, unit and digits of a quantity, and whether ``less`` or ``more`` of it is better."""
    found = QUANTITIES[name]
    label = found.label[:1].upper() + found.label[1:]
    return {
        "label": label,
        "unit": on_paper(found.unit),
        "digits": found.digits,
        "better": found.better,
    }


def _plain(value: Any) -> Any:
    """Value for JSON: unknown values are None, numbers have five significant digits."""
    if isinstance(value, str):
        return value or None
    if pd.isna(value):
        return None
    number = float(value)
    short = float(f"{number:.{_DIGITS}g}")
    return int(short) if short.is_integer() else short
