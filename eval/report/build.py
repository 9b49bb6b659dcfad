"""Builds the report: measure, compare, draw, write."""

import tempfile
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

from rich.console import Console

from eval.errors import RunError, UserError
from eval.progress import steps
from eval.report import export, page, plots, terminal
from eval.report.comparison import area_ratio, tables
from eval.report.measure import Flow, Progress, measure
from eval.report.published import published
from eval.report.workload import STANDARD_CLOCK_NS, standard_configurations, standard_workload

PAGE_NAME = "index.html"


class ReportIncomplete(RunError):  # noqa: N818
    """Some design could not be measured; the report shows the others.

    Parameters
    ----------
    page : Path
        The page that was written.
    designs : list of str
        Designs without figures.
    """

    def __init__(self, page: Path, designs: list[str]) -> None:
        super().__init__(f"no figures of {', '.join(designs)}; {page} shows why, and the rest")
        self.page = page
        self.designs = designs


def write_report(
    output_dir: Path,
    *,
    everything: bool = False,
    progress: Progress | None = None,
    console: Console | None = None,
    flow: Flow | None = None,
) -> Path:
    """Measure the standard designs, print the tables and write page, plots and figures.

    Records that exist are reused, so that a second call only writes.

    Parameters
    ----------
    output_dir : Path
        Folder for ``index.html``, ``figures.json``, ``figures.csv`` and the plots' PNG files.
    everything : bool
        Whether to measure every document's tables; there are none beyond the standard designs yet.
    progress : callable, optional
        Takes what is under way, a line at a time and from any thread. Without it, it's shown on
        standard error until the tables are printed.
    console : Console, optional
        Where tables go; standard output otherwise.
    flow : callable, optional
        Gives the record of a configuration; the ASIC flow otherwise.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    UserError
        If the folder can't be written; nothing has been measured then.
    ReportIncomplete
        If a design failed, after the rest was written.
    """
    _prepare(output_dir)
    figures = published()
    workload = standard_workload(figures)
    with nullcontext(progress) if progress else steps("report") as tell:
        results, failures = measure(standard_configurations(), workload, flow or _run_flow, tell)
    rows = tables(results, figures)
    ratio = area_ratio(results, figures, "mont_r2l", "mulrem_r2l")
    drawn = plots.draw(results, figures, output_dir) if results else []
    content = page.Content(results, failures, rows, ratio, drawn, workload, figures)
    path = output_dir / PAGE_NAME
    path.write_text(page.render(content), encoding="utf-8")
    export.write_json(
        output_dir / "figures.json", export.figures(results, failures, rows, ratio, workload)
    )
    export.write_csv(output_dir / "figures.csv", rows)
    terminal.show(console or Console(), results, failures, rows, ratio)
    if failures:
        raise ReportIncomplete(path, [failure.design for failure in failures])
    return path


def _prepare(output_dir: Path) -> None:
    """Fail before hours of work if there is no place for its results."""
    try:
        output_dir.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=output_dir):
            pass
    except OSError as error:
        raise UserError(f"cannot write to {output_dir}: {error.strerror}") from error


def _run_flow(configuration: object, progress: Callable[[str], None]) -> dict:
    from flow.run import run_flow

    return run_flow(configuration, clock_ns=STANDARD_CLOCK_NS, progress=progress)
