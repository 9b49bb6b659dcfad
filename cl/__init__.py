"""Cycle level: in how many cycles, without any circuit."""
