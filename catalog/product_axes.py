"""Axes that say what a product computes: multiplier, domain, reduction of the final result."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rsaxcel.catalog.axis import Axis, Fitting
from rsaxcel.catalog.choices import cofactor_parameter, usual_cofactor
from rsaxcel.catalog.draft import Draft, refuse
from rsaxcel.catalog.multipliers import MULTIPLIERS, check_outside, design_widths
from rsaxcel.catalog.reductions import REDUCTIONS, reductions_for
from rsaxcel.catalog.stores import STORES
from rsaxcel.catalog.units import Unit
from rsaxcel.fl.modulus_parameter import MODULUS
from rsaxcel.fl.multipliers.contract import DigitMultiplier
from rsaxcel.fl.pseudo_modulus import NoPseudoModulus, find_pseudo_modulus
from rsaxcel.plan.domains import DOMAINS, HALF_NBITS
from rsaxcel.plan.halves import Halves
from rsaxcel.plan.parameters import parse_parameters
from rsaxcel.plan.programs import multiple_nbits


class MultiplierAxis(Axis):
    """Axis of the multiplier: how one product is formed."""

    name = "multiplier"

    def known(self) -> Sequence[str]:
        return tuple(MULTIPLIERS)

    def usual(self, draft: Draft) -> str:
        return draft.entry.multiplier.name

    def fits(self, draft: Draft) -> Fitting:
        """Return all registered multipliers, and the design's own, which may be unregistered."""
        return Fitting((*self.known(), self.usual(draft)))

    def take(self, draft: Draft, token: Any) -> None:
        """Build the multiplier with its parameters, at the width of the modulus or of a half."""
        super().take(draft, token)
        entry, nbits = draft.entry, draft.nbits
        own = token == entry.multiplier.name
        classes = entry.multiplier if own else MULTIPLIERS[token]
        widths = design_widths(classes.fl)
        if nbits not in widths:
            name = entry.name if own else classes.name
            refuse("nbits", nbits, f"{widths[0]} to {widths[-1]} bits allowed for {name}")
        check_outside(classes)
        splits = draft.asked.get("domain", entry.domain) == "crt"
        if splits and issubclass(classes.fl, DigitMultiplier):
            ((_, half_nbits),) = parse_parameters((HALF_NBITS,), draft.asked, nbits)
            draft.halves = Halves(half_nbits)
        draft.values = parse_parameters(classes.fl.parameters, draft.asked, draft.modulus_nbits)
        draft.unit = Unit(classes, draft.values)
        draft.contract = draft.unit.build("fl", draft.modulus_nbits)
        draft.constant_modulus = draft.contract.constant_modulus


class DomainAxis(Axis):
    """Axis of the domain: in which representation the products run."""

    name = "domain"

    def known(self) -> Sequence[str]:
        return tuple(DOMAINS)

    def usual(self, draft: Draft) -> str:
        """Return the registered design's domain; if none, Montgomery or plain, as in ``fits``."""
        return draft.entry.domain or _domain_of_r(draft)

    def fits(self, draft: Draft) -> Fitting:
        """Return the domains that fit the multiplier: Montgomery if it divides by R, or plain."""
        # Multipliers with words, digits or constants for m itself cannot use a multiple of m. The
        # crt domain needs a multiplier that keeps its last result (a ``DigitMultiplier``).
        needed = _domain_of_r(draft)
        asked = draft.asked.get(self.name)
        reason = f"this multiplier forms {'a * b' if needed == 'plain' else 'a * b / R'} mod m"
        tokens = [needed, "pseudo_modulus"]
        if isinstance(draft.contract, DigitMultiplier):
            tokens = [needed, "crt"]
        elif draft.store is not STORES["registers"] or draft.contract.constants:
            tokens = [needed]
            if asked == "pseudo_modulus":
                reason = "this multiplier has words, digits or constants for m only"
        if asked == "crt":
            reason = "it needs a multiplier that keeps its last result"
        return Fitting(tokens, reason)

    def take(self, draft: Draft, token: Any) -> None:
        """Store the domain and its parameter; for a pseudo-modulus, build a wider multiplier."""
        super().take(draft, token)
        if token == "pseudo_modulus":
            draft.cofactor = _cofactor(draft)
            width = multiple_nbits(draft.cofactor, draft.nbits)
            draft.unit = _unit_of_multiple(draft, width)
            draft.contract = draft.unit.build("fl", width)
            draft.values = (*draft.values, ("cofactor", draft.cofactor))
        if draft.halves:
            draft.values = (*draft.values, (HALF_NBITS.name, draft.halves.nbits))


class ReductionAxis(Axis):
    """Axis of the reduction: how the final result is brought below the modulus."""

    name = "reduction"

    def known(self) -> Sequence[str]:
        return tuple(REDUCTIONS)

    def needless(self, draft: Draft) -> str:
        """Return why no reduction is needed; an empty text if one is needed."""
        if draft.contract.excess_nbits(draft.cofactor):
            return ""
        return "the last product is below the modulus"

    def usual(self, draft: Draft) -> str:
        return draft.entry.reduction

    def fits(self, draft: Draft) -> Fitting:
        """Return the reductions that support the modulus of the design: a constant one, or any."""
        return Fitting(reductions_for(draft.constant_modulus), "it is for a constant modulus")

    def take(self, draft: Draft, token: Any) -> None:
        """Store the reduction in the draft, and in the draft's domain."""
        super().take(draft, token)
        excess_nbits = draft.contract.excess_nbits(draft.cofactor)
        built = REDUCTIONS[token].build(excess_nbits, draft.constant_modulus)
        draft.domain = replace(draft.domain, reduction=built)


def _domain_of_r(draft: Draft) -> str:
    return "plain" if draft.contract.r == 1 else "montgomery"


def _cofactor(draft: Draft) -> int:
    """Return the user's cofactor, or by default the cofactor of the cheapest pseudo-modulus."""
    modulus = draft.constant_modulus
    if "cofactor" not in draft.asked:
        try:
            usual = usual_cofactor(modulus)
        except NoPseudoModulus as error:
            refuse("domain", "pseudo_modulus", f"{error}; give cofactor= to take any multiple")
        if usual == 1:
            form = find_pseudo_modulus(modulus, 0)
            refuse("domain", "pseudo_modulus", f"modulus {modulus:#x} is {form} itself; plain fits")
    parameter = cofactor_parameter(modulus, draft.contract.odd_modulus)
    ((_, cofactor),) = parse_parameters((parameter,), draft.asked, draft.nbits)
    return cofactor


def _unit_of_multiple(draft: Draft, nbits: int) -> Unit:
    """Return the multiplier for the cofactor times the modulus, a number of ``nbits`` bits."""
    # A parameter with its default for the design's width gets its default for ``nbits``.
    own = dict(draft.values)
    if MODULUS.name in own:
        own[MODULUS.name] = hex(draft.cofactor * int(own[MODULUS.name], 16))
        return Unit(draft.classes, tuple(own.items()))
    for parameter in draft.classes.fl.parameters:
        if own[parameter.name] == parameter.default(draft.nbits):
            own[parameter.name] = parameter.default(nbits)
        own[parameter.name] = parameter.parse(own[parameter.name], nbits)
    return Unit(draft.classes, tuple(own.items()))
