"""Arithmetic building blocks."""
