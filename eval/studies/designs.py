"""Study of all designs of the registry, synthesized, for the choice of a design."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rsaxcel import catalog
from rsaxcel.eval.facts.fact import USUAL_OPERATION
from rsaxcel.eval.facts.quantities import find_quantity, on_paper
from rsaxcel.eval.measure.cycles import workload
from rsaxcel.eval.measure.flows import AS_FAST_AS_CAN_BE_NS, flow, outline
from rsaxcel.eval.measure.job import Job, Measurement, Progress
from rsaxcel.eval.report.spec import Column, ReportTable, Row, Section, Study
from rsaxcel.flow.layout import SYNTHESIZED
from rsaxcel.store.errors import UserError

DOCUMENT = "designs"
NBITS = 32

#: Conditions of the figures by which designs are chosen.
WHERE: Any = {"stage": SYNTHESIZED, "clock_ns": AS_FAST_AS_CAN_BE_NS, "operation": USUAL_OPERATION}

#: Names of the figures by which designs are chosen, by quantity.
FIGURES = {
    "cell_count": "cells",
    "area_um2": "area",
    "min_period_ns": "period",
    "cycles": "cycles",
    "time_us": "time",
    "energy_nj": "energy",
    "area_time_um2_ms": "area x time",
}


def designs_at(nbits: int) -> list[str]:
    """Names of the designs of the registry, those of the user's own among them, at a width."""
    return [x.name for x in catalog.designs().values() if nbits in x.widths and not _told(x, nbits)]


def _told(design: Any, nbits: int) -> str:
    """Say why a core in Verilog cannot be read; empty for another design."""
    try:
        if design.name in catalog.DESIGNS:
            return ""
        design.configure(nbits).component("rtl")
    except ValueError as error:
        return str(error)
    return ""


def _unread(nbits: int) -> list[Measurement]:
    """Measurements that fail, for the messages of the report, of cores that cannot be read."""
    told = {x.name: _told(x, nbits) for x in catalog.designs().values() if nbits in x.widths}
    jobs = [Job(f"{name}, {nbits} bits", _refuse, (x,)) for name, x in told.items() if x]
    return [Measurement(job, tuple) for job in jobs]


def _refuse(told: str, progress: Progress) -> None:
    raise UserError(told)


def study(widths: Sequence[int] = (NBITS,)) -> Study:
    """Study of all designs at some widths in bits."""
    every = [(name, nbits) for nbits in widths for name in designs_at(nbits)]

    def drafts(_: int, library: str) -> list[Measurement]:
        outlines = [outline(name, nbits, library, draft=True) for name, nbits in every]
        return outlines + [workload(name, nbits, _level(name, nbits)) for name, nbits in every]

    def whole(_: int, library: str) -> list[Measurement]:
        flows = [flow(name, nbits, library=library) for name, nbits in every]
        return [*flows, *(x for nbits in widths for x in _unread(nbits))]

    return Study(
        DOCUMENT,
        whole,
        tuple(Section(f"{DOCUMENT}_{x}", f"All designs at {x} bits", (_table(x),)) for x in widths),
        {
            DOCUMENT: f"""A decryption. Synthesized for {AS_FAST_AS_CAN_BE_NS:g} ns, which no design
            reaches, and measured at its smallest period. The least area by time comes first."""
        },
        topic="Which design?",
        drafts=drafts,
        without_document=True,
    )


def _level(name: str, nbits: int) -> str:
    """Level at which cycles are counted first."""
    return "cl" if "cl" in catalog.find_design(name).configure(nbits).levels else "rtl"


def _table(nbits: int) -> ReportTable:
    columns = []
    for quantity, name in FIGURES.items():
        unit = on_paper(find_quantity(quantity).unit)
        label = f"{name}, {unit}" if unit and unit != name else name
        columns.append(Column(quantity, {}, label=label, quantity=quantity))
    rows = [Row("cycles", {"subject": x}, prints=False, label=x, key=x) for x in designs_at(nbits)]
    where = {**WHERE, "nbits": nbits}
    notes = (DOCUMENT, "glitches")
    key, last = f"{DOCUMENT}_{nbits}", columns[-1].key
    return ReportTable(
        key, "All designs", columns, rows, where, notes, folded=False, sorted_by=last
    )
