"""Skeleton: the functional model."""

from rsaxcel.fl.contract import Multiplier


class Skeleton(Multiplier):
    """``a * b mod m`` for any modulus from 2 upwards."""

    # TODO: requirements and guarantees of your circuit; fl/contract.py lists them all.
    odd_modulus = False
    r = 1
    source = "nowhere yet"
    # TODO: parameters of your circuit, such as bits per cycle; see Ssmm in fl/multipliers.py.
    parameters = ()

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        return a * b % modulus
