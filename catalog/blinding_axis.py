"""Axis of the blinding: whether a design hides its message and its exponents by random numbers."""

from collections.abc import Mapping
from typing import Any

from rsaxcel.catalog.draft import Draft
from rsaxcel.catalog.halves_axis import HalvesAxis, take_parameter
from rsaxcel.plan.blinding import Blinding
from rsaxcel.plan.domains import BLIND_NBITS, BLINDINGS, OF_EXPONENTS, OF_MESSAGE


class BlindingAxis(HalvesAxis):
    """Axis of the blinding: none, of the message, of the exponents, or of both."""

    name = "blinding"
    tokens = BLINDINGS
    told = "only designs by two primes are blinded"

    def changes(self, draft: Draft, token: str) -> Mapping[str, Any]:
        exponent_nbits = 0 if token == OF_MESSAGE else take_parameter(draft, BLIND_NBITS)
        return {"blinding": Blinding(token != OF_EXPONENTS, exponent_nbits)}
