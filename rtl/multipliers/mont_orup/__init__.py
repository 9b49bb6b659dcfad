"""MontOrup: quotient-pipelined Montgomery products of a high radix."""

from rsaxcel.rtl.multipliers.mont_orup.measured import MontOrup

__all__ = ["MontOrup"]
