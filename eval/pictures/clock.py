"""The clock tree of a placed circuit: branches with their levels, and latencies of sinks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rsaxcel.eval.pictures.placed import Placed
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.files import read_json
from rsaxcel.flow.libraries import find_kit
from rsaxcel.flow.physical.interface import CLOCK, NETLIST
from rsaxcel.flow.physical.placed import LATENCIES
from rsaxcel.flow.yosys_json import read_module


@dataclass(frozen=True)
class Branch:
    """Wire of the tree, from the pin of its driver to one driven pin."""

    source: tuple[float, float]
    sink: tuple[float, float]
    level: int  #: number of buffers and clock gates before the wire
    to_flip_flop: bool


class ClockTree:
    """Clock tree of a placed circuit; ``FlowError`` if its sinks are not those with latencies."""

    def __init__(self, placed: Placed, clock: str = "clk") -> None:
        self._placed, self._clock = placed, clock
        about = read_json(placed.file(CLOCK))
        #: Latency of each sink: of flip-flops and of clock gates, by INSTANCE/PIN.
        self.latency_ns: dict[str, float] = about[LATENCIES]
        # The record has the skew that the timer finds; the physical tool's own may differ.
        timed: dict[str, float] = dict(placed.record.physical or {})
        self.skew_ns: float = timed.get("skew_ns", about["skew_ns"])
        self.insertion_delay_ns: float = about["insertion_delay_ns"]
        module = read_module(placed.file(NETLIST), placed.record.design)
        self._library = find_kit(placed.record.library).library.cells
        self._cells = module.cells
        self._root = module.ports[clock]["bits"][0]
        self._level: dict[int, int] = {self._root: 0}

    @cached_property
    def _drivers(self) -> dict[int, tuple[str, str]]:
        """Instance and pin that drive each net."""
        found = {}
        for name, cell in self._cells.items():
            for pin in self._library[cell["type"]].outputs:
                if bits := cell["connections"].get(pin.name):
                    found[bits[0]] = name, pin.name
        return found

    def _clock_pin(self, name: str) -> str:
        """Pin at which a buffer or a clock gate reads the clock."""
        pins = [x.name for x in self._library[self._cells[name]["type"]].inputs]
        if len(pins) > 1:
            pins = [pin for pin in pins if f"{name}/{pin}" in self.latency_ns]
        if len(pins) != 1:
            raise FlowError(f"{CLOCK}: cell {name} is in the clock tree, but no buffer or gate")
        return pins[0]

    def _net(self, name: str, pin: str) -> int:
        return self._cells[name]["connections"][pin][0]

    @cached_property
    def inner(self) -> dict[str, int]:
        """Level of each buffer and clock gate: number of buffers and gates before it."""
        found: dict[str, int] = {}
        for sink in self.latency_ns:
            name, _, pin = sink.rpartition("/")
            chain = []
            net = self._net(name, pin)
            while net not in self._level:
                driver, _ = self._drivers[net]
                chain.append((driver, net))
                net = self._net(driver, self._clock_pin(driver))
            for driver, driven in reversed(chain):
                found[driver] = self._level[net]
                self._level[driven] = self._level[net] + 1
                net = driven
        for sink in self.latency_ns:  # clock gates without a flip-flop behind them
            name, _, pin = sink.rpartition("/")
            if self._is_gate(name):
                found.setdefault(name, self._level[self._net(name, pin)])
        return found

    @property
    def gates(self) -> list[str]:
        return [x for x in self.inner if self._is_gate(x)]

    @property
    def buffers(self) -> list[str]:
        return [x for x in self.inner if not self._is_gate(x)]

    @cached_property
    def flip_flops(self) -> tuple[np.ndarray, np.ndarray]:
        """Places of the flip-flops' clock pins (rows of x and y in um), and latencies in ns."""
        points = np.array([self._placed.pin(x) for x in self._sinks]).reshape(-1, 2)
        return points, np.array([self.latency_ns[x] for x in self._sinks])

    @cached_property
    def _sinks(self) -> list[str]:
        """Clock pins of the flip-flops."""
        return [x for x in self.latency_ns if not self._is_gate(x.rpartition("/")[0])]

    def _is_gate(self, name: str) -> bool:
        return self._library[self._cells[name]["type"]].clock_gate is not None

    def branches(self) -> Iterator[Branch]:
        inner = [f"{name}/{self._clock_pin(name)}" for name in self.inner]
        for to_flip_flop, pins in ((True, self._sinks), (False, inner)):
            for pin in pins:
                name, _, own = pin.rpartition("/")
                net = self._net(name, own)
                source = self._clock
                if net != self._root:
                    source = "/".join(self._drivers[net])
                place = self._placed.pin
                yield Branch(place(source), place(pin), self._level[net], to_flip_flop)
