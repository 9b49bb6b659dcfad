"""Builds the report: checks the studies, measures, compares with print, and writes the page."""

from __future__ import annotations

import csv
import json
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from jinja2 import TemplateError

from rsaxcel import catalog
from rsaxcel.eval import MAX_NBITS
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.points import SWEPT, load_facts
from rsaxcel.eval.facts.printed import Printed, printed
from rsaxcel.eval.facts.projection import project
from rsaxcel.eval.facts.quantities import QUANTITIES, find_quantity
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.measure.collect import Work, collect, in_order, kept
from rsaxcel.eval.measure.errors import Failure, some
from rsaxcel.eval.measure.flows import at_activity, own_exponents
from rsaxcel.eval.measure.job import Measurement, Progress, logged
from rsaxcel.eval.report import page
from rsaxcel.eval.report.content import Content, assemble
from rsaxcel.eval.report.fidelity import Compared, compare
from rsaxcel.eval.report.spec import NOTES, Panel, Plot, ReportTable, Study, Text, Where
from rsaxcel.eval.report.words import FigureWords, Subject
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import TIMED
from rsaxcel.flow.requests import OPERATION_COUNT, default_exponents, default_key
from rsaxcel.proc.kinds import ATTACHED
from rsaxcel.proc.systems import NULL_SYSTEM
from rsaxcel.sim.native.toolchain import verilator_version
from rsaxcel.store.errors import RunError, UserError
from rsaxcel.store.places import make_folder
from rsaxcel.store.shown import cell as csv_cell
from rsaxcel.store.shown import one_line
from rsaxcel.store.whole_files import write_whole


def check_studies(studies: Sequence[Study], figures: Printed) -> None:
    """Check documents, quantities and texts of studies; ``UserError`` names what is unknown."""
    subjects = {x.subject for x in figures.facts if x.subject}
    for study in studies:
        subjects |= {str(x.where["subject"]) for x in study.columns if "subject" in x.where}
        subjects |= study.runs_on.keys()
    for study in studies:
        if study.document not in figures.documents and not study.without_document:
            known = ", ".join(figures.documents)
            raise UserError(
                f"document {study.document!r} of a study is not in printed.json: {known} are "
                "known; a study without a document has without_document=True"
            )
        for title, text in _texts(study):
            _check_text(f"{study.document}, {title}", text, _Checking(study.where, subjects))
        for block in study.blocks:
            try:
                _check_block(block)
            except ValueError as error:
                raise UserError(f"{study.document}, {_name(block)}: {error}") from error


class _Checking(FigureWords):
    """Fills templates without facts, and refuses subjects that nothing knows."""

    def __init__(self, where: Where, subjects: Collection[str]) -> None:
        super().__init__(Facts([]), where)
        self._subjects = subjects

    def _fact(
        self, subject: Subject, quantity: str, *wheres: Where, printed: Where | None = None
    ) -> Fact | None:
        if isinstance(subject, str) and not (subject in self._subjects or _is_ours(subject)):
            known = sorted({*self._subjects, *catalog.circuits()})
            near = ", ".join(get_close_matches(subject, known) or known)
            raise ValueError(f"subject {subject!r} is unknown; allowed: {near}")
        return super()._fact(subject, quantity, *wheres, printed=printed)


def _is_ours(subject: str) -> bool:
    """Whether a subject is a design or multiplier of the registry, or a system."""
    prefix = next((x for x in ATTACHED if subject.startswith(x)), "")
    known = subject == NULL_SYSTEM or catalog.is_multiplier(subject)
    return known or subject.removeprefix(prefix) in catalog.designs()


def _check_text(about: str, text: str, words: FigureWords) -> None:
    try:
        words.check(text)
        words.fill(text)
    except (ValueError, TypeError, TemplateError) as error:
        raise UserError(f"{about}: {one_line(error)}") from error


def _texts(study: Study) -> Iterator[tuple[str, str]]:
    """Yield the templates of a study, each with the name of its place."""
    yield "headline", study.headline
    for key, text in {**NOTES, **study.notes}.items():
        yield f"note {key}", text
    for section in study.sections:
        yield f"introduction of {section.title}", section.introduction
        for block in section.blocks:
            if isinstance(block, Text):
                yield _name(block), block.text


def _name(block: Any) -> str:
    return f"text {block.title}" if isinstance(block, Text) else str(block.key)


def _check_block(block: Any) -> None:
    if isinstance(block, ReportTable):
        for row in block.rows:
            find_quantity(row.quantity)
            find_quantity(row.of or row.quantity)
    elif isinstance(block, Plot):
        for panel in (panel for row in block.panels for panel in row):
            _check_panel(panel)


