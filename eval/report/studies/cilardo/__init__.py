"""Cilardo et al.: digit-serial products, 1024 bits, S = 32 to 256 (figures 17.3 and 17.4)."""

from pathlib import Path

from eval.report.published import Published
from eval.report.studies.cilardo.measurements import DOCUMENT, Figures, jobs
from eval.report.studies.cilardo.notes import INTRODUCTION, NOTES
from eval.report.studies.cilardo.plots import COLOURS, draw
from eval.report.studies.cilardo.tables import tables
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
