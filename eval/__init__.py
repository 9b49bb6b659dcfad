"""Evaluation: facts, measurements, sweeps, searches, the report, and studies of documents."""

MAX_NBITS = 4096  #: greatest width in bits that a report measures
