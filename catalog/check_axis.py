"""Axis of the check: whether a design checks its result before the result leaves."""

from collections.abc import Mapping
from typing import Any

from rsaxcel.catalog.draft import Draft
from rsaxcel.catalog.halves_axis import HalvesAxis, take_parameter
from rsaxcel.plan.domains import CHECKS, PUBLIC_NBITS


class CheckAxis(HalvesAxis):
    """Axis of the check: none, or by the public exponent."""

    name = "check"
    tokens = CHECKS
    told = "only a result that two halves are joined to is checked"

    def changes(self, draft: Draft, token: str) -> Mapping[str, Any]:
        return {"public_nbits": take_parameter(draft, PUBLIC_NBITS)}
