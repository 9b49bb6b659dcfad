"""Gate-level simulation: the netlist's results are checked, the toggles of its nets counted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from flow.kit import Kit
from flow.node import main, write_json
from flow.power.activity import Activity
from flow.power.liberty_reader import read_liberty
from flow.power.netlist import Netlist
from flow.requests import from_words
from flow.subjects import find_subject
from flow.translation import read_interface

GLITCHES = "zero-delay simulation: glitches are not counted; energy is a lower bound"


def save_activities(path: Path, activities: Mapping[str, Activity]) -> None:
    """Write the activity of each type of operation."""
    arrays: dict[str, Any] = {}
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
    subject = find_subject(design, nbits, params)
    interface = read_interface(folder / "inputs/interface.json")
    library = read_liberty(Kit.read(folder / "inputs/adk").liberty)
    netlist = Netlist.from_yosys_json(folder / "inputs/netlist.json", library, top=interface.top)
    summary: dict[str, Any] = {}
    activities = {}
    wanted = {name: int(exponent) for name, exponent in from_words(exponents).items()}
    for done in subject.simulate(netlist, interface, wanted):
        activities[done.name] = done.activity
        toggles = float(np.mean(list(done.activity.toggles.values())))
        summary[done.name] = {
            **{name: _plain(figure) for name, figure in done.figures.items()},
            "operations": done.operations,
            "cycles_counted": done.activity.cycles,
            "toggles_per_net_and_cycle": round(toggles / done.activity.cycles, 6),
        }
    save_activities(folder / "outputs/activity.npz", activities)
    content = {"operations": summary, "glitches": GLITCHES}
    write_json(folder / "outputs/simulation.json", content)


def _plain(figure: Any) -> Any:
    """Show a mean that is whole as a whole number."""
    whole = isinstance(figure, float) and figure.is_integer()
    return int(figure) if whole else figure


if __name__ == "__main__":
    main(run)
