"""Contracts of the multipliers: base classes with all that a multiplier declares."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

from rsaxcel.fl.pseudo_modulus import family_member
from rsaxcel.fl.status import InputRules, check_below, check_fits
from rsaxcel.plan.modulus_constants import ModulusConstant, Widths, negated_inverse
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.steps import Kind, Product
from rsaxcel.plan.walk import Due, Formed, State

#: value of the parameter `operands`: a product's operands stay in registers of the multiplier
REGISTERED = "registered"


class Multiplier(ABC):
    """A multiplier, which forms ``a * b / r mod m``; r is Montgomery's R, or 1.

    Operands and results are below ``operand_limit``. ``params`` are the circuit's parameters; these
    do not change the product.
    """

    odd_modulus: ClassVar[bool]  #: the product is only defined for odd moduli
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    widths: ClassVar[Sequence[int]] = range(2, 4097)  #: supported widths of operands in bits
    #: No operand's value changes the number of cycles; a parameter can decide this.
    constant_time: bool = True
    #: Operands whose values change the number of cycles, unless `constant_time`.
    timed_by: ClassVar[tuple[str, ...]] = ("a", "b", "modulus")
    #: The circuit has registers for modulus and constants; otherwise the sender holds them until
    #: the response is taken, which saves registers. A parameter can decide this.
    holds_modulus: bool = True
    shares_b: ClassVar[bool] = False  #: lanes must have equal operands b in parallel products
    #: The circuit does not work without a store: it has no registers, or results may be above the
    #: modulus.
    needs_store: ClassVar[bool] = False
    store: ClassVar[str] = "registers"  #: store of the residues: a key of `catalog.units.STORES`
    #: Strobes can start products (rtl.exponentiators.strobe): the circuit counts iterations,
    #: and has the parameter `recurrence`, on which the cycles after the last one depend.
    strobes: ClassVar[bool] = False
    #: The circuit has a lane for rtl.exponentiators.merged. A parameter can decide this.
    merges: bool = False
    constant_modulus: int = 0  #: the only modulus that the circuit supports; 0: any
    label: ClassVar[str] = ""  #: label of two or three words for filters; empty: the name is shown
    unary: ClassVar[bool] = False  #: b is not read: the unit forms `a mod m`, and is no multiplier
    source: ClassVar[str]  #: document with section or algorithm

    def __init__(self, nbits: int, **params: object):
        self.nbits = nbits

    @property
    @abstractmethod
    def r(self) -> int:
        """Montgomery's R, a power of two, or 1 where the product carries no such factor."""

    @property
    def constants(self) -> tuple[ModulusConstant, ...]:
        """Constants of the modulus that the circuit reads; its requests have them as fields."""
        return ()

    @abstractmethod
    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        """Form the product as the circuit does, for operands that ``check`` accepts."""

    def double_product(self, a: int, b: int, modulus: int) -> int:
        """Form ``a * b / R**2 mod m`` with twice the digits of ``b`` in ``a``, if possible."""
        raise NotImplementedError(f"{type(self).__name__} has no products of twice the digits")

    def whole_product(self, a: int, modulus: int, tail: int) -> int:
        """Form ``a * modulus + tail``, not reduced modulo m, if the circuit can."""
        raise NotImplementedError(f"{type(self).__name__} has no products as integers")

    def form(
        self, block: Sequence[Sequence[Due]], states: Sequence[State], cofactor: int = 1
    ) -> list[list[Formed]]:
        """Form the products of steps modulo ``cofactor * m``, and write their results."""
        steps = []
        for step in block:
            formed = []
            for p, half, read, _ in step:
                a, b, tail = [kept[name] for kept, name in read]
                result = self._form(p, a, b, tail, cofactor * states[half].modulus, states[half])
                formed.append(Formed(p, half, a, b, tail, result))
            for due, each in zip(step, formed, strict=True):
                kept, name = due.written
                kept[name] = each.result
            steps.append(formed)
        return steps

    def _form(self, p: Product, a: int, b: int, tail: int, modulus: int, state: State) -> int:
        if p.kind is Kind.WHOLE:
            return self.whole_product(a, b, tail)
        if p.kind is Kind.DOUBLE:
            result = self.double_product(a + tail * self.r, b, modulus)
        else:
            result = self.product(a, b, modulus, **state.constants)
        # With a wrong multiplier, residues would grow without limit.
        if result.bit_length() > self.residue_nbits + 1:
            raise ArithmeticError(
                f"{type(self).__name__}: the product of a={a:#x} and b={b:#x} "
                f"modulo {modulus:#x} is {result:#x}, too wide for an operand"
            )
        return self.final_reduction(result, modulus) if p.reduced else result

    def operand_limit(self, modulus: int) -> int:
        """Return the exclusive upper bound of operands: m, or more if products may be above m."""
        return modulus

    @property
    def operand_nbits(self) -> int:
        """Width of an operand in bits, which may be more than the width of the modulus."""
        return (self.operand_limit((1 << self.nbits) - 1) - 1).bit_length()

    @property
    def operand_widths(self) -> Widths:
        """Widths of a and b in a request if they are not those of the modulus; else empty."""
        nbits = self.operand_nbits
        return (("a", nbits), ("b", nbits)) if nbits > self.nbits else ()

    @cached_property
    def residue_nbits(self) -> int:
        """Width of a register for a residue in bits, with a sign bit if residues are signed."""
        return self.operand_nbits

    @property
    def final_factor(self) -> int:
        """Number by which the final reduction divides; the final product multiplies by it."""
        return 1

    def excess_nbits(self, cofactor: int = 1) -> int:
        """Return k for a final product below ``2**k * m``: unless 0, a reduction follows.

        Products are formed modulo `cofactor * m`.
        """
        return (self.operand_limit(cofactor) - 1).bit_length()

    def final_reduction(self, result: int, modulus: int) -> int:
        """Bring the result of the final product below the modulus, as the store does."""
        return result

    def check_circuit(self) -> None:  # noqa: B027 - most circuits have no such limit
        """Raise ``ValueError`` if the circuit is too large to be built; models are not limited."""

    def lane_params(self, only_squares: bool) -> dict[str, bool]:
        """Return parameters of the circuit in a lane that follow from the lane's products."""
        return {}

    def check(self, a: int, b: int, modulus: int) -> None:
        """Raise ``InputRuleError`` for operands that the multiplier does not support."""
        for name, value in (("a", a), ("b", b)):
            check_fits(name, value, self.operand_nbits)
        check_fits("modulus", modulus, self.nbits)
        rules = InputRules(self.nbits, self.odd_modulus, constant_modulus=self.constant_modulus)
        rules.check_modulus(modulus)
        limit = self.operand_limit(modulus)
        check_below("a", a, limit, "limit")
        check_below("b", b, limit, "limit")


