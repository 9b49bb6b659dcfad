"""Evaluation: facts, measurements, sweeps, searches, the report, and studies of documents."""
