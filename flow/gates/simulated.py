"""What simulating one type of operation on a netlist gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flow.power.activity import Activity


@dataclass(frozen=True)
class Simulated:
    """Operations of one type on the netlist; their results were right.

    Parameters
    ----------
    name
        Key in the record.
    activity
        Toggles of all of them.
    operations
        How many they were.
    figures
        What else the record tells about this type, units in the names.
    """

    name: str
    activity: Activity
    operations: int
    figures: Mapping[str, Any]
