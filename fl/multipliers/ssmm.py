"""Ssmm: shift-sub modular multiplication (Li and Chu, algorithm 5)."""

from rsaxcel.fl.multipliers.contract import Multiplier
from rsaxcel.plan.parameters import Parameter, divisors
from rsaxcel.plan.recurrence import RECURRENCE, SIGNED


class Ssmm(Multiplier):
    """``a * b mod m``, doubling a and adding it for each 1 of b until no 1 of b is left."""

    odd_modulus = False
    r = 1
    constant_time = False
    timed_by = ("b",)
    holds_modulus = False
    strobes = True
    label = "shift and subtract"
    source = "Li and Chu, algorithm 5, ended as in module modu_mult_128"
    parameters = (
        Parameter("bits_per_cycle", lambda nbits: 1, divisors, "bits of the multiplier per cycle"),
        RECURRENCE,
    )

    def __init__(self, nbits: int, recurrence: str, **params: object):
        super().__init__(nbits, **params)
        self.merges = recurrence == SIGNED

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        return a * b % modulus
