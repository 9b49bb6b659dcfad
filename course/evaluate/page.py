"""Renders an evaluation as one page of HTML, which prints on three sheets of A4."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import matplotlib as mpl
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from matplotlib.figure import Figure

from rsaxcel.course.evaluate.measuring import Measured
from rsaxcel.course.evaluate.summary import RATIOS, Evaluation, text_of
from rsaxcel.eval.facts.quantities import POWERS, QUANTITIES
from rsaxcel.eval.facts.quantity import on_paper
from rsaxcel.eval.pictures.drawings import colours_of, draw_plain_areas, draw_plain_modules
from rsaxcel.eval.pictures.floor import group_figures
from rsaxcel.eval.pictures.groups import CellGroup, group_of, module_groups
from rsaxcel.eval.pictures.placed import Placed
from rsaxcel.eval.pictures.style import STYLE
from rsaxcel.eval.report.page import breakable, made
from rsaxcel.flow.record import Record

_DPI = 200
_OF_RUNS = "cycles", "time_us", "power_mw", "energy_nj", "area_time_um2_ms"


def render(evaluation: Evaluation, summary: Mapping[str, Any]) -> str:
    """Return the page; all texts in it are escaped."""
    environment = Environment(
        loader=ChoiceLoader(
            [
                PackageLoader("rsaxcel.course.evaluate", "templates"),
                PackageLoader("rsaxcel.eval.report", "templates"),
            ]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"breakable": breakable, "unit": on_paper}
    powers = {f"{part}_mw": label for part, label in POWERS.items()}
    about = [_about(x) if x.record else None for x in evaluation.measured]
    noted = [x["notes"] for x in summary["designs"] if "notes" in x]
    common = [x for x in noted[0] if all(x in y for y in noted)] if noted else []
    return environment.get_template("evaluation.html").render(
        summary=summary,
        conditions=summary["conditions"],
        provenance=summary["provenance"],
        evaluation=evaluation,
        designs=[
            *zip(evaluation.measured, evaluation.runs, summary["designs"], about, strict=True)
        ],
        powers=powers,
        text=text_of,
        run_keys=(*_OF_RUNS, *RATIOS),
        operation_keys=("cycles", "power_mw", *powers, "energy_nj", "glitch_factor"),
        quantities=QUANTITIES,
        common=common,
        made=made(),
        script="",
    )


def _about(measured: Measured) -> dict[str, Any]:
    """Picture and groups of modules of a design, the power of the last operation by group."""
    record = measured.record
    assert record is not None
    groups = module_groups({"": record.area_um2, **record.area_by_module})
    shown = shown_operation(measured)
    figures = record.operations[shown]
    rows = []
    for group, colour, about in zip(
        groups, colours_of(groups), group_figures(record, groups), strict=True
    ):
        energy_nj, _ = about["energies"][shown]
        power_mw = energy_nj / figures.energy_nj * figures.power_mw
        rows.append((group.label, colour, about["area_um2"], power_mw))
    rows.sort(key=lambda row: -row[2])
    return {"picture": _picture(measured, groups), "modules": rows, "shown": shown}


def shown_operation(measured: Measured) -> str:
    """Name of the operation whose power is shown by module: the last program but ``dummy``."""
    record = measured.record
    assert record is not None
    known = [*record.operations]
    return known[-2] if len(known) > 1 else known[-1]


def _picture(measured: Measured, groups: list[CellGroup]) -> str:
    """Draw a design, as the address of an image."""
    record = measured.record
    assert record is not None
    with mpl.rc_context(STYLE):
        figure = _drawn(record, measured, groups)
        file = BytesIO()
        figure.savefig(file, format="svg", metadata={"Date": None}, dpi=_DPI, facecolor="white")
    return f"data:image/svg+xml;base64,{b64encode(file.getvalue()).decode('ascii')}"


def _drawn(record: Record, measured: Measured, groups: list[CellGroup]) -> Figure:
    if record.physical:
        return draw_plain_modules(Placed(record, measured.files))
    number, colours = group_of(groups), colours_of(groups)
    return draw_plain_areas(record, lambda path: colours[number[path]])
