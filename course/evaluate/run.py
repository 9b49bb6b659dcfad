"""Evaluates a project: from its designs to the page, on the web and in PDF."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from base64 import b64encode
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from matplotlib.figure import Figure

from rsaxcel.course.evaluate.measuring import (
    Conditions,
    Measured,
    compiled,
    designs_of,
    exponent_of,
    measure_design,
)
from rsaxcel.course.evaluate.summary import (
    RATIOS,
    Evaluation,
    evaluation_of,
    summary_of,
    text_of,
    tree_of,
)
from rsaxcel.course.project import Limits, Project
from rsaxcel.eval.facts.quantities import POWERS, QUANTITIES, on_paper
from rsaxcel.eval.pictures.drawings import colours_of, draw_plain_areas, draw_plain_modules
from rsaxcel.eval.pictures.floor import group_figures
from rsaxcel.eval.pictures.placed import CellGroup, Placed, group_of, module_groups
from rsaxcel.eval.pictures.style import STYLE
from rsaxcel.eval.report.page import breakable, made
from rsaxcel.flow.record import Record
from rsaxcel.store.installing import program
from rsaxcel.store.places import make_folder
from rsaxcel.store.processes import in_own_group
from rsaxcel.store.tools import CHROMIUM, ToolError

#: Folder of the report in a project, unless another one is asked for.
FOLDER = Path("build", "evaluation")

PAGE, SUMMARY, PAPER = WRITTEN = ("index.html", "summary.json", "evaluation.pdf")


def evaluate(
    project: Project,
    folder: Path,
    nbits: int,
    around: str,
    *,
    progress: Callable[[str], None],
    remark: Callable[[str], object],
    **asked: Any,
) -> dict[str, Any]:
    """Measure the designs of a project, write the report, and return its summary.

    ``around`` is as for ``designs_of``, ``asked`` are fields of ``Conditions``. ``remark`` gets
    lines on what is left out. Results of the flow are used again, so that an interrupted
    evaluation goes on.
    """
    tree = tree_of(project)
    make_folder(folder)
    exponent = exponent_of(project.settings.evaluation.exponent, nbits)
    conditions = Conditions(**asked, exponent=exponent, flows=project.folder / "build" / "flow")
    programs = compiled(project)
    designs = list(designs_of(project, nbits, programs, around, remark))
    measured = [measure_design(x, conditions, progress) for x in designs]
    limits, limited = project.settings.limits, project.settings.nbits[0]
    if nbits != limited and limits != Limits():
        remark(f"limits are those of {limited} bits, and are not compared")
        limits = Limits()
    evaluation = evaluation_of(measured, limits, project.circuits[0])
    summary = summary_of(project, nbits, evaluation, conditions, programs, tree)
    progress("report")
    (folder / PAGE).write_text(render(evaluation, summary), encoding="utf-8")
    (folder / SUMMARY).write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    if told := print_page(folder / PAGE, folder / PAPER):
        remark(told)
    return summary


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


_SECONDS = 120


def print_page(page: Path, pdf: Path) -> str:
    """Print a page of ours to PDF; return a line on why there is none, or nothing."""
    pdf.unlink(missing_ok=True)
    try:
        browser = program(CHROMIUM)
    except ToolError as error:
        return f"no PDF: {error}"
    # As root, Chromium refuses to run in its sandbox; the page has no script and asks for nothing.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options += ["--headless", "--disable-gpu", "--no-first-run", "--no-pdf-header-footer"]
        options += [f"--user-data-dir={profile}", f"--print-to-pdf={pdf.absolute()}"]
        silent: Any = dict.fromkeys(("stdout", "stderr"), subprocess.DEVNULL)
        command = [*browser, *options, page.absolute().as_uri()]
        try:
            with in_own_group(command, **silent) as running:
                status = running.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            return f"no PDF: {browser[0]} did not end within {_SECONDS} s"
    return "" if pdf.is_file() else f"no PDF: {browser[0]} ended with status {status}"
