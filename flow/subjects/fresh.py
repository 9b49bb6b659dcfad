"""Runs operations that are drawn after a netlist's synthesis, so that no circuit knows them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from math import ceil

import numpy as np

from rsaxcel.fl.status import Status
from rsaxcel.flow.answers import After, NetlistAnswer
from rsaxcel.flow.errors import FlowError, WrongNetlist
from rsaxcel.flow.gates.engine import LANES
from rsaxcel.flow.gates.streams import GateSimulator
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.sim.corners import Operands

#: drawn operations; corners, and up to 8 bits all bases with all moduli, are in addition
COUNT = 2000

#: Limit of the simulation, in gates times cycles; a gate takes about 1 ns for a cycle of all lanes.
_GATE_CYCLES = 4e9
#: Bits of exponents if not even one operation of each lane is within the limit.
_SHORT_NBITS = 16


@dataclass(frozen=True)
class Trial:
    """Operations to run on a netlist; messages are numbers."""

    rows: Sequence[Operands]
    keys: Sequence[str]  #: names of `values`, such as `base`
    values: Callable[[Operands], Sequence[int]]
    request: Callable[[Operands], int]
    response: Callable[[int], tuple[int, ...]]
    digits: tuple[int, int]  #: digits of a request and of a response
    expected: Callable[[Operands], tuple[int, ...]]  #: response by Python's integers
    answers: Callable[[Sequence[Operands]], Sequence[NetlistAnswer]]  #: answers of the netlist
    #: Answer to the last of some operations after the others; None: answers depend on no others.
    after: After | None
    load_cycles: int  #: cycles before a request is accepted
    has_exponent: bool  #: the second operand is one exponent, which can be shorter


@dataclass(frozen=True)
class Tried:
    """Operations that a netlist computed as its circuit does."""

    operations: int
    seed: int
    faults: tuple[str, ...] = ()  #: faults of the circuit; see ``flow.answers``

    def as_json(self) -> dict[str, int]:
        return {"operations": self.operations, "seed": self.seed}


def run_trial(netlist: Netlist, trial: Trial, seed: int) -> Tried:
    """Run as many of a trial's operations as take some seconds; return how many these are.

    Gates have no delays; registers start with random values. ``WrongNetlist`` has the operands.
    """
    rows = _chosen(trial, len(netlist.instances), random.Random(seed))
    answers = list(trial.answers(rows))
    faults = [x.fault for x in answers if x.fault]
    answered = [(row, x) for row, x in zip(rows, answers, strict=True) if x.response]
    rows, answers = [row for row, _ in answered], [x for _, x in answered]
    lanes = min(LANES, len(rows))
    turns = ceil(len(rows) / lanes)
    order = list(islice(cycle(range(len(rows))), lanes * turns))
    sent = [trial.request(row) for row in rows]
    try:
        run = GateSimulator(netlist).run(
            [[sent[index] for index in order[lane::lanes]] for lane in range(lanes)],
            registers=np.random.default_rng(seed),
            digits=trial.digits,
            # Twice the expected time, so that a late response still arrives.
            max_idle_cycles=2 * (trial.load_cycles + max(x.cycles for x in answers) + 1),
        )
    except FlowError as error:
        raise WrongNetlist(f"{error} (operands drawn after synthesis, seed {seed})") from error
    for place, index in enumerate(order):
        lane, turn = place % lanes, place // lanes
        got = trial.response(run.responses[lane][turn])
        cycles = int(run.latencies[lane, turn])
        told = answers[index].difference(got, cycles)
        if told and trial.after is not None:
            after = trial.after([rows[x] for x in order[lane::lanes][: turn + 1]])
            if not after.difference(got, cycles):
                faults += [f"{after.fault} after other operations"] if after.fault else []
                told = ""
        if told:
            values = zip(trial.keys, trial.values(rows[index]), strict=True)
            shown = ", ".join(f"{key}={value:#x}" for key, value in values)
            raise WrongNetlist(
                f"the netlist, for {shown} (drawn after synthesis, seed {seed}): {told}"
            )
    return Tried(len(rows), seed, tuple(faults))


def _chosen(trial: Trial, gates: int, draw: random.Random) -> list[Operands]:
    def length(row: Operands) -> tuple[int, int]:
        first, second, modulus = row
        return second.bit_length(), min(first, modulus - first)  # 1 and -1 may take few cycles

    # A request that is refused takes few cycles.
    by_length = sorted(trial.rows, key=length, reverse=True)
    longest = next(row for row in by_length if trial.expected(row)[1:] in ((), (Status.OK,)))
    slowest = trial.answers([longest])[0].cycles
    count = LANES * int(_GATE_CYCLES / (gates * max(1, slowest)))
    if count:
        return draw.sample(trial.rows, min(count, len(trial.rows)))
    if trial.has_exponent:
        most = (1 << _SHORT_NBITS) - 1
        return [(base, e & most, n) for base, e, n in draw.sample(trial.rows, LANES)]
    order = draw.sample(trial.rows, len(trial.rows))
    return sorted(order, key=lambda row: trial.answers([row])[0].cycles)[:LANES]
