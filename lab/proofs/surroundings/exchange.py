"""``Exchange``: a circuit with streams in surroundings that do anything, and what is claimed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rsaxcel.sim.translate import VerilogModule


@dataclass(frozen=True)
class Exchange:
    """A circuit with streams, and what is claimed about it.

    Parameters
    ----------
    name
        Name, as users type it.
    component
        Returns the component for a width in bits.
    checked
        Returns the Verilog of the surroundings, for the translated component and a width; its top
        module is ``lab.proofs.claim.TOP``. The output ``wrong_`` + a property is 1 if the property
        is broken in this cycle; the output ``seen_`` + an event is 1 in the cycle of the event.
    properties
        What each property says, by name.
    events
        Names of events that must be possible, so that no claim is empty.
    told
        Ports of the surroundings that describe the last cycle of a counterexample.
    nbits
        Width of the standard claims.
    most_nbits, least_nbits
        Largest and smallest width for which a proof is tried.
    """

    name: str
    component: Callable[[int], Any]
    checked: Callable[[VerilogModule, int], str]
    properties: Mapping[str, str]
    events: tuple[str, ...]
    told: tuple[str, ...]
    nbits: int
    most_nbits: int
    least_nbits: int = 1
