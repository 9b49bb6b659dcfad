"""Axis of the dummies: whether a design forms products without a use, at random places."""

from collections.abc import Mapping
from typing import Any

from rsaxcel.catalog.draft import Draft
from rsaxcel.catalog.halves_axis import HalvesAxis, take_parameter
from rsaxcel.plan.dummies import DUMMIES, DUMMY_COUNT, Dummies


class DummiesAxis(HalvesAxis):
    """Axis of the dummies: none, or squares between the products of the exponent."""

    name = "dummies"
    tokens = DUMMIES
    told = "only designs by two primes have dummies"

    def changes(self, draft: Draft, token: str) -> Mapping[str, Any]:
        return {"dummies": Dummies(take_parameter(draft, DUMMY_COUNT))}
