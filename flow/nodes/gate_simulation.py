"""Gate-level simulation: runs operations on the netlist, checks results, counts toggles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import isfinite
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, ClassVar

from rsaxcel.flow.code import code_of
from rsaxcel.flow.files import read_json, write_json
from rsaxcel.flow.interface import read_interface
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.layout import TIMED, ZERO
from rsaxcel.flow.nodes.node import KIT, Folders, Node
from rsaxcel.flow.shells import in_shell, told
from rsaxcel.store.folders import cache_root, keep

if TYPE_CHECKING:  # slow to import, and a result that is there needs no simulation
    from rsaxcel.flow.power.activity import Activity, Simulated
    from rsaxcel.flow.power.liberty import Library
    from rsaxcel.flow.power.netlist import Netlist

#: remarks beside energies, by activity
NOTES = {
    TIMED: "energy counts glitches; placement, clock tree and crosstalk are not in it",
    ZERO: "gates have no delays: energy is a lower bound, by the glitches, which are not counted",
}


class GateSimulationNode(Node):
    """Simulates a subject's operations on its netlist, with delays of gates or without."""

    netlist: ClassVar[str] = "netlist.json"
    slews: ClassVar[str] = "slews.txt"
    figures: ClassVar[str] = "simulation.json"
    activity: ClassVar[str] = "activity.npz"
    notes: ClassVar[Mapping[str, str]] = NOTES

    name = "gate-simulation"
    inputs: ClassVar[tuple[str, ...]] = (KIT, "interface.json", netlist, slews)
    outputs: ClassVar[tuple[str, ...]] = (figures, activity)
    configuration = ("library", "exponents", "activity", "timed_cycles")
    tools = ()

    @staticmethod
    def decides(job: FlowJob) -> Any:
        """Return a description of the workload, and a digest of the code that simulates it."""
        subject = job.subject
        shelled = subject.target.shelled and subject.circuit
        return subject.work(job.exponents), code_of(type(subject)), shelled

    @classmethod
    def read(cls, inputs: Path, library: Library, top: str) -> Netlist:
        from rsaxcel.flow.power.netlist import Netlist

        return Netlist.from_yosys_json(inputs / cls.netlist, library, top=top)

    @classmethod
    def run(cls, job: FlowJob, folders: Folders) -> None:
        """Simulate each type of operation; write its figures and its activity."""
        from rsaxcel.flow.gates.level import GateLevel
        from rsaxcel.flow.power.activity import save_activities
        from rsaxcel.flow.power.slews import Slews

        interface = read_interface(folders.inputs / "interface.json")
        kit, subject = Kit.read(folders.inputs / KIT), job.subject
        library = kit.library
        read = cls.read(folders.inputs, library, interface.top)
        netlist, shell_um2 = in_shell(read, subject.target, kit, subject.check)
        slews = None
        if job.activity == TIMED:
            slews = Slews.from_file(folders.inputs / cls.slews)
        checked = subject.run_fresh(netlist, interface) if subject.is_foreign else None
        level = GateLevel(netlist, slews, job.timed_cycles, partial(_kept, folders.key))
        summary: dict[str, Any] = {}
        activities = {}
        for done in subject.simulate(level, interface, job.exponents):
            activities[done.name] = done.activity
            summary[done.name] = {
                **{name: _plain(figure) for name, figure in done.figures.items()},
                "operations": done.operations,
                "cycles_counted": done.activity.cycles,
                "toggles_per_net_and_cycle": _rate(done.activity, done.activity.toggles),
            }
            if slews:
                error = done.activity.glitch_error
                summary[done.name] |= {
                    "glitches_per_net_and_cycle": _rate(done.activity, done.activity.glitches),
                    "timed_share": round(done.activity.timed_cycles / done.activity.cycles, 6),
                    "glitch_error": round(error, 6) if isfinite(error) else None,
                }
        save_activities(folders.outputs / cls.activity, activities)
        content: dict[str, Any] = {
            "operations": summary,
            "activity": job.activity,
            "glitches": cls.notes[job.activity],
        }
        faults = subject.faults(job.exponents)
        if checked:
            content["checked"] = {"operations": checked.operations, "seed": checked.seed}
            faults = [*checked.faults, *faults]
        if faults:
            content["faults"] = {"count": len(faults), "first": faults[0]}
        if counts := told(subject.target):
            content["shell"] = counts
            content |= {} if shell_um2 is None else {"shell_area_um2": shell_um2}
        write_json(folders.outputs / cls.figures, content)


def _rate(activity: Activity, toggles: Mapping[int, float]) -> float:
    """Mean number of toggles of a net in a cycle, over all nets."""
    return round(fmean(toggles.values()) / activity.cycles, 6)


def _kept(key: str, name: str, make: Callable[[], Simulated]) -> Simulated:
    """Return part of a simulation: from the store if an earlier run made it, else by ``make``."""
    from rsaxcel.flow.power.activity import Simulated, load_activities, save_activities

    def populate(folder: Path) -> None:
        done = make()
        save_activities(folder / "activity.npz", {done.name: done.activity})
        figures = {x: _plain(figure) for x, figure in done.figures.items()}
        about = {"name": done.name, "operations": done.operations, "figures": figures}
        write_json(folder / "simulated.json", about)

    folder = keep(cache_root(), f"part-{name}-{key}", populate)
    about = read_json(folder / "simulated.json")
    activity = load_activities(folder / "activity.npz")[about["name"]]
    return Simulated(about["name"], activity, about["operations"], about["figures"])


def _plain(figure: Any) -> Any:
    whole = isinstance(figure, float) and figure.is_integer()
    return int(figure) if whole else figure
