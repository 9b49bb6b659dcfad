"""Synthesis: translated Verilog to a netlist of library cells, for a clock period."""

from __future__ import annotations

import json
import math
import os
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from flow.errors import FlowError
from flow.files import write_json
from flow.job import Job
from flow.kit import Kit
from flow.library import kept_library, liberty_reader_version
from flow.mapping import Adders, Mapping, map_gates, map_registers, prepare
from flow.names import inclusive, module_path
from flow.node import main
from flow.stage import KIT, Place, Stage
from flow.timing import analyse_timing, opensta_version
from flow.yosys import YosysProcess, in_yosys, yosys_version

if TYPE_CHECKING:
    from flow.power.liberty import Library

_ATTEMPTS = 5
# More pressure on ABC than this, as a part of the period, only costs area.
_PRESSURE = 0.1
_STEP = 0.01
_NETLISTS = ("netlist.v", "netlist.json")

STAGE = Stage(
    "synthesis",
    Path(__file__),
    lambda job: (job.design, job.clock_ns),
    tools={
        "yosys": yosys_version,
        "opensta": opensta_version,
        "libparse": liberty_reader_version,
    },
)


@dataclass(frozen=True)
class Attempt:
    """A mapping that was tried, and what came out.

    Parameters
    ----------
    adders, target_ns
        See ``flow.mapping.Mapping``.
    min_period_ns, area_um2
        Smallest period and area of the netlist.
    """

    adders: Adders
    target_ns: float
    min_period_ns: float
    area_um2: float


@dataclass(frozen=True)
class SynthesisJob:
    """What to synthesize.

    Parameters
    ----------
    verilog, top
        Translated Verilog and the name of its top module.
    kit
        The library.
    clock_ns
        Clock period to meet, in ns.
    outputs, work
        Folders of the results, and of the logs and whatever else the tools read and write.
    """

    verilog: Path
    top: str
    kit: Kit
    clock_ns: float
    outputs: Path
    work: Path


def synthesize(job: SynthesisJob) -> dict[str, Any]:
    """Synthesize and return areas, counts and what was tried.

    ABC maps unit by unit and does not see paths from one unit to another. So the whole netlist is
    timed, and where it misses the clock the units are mapped again with less time, or with faster
    adders. Of the netlists that meet the clock the smallest stays, or else the one with the least
    area times period; it is written to ``netlist.v`` and ``netlist.json``.

    Raises
    ------
    FlowError
        If Yosys or OpenSTA fails, or the result has a latch, an unmapped cell or an undriven net.
    """
    for folder in (job.outputs, job.work):
        folder.mkdir(parents=True, exist_ok=True)
    prepared = job.work / "prepared.il"
    with ThreadPoolExecutor(1) as beside:
        reading = beside.submit(kept_library, job.kit.liberty)
        in_yosys(job.work / "prepare.log", prepare, job.verilog, job.top, prepared, job.work)
        library = reading.result()
    attempts: list[Attempt] = []
    best: tuple[Attempt, dict[str, Any]] | None = None
    with closing(_mapped(job, prepared, attempts)) as mapped:
        for folder, adders, target_ns in mapped:
            summary = summarize(folder / "netlist.json", job.top, library)
            timing = analyse_timing(
                folder / "netlist.v", job.top, job.kit, clock_ns=job.clock_ns, work_dir=folder
            )
            area = summary["area_um2"]
            attempts.append(Attempt(adders, target_ns, timing.min_period_ns, area))
            rank = partial(_rank, clock_ns=job.clock_ns)
            if best is None or rank(attempts[-1]) < rank(best[0]):
                best = attempts[-1], summary
                for name in _NETLISTS:
                    os.replace(folder / name, job.outputs / name)
            for name in _NETLISTS:
                (folder / name).unlink(missing_ok=True)
    assert best is not None  # there is a first attempt
    chosen, summary = best
    return {
        **summary,
        "adders": chosen.adders,
        "attempts": [asdict(attempt) for attempt in attempts],
        "tools": {"yosys": yosys_version()},
    }


def _mapped(
    job: SynthesisJob, prepared: Path, attempts: list[Attempt]
) -> Generator[tuple[Path, Adders, float]]:
    """Map in one way after the other; give the folder of the netlist, adders and target in ns."""
    adders: Adders
    for adders in get_args(Adders):
        mapping, log = Mapping(job.top, job.kit, adders), job.work / f"{adders}.log"
        process = YosysProcess(log, map_registers, prepared, mapping, job.work)
        with closing(process):
            for target_ns in _targets_ns(job.clock_ns, job.kit, attempts):
                folder = job.work / f"attempt-{len(attempts)}"
                folder.mkdir(exist_ok=True)
                process.call(folder / "yosys.log", map_gates, job.kit, target_ns, folder)
                yield folder, adders, target_ns
        if attempts[-1].min_period_ns <= job.clock_ns:
            return


def _targets_ns(clock_ns: float, kit: Kit, attempts: list[Attempt]) -> Iterator[float]:
    """Give the delay to aim at next, after what has been tried, while that has any prospect."""
    margin_ns, before_ns = kit.rules.sequencing_ns, math.inf
    for _ in range(_ATTEMPTS):
        yield round(max(clock_ns - margin_ns, clock_ns * _PRESSURE), 3)
        period_ns = attempts[-1].min_period_ns
        excess_ns = period_ns - clock_ns
        if excess_ns <= 0 or excess_ns > _PRESSURE * clock_ns or period_ns >= before_ns:
            return
        before_ns = period_ns
        margin_ns += excess_ns + _STEP * clock_ns


def _rank(attempt: Attempt, *, clock_ns: float) -> tuple[bool, float]:
    missed = attempt.min_period_ns > clock_ns
    return missed, attempt.area_um2 * (attempt.min_period_ns if missed else 1.0)


def summarize(netlist: Path, top: str, library: Library) -> dict[str, Any]:
    """Areas and counts of a mapped netlist.

    Raises
    ------
    FlowError
        If a cell is not of the library or is a latch.
    """
    cells = json.loads(netlist.read_text())["modules"][top]["cells"]
    counts = Counter(cell["type"] for cell in cells.values())
    for kind in counts:
        if kind not in library.cells:
            raise FlowError(f"synthesis of {top} left a cell {kind} unmapped")
        if (state := library.cells[kind].sequential) is not None and state.kind == "latch":
            raise FlowError(f"synthesis of {top} inferred a latch ({kind})")
    states: Counter[str] = Counter()
    for kind, count in counts.items():
        if (state := library.cells[kind].sequential) is not None:
            states[state.kind] += count
    own: defaultdict[str, float] = defaultdict(float)
    for name, cell in cells.items():
        own[module_path(name)] += library.cells[cell["type"]].area_um2
    return {
        "area_um2": round(sum(own.values()), 3),
        "area_by_module": {path: round(area, 3) for path, area in inclusive(own).items() if path},
        "cell_count": len(cells),
        "flip_flop_count": states["ff"],
        "clock_gate_count": states["gate"],
        "cells": dict(sorted(counts.items())),
    }


def run(job: Job, place: Place) -> None:
    """Run the node."""
    wanted = SynthesisJob(
        verilog=(place.inputs / "design.v").resolve(),
        top=job.design,
        kit=Kit.read(place.inputs / KIT, job.library),
        clock_ns=job.clock_ns,
        outputs=place.outputs.resolve(),
        work=place.work.resolve(),
    )
    write_json(place.outputs / "synthesis.json", synthesize(wanted))


if __name__ == "__main__":
    main(STAGE, run)
