"""Synthesis: translated Verilog to a netlist of library cells, for a clock period."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rsaxcel.flow.areas import summarize
from rsaxcel.flow.files import write_json
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.layout import usual_timer
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.nodes.node import KIT, Folders, Node
from rsaxcel.flow.synthesizer.interface import MappingSource, Synthesizer
from rsaxcel.flow.synthesizer.mapping import YosysSynthesizer
from rsaxcel.flow.timer import Timer
from rsaxcel.flow.tools import find_timer, key_of_tool

_SYNTHESIZER = YosysSynthesizer()
_ATTEMPTS = 5
# No target delay is shorter than this fraction of the clock period. If an attempt misses the clock
# by more than this fraction, no shorter target is tried: pressure on the synthesizer costs area. If
# all attempts do, its last resort is tried.
_PRESSURE = 0.1
#: Fraction of the clock period. After an attempt that misses the clock, the next target delay is
#: shorter by the miss and by this fraction.
_STEP = 0.01
_NETLISTS = ("netlist.v", "netlist.json")


class SynthesisNode(Node):
    name = "synthesis"
    inputs = (KIT, "design.v")
    outputs = (*_NETLISTS, "synthesis.json")
    configuration = ("design", "library", "clock_ns", "timer")
    tools = (_SYNTHESIZER.version,)

    @staticmethod
    def decides(job: FlowJob) -> Any:
        """Return name, version and code of the timer, by which attempts are chosen."""
        timer = key_of_tool(find_timer(job.timer))
        return [timer, *memories] if (memories := _memories(job)) else timer

    @staticmethod
    def run(job: FlowJob, folders: Folders) -> None:
        """Synthesize; write areas, numbers of cells, and all attempts."""
        kit = Kit.read(folders.inputs / KIT)
        kit = kit.at(kit.setup)
        source = MappingSource((folders.inputs / "design.v").resolve(), job.design, kit)
        outputs, work = folders.outputs.resolve(), folders.work.resolve()
        timer = find_timer(job.timer)
        summary = synthesize(
            source, job.clock_ns, outputs, work, timer=timer, memories=_memories(job)
        )
        write_json(folders.outputs / "synthesis.json", summary)


def _memories(job: FlowJob) -> list[str]:
    """Names of memories for which a macro's area is given."""
    shelled = job.subject.target.shelled
    return sorted(shelled.macros) if shelled else []


@dataclass(frozen=True)
class Attempt:
    adders: str  #: kind of adders, see flow.synthesizer.interface.Mapper.map
    target_ns: float
    min_period_ns: float
    area_um2: float


def synthesize(
    source: MappingSource,
    clock_ns: float,
    outputs: Path,
    work: Path,
    timer: Timer | None = None,
    memories: Sequence[str] = (),
) -> dict[str, Any]:
    """Synthesize a circuit; return its areas, its numbers of cells, and all attempts.

    A synthesizer may not see paths between units. So the whole netlist is timed and, if it misses
    the clock, mapped for a shorter delay or with faster adders. ``netlist.v`` and ``netlist.json``
    get the smallest netlist that meets the clock, or else the one with the least area times period.
    """
    for folder in (outputs, work):
        folder.mkdir(parents=True, exist_ok=True)
    rank = partial(_rank, clock_ns=clock_ns)
    timer = timer or find_timer(usual_timer())
    attempts: list[Attempt] = []
    summaries: list[dict[str, Any]] = []
    with ThreadPoolExecutor(1) as beside:
        library = beside.submit(kept_library, source.kit.liberty)
        with _SYNTHESIZER.open(source, work) as mapper:
            for adders, target_ns in _targets(_SYNTHESIZER, clock_ns, source.kit, attempts):
                folder = work / f"attempt-{len(attempts)}"
                folder.mkdir(exist_ok=True)
                mapper.map(adders, target_ns, folder)
                netlist = folder / "netlist.json"
                summary = summarize(netlist, source.top, library.result(), memories)
                timing = timer.analyse(
                    folder / "netlist.v", source.top, source.kit, clock_ns=clock_ns, work_dir=folder
                )
                summaries.append(summary)
                area = summary["area_um2"]
                attempts.append(Attempt(adders, target_ns, timing.min_period_ns, area))
                best = min(attempts, key=rank)
                for name in _NETLISTS:
                    if best is attempts[-1]:
                        os.replace(folder / name, outputs / name)
                    (folder / name).unlink(missing_ok=True)
    return {
        **summaries[attempts.index(best)],
        "adders": best.adders,
        "attempts": [asdict(attempt) for attempt in attempts],
        "tools": {_SYNTHESIZER.name: _SYNTHESIZER.version()},
    }


def _targets(
    synthesizer: Synthesizer, clock_ns: float, kit: Kit, attempts: list[Attempt]
) -> Iterator[tuple[str, float]]:
    """Yield adders and target delay in ns of each attempt.

    The caller appends each attempt to ``attempts``.
    """
    for adders in synthesizer.adders:
        for target_ns in _targets_ns(clock_ns, kit, attempts):
            yield adders, target_ns
        if attempts[-1].min_period_ns <= clock_ns:
            return
    best_ns = min(attempt.min_period_ns for attempt in attempts)
    if best_ns > (1 + _PRESSURE) * clock_ns:
        for target_ns in _targets_ns(clock_ns, kit, attempts):
            yield synthesizer.last_resort, target_ns


def _targets_ns(clock_ns: float, kit: Kit, attempts: list[Attempt]) -> Iterator[float]:
    """Yield the target delay in ns of each attempt.

    The last attempt is the fifth, or one that meets the clock, misses it by far, or is no faster
    than the attempt before.
    """
    margin_ns, before_ns = kit.sequencing_ns, math.inf
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
