"""McNay's tables 2 and 3 and figures 17 and 18 against placed figures, ratio by ratio."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rsaxcel.eval.measure.flows import at_layout
from rsaxcel.eval.measure.job import Measurement
from rsaxcel.eval.report.names import label_of
from rsaxcel.eval.report.spec import (
    OPERATION_TITLES,
    Column,
    Panel,
    Plot,
    Row,
    Section,
    Table,
    Text,
)
from rsaxcel.eval.studies.systems import NBITS, Accelerator, Group
from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY
from rsaxcel.flow.layout import PLACED, SYNTHESIZED, Layout

LAYOUT = Layout(PLACED, utilisation=0.7)
"""How all systems of the document are placed: their wires have room at this utilisation."""

_PRINTED: Any = {"choices": {}}
_WHERE = {"nbits": NBITS, "clock_ns": CLOCK_NS}
_OVER: Any = {"mode": "over_printed", "prints": False}
_STAGES = (
    Column(SYNTHESIZED, {"stage": SYNTHESIZED}),
    Column(PLACED, {"stage": PLACED}, prints=False),
    *(Column(f"{x}_over_printed", {"stage": x}, **_OVER) for x in (SYNTHESIZED, PLACED)),
)
_ENERGIES = {
    "program_power_mw": "power of the whole program",
    "program_energy_nj": "energy of the whole program",
    "power_mw": "power, normalized",
    "energy_nj": "energy, normalized",
}
_COMPARED = ("operations_per_s", "power_mw", "energy_nj")


def measurements(groups: Sequence[Group], library: str) -> list[Measurement]:
    """Return measurements of placed systems, and of the document's accelerators alone."""
    # Only with the default library: wires and limits of clock trees are set for its layers.
    if library != DEFAULT_LIBRARY:
        return []
    alone = [x.flow_alone(library) for x in _of_the_document(groups)[0].accelerators]
    systems = [
        measurement
        for group in groups
        for measurement in (
            group.flow_null(library),
            *(x.flow_driven(library) for x in group.accelerators),
        )
    ]
    return [at_layout(x, LAYOUT) for x in (*systems, *alone)]


def section(groups: Sequence[Group]) -> Section:
    """Return the section of placed figures: systems as here, as in the document, alone."""
    return Section(
        "placed",
        "Placed, beside the printed figures",
        (
            *_texts(groups),
            *(plot for x in groups[:1] for plot in scatters(x.columns, x.key, PLACED)),
            *_tables(groups[0], _of_the_document(groups)[0].accelerators),
            *(table for group in groups[1:] for table in _tables(group)),
        ),
        f"""The document's circuits are placed and routed, with a clock tree, by a commercial flow,
        probably with the cells that are used here (the document does not name them). Here they are
        placed at a utilisation of {LAYOUT.utilisation:g}, with clock tree and estimated wires,
        under the same constraint of {CLOCK_NS:g} ns as the synthesized ones.""",
        folded=True,
    )


def scatters(
    columns: Sequence[Column], key: str = "systems_", stage: str = SYNTHESIZED
) -> tuple[Plot, Plot]:
    """Make plots of area and energy over performance at a stage; keys begin with ``key``."""

    def scatter(what: str, figure: int, quantity: str, log: str, title: str, *notes: str) -> Plot:
        style: Any = {"printed": True, "names": True, "log": log}
        panel = partial(Panel, "performance_mops", quantity, columns, **style)
        where = {**_WHERE, "stage": stage}
        panels = [
            (panel(where={**where, "operation": x}, title=title),)
            for x, title in OPERATION_TITLES.items()
        ]
        return Plot(
            f"{key}{what}_performance",
            f"{title}: performance against {what} (as figure {figure})",
            f"{what.capitalize()} of each system over operations per second, encryption and "
            "decryption; down and right is better.",
            panels,
            7.6,
            ("systems_plot", *notes),
        )

    title = "Systems" if stage == SYNTHESIZED else f"Systems, {stage}"
    return (
        scatter("area", 17, "area_kum2", "x", title),
        scatter("energy", 18, "energy_nj", "xy", title, "glitches"),
    )


def _of_the_document(groups: Sequence[Group]) -> list[Group]:
    """Return the groups without the accelerators that the last group, the document's, lacks."""
    designs = {x.design for x in groups[-1].accelerators}
    return [
        replace(group, accelerators=[x for x in group.accelerators if x.design in designs])
        for group in groups
    ]


