"""Runs one operation in each lane of a netlist, with faults in flip-flops and gates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rsaxcel.flow.gates.circuit import FaultArrays, FaultKind, LaneFault
from rsaxcel.flow.gates.streams import GateSimulator, responses_of
from rsaxcel.flow.power.netlist import Instance, Netlist

#: Kinds of faults in a flip-flop; all others are in a gate.
IN_FLIP_FLOPS = (FaultKind.SKIP, FaultKind.FLIP, FaultKind.STUCK_AT_0, FaultKind.STUCK_AT_1)


@dataclass(frozen=True)
class Injection:
    """A fault of one lane."""

    kind: FaultKind
    places: tuple[int, ...]  #: indices in `flip_flops`, or in `gates` of FaultSimulator
    cycle: int  #: at least 1; cycle 0 is the first one after the reset
    also: Injection | None = None  #: further fault of the lane


@dataclass(frozen=True)
class FaultRun:
    """Result of a simulation with faults, by lane."""

    responses: list[int]  #: response by lane; 0 if there is none
    accepted: list[int]  #: cycle of the acceptance; -1: never
    valid: list[int]  #: cycle of the response; -1: never


class FaultSimulator(GateSimulator):
    """A netlist whose flip-flops and gates can have faults; gates have no delays."""

    def __init__(self, netlist: Netlist) -> None:
        super().__init__(netlist)
        circuit = self.circuit
        self.flip_flops: tuple[Instance, ...] = circuit.flip_flops
        first = circuit.first_state + len(circuit.states)
        found = [
            (first + index, driver[0], driver[1].name)
            for index, driver in enumerate(circuit.drivers)
            if driver is not None and driver[0].cell.sequential is None
        ]
        self.gates: tuple[tuple[Instance, str], ...] = tuple((x, pin) for _, x, pin in found)
        self._outputs = [position for position, _, _ in found]
        self._ends = circuit.runs[:, 3] + circuit.runs[:, 1]

    def run_faulty(
        self,
        requests: Sequence[int],
        faults: Sequence[Injection | None],
        *,
        max_cycles: int,
        digits: tuple[int, int] = (1, 1),
    ) -> FaultRun:
        """Run an operation in each of up to 64 lanes; all registers are 0 before the reset.

        ``max_cycles`` counts from the reset; ``digits`` are those of a request and of a response.
        """
        batch, response = self.batch(
            [[request] for request in requests],
            digits,
            in_flight=1,
            max_idle_cycles=max_cycles,
            max_cycles=max_cycles,
            uncounted=1,
        )
        rows = self._rows(faults)
        setup = FaultArrays(netlist=[self.prepare(None)], faults=rows, count=len(rows))
        self.call_with("run_faulty_streams", setup, batch)
        answers = [row[0] for row in responses_of(batch, response)]
        accepted, valid = (batch.arrays[f"{n}_at"][:, 0].tolist() for n in ("accepted", "valid"))
        answered = [answer if at >= 0 else 0 for answer, at in zip(answers, valid, strict=True)]
        return FaultRun(answered, accepted, valid)

    def _rows(self, faults: Sequence[Injection | None]) -> list[LaneFault]:
        table: dict[tuple[int, int, int], int] = {}
        for lane, fault in enumerate(faults):
            while fault is not None:
                if fault.cycle < 1:
                    raise ValueError(f"cycle={fault.cycle}: faults are possible from cycle 1 on")
                for place in fault.places:
                    key = fault.cycle, int(fault.kind), self._position(fault.kind, place)
                    table[key] = table.get(key, 0) | 1 << lane
                fault = fault.also
        positions = [position for _, _, position in sorted(table)]
        runs = np.searchsorted(self._ends, positions, "right").tolist()
        return [
            LaneFault(cycle=key[0], kind=key[1], position=key[2], run=run, lanes=table[key])
            for key, run in zip(sorted(table), runs, strict=True)
        ]

    def _position(self, kind: FaultKind, place: int) -> int:
        if kind in IN_FLIP_FLOPS:
            return self.circuit.first_state + place
        return self._outputs[place]
