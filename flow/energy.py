"""Power and energy per operation, from toggles, slews and the library's tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from flow.files import read_json, write_json
from flow.job import Job
from flow.kit import Kit
from flow.library import kept_library, liberty_reader_version
from flow.node import main
from flow.stage import KIT, Place, Stage

if TYPE_CHECKING:
    from flow.power.energy import Energy

STAGE = Stage(
    "power",
    Path(__file__),
    lambda job: job.design,
    tools={"libparse": liberty_reader_version},
)


_SLEW_UNIT_S = 1e-9  # OpenSTA's, as timing.tcl has set it


def power_period_ns(clock_ns: float, min_period_ns: float) -> float:
    """Period at which the circuit runs: the constraint, or what it needs if that is longer."""
    return max(clock_ns, min_period_ns)


def summarize(energy: Energy, operations: int, share: float = 1.0) -> dict[str, Any]:
    """Power in mW, split up, and the mean energy of an operation in nJ.

    ``share`` of an operation's cycles was simulated; the others have the same power.

    The four parts add up: nets that cells and inputs charge, inside of cells, clock (its nets and
    what its pins cost inside the cells) and leakage.
    """
    items, to_mw = energy.items, 1e3 / energy.time_s
    return {
        "power_mw": energy.power_mw,
        "energy_nj": energy.energy_per_operation_nj(operations) / share,
        "switching_mw": (items.switching_j + items.input_nets_j) * to_mw,
        "internal_mw": (items.internal_j - items.clock_pins_j) * to_mw,
        "clock_mw": items.clock_j * to_mw,
        "leakage_mw": items.leakage_j * to_mw,
        "items_mw": energy.items_mw(),
        "power_mw_by_module": {
            path: module.total_j * to_mw for path, module in energy.by_module.items()
        },
    }


def run(job: Job, place: Place) -> None:
    """Run the node."""
    # Only the node needs these, and numpy.
    from flow.activities import load_activities
    from flow.power.energy import analyse
    from flow.power.netlist import Netlist
    from flow.power.slews import Slews

    inputs = place.inputs
    library = kept_library(Kit.read(inputs / KIT, job.library).liberty)
    netlist = Netlist.from_yosys_json(inputs / "netlist.json", library, top=job.design)
    slews = Slews.from_file(inputs / "slews.txt", time_unit_s=_SLEW_UNIT_S)
    timing = read_json(inputs / "timing.json")
    period_ns = power_period_ns(timing["clock_ns"], timing["min_period_ns"])
    counts = read_json(inputs / "simulation.json")["operations"]
    found = {}
    for name, activity in load_activities(inputs / "activity.npz").items():
        energy = analyse(netlist, activity, slews, period_ns=period_ns)
        count = counts[name]
        share = count.get("simulated_cycles", count["cycles"]) / count["cycles"]
        found[name] = summarize(energy, count["operations"], share)
    write_json(place.outputs / "power.json", {"period_ns": period_ns, "operations": found})


if __name__ == "__main__":
    main(STAGE, run)