def _tables(group: Group, alone: Sequence[Accelerator] = ()) -> list[Table]:
    """Tables of a group; with the accelerators ``alone`` in the table of areas."""
    null, *_ = group.hardware
    areas = [
        *_rows("area_um2", "Systems: sum of the cells", group.hardware),
        *_rows("area_um2", f"Systems: over the {label_of(null)}", group.hardware[1:], over=null),
        *_rows("core_area_um2", "Systems: core", group.hardware),
        *_rows("min_period_ns", "Systems: smallest period", group.hardware),
    ]
    if alone:
        columns = [x.alone for x in alone]
        small, *larger = columns
        areas += [
            *_rows("area_um2", "Accelerators alone: sum of the cells", columns),
            *_rows("area_um2", f"Accelerators: over {label_of(small)}", larger, over=small),
            *_rows("multiplier_area_um2", "Accelerators: average multiplier", columns),
        ]
    naive, *others = group.columns
    energies, ratios = [], []
    for name, title in OPERATION_TITLES.items():
        for quantity, label in _ENERGIES.items():
            heading = f"{title}: {label}"
            energies += _rows(quantity, heading, group.columns, operation=name)
        for quantity in _COMPARED:
            label = _ENERGIES.get(quantity, "operations per second")
            heading = f"{title}: {label}, over {label_of(naive)}"
            ratios += _rows(quantity, heading, others, over=naive, operation=name)
    end = "" if alone else ", systems as the document has them"
    contents = {
        "areas": (f"Table 2{end}", areas, ("placed_areas",)),
        "energies": (f"Table 3{end}", energies, ("programs", "glitches")),
        "ratios": (f"Ratios as in figures 17 and 18{end}", ratios, ("glitches",)),
    }
    return [
        Table(f"{group.key}{key}", title, _STAGES, content, _WHERE, notes, needs=PLACED)
        for key, (title, content, notes) in contents.items()
    ]


def _rows(
    quantity: str,
    heading: str,
    columns: Sequence[Column],
    over: Column | None = None,
    operation: str = "",
) -> list[Row]:
    """Rows of a figure, one for each subject of ``columns``; over that of another subject."""
    more = {"operation": operation} if operation else {}
    found = [
        Row(
            quantity,
            {**column.where, **more},
            {**_PRINTED, **column.printed},
            section=heading,
            label=label_of(column).removesuffix(", as printed").replace("processor with", "with"),
            key=f"{column.key}_{quantity}",
            as_printed=column.is_as_printed(quantity),
        )
        for column in columns
    ]
    if over is None:
        return found
    by = dict(over.where)
    return [replace(x, over=by, key=f"{x.key}_over_{over.key}") for x in found]


def _texts(groups: Sequence[Group]) -> list[Text]:
    """Make texts on how many placed figures are nearer to print, and why."""
    printed = _of_the_document(groups)
    ends = "", " Systems as the document has them"
    texts = [
        Text(f"Nearer to print, or farther?{end}", _near(group))
        for group, end in zip(printed, ends, strict=True)
    ]
    return [*texts, Text("Why", _why(printed[0]))]


def _near(group: Group) -> str:
    """Template of a text on how many placed figures of a group are nearer to print."""
    null, *driven = map(_named, group.hardware)
    naive, *others = map(_named, group.columns)
    kinds: dict[str, list[Any]] = {
        "cell areas": [["area_um2", [null, *driven], None, ""]],
        f"cell areas over the {label_of(group.hardware[0])}": [["area_um2", driven, null, ""]],
    }
    for column in group.columns:
        own = _requests(_ENERGIES, [_named(column)], None)
        kinds[f"powers and energies of {label_of(column)}"] = own
    over = f"powers and energies over {label_of(group.columns[0])}"
    kinds[over] = _requests(_COMPARED[1:], others, naive)
    every = [x for requests in kinds.values() for x in requests]
    listed = "; ".join(f"{x}: {{{{ distances({y!r}) }}}}" for x, y in kinds.items())
    return f"""{{{{ nearness({every!r}) }}}} Measured over printed, {listed}."""


def _why(group: Group) -> str:
    """Template of a text on why placed figures are nearer to print, or farther."""
    hardware, work = (list(map(_named, x)) for x in (group.hardware, group.columns))
    glitches = ", ".join(
        f"{{{{ ours({x!r}, 'glitch_percent', stage='placed', operation='decrypt') }}}} in {name}"
        for x, name in ((c.where["subject"], label_of(c)) for c in group.columns)
    )
    return f"""Placed over synthesized, the cell area is {{{{ between_stages('area_um2',
        {hardware!r}) }}}}, the smallest period {{{{ between_stages('min_period_ns',
        {hardware!r}) }}}} and the energy of a decryption {{{{ between_stages('energy_nj', {work!r},
        operation='decrypt') }}}}. Placement adds what the document's circuits have, too: the
        capacitance and the delays of wires, and a clock tree with its buffers. Repair takes back a
        part where there is slack, by smaller cells and by adder cells in place of gates. A figure
        that grows comes nearer to print if it is below print as synthesized, and goes farther if it
        is above; for a figure that falls, it is the other way round. Powers have
        glitches in them; their share in the energy of a decryption, as placed, is {glitches}. A
        ratio of two systems changes by what placement adds to the one more than to the other. Where
        our programs take other cycles than the document's, energies stay far from print at both
        stages."""


def _requests(quantities: Iterable[str], subjects: Sequence[Any], over: Any) -> list[Any]:
    """Return requests of ``eval.report.words.Words.nearness`` for both operations."""
    return [[x, subjects, over, operation] for operation in OPERATION_TITLES for x in quantities]


def _named(column: Column) -> list[Any]:
    return [column.where["subject"], dict(column.where.get("choices", {}))]
