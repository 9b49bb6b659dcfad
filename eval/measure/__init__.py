"""Measurements: jobs that give facts; they run in parallel, and their results are kept."""
