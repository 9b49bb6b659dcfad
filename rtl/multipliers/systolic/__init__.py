"""Systolic multiplier: a row of processing elements, for words of a memory."""

from rsaxcel.rtl.multipliers.systolic.systolic import Systolic

__all__ = ["Systolic"]
