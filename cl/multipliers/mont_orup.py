"""Timing of MontOrup: an iteration per digit, whatever the operands are."""

from fl.multipliers.mont_orup import MontOrup as Golden

_FETCH_CYCLES = 2  # a digit is fetched, and decoded
_RESOLVE_CYCLES = 3


class MontOrup:
    """One product at a time; parameters as the circuit's."""

    overlaps = False

    def __init__(self, nbits: int, digit_nbits: int, pipeline: str):
        self._golden = golden = Golden(nbits, digit_nbits, pipeline)
        late = 1 if golden.row_registers else 0
        # The next product is accepted, and its digits are fetched, while the result is resolved.
        self._durations = (_FETCH_CYCLES + golden.iterations + late,)
        # A digit is taken from what is resolved, and formed bit by bit; its multiple is added and
        # shifted; an iteration more for each digit that the quotient is late.
        start = 1 + _FETCH_CYCLES
        shared = golden.quotient_delay + 1 + late + _RESOLVE_CYCLES
        digit_cycles = 1 + digit_nbits + start + shared + 1
        sign_cycles = 1 + start + shared
        self._reduction = digit_cycles, sign_cycles
        self.prepare_cycles = self._cycles(golden.final_digits - 1) + 1
        self.reduction_cycles = self._cycles(golden.final_digits) + _RESOLVE_CYCLES + 1

    def whole_cycles(self, nbits: int) -> int:
        """Cycles by which a product as an integer of so many bits takes longer than another."""
        return -(-nbits // self._golden.digit_nbits) + 1 - self._golden.iterations

    def _cycles(self, digits: int) -> int:
        digit_cycles, sign_cycles = self._reduction
        return digits * digit_cycles + sign_cycles

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Cycles until the next product may be accepted that needs this one."""
        return self._durations
