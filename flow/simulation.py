"""Gate-level simulation: the netlist's results are checked, the toggles of its nets counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from flow.errors import FlowError
from flow.gates.engine import LANES, GateRun, GateSimulator
from flow.kit import Kit
from flow.node import main, write_json
from flow.power.activity import Activity
from flow.power.liberty_reader import read_liberty
from flow.power.netlist import Netlist
from flow.requests import OPERATIONS, Operation, configure, from_words, operations
from flow.translation import read_interface
from sim.translate import Message

GLITCHES = "zero-delay simulation: glitches are not counted; energy is a lower bound"


def simulate(
    simulator: GateSimulator,
    request: Message,
    response: Message,
    rows: Sequence[tuple[tuple[int, ...], Operation]],
) -> GateRun:
    """Run operations, one per lane, each after another one whose toggles do not count.

    A circuit that has just been reset is not what an operation finds, so each lane runs its
    neighbour's operation first. Registers start with random values, as they do in silicon.

    Parameters
    ----------
    request, response
        Messages of the circuit's ports.
    rows
        Fields of the request message, and the operation with its expected response.

    Raises
    ------
    FlowError
        If a response, or the number of cycles to it, is not the expected one.
    """
    lanes = [(rows[index - 1], row) for index, row in enumerate(rows)]
    run = simulator.run(
        [[pack(request, fields) for fields, _ in lane] for lane in lanes],
        uncounted=1,
        registers=np.random.default_rng(0),
    )
    for index, lane in enumerate(lanes):
        for position, (_, expected) in enumerate(lane):
            got = unpack(response, run.responses[index][position])
            cycles = int(run.latencies[index, position])
            if got != expected.response or cycles != expected.cycles:
                raise FlowError(
                    f"the netlist gives {got} in {cycles} cycles instead of {expected.response} "
                    f"in {expected.cycles} for {expected.base}**{expected.exponent} mod "
                    f"{expected.modulus}"
                )
    return run


def pack(message: Message, fields: Sequence[int]) -> int:
    """Give a message as one number."""
    return sum(value << field.lsb for field, value in zip(message.fields, fields, strict=True))


def unpack(message: Message, number: int) -> tuple[int, ...]:
    """Take a message's fields out of a number."""
    return tuple(number >> field.lsb & (1 << field.width) - 1 for field in message.fields)


def save_activities(path: Path, activities: Mapping[str, Activity]) -> None:
    """Write the activity of each type of operation."""
    arrays: dict[str, np.ndarray] = {}
    for name, activity in activities.items():
        bits = sorted(activity.toggles)
        arrays[f"{name}.cycles"] = np.array(activity.cycles)
        arrays[f"{name}.nets"] = np.array(bits, np.int64)
        arrays[f"{name}.toggles"] = np.array([activity.toggles[bit] for bit in bits])
        arrays[f"{name}.high"] = np.array([activity.high[bit] for bit in bits])
    np.savez(path, **arrays)


def load_activities(path: Path) -> dict[str, Activity]:
    """Read what `save_activities` wrote."""
    with np.load(path) as arrays:
        found = {}
        for key in arrays:
            name, _, part = key.rpartition(".")
            if part == "nets":
                nets = arrays[key].tolist()
                found[name] = Activity(
                    float(arrays[f"{name}.cycles"]),
                    dict(zip(nets, arrays[f"{name}.toggles"].tolist(), strict=True)),
                    dict(zip(nets, arrays[f"{name}.high"].tolist(), strict=True)),
                )
    return found


def run(folder: Path, design: str, nbits: str, params: str, exponents: str) -> None:
    """Run the node: ``inputs/`` to ``outputs/``."""
    configuration = configure(design, nbits, params)
    interface = read_interface(folder / "inputs/interface.json")
    library = read_liberty(Kit.read(folder / "inputs/adk").liberty)
    netlist = Netlist.from_yosys_json(folder / "inputs/netlist.json", library, top=interface.top)
    simulator = GateSimulator(netlist)
    summary: dict[str, Any] = {}
    activities = {}
    for name, exponent in from_words(exponents).items():
        wanted = operations(configuration, int(exponent), min(OPERATIONS, LANES))
        rows = [(configuration.request(o.base, o.exponent, o.modulus), o) for o in wanted]
        done = simulate(simulator, interface.request, interface.response, rows)
        activities[name] = done.activity
        cycles = float(done.latencies[:, 1:].mean())
        summary[name] = {
            "exponent": int(exponent),
            "operations": done.counted,
            "cycles": int(cycles) if cycles.is_integer() else cycles,
            "cycles_counted": done.activity.cycles,
            "toggles_per_net_and_cycle": round(
                float(np.mean(list(done.activity.toggles.values()))) / done.activity.cycles, 6
            ),
        }
    save_activities(folder / "outputs/activity.npz", activities)
    content = {"operations": summary, "glitches": GLITCHES}
    write_json(folder / "outputs/simulation.json", content)


if __name__ == "__main__":
    main(run)
