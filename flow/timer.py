"""Interface of a static timing analyzer, and its results; ``flow.tools`` has the analyzers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from rsaxcel.flow.kit import Kit
from rsaxcel.flow.names import register_of

_BINS = 40


@dataclass(frozen=True)
class PlacedWires:
    """Wires and clock of a placed netlist, for timing analysis."""

    spef: Path  #: SPEF file with the wires of all nets
    latency_ns: float  #: latency of the ports' clock: the mean of all flip-flops
    uncertainty_ns: float = 0.0  #: see flow.layout.Layout
    derate: float = 0.0  #: see flow.layout.Layout


@dataclass(frozen=True)
class PlacedTiming:
    """Results that only a placed netlist has; times in ns."""

    hold_slack_ns: float
    hold_end: str  #: pin or port with the worst hold slack
    skew_ns: float  #: skew of two flip-flops with a path between them
    slow_pins: Mapping[str, tuple[float, float]]  #: slew and limit of each pin above its limit
    #: Wire's rise and fall delay, by instance and input pin.
    arrivals_ns: Mapping[tuple[str, str], tuple[float, float]]


@dataclass(frozen=True)
class StaticTiming:
    """Result of the analysis; times in ns."""

    clock_ns: float
    slack_ns: float  #: slack of the critical path; below 0: constraint not met
    start: str  #: register or port
    end: str  #: register or port
    points: tuple[tuple[str, float], ...]  #: pins of the path, and arrivals at them
    launch_ns: float = 0.0  #: latency of the launching clock; 0 if ideal
    #: As flow.opensta.read_ends gives them; empty without `slews`.
    ends: Mapping[str, Any] = field(default_factory=dict)
    placed: PlacedTiming | None = None

    @property
    def min_period_ns(self) -> float:
        """Smallest clock period at which the circuit works."""
        return self.clock_ns - self.slack_ns

    @property
    def delay_ns(self) -> float:
        """Delay of the critical path, from the clock edge to the arrival at its end."""
        return self.points[-1][1] - self.launch_ns


class Timer(ABC):
    """A static timing analyzer."""

    name: ClassVar[str]  #: name among the tools of a record

    @abstractmethod
    def version(self) -> str:
        """Version of the tool; ``FlowError`` if it is missing."""

    @abstractmethod
    def analyse(
        self,
        netlist: Path,
        top: str,
        kit: Kit,
        *,
        clock_ns: float,
        work_dir: Path,
        slews: Path | None = None,
        wires: PlacedWires | None = None,
    ) -> StaticTiming:
        """Find the critical path of a netlist, and so its smallest clock period.

        Inputs arrive at the clock edge from the kit's driving cell; outputs drive the kit's load
        and are due at the next edge. Beside the Verilog lies the same netlist as ``.json``.
        ``slews`` gets the slews of all pins; None: no slacks of endpoints, either. ``wires`` of a
        placed netlist; None: wire-load model.
        """


def endpoint(pin: str) -> str:
    """Name of the register that the pin's flip-flop holds; for a port, the port's name."""
    instance, slash, _ = pin.rpartition("/")
    return register_of(instance) if slash else pin


def histogram(slacks: list[float], bins: int = _BINS) -> dict[str, Any]:
    """Make a histogram of slacks in ns, with bars of equal width from the least slack on."""
    least = min(slacks)
    width = (max(slacks) - least) / bins or 1.0
    counts = [0] * bins
    for slack in slacks:
        counts[min(int((slack - least) / width), bins - 1)] += 1
    return {
        "ends": len(slacks),
        "least_ns": round(least, 5),
        "bar_ns": round(width, 6),
        "counts": counts,
    }
