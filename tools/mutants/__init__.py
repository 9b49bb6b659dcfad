"""Faults planted in circuits and models, and what tests find of them: ``make mutants``."""
