"""Timing of the modular multipliers.

Each forms one product at a time, except the combinational ones and a pipelined MontMulRem.
"""

from rsaxcel.cl.elastic import Steady
from rsaxcel.cl.lib import Combinational, aligning_divider_cycles, divider_cycles, serial_cycles
from rsaxcel.fl import multipliers as golden
from rsaxcel.fl.contract import REGISTERED
from rsaxcel.plan.recurrence import finish_cycles


class MulRem:
    """Timing of MulRem: cycles of its divider, and of operand registers if there are any."""

    overlaps = False

    def __init__(self, nbits: int, bits_per_cycle: int, divider: str, operands: str):
        self._bits_per_cycle = bits_per_cycle
        self._aligns = divider == "aligning"
        self._divided_nbits = nbits if divider == "preloaded" else 2 * nbits
        self._register_cycles = int(operands == REGISTERED)

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Cycles in the operand registers and in the divider, which are one stage."""
        if self._aligns:
            cycles = aligning_divider_cycles(a * b // modulus, self._bits_per_cycle)
        else:
            cycles = divider_cycles(self._divided_nbits, self._bits_per_cycle)
        return (self._register_cycles + cycles,)


class MontMulRem(Steady):
    """Timing of MontMulRem, a cycle per stage: a product in every cycle, or one at a time."""

    overlaps = True

    def __init__(self, nbits: int, stages: int, add_red: str, operands: str):
        if operands == REGISTERED:
            super().__init__(stages)  # all stages are one for the next product
            self.overlaps = False
        else:
            super().__init__(*(1,) * stages)


class MontMul(Steady):
    """Timing of MontMul: ``nbits / bits_per_cycle`` iterations."""

    overlaps = True

    def __init__(
        self, nbits: int, bits_per_cycle: int, recurrence: str, handshake_cycles: int | None = None
    ):
        iterations = nbits // bits_per_cycle
        finish = finish_cycles(recurrence)
        super().__init__(serial_cycles(iterations, finish, handshake_cycles))


class MontRed(MontMul):
    """Timing of the reduction, as long as MontMul with one bit per cycle.

    The full product before it is combinational.
    """

    def __init__(self, nbits: int, recurrence: str, handshake_cycles: int | None = None):
        super().__init__(nbits, 1, recurrence, handshake_cycles)


class MontMulCsa(Steady):
    """Timing of MontMulCsa: a cycle per bit, then two additions with propagation of carries."""

    overlaps = True

    def __init__(self, nbits: int, resolve_cycles: int, handshake_cycles: int | None = None):
        finish = 2 * (1 + resolve_cycles)
        super().__init__(serial_cycles(nbits, finish, handshake_cycles))


class MontMulUnreduced(Steady):
    """Timing of MontMulUnreduced: ``nbits + 2`` iterations, as R = 2**(nbits + 2)."""

    overlaps = True

    def __init__(self, nbits: int, handshake_cycles: int | None = None):
        super().__init__(serial_cycles(nbits + 2, 0, handshake_cycles))


class Ssmm:
    """Timing of Ssmm: an iteration per ``bits_per_cycle`` bits of ``b``, up to its highest 1."""

    overlaps = True
    merged_cycles = 1  #: of a product besides its iterations, with `control=merged`

    def __init__(
        self, nbits: int, bits_per_cycle: int, recurrence: str, handshake_cycles: int | None = None
    ):
        self._bits_per_cycle = bits_per_cycle
        self._finish_cycles = finish_cycles(recurrence)
        self._handshake_cycles = handshake_cycles

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        iterations = -(-b.bit_length() // self._bits_per_cycle)
        return (serial_cycles(iterations, self._finish_cycles, self._handshake_cycles),)


class Interleaved:
    """Timing of Interleaved: a doubling for each bit, and two more cycles for each 1 of ``a``."""

    overlaps = False
    merged_cycles = 0  #: of a product besides its iterations, with `control=merged`

    def __init__(self, nbits: int, handshake_cycles: int = 1):
        self._fixed_cycles = nbits + handshake_cycles

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        return (self._fixed_cycles + 2 * a.bit_count(),)


class MontMac(Steady):
    """Timing of MontMac: a cycle for each of three products, the first as it is accepted."""

    overlaps = False

    def __init__(self, nbits: int):
        super().__init__(2)


class Systolic(Steady):
    """Timing of Systolic: three cycles for each word of operand ``a``."""

    overlaps = False

    def __init__(self, nbits: int, radix_nbits: int, final_subtraction: str):
        model = golden.Systolic(nbits, radix_nbits, final_subtraction)
        # The final subtraction waits for the last word of the result, words - 1 cycles after the
        # first word.
        subtraction = model.words if model.subtracts else 0
        super().__init__(3 * model.words + 1 + subtraction)


class DigitSerial(Steady):
    """Timing of DigitSerial: an addition takes one cycle per digit, whatever the operands are.

    An addition takes at least ``MIN_SLOTS`` cycles: the pipeline waits for its own result.
    """

    overlaps = False

    def __init__(self, nbits: int, digit_nbits: int):
        slots = max(golden.digit_serial_words(nbits, digit_nbits), golden.MIN_SLOTS)
        # Before the iterations, one pass through the digits forms 2N and one forms 2B + N (B is
        # operand b, N the modulus). Then the pipeline empties.
        preparation = 2 * slots + 2
        iterations = (nbits + 3) * slots
        # The result is already valid in the last of these cycles, so the latency is one less.
        super().__init__(preparation + iterations - 1)


class Direct(Combinational):
    """Timing of Direct, which is combinational."""


class CompressorTree(Combinational):
    """Timing of CompressorTree, which is combinational."""


#: Cycles of MontOrup.
_FETCH_CYCLES = 2  #: cycles in which the first digit is fetched, then decoded
_DRAIN_CYCLES = 1  #: cycles of iterations in which the next product may be accepted
_RESOLVE_CYCLES = 2  #: cycles in which the carries of a result are resolved


class MontOrup(Steady):
    """Timing of MontOrup: a product takes the same number of iterations for all operands."""

    overlaps = False

    def __init__(self, nbits: int, digit_nbits: int, pipeline: str, quotient_radix: int):
        self._golden = model = golden.MontOrup(nbits, digit_nbits, pipeline, quotient_radix)
        late = 1 if model.row_registers else 0
        # Resolving the carries of the result adds no cycles: meanwhile, the next product is
        # accepted and fetches its first digits.
        super().__init__(_FETCH_CYCLES + model.iterations + late - _DRAIN_CYCLES)
        # The final reduction removes the low digits of the result, one after the other. For each
        # of them, 1 cycle takes the digit, and digit_nbits cycles form the factor x that makes
        # result + x * m divisible by 2**digit_nbits. Then x * m is added in quotient_delay + 2
        # iterations, and the carries are resolved. At the end, m is added to a negative result in
        # quotient_delay + 1 iterations.
        start = 1 + _FETCH_CYCLES
        shared = model.quotient_delay + 1 + late + _RESOLVE_CYCLES
        digit_cycles = 1 + digit_nbits + start + shared + 1
        sign_cycles = 1 + start + shared
        self._reduction = digit_cycles, sign_cycles
        # 3 m is formed before the first digit, and 3 M2 at the end of the preparation.
        tripled = model.triple_digits + 1 if model.triple_digits else 0
        self.prepare_cycles = self._cycles(model.final_digits - 1) + 2 * tripled + 1
        drained = _DRAIN_CYCLES + _RESOLVE_CYCLES
        self.reduction_cycles = self._cycles(model.final_digits) + tripled + drained + 1

    def whole_cycles(self, nbits: int) -> int:
        """Cycles that an unreduced product (``Kind.WHOLE``) takes beyond those of a modular one."""
        digits = -(-nbits // self._golden.digit_nbits)
        return digits + 1 - (self._golden.iterations - _DRAIN_CYCLES)

    def _cycles(self, digits: int) -> int:
        digit_cycles, sign_cycles = self._reduction
        return digits * digit_cycles + sign_cycles
