"""Counts the FPGA resources of a design or multiplier for one family, by nodes of the flow."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rsaxcel.circuit import Circuit
from rsaxcel.flow.graph import path_to
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.layout import SYNTHESIZED
from rsaxcel.flow.nodes.fpga import FpgaNode
from rsaxcel.flow.resources import FAMILIES, NOTE, RESULT
from rsaxcel.flow.runner import Progress, find_result, job_of, run_nodes
from rsaxcel.flow.subjects import subject_of
from rsaxcel.flow.yosys import yosys_version

_NODES = path_to(FpgaNode)


@dataclass(frozen=True)
class FpgaRecord:
    """Resources of a design or multiplier on a family of FPGAs.

    Parameters
    ----------
    design, nbits, params
        Design or multiplier, its width in bits, its parameters by name.
    family, device
        Family of FPGAs: its name in Yosys, and in words.
    resources
        Amounts by name, such as ``flip_flops``; see ``flow.resources.Family``.
    cells
        Number of the family's cells, by kind.
    tools
        Versions of tools by name.
    hash
        Digest of everything that the record depends on.
    stage, note
        Stage at which resources were counted, and what the counts leave out.
    """

    design: str
    nbits: int
    params: Mapping[str, Any]
    family: str
    device: str
    resources: Mapping[str, int]
    cells: Mapping[str, int]
    tools: Mapping[str, str]
    hash: str
    stage: str = SYNTHESIZED
    note: str = NOTE

    def as_json(self) -> dict[str, Any]:
        """Return the record for JSON; each resource has a key of its own."""
        names = ("design", "nbits", "params", "family", "device")
        rest = ("cells", "stage", "note", "tools", "hash")
        return {
            **{name: getattr(self, name) for name in names},
            **self.resources,
            **{name: getattr(self, name) for name in rest},
        }


def run_fpga(
    configuration: Circuit,
    family: str,
    *,
    progress: Progress = lambda line: None,
    directory: Path | None = None,
) -> FpgaRecord:
    """Count the resources of a design or multiplier, or read the record of an earlier run.

    A record is used again while translated design, Yosys and code of the node are unchanged.

    Parameters
    ----------
    configuration
        Configuration of a design or a multiplier.
    family
        A key of ``FAMILIES``.
    progress
        Called with a line at the beginning of each node.
    directory
        Where the build folders are; ``build/fpga`` of the current folder by default.

    Raises
    ------
    ValueError
        For an unknown family.
    SetupError
        If a tool is missing or the folder cannot be written.
    FlowError
        If the mapping fails.
    """
    root = _root(directory)
    job = _job(configuration, family, root)
    return read_fpga(job, *run_nodes(job, _NODES, root, progress, _read))


def find_fpga(
    configuration: Circuit, family: str, *, directory: Path | None = None
) -> FpgaRecord | None:
    """Return the stored record that ``run_fpga`` would use; None if the store has none."""
    job = _job(configuration, family, _root(directory))
    found = find_result(job, _NODES, _read)
    return None if found is None else read_fpga(job, *found)


def _job(configuration: Circuit, family: str, root: Path) -> FlowJob:
    if family not in FAMILIES:
        raise ValueError(f"family {family!r}: {', '.join(FAMILIES)} are allowed")
    yosys_version()  # `SetupError` if it is missing
    return job_of(subject_of(configuration), root, family=family)


def _root(directory: Path | None) -> Path:
    return (directory or Path("build", "fpga")).absolute()


def read_fpga(job: FlowJob, folder: Path, key: str) -> FpgaRecord:
    """Read the record of a job from a result's folder and key; ``ValueError`` if there is none."""
    found = _read(folder)
    return FpgaRecord(
        design=job.design,
        nbits=job.nbits,
        params=job.params,
        family=job.family,
        device=FAMILIES[job.family].device,
        resources=found["resources"],
        cells=found["cells"],
        tools=found["tools"],
        hash=key,
    )


def _read(folder: Path) -> dict[str, Any]:
    found = json.loads((folder / RESULT).read_text(encoding="utf-8"))
    if not isinstance(found, dict) or {"resources", "cells", "tools"} - set(found):
        raise ValueError(f"{RESULT}: no resources in it")
    return found
