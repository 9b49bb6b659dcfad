"""Axes of the Montgomery domain: where values are converted, and where constants come from."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rsaxcel.catalog.axis import Axis, Fitting
from rsaxcel.catalog.constant_units import CONSTANT_UNITS, units_for
from rsaxcel.catalog.draft import Draft
from rsaxcel.catalog.stores import STORES
from rsaxcel.plan.domains import CONVERSIONS
from rsaxcel.plan.modulus_constants import HOST, ModulusConstant


def _no_conversions(draft: Draft) -> str:
    """Return why the domain leaves no choice of conversions; an empty text if there is a choice."""
    if draft.halves:
        return "the crt domain converts by constants of its own; domain=montgomery has the choice"
    if draft.contract.r == 1:
        return "the plain domain converts nothing; domain=montgomery has the choice"
    return ""


class ConversionsAxis(Axis):
    """Axis of the conversions: which units convert values to and from the Montgomery domain."""

    name = "conversions"

    def known(self) -> Sequence[str]:
        return tuple(CONVERSIONS)

    def needless(self, draft: Draft) -> str:
        """Return why the domain leaves no choice of conversions; empty if there is a choice."""
        return _no_conversions(draft)

    def usual(self, draft: Draft) -> str:
        """Return the token of the registered design; ``shared`` if the design names none."""
        return draft.entry.conversions or "shared"

    def fits(self, draft: Draft) -> Fitting:
        """Return both tokens if residues are in registers and as wide as operands."""
        # ``shared``: the lanes (multipliers) also convert. ``dedicated``: separate units convert.
        if draft.store is not STORES["registers"]:
            return Fitting(("shared",), f"residues stay in {draft.store.name}")
        if draft.contract.operand_nbits > draft.nbits:
            return Fitting(("shared",), "residues are wider than operands")
        return Fitting(self.known())


class SourceAxis(Axis):
    """Axis of a constant of the modulus: which unit computes it, or whether the host sends it.

    ``first`` has the tokens that are neither a unit nor the host; they are listed before these.
    """

    def __init__(self, name: str, first: tuple[str, ...] = ()):
        self.name = name
        self._first = first

    def known(self) -> Sequence[str]:
        return (*self._first, *CONSTANT_UNITS, HOST)

    def constant(self, draft: Draft) -> ModulusConstant:
        """Return the constant whose source is chosen, for the draft's multiplier and width."""
        raise NotImplementedError

    def nbits(self, draft: Draft) -> int:
        """Return the width in bits of the modulus from which a unit computes the constant."""
        return draft.nbits

    def fits(self, draft: Draft) -> Fitting:
        """Return ``first``, units for the constant if residues are in registers, and the host."""
        if draft.store is not STORES["registers"]:
            reason = f"constants of residues in {draft.store.name} come from the host"
            return Fitting((*self._first, HOST), reason)
        formula = self.constant(draft).formula
        units = units_for(formula, self.nbits(draft))
        return Fitting((*self._first, *units, HOST), f"it can't compute {formula}")


class ConversionSourceAxis(SourceAxis):
    """Axis of a constant with which values are converted to the Montgomery domain.

    ``name`` is also a field of ``Entry``; ``constant`` takes the width of residues and log2(R).
    """

    def __init__(
        self, name: str, constant: Callable[[int, int], ModulusConstant], *first: str
    ) -> None:
        super().__init__(name, first)
        self._constant = constant

    def needless(self, draft: Draft) -> str:
        """Return why the domain needs no such constant; an empty text if it needs the constant."""
        return _no_conversions(draft)

    def usual(self, draft: Draft) -> str:
        """Return the source of the constant in the registered design; empty if it names none."""
        return getattr(draft.entry, self.name)

    def constant(self, draft: Draft) -> ModulusConstant:
        return self._constant(draft.nbits, draft.log2_r)


class MultiplierConstantAxis(SourceAxis):
    """Axis of a constant that the multiplier reads: which unit computes it, or the host."""

    def __init__(self, constant: ModulusConstant):
        super().__init__(constant.choice_name)
        self._constant = constant

    def usual(self, draft: Draft) -> str:
        """Return the source (a unit, or the host) that the multiplier declares for the constant."""
        return self._constant.source

    def constant(self, draft: Draft) -> ModulusConstant:
        return self._constant

    def nbits(self, draft: Draft) -> int:
        """Return the width in bits of the modulus by which the multiplier reduces products."""
        return draft.contract.nbits

    def take(self, draft: Draft, token: Any) -> None:
        """Add the constant with its source, also to ``draft.sources`` if not the declared one."""
        if token != self._constant.source:
            draft.sources[self.name] = token
        draft.constants.append(replace(self._constant, source=token))
