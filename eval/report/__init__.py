"""The report: measured figures of studies beside the printed figures of their documents."""
