"""Timing of the placed netlist: smallest period, hold, skew, slews and loads, delays of wires."""

from __future__ import annotations

from collections.abc import Mapping

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.files import read_json, write_json
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.nodes.node import KIT, Folders
from rsaxcel.flow.nodes.timing import TimingNode, timing_summary
from rsaxcel.flow.physical.interface import CLOCK, INTERCONNECT, MEAN_LATENCIES, NETLIST, SPEF
from rsaxcel.flow.timer import PlacedTiming, PlacedWires, StaticTiming

_ROUNDING_NS = 1e-6


class PlacedTimingNode(TimingNode):
    """Analyses the placed netlist, with its clock tree and its wires."""

    netlist = "placed.v"
    figures = "placed-timing.json"
    slews = "placed-slews.txt"

    name = "placed-timing"
    inputs = (KIT, netlist, NETLIST, SPEF, CLOCK)
    outputs = (figures, slews, INTERCONNECT)
    configuration = (*TimingNode.configuration, "uncertainty_ns", "derate")

    @classmethod
    def run(cls, job: FlowJob, folders: Folders) -> None:
        """Analyse the netlist; write timing, slews and delays of wires.

        ``FlowError`` if the timer uses no wires, a slew or load is above its limit, or hold is not
        kept.
        """
        # Slow to import, and a result that is there needs no analysis.
        from rsaxcel.flow.physical.placed import (
            MEAN_LATENCY,
            clock_area_um2,
            overloaded,
            read_placed,
            write_delays,
        )

        inputs, outputs = folders.inputs, folders.outputs
        kit = Kit.read(inputs / KIT)
        library = kit.library
        netlist = read_placed(cls.files(inputs), library, job.design)
        clock = read_json(inputs / CLOCK)
        usual_ns, of_corners = clock[MEAN_LATENCY], clock.get(MEAN_LATENCIES, {})
        wires = {
            corner: PlacedWires(
                inputs / SPEF, of_corners.get(corner, usual_ns), job.uncertainty_ns, job.derate
            )
            for corner, _ in kit.corners
        }
        found = cls.analyse(job, folders, wires)
        at = {corner: f" at the corner {corner}" if len(found) > 1 else "" for corner in found}
        for corner, timing in found.items():
            _check_limits(f"slew{at[corner]} at pin", _placed(timing).slow_pins, "ns")
        # No timer checks loads.
        _check_limits("load of pin", overloaded(netlist), "fF")
        for corner, timing in found.items():
            placed = _placed(timing)
            if placed.hold_slack_ns < -_ROUNDING_NS:
                raise FlowError(
                    f"hold time of {placed.hold_end} is not kept{at[corner]}: "
                    f"{-1e3 * placed.hold_slack_ns:.1f} ps are lacking"
                )
        write_delays(outputs / INTERCONNECT, _placed(found[kit.power]).arrivals_ns)
        held = _placed(found[kit.hold])
        summary = {
            **timing_summary(kit, found, job),
            "hold_slack_ns": round(held.hold_slack_ns, 6),
            "hold_end": held.hold_end,
            "skew_ns": round(_placed(found[kit.setup]).skew_ns, 6),
            "clock_area_um2": round(clock_area_um2(netlist), 3),
        }
        write_json(outputs / cls.figures, summary)


def _placed(timing: StaticTiming) -> PlacedTiming:
    assert timing.placed is not None  # the analysis had wires
    return timing.placed


def _check_limits(what: str, found: Mapping[str, tuple[float, float]], unit: str) -> None:
    """Refuse pins above a limit; ``found`` has value and limit of each."""
    if found:
        import numpy as np

        from rsaxcel.flow.physical.checks import check_at_most

        values, limits = np.array(list(found.values())).T
        check_at_most(what, list(found), values, limits, unit)
