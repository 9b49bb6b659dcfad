"""Result of the gate-level simulation of one type of operation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rsaxcel.flow.power.activity import Activity


@dataclass(frozen=True)
class Simulated:
    name: str  # key of the record
    activity: Activity  # of all operations together
    operations: int
    figures: Mapping[str, Any]  # for the record, with units in their names
