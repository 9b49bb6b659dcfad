"""Record of a placed or routed circuit: the results of the other nodes in one object."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rsaxcel.flow.areas import summarize
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.layout import PLACED, ROUTED
from rsaxcel.flow.nodes.node import KIT
from rsaxcel.flow.nodes.record import Parts, RecordNode
from rsaxcel.flow.physical.interface import CLOCK, NETLIST

_OWN = ("core_area_um2", "utilisation")
_OF_TIMING = ("hold_slack_ns", "skew_ns", "clock_area_um2")
_OF_CLOCK = ("insertion_delay_ns",)


class PlacedRecordNode(RecordNode):
    parts = MappingProxyType(
        {
            "interface": "interface.json",
            "synthesis": "synthesis.json",
            **{part: f"placed-{part}.json" for part in ("timing", "simulation", "power")},
            "wires": "wires.json",
            "clock": CLOCK,
        }
    )
    figures = "placed-record.json"

    name = "placed-record"
    inputs = (KIT, *parts.values(), NETLIST)
    outputs = (figures,)
    configuration = (
        *RecordNode.configuration,
        "stage",
        "physical",
        "seed",
        "utilisation",
        "uncertainty_ns",
        "derate",
    )

    @classmethod
    def cells(cls, job: FlowJob, inputs: Path, kit: Kit) -> Mapping[str, Any]:
        """Areas and numbers of cells of the placed netlist."""
        return summarize(inputs / NETLIST, job.design, kit.library)

    @classmethod
    def stage(cls, job: FlowJob, kit: Kit, parts: Parts) -> Mapping[str, Any]:
        """Fields of the record on the layout."""
        wires, timing, clock = (parts[x] for x in ("wires", "timing", "clock"))
        figures = {k: v for k, v in wires.items() if isinstance(v, int | float) and k not in _OWN}
        figures.pop("area_um2", None)  # the record has the sum of the cells' areas
        return {
            "stage": ROUTED if job.stage == ROUTED else PLACED,
            **{name: wires[name] for name in _OWN},
            "physical": {
                "tool": job.physical,
                "seed": job.seed,
                "asked_utilisation": job.utilisation,
                **{name: timing[name] for name in _OF_TIMING},
                **{name: clock[name] for name in _OF_CLOCK},
                **figures,
                "uncertainty_ns": job.uncertainty_ns,
                "derate": job.derate,
            },
            "notes": [*kit.notes, *_corners(kit)],
        }


def _corners(kit: Kit) -> list[str]:
    if len(kit.corners) > 1:
        return []
    return [f"setup and hold are checked at one corner, {kit.corner}"]
