"""Skeleton: what is computed."""

from fl.multipliers.contract import Multiplier


class Skeleton(Multiplier):
    """``a * b mod m`` for any modulus from 2 upwards."""

    # TODO: what your circuit needs and promises; fl/multipliers/contract.py has all there is.
    odd_modulus = False
    r = 1
    source = "nowhere yet"
    # TODO: parameters of the circuit, such as bits per cycle: see fl/multipliers/ssmm.py.
    parameters = ()

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        """Product modulo ``modulus``."""
        return a * b % modulus
