"""Counts the FPGA resources of a design or multiplier for one family, by nodes of the flow."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rsaxcel.circuit import Circuit
from rsaxcel.flow.job import FlowJob, circuit_job
from rsaxcel.flow.layout import SYNTHESIZED
from rsaxcel.flow.nodes.fpga import FpgaNode
from rsaxcel.flow.resources import FAMILIES, NOTE, RESULT
from rsaxcel.flow.run import run
from rsaxcel.flow.runner import Goal, Progress, Stored
from rsaxcel.flow.shells import told


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
    shell
        Of a core in a shell: whether the counts have it, ``left out`` or ``counted``; else None.
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
    shell: str | None = None
    stage: str = SYNTHESIZED
    note: str = NOTE

    def as_json(self) -> dict[str, Any]:
        """Return the record for JSON; each resource has a key of its own."""
        names = ("design", "nbits", "params", "family", "device")
        rest = ("cells", "stage", "note", "tools", "hash")
        return {
            **{name: getattr(self, name) for name in names},
            **self.resources,
            **({"shell": self.shell} if self.shell else {}),
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
    found = run(fpga_job(configuration, family, directory), RESOURCES, progress)
    return replace(found, shell=told(configuration) or None)


def fpga_job(configuration: Circuit, family: str, directory: Path | None = None) -> FlowJob:
    if family not in FAMILIES:
        raise ValueError(f"family {family!r}: {', '.join(FAMILIES)} are allowed")
    directory = directory or Path("build", "fpga")
    return circuit_job(configuration, family=family, directory=directory)


def _read(job: FlowJob, found: Sequence[Stored]) -> FpgaRecord:
    content = json.loads((found[-1].folder / RESULT).read_text(encoding="utf-8"))
    names = ("resources", "cells", "tools")
    if not isinstance(content, dict) or {*names} - set(content):
        raise ValueError(f"{RESULT}: no resources in it")
    return FpgaRecord(
        design=job.design,
        nbits=job.nbits,
        params=job.params,
        family=job.family,
        device=FAMILIES[job.family].device,
        **{name: content[name] for name in names},
        hash=found[-1].key,
    )


RESOURCES = Goal(lambda _: FpgaNode, _read)
