"""The embedded timer as an analyzer of the flow: critical path, slews, slacks of endpoints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from flow.endpoints import histogram
from flow.errors import FlowError
from flow.kit import Kit
from flow.library import kept_library
from flow.physical.design import (
    INPUT_PORT,
    OUTPUT_PORT,
    PORT_KINDS,
    Design,
    Kind,
    KindPin,
    read_design,
)
from flow.physical.embedded.session import Clock, session
from flow.physical.embedded.timing_library import (
    Arc,
    TimingLibrary,
    look_up,
    timing_library,
)
from flow.power.liberty import Library
from flow.timer import Point, StaticTiming, Timer, Wires, endpoint

_EDGES = "^v"
_RISE = 0
_SETUP = 0
_DIGITS = 4  # of times and loads on the path
_SLACK_DIGITS = 5
_PORT_NAMES = {INPUT_PORT.name: "in", OUTPUT_PORT.name: "out"}


class EmbeddedTimer(Timer):
    """Times netlists without places as OpenSTA does; it takes no effective capacitances."""

    name = "embedded timer"

    def version(self) -> str:
        """Version of this package."""
        return version("rsaxcel")

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
        """Analyse a netlist; see ``Timer.analyse``."""
        if wires is not None:
            raise FlowError("the embedded timer times netlists without places only")
        library = kept_library(kit.liberty)
        design = read_design(netlist.with_suffix(".json"), top, _kinds(library), constants=True)
        timed = _time(design, kit, library, clock_ns)
        ends = timed.ends()
        if not ends:
            raise FlowError(f"there is no path to time in {top}")
        worst = min(ends, key=lambda pin: ends[pin][0])
        slack_ns, edge = ends[worst]
        path = [*timed.trace(worst, edge)][::-1]
        if slews is not None:
            slews.write_text("".join(timed.slew_lines()))
        start = timed.name(path[0][0])
        # The path of a register begins at its output: its clock pin is at time 0.
        shown = path[1:] if "/" in start else path
        return StaticTiming(
            clock_ns,
            slack_ns,
            endpoint(start),
            endpoint(timed.name(worst)),
            tuple(Point(timed.name(pin), timed.at_ns(pin, edge)) for pin, edge in shown),
            ends={
                "slacks": histogram([round(x, _SLACK_DIGITS) for x, _ in ends.values()]),
                "path": [*timed.stages(path)],
                "required_ns": round(timed.at_ns(worst, edge) + slack_ns, _DIGITS),
            }
            if slews
            else {},
        )


def _kinds(library: Library) -> tuple[Kind, ...]:
    """Kinds of a library's cells, without geometry."""
    return tuple(
        Kind(cell.name, 0, 0, tuple(KindPin(x.name, x.is_output) for x in cell.pins.values()))
        for cell in library.cells.values()
        if cell.pins
    )


def _time(design: Design, kit: Kit, library: Library, clock_ns: float) -> _Timed:
    start, _ = design.net_pins
    model = library.wire_load
    fanouts, each = np.unique(np.diff(start) - 1, return_inverse=True)
    wire_ff = np.array([1e15 * model.wire_f(int(x)) if model else 0.0 for x in fanouts])[each]
    clock = Clock(gate_lead_ns=0.0, slew_ns=0.0, has_network=True)
    with session(design, kit, clock) as opened:
        opened.give_wires(wire_ff, np.zeros(len(design.pin_net)))
        opened.time(clock_ns)
        return _Timed(design, kit, timing_library(kit), wire_ff, *opened.pins())


