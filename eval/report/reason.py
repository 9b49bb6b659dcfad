"""Reasons for differences between printed figures and ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rsaxcel.eval.facts.fact import Fact


@dataclass(frozen=True)
class Reason:
    """Why printed figures differ from ours by more than 25 %, or have none of ours beside them."""

    text: str
    place: str = ""  # table or figure of the document; empty: any
    # fields of printed facts; a tuple lists alternatives
    where: Mapping[str, Any] = field(default_factory=dict)

    def holds_for(self, fact: Fact) -> bool:
        return self.place in ("", fact.place) and all(
            getattr(fact, name) in (x if isinstance(x, tuple) else (x,))
            for name, x in self.where.items()
        )
