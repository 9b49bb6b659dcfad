"""The report on the standard designs: tables, plots and a page."""

from eval.report.build import ReportIncomplete, write_report

__all__ = ["ReportIncomplete", "write_report"]
