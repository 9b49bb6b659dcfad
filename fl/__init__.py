"""Functional level: what is computed, on plain Python integers."""

from fl.newer_python import adapt
from fl.wide_bits import lift

adapt()
lift()
