"""Cilardo et al.: digit-serial products, 1024 bits, S = 32 to 256 (figures 17.3 and 17.4)."""

from eval.report.studies.cilardo.measurements import DOCUMENT, Figures, jobs
from eval.report.studies.cilardo.notes import INTRODUCTION, NOTES
from eval.report.studies.cilardo.plots import COLOURS, draw
from eval.report.studies.cilardo.tables import tables
from eval.report.studies.study import Study

STUDY = Study(DOCUMENT, INTRODUCTION, NOTES, COLOURS, jobs, Figures, tables, draw)
