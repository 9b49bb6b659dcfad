"""McNay's tables 2 and 3 and figures 17 and 18 against placed figures, ratio by ratio."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from eval.measure.flows import at_layout
from eval.measure.job import Measurement
from eval.report.names import label_of
from eval.report.spec import OPERATION_TITLES, Column, Plot, Row, Section, Table, Text
from eval.studies.systems import NBITS, Group
from flow.kit import CLOCK_NS, DEFAULT_LIBRARY
from flow.layout import PLACED, SYNTHESIZED, Layout

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
    """Return the measurements of placed systems, and of the first group's accelerators alone.

    Only with the default library: wires and limits of clock trees are set for its layers.
    """
    if library != DEFAULT_LIBRARY:
        return []
    alone = [x.flow_alone(library) for x in groups[0].accelerators]
    systems = [
        measurement
        for group in groups
        for measurement in (
            group.flow_null(library),
            *(x.flow_driven(library) for x in group.accelerators),
        )
    ]
    return [at_layout(x, LAYOUT) for x in (*systems, *alone)]


def section(
    groups: Sequence[Group], scatters: Callable[[Sequence[Column], str, str], Sequence[Plot]]
) -> Section:
    """Return the section of placed figures.

    Parameters
    ----------
    groups
        Systems in tables of their own; the accelerators of the first group are shown alone, too.
    scatters
        Returns the plots of figures 17 and 18 for columns, a prefix of their keys, and a stage.
    """
    return Section(
        "placed",
        "Placed, beside the printed figures",
        (
            Text("Nearer to print, or farther?", _summary(groups)),
            *(plot for x in groups[:1] for plot in scatters(x.columns, x.key, PLACED)),
            *(table for x in groups for table in _tables(x, alone=x is groups[0])),
        ),
        f"""The document's circuits are placed and routed, with a clock tree, by a commercial flow
        with the cells that are used here. Here they are placed at a utilisation of
        {LAYOUT.utilisation:g}, with clock tree and estimated wires, under the same constraint of
        {CLOCK_NS:g} ns as the synthesized ones.""",
    )


def _tables(group: Group, *, alone: bool) -> list[Table]:
    null, *_ = group.hardware
    areas = [
        *_rows("area_um2", "Systems: sum of the cells", group.hardware),
        *_rows("area_um2", f"Systems: over the {label_of(null)}", group.hardware[1:], over=null),
        *_rows("core_area_um2", "Systems: core", group.hardware),
        *_rows("min_period_ns", "Systems: smallest period", group.hardware),
    ]
    if alone:
        columns = [x.alone for x in group.accelerators]
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
            label=label_of(column),
            key="_".join(filter(None, (operation, column.key, quantity))),
        )
        for column in columns
    ]
    if over is None:
        return found
    by = dict(over.where)
    return [replace(x, over=by, key=f"{x.key}_over_{over.key}") for x in found]


def _summary(groups: Sequence[Group]) -> str:
    """Template of a text on how many placed figures are nearer to print, and why."""
    said = []
    for group in groups:
        null, *driven = map(_named, group.hardware)
        naive, *others = map(_named, group.columns)
        requests: list[Any] = [
            ["area_um2", [null, *driven], None, ""],
            ["area_um2", driven, null, ""],
        ]
        for operation in OPERATION_TITLES:
            requests += [[x, [naive, *others], None, operation] for x in _ENERGIES]
            requests += [[x, others, naive, operation] for x in _COMPARED[1:]]
        about = "Systems as they are here" if group is groups[0] else "As the document has them"
        said.append(f"""{about}: {{{{ nearness({requests!r}) }}}} Placed over synthesized:
            cell area {{{{ between_stages('area_um2', {[null, *driven]!r}) }}}}, smallest period
            {{{{ between_stages('min_period_ns', {[null, *driven]!r}) }}}}, energy of a decryption
            {{{{ between_stages('energy_nj', {[naive, *others]!r}, operation='decrypt') }}}}.""")
    return (
        " ".join(said)
        + """ Placement adds what the document's circuits have, too: the delays and the
        capacitance of real wires, a clock tree with its buffers, repairs of slew, setup and hold.
        So a figure that is below print as synthesized comes nearer, and one that is above it goes
        farther. What is above print already has other causes: our mapper, glitches by gates with
        delays, other cycles of the programs."""
    )


def _named(column: Column) -> list[Any]:
    """Subject of a column and its choices, for a template."""
    return [column.where["subject"], dict(column.where.get("choices", {}))]
