"""Interface of a static timing analyzer, and what an analysis finds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from rsaxcel.flow.kit import Kit
from rsaxcel.flow.names import register_of


@dataclass(frozen=True)
class Point:
    """A pin on the critical path and the time in ns at which its signal arrives."""

    pin: str
    arrival_ns: float


@dataclass(frozen=True)
class Wires:
    """What timing analysis needs to know of a placed netlist.

    Parameters
    ----------
    spef
        Resistances and capacitances of all nets.
    latency_ns
        Latency of the clock to which the ports belong: the mean latency of all flip-flops.
    uncertainty_ns, derate
        See ``flow.layout.Layout``.
    """

    spef: Path
    latency_ns: float
    uncertainty_ns: float = 0.0
    derate: float = 0.0


@dataclass(frozen=True)
class PlacedTiming:
    """Results that only a placed netlist has; times in ns.

    Parameters
    ----------
    hold_slack_ns, hold_end
        Worst hold slack, and the pin or port that has it.
    skew_ns
        Largest difference of clock latencies between two flip-flops with a path from one to the
        other.
    slow_pins
        Pins whose slew is larger than the library allows: slew and limit.
    arrivals_ns
        Rise and fall delay of the wire to each input pin, by instance and pin.
    """

    hold_slack_ns: float
    hold_end: str
    skew_ns: float
    slow_pins: Mapping[str, tuple[float, float]]
    arrivals_ns: Mapping[tuple[str, str], tuple[float, float]]


@dataclass(frozen=True)
class StaticTiming:
    """Result of the analysis; times in ns.

    Parameters
    ----------
    clock_ns
        Clock constraint.
    slack_ns
        Slack of the critical path; below 0 if the constraint is not met.
    start, end
        Start and end of the critical path: registers by name, or ports.
    points
        Pins along the critical path.
    launch_ns
        Latency of the clock that launches the critical path; 0 with an ideal clock.
    ends
        Slacks of all endpoints, and cells of the critical path (``flow.endpoints.read_ends``);
        empty if ``analyse_timing`` was called without ``slews``.
    placed
        Results that only a placed netlist has.
    """

    clock_ns: float
    slack_ns: float
    start: str
    end: str
    points: tuple[Point, ...]
    launch_ns: float = 0.0
    ends: Mapping[str, Any] = field(default_factory=dict)
    placed: PlacedTiming | None = None

    @property
    def min_period_ns(self) -> float:
        """Smallest clock period at which the circuit works."""
        return self.clock_ns - self.slack_ns

    @property
    def delay_ns(self) -> float:
        """Delay of the critical path, from the clock edge to the arrival at its end."""
        return self.points[-1].arrival_ns - self.launch_ns


class Timer(ABC):
    """A static timing analyzer.

    Attributes
    ----------
    name
        Name of the tool among the tools of a record.
    """

    name: ClassVar[str]

    @abstractmethod
    def version(self) -> str:
        """Version of the tool.

        Raises
        ------
        FlowError
            If the tool is missing or cannot be started.
        """

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
        wires: Wires | None = None,
    ) -> StaticTiming:
        """Find the critical path of a netlist, and so its smallest clock period.

        Inputs arrive at the clock edge, driven by the kit's driving cell; outputs drive the kit's
        load and are due at the next edge.

        Parameters
        ----------
        netlist, top, kit
            Verilog netlist, beside which lies the same netlist in Yosys's JSON form with the suffix
            ``.json``; its top module; and its library.
        clock_ns
            Clock constraint.
        work_dir
            Folder of logs and temporary files.
        slews
            File that gets the slews of all pins; None: neither slews nor slacks of endpoints.
        wires
            Wires and clock of a placed netlist; None: the library's wire-load model, ideal clock.

        Raises
        ------
        FlowError
            If the tool fails, or there is no path to time.
        """


def endpoint(pin: str) -> str:
    """Name of the register that the pin's flip-flop holds; for a port, the port's name."""
    instance, slash, _ = pin.rpartition("/")
    return register_of(instance) if slash else pin
