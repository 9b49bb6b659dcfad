"""The report: measured figures of studies beside the printed figures of their documents."""

from eval.report.build import ReportIncomplete, write_report

__all__ = ["ReportIncomplete", "write_report"]
