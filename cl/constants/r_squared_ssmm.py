"""Timing of R**2 mod N from shift-sub products."""

from cl.elastic import latency
from cl.multipliers.ssmm import Ssmm
from fl.constants.r_squared_ssmm import RSquaredSsmm as Golden


class RSquaredSsmm:
    """One product, or two that follow each other at once."""

    overlaps = True

    def __init__(self, nbits: int, handshake_cycles: int | None = None):
        self._golden = Golden(nbits)
        self._ssmm = Ssmm(nbits, handshake_cycles=handshake_cycles)

    def durations(self, modulus: int) -> tuple[int, ...]:
        """Cycles in the multiplier."""
        products = self._golden.products(modulus)
        return (sum(latency(self._ssmm.durations(a, b, modulus)) for a, b in products),)
