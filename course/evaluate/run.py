"""Evaluates a project: from its designs to the files of the report."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rsaxcel.course.evaluate.designs import compiled, designs_of
from rsaxcel.course.evaluate.measuring import Conditions, exponent_of, measure_design
from rsaxcel.course.evaluate.page import render
from rsaxcel.course.evaluate.paper import print_page
from rsaxcel.course.evaluate.summary import evaluation_of, summary_of, tree_of
from rsaxcel.course.project import Limits, Project
from rsaxcel.store.places import make_folder

FOLDER = Path("build", "evaluation")
"""Folder of the report in a project, unless another one is asked for."""

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
