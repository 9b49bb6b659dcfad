"""Measurements: pieces of work that give facts, done side by side and kept."""
