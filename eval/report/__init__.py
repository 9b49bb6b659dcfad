"""The report: what studies ask for, measured, beside what their documents print."""

from eval.report.build import PAGE_NAME, ReportIncomplete, write_report

__all__ = ["PAGE_NAME", "ReportIncomplete", "write_report"]
