"""Timing of arithmetic building blocks."""
