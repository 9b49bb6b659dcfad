"""The report: measured figures of studies beside the printed figures of their documents."""

from eval.report.build import PAGE_NAME, ReportIncomplete, write_report

__all__ = ["PAGE_NAME", "ReportIncomplete", "write_report"]
