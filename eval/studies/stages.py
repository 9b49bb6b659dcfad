"""Study of all designs of the registry, synthesized and placed: figures, ranks, changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rsaxcel.eval.facts.fact import CELLS, USUAL_OPERATION
from rsaxcel.eval.facts.quantities import find_quantity, on_paper
from rsaxcel.eval.measure.flows import AS_FAST_AS_CAN_BE_NS, FIRST, at_layout, flow
from rsaxcel.eval.measure.job import Measurement
from rsaxcel.eval.report.spec import Column, ReportTable, Row, Section, Study, Text
from rsaxcel.eval.studies.designs import designs_at
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import PLACED, PUBLISHED_WITHIN, SYNTHESIZED, TIGHT, Layout

DOCUMENT = "stages"
NBITS = 32
WIDE = 1024
#: Designs that are placed at ``WIDE`` bits.
WIDE_DESIGNS = ("montmul_csa_r2l", "ssmm_r2l", "systolic_l2r_always", "crt_window")

# at 32 bits, cm_r2l_shared has no room at 0.7; at more bits, the smallest core is searched
LAYOUTS = {NBITS: Layout(PLACED, utilisation=0.65), WIDE: Layout(PLACED)}

_SYNTHESIZED: Any = {"stage": SYNTHESIZED, "clock_ns": AS_FAST_AS_CAN_BE_NS}
_PLACED: Any = {"stage": PLACED, "constraint": TIGHT}
_RANKED = {SYNTHESIZED: "area_time_um2_ms", PLACED: "core_area_time_um2_ms"}
_FIGURES = {
    "min_period_ns": "period",
    "cell_count": "cells",
    "area_um2": "area",
    "core_area_um2": "core",
    "energy_nj": "energy",
}


def designs(nbits: int) -> Sequence[str]:
    """Names of the designs that are measured at a width."""
    return designs_at(nbits) if nbits == NBITS else WIDE_DESIGNS


def measurements(max_nbits: int, library: str) -> list[Measurement]:
    """Flows of all designs: synthesized, and with the default library placed."""
    # Wires and limits of clock trees are set for the layers of the default library.
    found = []
    for nbits, layout in LAYOUTS.items():
        for name in designs(nbits) if nbits <= max_nbits else ():
            found.append(flow(name, nbits, library=library))
            if library == DEFAULT_LIBRARY:
                found.append(at_layout(flow(name, nbits, None, library), layout))
    return found


def _columns() -> list[Column]:
    """Columns of figures: cycles, figures at each stage, rank by area and time."""
    found = [Column("cycles", _SYNTHESIZED, label="cycles", quantity="cycles")]
    for stage, where in ((SYNTHESIZED, _SYNTHESIZED), (PLACED, _PLACED)):
        for quantity, name in _FIGURES.items():
            unit = on_paper(find_quantity(quantity).unit)
            label = f"{name}, {unit}" if unit else name
            if stage == PLACED or quantity != "core_area_um2":
                about: Any = {"label": label, "quantity": quantity, "group": stage}
                found.append(Column(f"{stage}_{quantity}", where, **about))
        about = {"label": "rank", "quantity": _RANKED[stage], "mode": "rank", "group": stage}
        found.append(Column(f"{stage}_rank", where, **about))
    return found


def _table(nbits: int) -> ReportTable:
    return ReportTable(
        f"{DOCUMENT}_{nbits}",
        "Synthesized and placed",
        _columns(),
        [
            Row("cycles", {"subject": name}, prints=False, label=name, key=name)
            for name in designs(nbits)
        ],
        {"nbits": nbits, "operation": USUAL_OPERATION, "library": CELLS},
        ("stages", "glitches"),
        folded=False,
        sorted_by=f"{PLACED}_rank",
    )


def _moved(nbits: int, before: str, after: str) -> str:
    """Template of a text on the designs whose places differ by a figure of each stage."""
    common = {"nbits": nbits, "operation": USUAL_OPERATION}
    first, second = {**_SYNTHESIZED, **common}, {**_PLACED, **common}
    return f"{{{{ moved({designs(nbits)!r}, ({before!r}, {first!r}), ({after!r}, {second!r})) }}}}"


def _changes(nbits: int) -> str:
    """Template of a text on the rankings that change by placement."""
    area_time = _moved(nbits, *_RANKED.values())
    return f"""From synthesized to placed: by area x time, {area_time}; by time,
        {_moved(nbits, "time_us", "time_us")}; by area,
        {_moved(nbits, "area_um2", "core_area_um2")}; by energy,
        {_moved(nbits, "energy_nj", "energy_nj")}."""


_NOTES = {
    DOCUMENT: f"""A decryption. Synthesized: for {AS_FAST_AS_CAN_BE_NS:g} ns, at the smallest
        period. Placed: with clock tree and wires, at a published period: the constraint lies within
        {100 * PUBLISHED_WITHIN:g} % of it. The first constraint is {FIRST:g} times the smallest
        period as synthesized, the next one the period that comes out. Area: the sum of the cells.
        Core: at {NBITS} bits for a utilisation of {LAYOUTS[NBITS].utilisation:g}, else the smallest
        one in which wires have room. Rank: by area x time as synthesized, by core x time as placed.
        A design without a published period has dashes."""
}
_HEADLINE = f"""By area x time, from cells as synthesized to the core as placed,
    {_moved(NBITS, *_RANKED.values())}."""

STUDY = Study(
    DOCUMENT,
    measurements,
    tuple(
        Section(
            f"{DOCUMENT}_{nbits}_bits",
            f"All designs at {nbits} bits" if nbits == NBITS else f"Designs at {nbits} bits",
            (_table(nbits), Text("Rankings that change", _changes(nbits))),
            """What wires, a clock tree and repairs make of areas, periods and energies, and of the
            order of the designs.""",
        )
        for nbits in LAYOUTS
    ),
    _NOTES,
    topic="Every design, synthesized and placed",
    headline=_HEADLINE,
    without_document=True,
)
