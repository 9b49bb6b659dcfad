"""Morales-Romero et al.: products in a systolic row, and exponentiation by them (Tables 1 to 5)."""

from pathlib import Path

from eval.report.published import Published
from eval.report.studies.morales_romero.measurements import DOCUMENT, Figures, jobs
from eval.report.studies.morales_romero.notes import INTRODUCTION, NOTES
from eval.report.studies.morales_romero.plots import COLOURS, draw
from eval.report.studies.morales_romero.tables import tables
from eval.report.studies.study import Findings, Section, Study


def _section(findings: Findings, published: Published, output_dir: Path, max_nbits: int) -> Section:
    figures = Figures(findings, max_nbits)
    return Section(
        document=DOCUMENT,
        introduction=INTRODUCTION,
        tables=tables(figures, published),
        plots=draw(figures, published, output_dir),
        records=figures.records,
        notes=NOTES,
        colours=COLOURS,
    )


STUDY = Study(DOCUMENT, jobs, _section)