def _check_panel(panel: Panel) -> None:
    """Refuse axes that are neither a quantity nor a condition of the points."""
    varied: set[str] = set()
    for where in (panel.where, *(x.where for x in panel.series), *panel.points):
        choices = where.get("choices", {})
        varied |= {*where, *(() if callable(choices) else choices)}
    for name in (panel.x, panel.y, *(x.where["y"] for x in panel.series if "y" in x.where)):
        if name not in varied:
            try:
                find_quantity(name)
            except ValueError as error:
                raise ValueError(
                    f"axis {name}: no point has this condition, and {error}"
                ) from error


LOG_NAME = "report.log"
STANDARD_NBITS = 32


class ReportIncomplete(RunError):  # noqa: N818
    """Some measurements failed; the report shows the others, or ``page`` is None."""

    def __init__(self, failures: list[Failure], page: Path | None) -> None:
        reasons: dict[str, list[str]] = {}
        for failure in failures:
            reasons.setdefault(failure.message, []).append(failure.name)
        listed = "; ".join(f"no figures of {some(x)}: {why}" for why, x in reasons.items())
        super().__init__(f"{listed} ({page} shows the others)" if page else listed)
        self.failures = failures
        self.page = page
        if all(failure.setup for failure in failures):
            self.exit_status = UserError.exit_status


def write_report(
    output_dir: Path,
    studies: Sequence[Study],
    *,
    max_nbits: int = MAX_NBITS,
    library: str = DEFAULT_LIBRARY,
    activity: str = TIMED,
    progress: Progress = lambda line: None,
    show: Callable[[Content], None] = lambda content: None,
    work: Work | None = None,
) -> Path:
    """Measure the figures of studies, show them, and write page, plots and figures.

    Stored results are used again, so that a second call measures nothing. A mistake in a study is
    an error before the first measurement. ``ReportIncomplete`` names failures at the end; if all
    failed, the files of an earlier report stay. ``work`` runs a job in this process, for tests.
    """
    _prepare(output_dir)
    figures = printed()
    check_studies(studies, figures)
    measurements = measurements_of(studies, max_nbits, library, activity)
    workload = _workload(own_exponents(measurements))
    path = output_dir / page.INDEX

    def written(found: Sequence[Fact], failures: list[Failure], waiting: str = "") -> Content:
        facts = facts_of(studies, found, library)
        failures += [Failure("cycles", f"contradiction: {line}") for line in facts.contradictions]
        content = assemble(
            studies, facts, failures, figures, workload, waiting, library, output_dir, _swept()
        )
        for name, text in page.render(content).items():
            write_whole(output_dir / name, text)
        if waiting:
            tell(f"{path} compares the designs; {waiting} follow")
        return content

    pages: list[Future[Content]] = []
    drafts = [x for study in studies for x in study.drafts(max_nbits, library)]
    first = measurements_of(studies[:1], max_nbits, library, activity)
    with (
        logged(output_dir / LOG_NAME, progress) as tell,
        ThreadPoolExecutor(1) as beside,  # a page is written while the next figures are measured
    ):
        results = {} if work else kept(in_order([*drafts, *measurements]), tell)
        others = " and systems" if len(studies) > 1 else ""
        # A phase replaces figures of the one before; the page says which figures it lacks.
        for phase, waiting in ((drafts, f"energies{others}"), (first, "systems")):
            missing = {x.job.name for x in phase} - results.keys()
            later = {x.job.name for x in measurements} - results.keys() - missing
            if missing and later and not work:
                found, failures = collect(phase, tell, work, found=results)
                if found:
                    pages.append(beside.submit(written, found, failures, waiting))
        found, failures = collect(measurements, tell, work, found=results)
        for each in pages:
            each.result()
    if not found:
        raise ReportIncomplete(failures, None)
    content = written(found, failures)
    write(output_dir, content)
    show(content)
    if failures:
        raise ReportIncomplete(failures, path)
    return path


def measurements_of(
    studies: Iterable[Study], max_nbits: int, library: str, activity: str
) -> list[Measurement]:
    """List the measurements of studies; see ``write_report`` for the parameters."""
    return [
        at_activity(x, activity)
        for study in studies
        for x in study.measurements(max_nbits, library)
    ]


def facts_of(studies: Sequence[Study], found: Sequence[Fact], library: str) -> Facts:
    """Collect measured facts, their projections to other widths, and all printed figures."""
    runs_on = {name: on for study in studies for name, on in study.runs_on.items()}
    projections = [x for study in studies for x in study.projections]
    projected = project(projections, found, library)
    return Facts([*found, *projected, *printed().facts], runs_on, library)


def compare_kept(studies: Sequence[Study], library: str, activity: str) -> list[Compared]:
    """Compare the printed figures with stored measurements; measures nothing."""
    found: list[Fact] = []
    incomplete = set()
    for study in studies:
        measurements = measurements_of([study], MAX_NBITS, library, activity)
        # With nothing measured, a missing tool is no failure: the lines are dropped.
        results = kept(in_order(measurements), lambda line: None)
        found += (y for x in measurements if (z := results.get(x.job.name)) for y in x.facts(z))
        if any(x.job.name not in results for x in measurements):
            incomplete.add(study.document)
    return compare(studies, printed(), facts_of(studies, found, library), incomplete)


