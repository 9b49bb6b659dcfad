"""Gate-level simulation: the netlist's results are checked, the toggles of its nets counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flow.files import write_json
from flow.job import Job
from flow.kit import Kit
from flow.library import kept_library, liberty_reader_version
from flow.node import main
from flow.stage import KIT, Place, Stage, code_of
from flow.translation import read_interface


def _decides(job: Job) -> Any:
    from flow.subjects import find_subject

    subject = find_subject(job)
    return subject.work(job.exponents), code_of(subject.module)


STAGE = Stage(
    "gate-simulation",
    Path(__file__),
    _decides,
    tools={"libparse": liberty_reader_version},
)

GLITCHES = "zero-delay simulation: energy is too low by the glitches, which are not counted"


def run(job: Job, place: Place) -> None:
    """Run the node."""
    # Only the node needs these.
    import numpy as np

    from flow.activities import save_activities
    from flow.power.netlist import Netlist
    from flow.subjects import find_subject

    interface = read_interface(place.inputs / "interface.json")
    library = kept_library(Kit.read(place.inputs / KIT, job.library).liberty)
    netlist = Netlist.from_yosys_json(place.inputs / "netlist.json", library, top=interface.top)
    summary: dict[str, Any] = {}
    activities = {}
    for done in find_subject(job).simulate(netlist, interface, job.exponents):
        activities[done.name] = done.activity
        toggles = float(np.mean(list(done.activity.toggles.values())))
        summary[done.name] = {
            **{name: _plain(figure) for name, figure in done.figures.items()},
            "operations": done.operations,
            "cycles_counted": done.activity.cycles,
            "toggles_per_net_and_cycle": round(toggles / done.activity.cycles, 6),
        }
    save_activities(place.outputs / "activity.npz", activities)
    content = {"operations": summary, "glitches": GLITCHES}
    write_json(place.outputs / "simulation.json", content)


def _plain(figure: Any) -> Any:
    """Show a mean that is whole as a whole number."""
    whole = isinstance(figure, float) and figure.is_integer()
    return int(figure) if whole else figure


if __name__ == "__main__":
    main(STAGE, run)
