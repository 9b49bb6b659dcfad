"""Timing of MontOrup: a product takes the same number of iterations for all operands."""

from rsaxcel.cl.elastic import Steady
from rsaxcel.fl.multipliers.mont_orup import MontOrup as Golden

_FETCH_CYCLES = 2  #: cycles in which the first digit is fetched, then decoded
_DRAIN_CYCLES = 1  #: cycles of iterations in which the next product may be accepted
_RESOLVE_CYCLES = 2


class MontOrup(Steady):
    """Timing of a multiplier that forms one product at a time."""

    overlaps = False

    def __init__(self, nbits: int, digit_nbits: int, pipeline: str, quotient_radix: int):
        self._golden = golden = Golden(nbits, digit_nbits, pipeline, quotient_radix)
        late = 1 if golden.row_registers else 0
        # Resolving the carries of the result adds no cycles: meanwhile, the next product is
        # accepted and fetches its first digits.
        super().__init__(_FETCH_CYCLES + golden.iterations + late - _DRAIN_CYCLES)
        # The final reduction removes the low digits of the result, one after the other. For each
        # of them, 1 cycle takes the digit, and digit_nbits cycles form the factor x that makes
        # result + x * m divisible by 2**digit_nbits. Then x * m is added in quotient_delay + 2
        # iterations, and the carries are resolved. At the end, m is added to a negative result in
        # quotient_delay + 1 iterations.
        start = 1 + _FETCH_CYCLES
        shared = golden.quotient_delay + 1 + late + _RESOLVE_CYCLES
        digit_cycles = 1 + digit_nbits + start + shared + 1
        sign_cycles = 1 + start + shared
        self._reduction = digit_cycles, sign_cycles
        # 3 m is formed before the first digit, and 3 M2 at the end of the preparation.
        tripled = golden.triple_digits + 1 if golden.triple_digits else 0
        self.prepare_cycles = self._cycles(golden.final_digits - 1) + 2 * tripled + 1
        drained = _DRAIN_CYCLES + _RESOLVE_CYCLES
        self.reduction_cycles = self._cycles(golden.final_digits) + tripled + drained + 1

    def whole_cycles(self, nbits: int) -> int:
        """Cycles that an unreduced product (``Kind.WHOLE``) takes beyond those of a modular one."""
        digits = -(-nbits // self._golden.digit_nbits)
        return digits + 1 - (self._golden.iterations - _DRAIN_CYCLES)

    def _cycles(self, digits: int) -> int:
        digit_cycles, sign_cycles = self._reduction
        return digits * digit_cycles + sign_cycles
