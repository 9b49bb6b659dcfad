"""Functional level: what is computed, on plain Python integers."""

from fl.wide_bits import lift

lift()
