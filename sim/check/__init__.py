"""Checks a design: circuits against Python's integers, models against circuits."""
