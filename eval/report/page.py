"""The report as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from eval.facts.printed import Printed
from eval.facts.quantities import QUANTITIES, on_paper
from eval.report.content import Content, ShownStudy
from eval.report.fidelity import total
from eval.report.plots import Drawing
from eval.report.spec import Text
from eval.report.tables import ShownTable


def render(content: Content) -> str:
    """Fill the template."""
    environment = Environment(
        loader=PackageLoader("eval.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["unit"] = on_paper
    environment.filters["breakable"] = _breakable
    environment.tests["table"] = lambda x: isinstance(x, ShownTable)
    environment.tests["drawing"] = lambda x: isinstance(x, Drawing)
    environment.tests["text"] = lambda x: isinstance(x, Text)
    return environment.get_template("report.html").render(
        content=content,
        total=total(content.fidelity),
        records=_records(content.facts.frame),
        conditions=_conditions(content.facts.frame),
        sources=_sources(content.printed, content.studies),
    )


def _breakable(path: str) -> Markup:
    """Allow line breaks in an instance path."""
    text = Markup.escape(path)
    for separator in "./_,":
        text = text.replace(separator, separator + Markup("<wbr>"))
    return text


def _records(frame: pd.DataFrame) -> Sequence[Mapping[str, str]]:
    """Under which conditions the flow found its facts: a row per record."""
    columns = ["subject", "nbits", "choices", "library", "clock_ns", "stage", "provenance"]
    found = frame[(frame.provenance != "")][columns].drop_duplicates()
    return found.astype(str).to_dict("records")


def _conditions(frame: pd.DataFrame) -> Mapping[str, Sequence[str]]:
    """Corner and tools, each once; records of other tools have others."""
    return {
        QUANTITIES[name].label: frame[frame.quantity == name].text.drop_duplicates().to_list()
        for name in ("corner", "tools")
    }


def _sources(printed: Printed, studies: Sequence[ShownStudy]) -> Sequence[Mapping[str, str]]:
    """Where the printed figures stand."""
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
