from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.physical.array_netlist import FN, PORT_KINDS, ArrayNetlist, N
from rsaxcel.flow.physical.embedded.session import Clock
from rsaxcel.flow.physical.floorplan import Core
from rsaxcel.flow.physical.lef import kinds

_ARRAYS = ("kind", "pin_net", "x", "y", "orient")


@dataclass
class Checkpoint:
    """What a step hands to the next one."""

    design: ArrayNetlist
    core: Core
    clock: Clock = field(default_factory=Clock)
    copies: dict[str, str] = field(default_factory=dict)  # original of each copied cell
    # By name, the replaced gate for each output pin.
    adders: dict[str, dict[str, str]] = field(default_factory=dict)
    counts: dict[str, Any] = field(default_factory=dict)  # figures of the steps so far

    def write(self, path: Path) -> None:
        """Write the checkpoint; equal checkpoints give equal files."""
        design = self.design
        about: Mapping[str, Any] = {
            "top": design.top,
            "ports": dict(design.ports),
            "names": design.names,
            "nets": design.nets,
            "core": asdict(self.core),
            "clock": asdict(self.clock),
            "copies": self.copies,
            "adders": self.adders,
            "counts": self.counts,
        }
        text = np.frombuffer(json.dumps(about).encode(), np.uint8)
        arrays = {name: getattr(design, name) for name in _ARRAYS}
        with path.open("wb") as file:
            np.savez(file, about=text, **arrays)

    @classmethod
    def read(cls, path: Path, kit: Kit) -> Checkpoint:
        """Read a checkpoint of a design of the kit's cells.

        Arrays are checked: otherwise the C++ code would read and write past them.
        """
        with np.load(path) as file:
            about = json.loads(file["about"].tobytes())
            arrays = {name: file[name] for name in _ARRAYS}
        design = ArrayNetlist(
            top=about["top"],
            kinds=(*kinds(kit), *PORT_KINDS),
            names=about["names"],
            nets=about["nets"],
            ports=about["ports"],
            **arrays,
        )
        core, clock = Core(**about["core"]), Clock(**about["clock"])
        if not _is_sound(design, core):
            raise FlowError(f"{path}: not a design of this library")
        return cls(design, core, clock, about["copies"], about["adders"], about["counts"])


def _is_sound(design: ArrayNetlist, core: Core) -> bool:
    """Whether each array has the right type, length and range."""
    ranges = {
        "kind": (np.int32, 0, len(design.kinds) - 1),
        "x": (np.int32, 0, core.width),
        "y": (np.int32, 0, core.height),
        "orient": (np.uint8, N, FN),
        "pin_net": (np.int32, -1, len(design.nets) - 1),
    }
    for name, (kind, least, most) in ranges.items():
        array = getattr(design, name)
        # The number of pins is known only if the kinds, which come first, are right.
        count = int(design.pin_start[-1]) if name == "pin_net" else design.count
        if array.dtype != kind or array.shape != (count,):
            return False
        if not np.all((least <= array) & (array <= most)):
            return False
    return True
