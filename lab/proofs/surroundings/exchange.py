"""``Exchange``: a circuit with streams in surroundings that do anything, and what is claimed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rsaxcel.sim.translate import VerilogModule


@dataclass(frozen=True)
class Exchange:
    """A circuit with streams, and what is claimed about it."""

    name: str  # as users type it
    component: Callable[[int], Any]  # of a width in bits
    # Verilog of the surroundings (top: claim.TOP): "wrong_" + property is 1 if broken, "seen_" +
    # event in its cycle
    checked: Callable[[VerilogModule, int], str]
    properties: Mapping[str, str]  # what each says, by name
    events: tuple[str, ...]  # that must be possible, so that no claim is empty
    told: tuple[str, ...]  # ports that describe the last cycle of a counterexample
    nbits: int  # of the standard claims
    most_nbits: int  # for which a proof is tried
    least_nbits: int = 1  # for which a proof is tried
