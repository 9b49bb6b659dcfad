"""MontOrup: quotient-pipelined Montgomery products of a high radix."""

from rsaxcel.rtl.multipliers.mont_orup.mont_orup import MontOrup

__all__ = ["MontOrup"]
