"""Runs operations that are drawn after a netlist's synthesis, so that no circuit knows them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import cycle, islice
from math import ceil

import numpy as np

from rsaxcel.fl.status import Status
from rsaxcel.flow.errors import FlowError, WrongNetlist
from rsaxcel.flow.gates.engine import LANES
from rsaxcel.flow.gates.streams import GateSimulator
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.subjects.exponentiator import CircuitSubject, unpack
from rsaxcel.sim.check.rows import rows_of
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import operation
from rsaxcel.sim.translate import VerilogModule

#: drawn operations; corners, and up to 8 bits all bases with all moduli, are in addition
COUNT = 2000

#: Limit of the simulation, in gates times cycles; a gate takes about 1 ns for a cycle of all lanes.
_GATE_CYCLES = 4e9
#: Bits of exponents if not even one operation of each lane is within the limit.
_SHORT_NBITS = 16


@dataclass(frozen=True)
class Tried:
    """Operations that a netlist computed as its circuit does."""

    operations: int
    seed: int
    faults: tuple[str, ...] = ()  #: faults of the circuit; see ``flow.answers``

    def as_json(self) -> dict[str, int]:
        return {"operations": self.operations, "seed": self.seed}


def run_trial(
    netlist: Netlist, subject: CircuitSubject, interface: VerilogModule, seed: int
) -> Tried:
    """Run as many drawn operations as take some seconds; return how many these are.

    Gates have no delays; registers start with random values. ``WrongNetlist`` has the operands.
    """
    configuration, request, response = subject.configuration, interface.request, interface.response
    rows = _chosen(subject, len(netlist.instances), seed)
    answers = subject.answers(rows)
    faults = [x.fault for x in answers if x.fault]
    answers = [x for x in answers if x.response]
    rows = [x.operands for x in answers]
    lanes = min(LANES, len(rows))
    turns = ceil(len(rows) / lanes)
    order = list(islice(cycle(range(len(rows))), lanes * turns))
    sent = [subject.request(interface, row) for row in rows]
    try:
        run = GateSimulator(netlist).run(
            [[sent[index] for index in order[lane::lanes]] for lane in range(lanes)],
            registers=np.random.default_rng(seed),
            digits=(request.digits, response.digits),
            # Twice the expected time, so that a late response still arrives.
            max_idle_cycles=2 * (configuration.load_cycles + max(x.cycles for x in answers) + 1),
        )
    except FlowError as error:
        raise WrongNetlist(f"{error} (operands drawn after synthesis, seed {seed})") from error
    for place, index in enumerate(order):
        lane, turn = place % lanes, place // lanes
        got = unpack(response, run.responses[lane][turn])
        cycles = int(run.latencies[lane, turn])
        told = answers[index].difference(got, cycles)
        if told and subject.after is not None:
            after = subject.after([rows[x] for x in order[lane::lanes][: turn + 1]])
            if not after.difference(got, cycles):
                faults += [f"{after.fault} after other operations"] if after.fault else []
                told = ""
        if told:
            to_do = operation(configuration)
            values = zip(to_do.keys, to_do.values(rows[index]), strict=True)
            shown = ", ".join(f"{key}={value:#x}" for key, value in values)
            raise WrongNetlist(
                f"the netlist, for {shown} (drawn after synthesis, seed {seed}): {told}"
            )
    return Tried(len(rows), seed, tuple(faults))


def _chosen(subject: CircuitSubject, gates: int, seed: int) -> list[Operands]:
    def length(row: Operands) -> tuple[int, int]:
        first, second, modulus = row
        return second.bit_length(), min(first, modulus - first)  # 1 and -1 may take few cycles

    draw = random.Random(seed)
    rows = rows_of(subject.configuration, COUNT, seed)
    # A request that is refused takes few cycles.
    by_length = sorted(rows, key=length, reverse=True)
    longest = next(row for row in by_length if subject.expected(row)[1:] in ((), (Status.OK,)))
    slowest = subject.answers([longest])[0].cycles
    count = LANES * int(_GATE_CYCLES / (gates * max(1, slowest)))
    if count:
        return draw.sample(rows, min(count, len(rows)))
    if subject.exponent_nbits and not subject.configuration.halves:
        most = (1 << _SHORT_NBITS) - 1  # the second operand is one exponent, which can be shorter
        return [(base, e & most, n) for base, e, n in draw.sample(rows, LANES)]
    order = draw.sample(rows, len(rows))
    return sorted(order, key=lambda row: subject.answers([row])[0].cycles)[:LANES]
