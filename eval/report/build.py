"""Builds the report: measure, compare, draw, write."""

import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from rich.console import Console

from eval.errors import RunError, UserError
from eval.progress import steps
from eval.report import export, page, terminal
from eval.report.content import assemble
from eval.report.flows import Flows
from eval.report.measure import Flow, Progress, measure
from eval.report.published import published
from eval.report.results import Failure
from eval.report.studies.collect import Work, collect
from eval.report.studies.study import Study
from eval.report.subjects import STANDARD_SUBJECTS, ReportSubject
from eval.report.workload import STANDARD_CLOCK_NS, standard_workload

PAGE_NAME = "index.html"


class ReportIncomplete(RunError):  # noqa: N818
    """Something could not be measured; the report, if there is one, shows the others.

    Parameters
    ----------
    failures : list of Failure
        Designs and systems without figures.
    page : Path or None
        The page that was written; none where nothing has figures.
    """

    def __init__(self, failures: list[Failure], page: Path | None) -> None:
        reasons: dict[str, list[str]] = {}
        for failure in failures:
            reasons.setdefault(failure.message, []).append(failure.hardware)
        listed = "; ".join(f"no figures of {', '.join(x)}: {why}" for why, x in reasons.items())
        super().__init__(f"{listed} ({page} shows the others)" if page else listed)
        self.failures = failures
        self.page = page
        if all(failure.setup for failure in failures):
            self.exit_code = UserError.exit_code  # type: ignore[misc]  # click has it per class


def write_report(
    output_dir: Path,
    *,
    added: Sequence[ReportSubject] = (),
    studies: Sequence[Study] = (),
    max_nbits: int = 4096,
    progress: Progress | None = None,
    console: Console | None = None,
    flow: Flow | None = None,
    work: Work | None = None,
) -> Path:
    """Measure the standard systems and designs, print the tables and write page, plots and figures.

    Records that exist are reused, so that a second call only writes.

    Parameters
    ----------
    output_dir : Path
        Folder for ``index.html``, ``figures.json``, ``figures.csv`` and the plots' PNG files.
    added : sequence of Subject
        What is measured beside the standard subjects, see ``eval.report.subjects``.
    studies : sequence of Study
        Documents whose tables come behind the standard ones.
    max_nbits : int
        Greatest width in bits that studies measure.
    progress : callable, optional
        Takes what is under way, a line at a time and from any thread. Without it, it's shown on
        standard error until the tables are printed.
    console : Console, optional
        Where tables go; standard output otherwise.
    flow : callable, optional
        Gives the record of a design or system; the ASIC flow otherwise.
    work : callable, optional
        Does the jobs of studies; in processes of their own otherwise.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    UserError
        If the folder can't be written; nothing has been measured then.
    ReportIncomplete
        If something failed, after the rest was written; where all failed, what an earlier report
        wrote stays.
    """
    _prepare(output_dir)
    figures = published()
    workload = standard_workload(figures)
    with nullcontext(progress) if progress else steps("report") as tell:
        flows = Flows(STANDARD_CLOCK_NS, workload.exponents)
        subjects = (*STANDARD_SUBJECTS, *added)
        results, failures = measure(subjects, workload, flow or flows, tell, flows.stop)
        findings, failed = collect(studies, max_nbits, tell, work)
        failures += failed
    if not results and not findings:
        raise ReportIncomplete(failures, None)
    sections = [x.section(findings, figures, output_dir, max_nbits) for x in studies]
    content = assemble(results, failures, workload, figures, output_dir, sections, added)
    path = output_dir / PAGE_NAME
    path.write_text(page.render(content), encoding="utf-8")
    export.write_json(output_dir / "figures.json", export.figures(content))
    export.write_csv(output_dir / "figures.csv", content.all_tables)
    terminal.show(console or Console(), content)
    if failures:
        raise ReportIncomplete(failures, path)
    return path


def _prepare(output_dir: Path) -> None:
    """Fail before hours of work if there is no place for its results."""
    try:
        output_dir.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=output_dir):
            pass
    except OSError as error:
        raise UserError(f"cannot write to {output_dir}: {error.strerror}") from error
