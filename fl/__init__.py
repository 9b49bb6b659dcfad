"""Functional level: the computed values, on plain Python integers."""

from rsaxcel.fl.newer_python import adapt
from rsaxcel.fl.wide_bits import lift

adapt()
lift()
