"""Result of the gate-level simulation of one type of operation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rsaxcel.flow.power.activity import Activity


@dataclass(frozen=True)
class Simulated:
    """Simulated operations of one type on a netlist, with correct results.

    Parameters
    ----------
    name
        Name of the type of operation, which is also its key in the record.
    activity
        Activity of all operations together.
    operations
        Number of operations.
    figures
        Other figures for the record, with units in their names.
    """

    name: str
    activity: Activity
    operations: int
    figures: Mapping[str, Any]
