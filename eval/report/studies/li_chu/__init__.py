"""Li and Chu: bit-serial Montgomery against shift-sub products, 64 to 2048 bits (Table 1)."""

from eval.report.studies.li_chu.measurements import DOCUMENT, Figures, jobs
from eval.report.studies.li_chu.notes import INTRODUCTION, NOTES
from eval.report.studies.li_chu.plots import COLOURS, draw
from eval.report.studies.li_chu.tables import tables
from eval.report.studies.study import Study

STUDY = Study(DOCUMENT, INTRODUCTION, NOTES, COLOURS, jobs, Figures, tables, draw)
