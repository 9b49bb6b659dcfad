"""Timing of R**2 mod m from products of the shift-sub multiplier (``cl.multipliers.ssmm``)."""

from rsaxcel.cl.elastic import latency
from rsaxcel.cl.multipliers.ssmm import Ssmm
from rsaxcel.fl.constants.shift_sub import ShiftSubSquare as Golden
from rsaxcel.plan.modulus_constants import ModulusConstant


class ShiftSubSquare:
    """Timing of the unit that computes R**2 mod m from one product, or two for a short modulus."""

    overlaps = True

    def __init__(
        self,
        nbits: int,
        constant: ModulusConstant,
        recurrence: str,
        handshake_cycles: int | None = None,
    ):
        self._golden = Golden(nbits, constant)
        self._ssmm = Ssmm(nbits, 1, recurrence, handshake_cycles)

    def durations(self, modulus: int) -> tuple[int, ...]:
        products = self._golden.products(modulus)
        return (sum(latency(self._ssmm.durations(a, b, modulus)) for a, b in products),)
