"""Interleaved: modular multiplication from the highest bit, by one adder."""

from rsaxcel.fl.multipliers.contract import Multiplier


class Interleaved(Multiplier):
    """``a * b mod m``, doubling the product and adding b for each bit of a, the highest first."""

    odd_modulus = False
    r = 1
    constant_time = False
    timed_by = ("a",)
    holds_modulus = False
    merges = True
    label = "interleaved, one adder"
    source = "Blakley 1983, with signed running values"

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        return a * b % modulus