def _swept() -> list[Fact]:
    """Read the facts of earlier sweeps and searches; none if a table cannot be read any more."""
    try:
        return list(load_facts(sources=SWEPT))
    except ValueError:
        return []


def _described(exponents: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{n} {x} ({x.bit_length()} bits, {x.bit_count()} ones)" for n, x in exponents)


def _workload(own: Mapping[int, Mapping[str, Collection[int]]]) -> Mapping[str, str]:
    """Texts that describe the workload, by heading; ``own`` are the flows' ``own_exponents``."""
    named = _described(default_exponents(STANDARD_NBITS).items())
    others = ", ".join(
        f"{_described((name, x) for x in sorted(exponents))} at {width} bits"
        for width, operations in sorted(own.items())
        for name, exponents in operations.items()
    )
    instead = f", or those that a study asks for: {others}" if others else ""
    nbits, key = STANDARD_NBITS, default_key(STANDARD_NBITS)
    texts = {
        "Key": f"""RSA keys from the rsa package, drawn by a fixed seed, one for each width; at
            {nbits} bits the one that McNay's exponents belong to, n = {key.n}""",
        "Exponents": f"""{named} at {nbits} bits, which McNay's document prints; at other widths
            the exponents of the key of that width{instead}""",
        "Operands": f"""{OPERATION_COUNT} bases below n for each operation, drawn by a fixed seed;
            every result equals Python's pow. Cycles and energies are means over them""",
        "Cycles": f"""RTL in the native engine (Verilator {verilator_version()}), for accelerators
            one request in flight. The netlist takes the same number of cycles; that of a system
            also gives the same messages and cycles of the call as the RTL""",
        "Programs": """Compiled once, by GCC 12.2, from the project's C sources: exponentiation by
            software, the accelerator's driver, and a dummy; memories answer in one cycle""",
    }
    return {name: " ".join(text.split()) for name, text in texts.items()}


def _prepare(output_dir: Path) -> None:
    """Make the folder, and check that it can be written, before hours of work begin."""
    try:
        make_folder(output_dir)
        with tempfile.TemporaryFile(dir=output_dir):
            pass
    except OSError as error:
        raise UserError(f"cannot write to {output_dir}: {error.strerror}") from error


_OF_PRINTED = ("printed", "printed_scope", "printed_where")
CSV_COLUMNS = ("group", "table", "name", "quantity", "measured", *_OF_PRINTED)


def write(folder: Path, content: Content) -> None:
    """Write ``figures.json``, ``figures.csv``, ``facts.parquet`` and ``facts.csv``."""
    text = json.dumps(figures(content), indent=2, sort_keys=True)
    (folder / "figures.json").write_text(text + "\n", encoding="utf-8")
    with (folder / "figures.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(CSV_COLUMNS)
        for group, table, name, key, cell in _cells(content):
            measured = "" if cell.measured is None else cell.measured
            row = group, table, name, key, measured, *_printed_columns(cell.printed)
            writer.writerow(map(csv_cell, row))
    content.facts.write(folder)


def lines(content: Content) -> Iterator[str]:
    """Yield every fact, then every failure, as lines of JSON."""
    for fact in content.facts:
        yield json.dumps(asdict(fact) | {"unit": QUANTITIES[fact.quantity].unit})
    for failure in content.failures:
        yield json.dumps({"failed": failure.name, "message": failure.message})


def figures(content: Content) -> dict[str, Any]:
    """Collect all figures in the report's tables, as values that can be written as JSON."""
    groups: dict[str, dict[str, dict[str, Any]]] = {}
    for group, _, name, key, cell in _cells(content):
        entry = {"measured": cell.measured, "printed": _printed(cell.printed)}
        groups.setdefault(group, {}).setdefault(name, {})[key] = entry
    return {
        "workload": dict(content.workload),
        **groups,
        "fidelity": [asdict(row) for row in content.fidelity],
        "failures": [asdict(failure) for failure in content.failures],
    }


def _cells(content: Content) -> Any:
    for study in content.studies:
        for section in study.sections:
            for table in section.tables:
                for row in table.rows:
                    for name, cell in row.cells.items():
                        yield section.section.key, table.key, name, row.key, cell


def _printed(fact: Fact | None) -> dict[str, Any] | None:
    if fact is None:
        return None
    kept = ("value", "document", "section", "place", "where", "scope", "erratum")
    return {name: getattr(fact, name) for name in kept}


def _printed_columns(fact: Fact | None) -> tuple[Any, ...]:
    if fact is None:
        return "", "", ""
    where = f"{fact.document}, section {fact.section}, {fact.place}, {fact.where}"
    return fact.value, fact.scope, where
