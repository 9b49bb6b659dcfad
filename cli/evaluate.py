"""``rsaxcel evaluate``: measures the designs of a project, and writes a report on them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from rsaxcel.cli.options.common import nbits_option
from rsaxcel.cli.options.flow import (
    activity_option,
    check_uncertainty,
    flow_options,
    layout_options,
    timed_cycles_option,
)
from rsaxcel.cli.options.plain import json_option, output_folder
from rsaxcel.cli.progress import steps
from rsaxcel.flow.layout import Layout
from rsaxcel.store.errors import RunError, UserError
from rsaxcel.store.shown import shown

#: Design in which a multiplier is measured that comes without one; its domain follows.
_AROUND = "mont_r2l"

_OF_PROJECT = "[default: that of project.toml]"

_COLUMNS = {
    "area_um2": "area, um2",
    "min_period_ns": "period, ns",
    "cycles": "cycles",
    "time_us": "time, us",
    "energy_nj": "energy, nJ",
    "speedup_ratio": "speed-up",
    "energy_ratio": "energy ratio",
    "area_time_ratio": "area x time ratio",
}


@click.command(
    epilog="""\b
    Examples:
      rsaxcel evaluate
      rsaxcel evaluate --stage placed
      rsaxcel evaluate --nbits 32 --output build/evaluation-32
      rsaxcel evaluate --json | python -m json.tool
    """
)
@nbits_option(f"Width of operands and result in bits.  {_OF_PROJECT}", default=None)
@flow_options(
    "Standard cells; without it, those of project.toml.",
    f"Clock period to synthesize for, in nanoseconds.  {_OF_PROJECT}",
    None,
)
@activity_option
@timed_cycles_option
@layout_options()
@output_folder("Folder of the report.  [default: build/evaluation in the project]")
@json_option("The summary as one JSON object, nothing else.")
def command(
    nbits: int,
    library: str,
    clock_ns: float,
    activity: str,
    timed_cycles: int,
    layout: Layout,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Measure the designs of a project, and write a report.

    The designs: each circuit of the project alone, the processor with software, and the processor
    with the accelerator. All go through the flow; the evaluation programs of project.toml, or those
    of rsaxcel, run on the netlists, and every result is checked. With --stage placed, circuits are
    placed.

    The report has a page, index.html, of three sheets of paper; summary.json; and evaluation.pdf,
    if Chromium is installed. It compares all programs with the fastest one on the processor alone,
    and shows of each design places or areas of its modules, the critical path, and power by part.

    Exit status 1: a result is wrong, or a limit of project.toml is not kept; the report says which.
    Library, width and clock are those of project.toml unless given. The same command continues an
    interrupted evaluation.
    """
    check_uncertainty(layout, clock_ns)
    from rsaxcel.course.project import FILE, find_project

    project = find_project()
    if project is None:
        raise UserError(f"no {FILE} of rsaxcel here or above; `rsaxcel new project` writes one")
    from rsaxcel.course.evaluate.run import FOLDER, WRITTEN, evaluate

    where = folder or project.folder / FOLDER
    remark = partial(click.echo, err=True)
    with steps(f"evaluate {project.settings.design}") as progress:
        summary = evaluate(
            project,
            where,
            nbits,
            _AROUND,
            progress=progress,
            remark=lambda line: remark(f"rsaxcel: {shown(line)}"),
            library=library,
            clock_ns=clock_ns,
            activity=activity,
            timed_cycles=timed_cycles,
            layout=layout,
        )
    if as_json:
        click.echo(json.dumps(summary))
    else:
        _show(summary)
        for file in filter(Path.is_file, map(where.joinpath, WRITTEN)):
            click.echo(f"written       {file}")
    if summary["wrong"]:
        raise RunError("; ".join(summary["wrong"]))


def _show(summary: Mapping[str, Any]) -> None:
    from rich.text import Text

    from rsaxcel.course.evaluate.summary import text_of
    from rsaxcel.eval.report.views import print_whole, view, wide_console

    table = view()
    table.add_column("")
    for label in _COLUMNS.values():
        table.add_column(label, justify="right", no_wrap=True)
    for design in summary["designs"]:
        for run in design.get("runs", ()):
            row = {**design, **run}
            table.add_row(Text(shown(run["name"])), *(text_of(x, row.get(x)) for x in _COLUMNS))
    print_whole(wide_console(), table)
    for key, limit in summary["limits"].items():
        kept = "kept" if limit["kept"] else "not kept"
        click.echo(f"limit         {key} {limit['measured']:g}, at most {limit['limit']:g}: {kept}")
    checked = sum(x["checks"]["operations"] for x in summary["designs"] if "checks" in x)
    click.echo(f"checked       {checked} operations on netlists")
