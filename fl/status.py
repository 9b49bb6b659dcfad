"""The input rules of every exponentiator, with their status codes."""

from dataclasses import dataclass
from enum import IntEnum

from rsaxcel.plan.halves import Halves, modulus_nbits
from rsaxcel.store.errors import UserError

STATUS_NBITS = 8  #: width of a status in messages and registers


class Status(IntEnum):
    """Status code of a response; the same code and name at every level.

    ``MESSAGE_TOO_LONG``, ``PADDING_WRONG``, ``KEY_TOO_SHORT`` and ``LENGTH_WRONG`` are errors of
    padding (``fl.pkcs1``, ``fl.bus``); ``FAULT_DETECTED``: a result fails the design's check
    (``plan.steps.Check``).
    """

    OK = 0
    MODULUS_TOO_SMALL = 1
    MODULUS_EVEN = 2
    BASE_TOO_LARGE = 3
    OPERAND_TOO_WIDE = 4
    CONSTANTS_MISSING = 5
    MODULUS_OTHER = 6
    MESSAGE_TOO_LONG = 7
    PADDING_WRONG = 8
    FAULT_DETECTED = 9
    KEY_TOO_SHORT = 10
    LENGTH_WRONG = 11
    EXPONENT_TOO_SMALL = 12

    def __str__(self) -> str:
        """Return the name as users see it, such as ``base_too_large``."""
        return self.name.lower()


class InputRuleError(UserError):
    """Raised if an operand breaks an input rule; ``status`` is the status code of the rule."""

    def __init__(self, status: Status, message: str):
        super().__init__(f"{status}: {message}")
        self.status = status


@dataclass(frozen=True)
class InputRules:
    """Input rules of an exponentiator; the first broken one gives the status.

    Width comes first: the hardware cannot compare an operand that does not fit its registers. Then:
    modulus too small, even, not the supported one; base too large; constants missing, because
    constants do not matter if the modulus is refused; exponent too small, which few circuits have.
    """

    nbits: int  #: width of base and modulus
    odd_modulus: bool  #: the multiplier or domain divides by a power of two modulo m
    host_constants: bool = False  #: constants come from the host, and may be missing
    exponent_nbits: int = 0  #: width of the exponent; 0: `nbits`
    constant_modulus: int = 0  #: the only supported modulus; 0: any
    #: Layout of halves within modulus and exponent; the base may then be any number of `nbits`
    #: bits.
    halves: Halves | None = None

    @property
    def modulus_nbits(self) -> int:
        """Width of the modulus.

        With halves, p and q stand side by side, each padded to words of 32 bits.
        """
        return modulus_nbits(self.nbits, self.halves)

    @property
    def min_modulus(self) -> int:
        return 3 if self.odd_modulus else 2

    @property
    def min_exponent(self) -> int:
        return 0

    def check(self, base: int, exponent: int, modulus: int, missing: bool = False) -> None:
        """Raise ``InputRuleError`` for the first rule that the operands break.

        ``missing``: constants are absent, of the wrong length, or of an earlier modulus.
        ``ValueError`` for a negative operand, which no register can hold.
        """
        check_fits("base", base, self.nbits)
        exponent_nbits, faults = self.exponent_nbits or self.nbits, []
        if self.halves:
            private, above = self.halves.split_numbers(exponent)
            for half, e in zip("pq", private, strict=True):
                check_fits(f"exponent modulo {half} - 1", e, exponent_nbits)
            for number, value in zip(self.halves.numbers, above, strict=True):
                check_fits(str(number), value, number.nbits)
                if fault := number.fault(value):
                    faults.append(fault)
            self.check_modulus(modulus)
        else:
            check_fits("exponent", exponent, exponent_nbits)
            check_fits("modulus", modulus, self.nbits)
            self.check_modulus(modulus)
            check_below("base", base, modulus)
        if missing and self.host_constants:
            raise InputRuleError(
                Status.CONSTANTS_MISSING,
                f"constants of modulus {modulus} are missing or incomplete",
            )
        if faults:
            raise InputRuleError(Status.CONSTANTS_MISSING, faults[-1])
        if exponent < self.min_exponent:
            raise InputRuleError(
                Status.EXPONENT_TOO_SMALL, f"exponent {exponent} is below {self.min_exponent}"
            )

    def check_modulus(self, modulus: int) -> None:
        """Raise ``InputRuleError`` for a modulus too small, even, or not supported."""
        moduli = self.halves.split(modulus) if self.halves else (modulus,)
        if self.halves:
            for half, each in zip("pq", moduli, strict=True):
                check_fits(half, each, self.halves.nbits)
        if min(moduli) < self.min_modulus:
            raise InputRuleError(
                Status.MODULUS_TOO_SMALL, f"modulus {min(moduli)} is below {self.min_modulus}"
            )
        if self.odd_modulus:
            for each in moduli:
                check_odd(each)
        if self.constant_modulus and modulus != self.constant_modulus:
            raise InputRuleError(
                Status.MODULUS_OTHER,
                f"modulus {modulus:#x}: the circuit is for {self.constant_modulus:#x} only",
            )

    def status(self, base: int, exponent: int, modulus: int, missing: bool = False) -> Status:
        try:
            self.check(base, exponent, modulus, missing)
        except InputRuleError as error:
            return error.status
        return Status.OK


def check_fits(name: str, value: int, nbits: int) -> None:
    """Raise unless ``0 <= value < 2**nbits``."""
    if value < 0:
        raise ValueError(f"{name} {value} is negative; operands are unsigned")
    if value.bit_length() > nbits:
        raise InputRuleError(
            Status.OPERAND_TOO_WIDE,
            f"{name} {value:#x} has {value.bit_length()} bits, {nbits} are allowed",
        )


def check_odd(modulus: int) -> None:
    """Raise unless the modulus is odd and at least 3."""
    if modulus < 3:
        raise InputRuleError(Status.MODULUS_TOO_SMALL, f"modulus {modulus} is below 3")
    if modulus % 2 == 0:
        raise InputRuleError(Status.MODULUS_EVEN, f"modulus {modulus} is even; it must be odd")


def check_below(name: str, value: int, limit: int, meaning: str = "modulus") -> None:
    """Raise unless ``0 <= value < limit``; ``meaning`` names the limit in the message."""
    if not 0 <= value < limit:
        raise InputRuleError(
            Status.BASE_TOO_LARGE, f"{name} {value} is not in 0 .. {meaning} - 1 = {limit - 1}"
        )
