"""Systolic multiplier: a row of processing elements, for words of a memory."""
