"""Functional level: what is computed, on plain Python integers."""
