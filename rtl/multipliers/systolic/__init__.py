"""Systolic: a row of elements on words of a memory."""