def inverts_itself(modulus: int, r: int) -> bool:
    """Whether ``modulus**2 = 1 mod r``, so that m' is ``-modulus mod r`` without an inversion.

    For `r = 2**n` with n above 2: 1, `2**(n - 1) - 1`, `2**(n - 1) + 1` and `2**n - 1`.
    """
    return modulus * modulus % r == 1


@lru_cache(maxsize=256)
def m_prime(modulus: int, r: int) -> int:
    """Return m' = ``-modulus**-1 mod r``, for an odd modulus and a power of two r; cached."""
    return -modulus % r if inverts_itself(modulus, r) else negated_inverse(modulus, r)


def reduced_once(z: int, modulus: int, r: int) -> int:
    """Return ``(z + U * modulus) / r`` with ``U = z * m' mod r``: ``z / r`` modulo the modulus.

    The result is below `2 * modulus` if z is below `modulus * r`; the division is exact, because `U
    * modulus = -z mod r`. Source: Li and Chu, algorithm 0, lines 1 and 2; Vassoler 2023, algorithm
    1, lines 3 and 4.
    """
    u = z * m_prime(modulus, r) % r
    return (z + u * modulus) // r


def reduce(z: int, modulus: int, r: int) -> int:
    """Return ``z / r mod modulus``, z below ``modulus * r``, odd modulus below r = 2**k.

    Source: Li and Chu, algorithm 0; on a product, Vassoler 2023, algorithm 1.
    """
    t = reduced_once(z, modulus, r)
    return t - modulus if t >= modulus else t


class MontgomeryMultiplier(Multiplier):
    """A multiplier that forms ``a * b / R mod m`` with R = 2**nbits and an odd modulus."""

    odd_modulus = True

    @property
    def r(self) -> int:
        return 1 << self.nbits

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        """Return the Montgomery product ``a * b / R mod m``.

        In every order of the circuit's additions and halvings, the result is `(a * b + q * modulus)
        / R` with the only q below R for which the division is exact.
        """
        return reduce(a * b, modulus, self.r)


