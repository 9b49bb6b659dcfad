"""The file in which gate-level simulation hands activities to the power analysis."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from flow.power.activity import Activity


def save_activities(path: Path, activities: Mapping[str, Activity]) -> None:
    """Write the activity of each type of operation."""
    arrays: dict[str, Any] = {}
    for name, activity in activities.items():
        bits = sorted(activity.toggles)
        arrays[f"{name}.cycles"] = np.array(activity.cycles)
        arrays[f"{name}.nets"] = np.array(bits, np.int64)
        arrays[f"{name}.toggles"] = np.array([activity.toggles[bit] for bit in bits])
        arrays[f"{name}.high"] = np.array([activity.high[bit] for bit in bits])
    np.savez(path, **arrays)


def load_activities(path: Path) -> dict[str, Activity]:
    """Read what `save_activities` wrote."""
    with np.load(path) as arrays:
        found = {}
        for key in arrays:
            name, _, part = key.rpartition(".")
            if part == "nets":
                nets = arrays[key].tolist()
                found[name] = Activity(
                    float(arrays[f"{name}.cycles"]),
                    dict(zip(nets, arrays[f"{name}.toggles"].tolist(), strict=True)),
                    dict(zip(nets, arrays[f"{name}.high"].tolist(), strict=True)),
                )
    return found
