"""Axes of the Montgomery domain: where values are converted, and where constants come from."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from catalog.axis import Axis, Fitting
from catalog.constant_units import CONSTANT_UNITS, units_for
from catalog.draft import Draft
from catalog.stores import STORES
from plan.domains import CONVERSIONS
from plan.modulus_constants import HOST, ModulusConstant


def _no_conversions(draft: Draft) -> str:
    """Give the reason why there is no conversion to choose; empty if there is one."""
    if draft.halves:
        return "the crt domain converts by constants of its own"
    return "the plain domain converts nothing" if draft.contract.r == 1 else ""


class ConversionsAxis(Axis):
    """Axis of the conversions: where values enter and leave the Montgomery domain."""

    name = "conversions"

    def known(self) -> Sequence[str]:
        """Give the tokens of all conversions."""
        return tuple(CONVERSIONS)

    def needless(self, draft: Draft) -> str:
        """Give the reason why there is no conversion to choose; empty if there is one."""
        return _no_conversions(draft)

    def usual(self, draft: Draft) -> str:
        """Give the entry's conversions."""
        return draft.entry.conversions or "shared"

    def fits(self, draft: Draft) -> Fitting:
        """Give all conversions if residues are in registers and as wide as operands."""
        if draft.store is not STORES["registers"]:
            return Fitting(("shared",), f"residues stay in {draft.store.name}")
        if draft.contract.operand_nbits > draft.nbits:
            return Fitting(("shared",), "residues are wider than operands")
        return Fitting(self.known())


class SourceAxis(Axis):
    """Axis of a constant of the modulus: which unit computes it, or whether the host sends it.

    Parameters
    ----------
    name : str
        Name of the axis.
    first : tuple of str
        Tokens of sources besides units and host.
    """

    def __init__(self, name: str, first: tuple[str, ...] = ()):
        self.name = name
        self._first = first

    def known(self) -> Sequence[str]:
        """Give the tokens of all sources."""
        return (*self._first, *CONSTANT_UNITS, HOST)

    def constant(self, draft: Draft) -> ModulusConstant:
        """Give the constant."""
        raise NotImplementedError

    def nbits(self, draft: Draft) -> int:
        """Give the width in bits of the moduli for which a unit computes the constant."""
        return draft.nbits

    def fits(self, draft: Draft) -> Fitting:
        """Give the host and, if residues are in registers, the units that compute the constant."""
        if draft.store is not STORES["registers"]:
            reason = f"constants of residues in {draft.store.name} come from the host"
            return Fitting((*self._first, HOST), reason)
        formula = self.constant(draft).formula
        units = units_for(formula, self.nbits(draft))
        return Fitting((*self._first, *units, HOST), f"it can't compute {formula}")


class ConversionSourceAxis(SourceAxis):
    """Axis of a constant by which the Montgomery domain converts.

    Parameters
    ----------
    name : str
        Name of the axis, which is also the field of the entry.
    constant : callable
        Gives the constant for the width of residues and the binary logarithm of R.
    first : tuple of str
        Tokens of sources besides units and host; the first one is the default.
    """

    def __init__(
        self, name: str, constant: Callable[[int, int], ModulusConstant], *first: str
    ) -> None:
        super().__init__(name, first)
        self._constant = constant

    def needless(self, draft: Draft) -> str:
        """Give the reason why there is no conversion to choose; empty if there is one."""
        return _no_conversions(draft)

    def usual(self, draft: Draft) -> str:
        """Give the entry's source."""
        return getattr(draft.entry, self.name)

    def constant(self, draft: Draft) -> ModulusConstant:
        """Give the constant of the multiplier's R."""
        return self._constant(draft.nbits, draft.log2_r)


class MultiplierConstantAxis(SourceAxis):
    """Axis of a constant that the multiplier reads.

    Parameters
    ----------
    constant : ModulusConstant
        The constant, with the source that the multiplier declares.
    """

    def __init__(self, constant: ModulusConstant):
        super().__init__(constant.choice_name)
        self._constant = constant

    def usual(self, draft: Draft) -> str:
        """Give the declared source."""
        return self._constant.source

    def constant(self, draft: Draft) -> ModulusConstant:
        """Give the constant."""
        return self._constant

    def nbits(self, draft: Draft) -> int:
        """Give the width of the modulus of the products in bits."""
        return draft.contract.nbits

    def take(self, draft: Draft, token: Any) -> None:
        """Add the constant with its source; names and records list an undeclared source."""
        if token != self._constant.source:
            draft.sources[self.name] = token
        draft.constants.append(replace(self._constant, source=token))