class UnreducedMultiplier(MontgomeryMultiplier):
    """``a * b / R mod m`` on operands and results below 2m.

    With R above 4m, only the final product has to be reduced.
    """

    needs_store = True

    def operand_limit(self, modulus: int) -> int:
        """Return 2m, the limit of operands and products."""
        return 2 * modulus

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        return reduced_once(a * b, modulus, self.r)

    def final_reduction(self, result: int, modulus: int) -> int:
        """Subtract the modulus from a result that is not below it."""
        return result - modulus if result >= modulus else result


class WordMultiplier(UnreducedMultiplier):
    """``a * b / R mod m`` on operands and results below 2m, which the circuit reads word by word.

    The memory of words (``rtl.stores.words``) subtracts the modulus once, from the final product.
    """

    store = "words"
    #: The index of a word is given in the cycle before the word is read.
    fetches_ahead: ClassVar[bool] = False
    #: In a cycle, all lanes read words of the same index from all operands and the modulus; lanes
    #: without a product read index 0. A bank then needs one read port, however many lanes read it.
    one_index: ClassVar[bool] = False
    #: There is a circuit for a store whose operands are all in one memory with two ports.
    runs_on_ports: ClassVar[bool] = False

    def excess_nbits(self, cofactor: int = 1) -> int:
        """Return 0: no reduction follows in the program, as the memory subtracts the modulus."""
        return 0

    @property
    @abstractmethod
    def word_nbits(self) -> int:
        """Width of a word in bits."""

    @property
    @abstractmethod
    def words(self) -> int:
        """Number of words of an operand."""


class DigitMultiplier(MontgomeryMultiplier):
    """``a * b / R mod m`` by a lane that keeps its most recent result; numbers are signed.

    The lane (``rtl.lib.lanes``) reads the digits of ``a``, lowest first. Only a result marked
    by ``reduce`` is divided by ``final_factor``, ``2**(digit_nbits * final_digits)``, and brought
    below m.
    """

    store = "digits"
    needs_store = True

    digit_nbits: int  #: width of a digit in bits

    @property
    @abstractmethod
    def digits(self) -> int:
        """Number of digits of an operand."""

    @property
    @abstractmethod
    def final_digits(self) -> int:
        """Number of low digits that the final reduction removes by dividing."""

    @property
    def final_factor(self) -> int:
        return 1 << self.digit_nbits * self.final_digits

    def excess_nbits(self, cofactor: int = 1) -> int:
        """Return 0: no reduction follows in the program, as the lane reduces the final product."""
        return 0


@dataclass(frozen=True)
class ModulusParameter(Parameter):
    """Parameter whose value is a modulus, 2 or more and at most ``nbits`` bits, in hexadecimal."""

    def parse(self, value: Any, nbits: int) -> str:
        """Convert a number, or hexadecimal text with or without ``0x``, to text with ``0x``."""
        try:
            # `int` alone would accept spaces and underscores.
            text = value if isinstance(value, str) and value.isalnum() else ""
            modulus = int(text, 16) if isinstance(value, str) else value
        except ValueError:
            modulus = 0
        if type(modulus) is not int or modulus not in self.allowed(nbits):
            allowed = self.describe_allowed(nbits)
            raise ValueError(f"{self.name}={value}: {allowed} allowed at {nbits} bits")
        return hex(modulus)

    def describe_allowed(self, nbits: int) -> str:
        return f"2 to {hex((1 << nbits) - 1)} in hexadecimal"


#: Modulus of a circuit for one modulus; by default the largest member of Vassoler's family (section
#: 4.1) that fits: (2**nbits - 1) / 3 at even widths.
MODULUS = ModulusParameter(
    "modulus",
    lambda nbits: hex(family_member(nbits // 2 * 2)),
    lambda nbits: range(2, 1 << nbits),
    "the modulus that the circuit is for, in hexadecimal",
)


class ConstantMultiplier(Multiplier):
    """``a * b mod m`` for one modulus, which is built into a combinational circuit.

    ``modulus`` is hexadecimal, as ``ModulusParameter`` gives it.
    """

    odd_modulus = False
    r = 1
    holds_modulus = False
    needs_store = True
    widths = range(4, 1025)

    def __init__(self, nbits: int, modulus: str, **params: object):
        super().__init__(nbits, **params)
        self.constant_modulus = int(modulus, 16)

    @property
    def operand_nbits(self) -> int:
        """Width of the largest residue in bits."""
        return (self.constant_modulus - 1).bit_length()

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        return a * b % self.constant_modulus
