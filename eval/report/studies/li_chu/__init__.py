"""Li and Chu: bit-serial Montgomery against shift-sub products, 64 to 2048 bits (Table 1)."""

from pathlib import Path

from eval.report.published import Published
from eval.report.studies.li_chu.measurements import DOCUMENT, Figures, jobs
from eval.report.studies.li_chu.notes import INTRODUCTION, NOTES
from eval.report.studies.li_chu.plots import COLOURS, draw
from eval.report.studies.li_chu.tables import tables
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