@dataclass(frozen=True)
class _Timed:
    """A design with wires in fF, and arrival, slew and required time in ns by pin and edge."""

    design: Design
    kit: Kit
    timing: TimingLibrary
    wire_ff: np.ndarray
    arrival: np.ndarray
    slew: np.ndarray
    required: np.ndarray

    def kind(self, pin: int) -> Kind:
        return self.design.kinds[self.design.kind[self.design.pin_instance[pin]]]

    def name(self, pin: int) -> str:
        """Name of a pin as ``INSTANCE/PIN``, or of a port."""
        instance, name = self.design.pin_name(pin)
        return instance if self.kind(pin) in PORT_KINDS else f"{instance}/{name}"

    def at_ns(self, pin: int, edge: int) -> float:
        """Arrival of an edge; that of an ideal clock is 0."""
        return max(float(self.arrival[pin, edge]), 0.0)

    def ends(self) -> dict[int, tuple[float, int]]:
        """Return slack and edge of each endpoint at which something arrives."""
        known = [
            pin.name in {x.data for x in cell.checks if x.kind == _SETUP}
            if (cell := self.timing.cells.get(kind.name))
            else kind == OUTPUT_PORT
            for kind in self.design.kinds
            for pin in kind.pins
        ]
        slack = np.where(np.isfinite(self.arrival), self.required - self.arrival, np.inf)
        pins = np.flatnonzero(np.array(known)[self.design.pin_type])
        pins = pins[np.isfinite(slack[pins]).any(axis=1)]
        edges = np.argmin(slack[pins], axis=1)
        found = zip(pins.tolist(), slack[pins, edges].tolist(), edges.tolist(), strict=True)
        return {pin: (least, edge) for pin, least, edge in found}

    def trace(self, pin: int, edge: int) -> Iterator[tuple[int, int]]:
        """Yield pins and edges of the slowest path to a pin, from its end to its start."""
        start, pins = self.design.net_pins
        while True:
            yield pin, edge
            if not self.design.pin_is_output[pin]:
                pin = int(pins[start[self.design.pin_net[pin]]])
                continue
            causes = [*self._causes(pin, edge)]
            if not causes:
                return
            _, pin, edge, is_start = max(causes)
            if is_start:
                yield pin, edge
                return

    def _causes(self, pin: int, edge: int) -> Iterator[tuple[float, int, int, bool]]:
        """Yield arrival by an arc, its source and edge, and whether a clock launches it."""
        cell = self.timing.cells.get(self.kind(pin).name)
        own = [x.name for x in self.kind(pin).pins]
        first = int(self.design.pin_start[self.design.pin_instance[pin]])
        load_ff = self.load_ff(pin, edge)
        for arc in cell.arcs if cell else ():
            table = arc.tables[edge]
            if first + own.index(arc.target) != pin or table is None:
                continue
            source = first + own.index(arc.source)
            for cause in _causes_of(arc, edge):
                at = 0.0 if arc.launch else float(self.arrival[source, cause])
                slew = 0.0 if arc.launch else float(self.slew[source, cause])
                if np.isfinite(at):
                    delay = look_up(table, slew, load_ff)
                    yield at + delay, source, cause, arc.launch

    def load_ff(self, pin: int, edge: int) -> float:
        """Load of a pin that drives a net: the wire, and the pins that it drives."""
        net = self.design.pin_net[pin]
        if net < 0 or not self.design.pin_is_output[pin]:
            return 0.0
        start, pins = self.design.net_pins
        sinks = pins[start[net] + 1 : start[net + 1]]
        return float(self.wire_ff[net]) + sum(self._capacitance_ff(int(x), edge) for x in sinks)

    def _capacitance_ff(self, pin: int, edge: int) -> float:
        if self.kind(pin) == OUTPUT_PORT:
            return self.kit.port_load_ff
        _, name = self.design.pin_name(pin)
        return self.timing.cells[self.kind(pin).name].capacitance_ff[name][edge]

    def stages(self, path: Sequence[tuple[int, int]]) -> Iterator[dict[str, Any]]:
        """Yield start and end of a path and the outputs between them, for ``StaticTiming.ends``."""
        before_ns = 0.0
        for number, (pin, edge) in enumerate(path):
            if number not in (0, len(path) - 1) and not self.design.pin_is_output[pin]:
                continue
            time_ns = self.at_ns(pin, edge)
            yield {
                "pin": self.name(pin),
                "cell": _PORT_NAMES.get(self.kind(pin).name, self.kind(pin).name),
                "edge": _EDGES[edge],
                "load_ff": round(self.load_ff(pin, edge), _DIGITS),
                "slew_ns": round(float(self.slew[pin, edge]) if number else 0.0, _DIGITS),
                "delay_ns": round(time_ns - before_ns, _DIGITS),
                "time_ns": round(time_ns, _DIGITS),
            }
            before_ns = time_ns

    def slew_lines(self) -> Iterator[str]:
        """Yield a line for each pin of a cell: its name, and its rise and fall slew in ns."""
        for pin, (rise, fall) in enumerate(self.slew.tolist()):
            if self.kind(pin) not in PORT_KINDS:
                yield f"{self.name(pin)} {rise:.6e} {fall:.6e}\n"


def _causes_of(arc: Arc, edge: int) -> tuple[int, ...]:
    if arc.launch:
        return (_RISE,)
    return tuple(x for x in (0, 1) if arc.sense & (1 if x == edge else 2))
