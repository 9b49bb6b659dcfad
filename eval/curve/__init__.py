"""Searches the smallest clock period of a circuit, and measures its area, delay and energy."""
