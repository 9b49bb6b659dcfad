"""Morales-Romero et al.: products in a systolic row, and exponentiation by them (Tables 1 to 5)."""

from eval.report.studies.morales_romero.measurements import DOCUMENT, Figures, jobs
from eval.report.studies.morales_romero.notes import INTRODUCTION, NOTES
from eval.report.studies.morales_romero.plots import COLOURS, draw
from eval.report.studies.morales_romero.tables import tables
from eval.report.studies.study import Study

STUDY = Study(DOCUMENT, INTRODUCTION, NOTES, COLOURS, jobs, Figures, tables, draw)
