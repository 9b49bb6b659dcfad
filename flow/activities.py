"""Writes and reads the file that passes net activity from gate simulation to power analysis."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rsaxcel.flow.power.activity import Activity

_BY_NET = ("toggles", "high", "glitches", "swallowed")
_TOTALS = ("cycles", "timed_cycles", "glitch_error")


def save_activities(path: Path, activities: Mapping[str, Activity]) -> None:
    """Write the activity of each type of operation as arrays in a file of NumPy (``.npz``)."""
    arrays: dict[str, Any] = {}
    for name, activity in activities.items():
        for total in _TOTALS:
            arrays[f"{name}.{total}"] = np.array(getattr(activity, total))
        for kind in _BY_NET:
            counted = getattr(activity, kind)
            arrays[f"{name}.{kind}.nets"] = np.array(list(counted), np.int64)
            arrays[f"{name}.{kind}"] = np.array(list(counted.values()), float)
    np.savez(path, **arrays)


def load_activities(path: Path) -> dict[str, Activity]:
    """Read the activity of each type of operation from a file of ``save_activities``."""
    with np.load(path) as arrays:
        names = [key.removesuffix(".cycles") for key in arrays if key.endswith(".cycles")]
        found = {}
        for name in names:
            totals: Any = {total: float(arrays[f"{name}.{total}"]) for total in _TOTALS}
            by_net: Any = {
                kind: dict(
                    zip(
                        arrays[f"{name}.{kind}.nets"].tolist(),
                        arrays[f"{name}.{kind}"].tolist(),
                        strict=True,
                    )
                )
                for kind in _BY_NET
            }
            found[name] = Activity(**totals, **by_net)
    return found
