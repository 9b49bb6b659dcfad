"""``python -m tools.processes``: one design in several processes, for the page on processes.

The libraries are those of the project and the PDKs that PDK_ROOT has, each at the corners for setup
and power, and the first design at each corner, too.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import click
from scipy.stats import kendalltau

from rsaxcel import catalog
from rsaxcel.cli.main import guard
from rsaxcel.cli.progress import steps
from rsaxcel.eval.measure.flows import AS_FAST_AS_CAN_BE_NS
from rsaxcel.eval.studies.designs import designs_at
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.fo4 import fo4_ns
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import ACTIVITIES, TIMED
from rsaxcel.flow.libraries import find_kit, known_libraries
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.run import run_flow
from tools import readme
from tools.figure_table import FigureTable

NBITS = 32
_NAND = BooleanFunction.parse("!(A & B)").table.tolist()

_MOST_MOVED = 3  #: designs that a line names
RANKED = {
    "area_um2": "area",
    "time_us": "time",
    "area_time_um2_ms": "area x time",
    "energy_nj": "energy",
}

Row = dict[str, Any]


def gate_um2(library: str) -> float:
    """Area of a gate equivalent: the smallest NAND of two inputs that the library has."""
    kit = find_kit(library)
    areas = [
        cell.area_um2
        for cell in kit.library.cells.values()
        if not cell.sequential
        and [x.function and x.function.table.tolist() for x in cell.outputs] == [_NAND]
    ]
    if not areas:
        raise FlowError(f"{library} has no NAND of two inputs")
    return min(areas)


def fo4_at_setup_ns(library: str) -> float:
    """FO4 delay at the corner at which the smallest period holds."""
    kit = find_kit(library)
    return fo4_ns(kit.at(kit.setup))


def conditions() -> Iterator[Row]:
    """Yield each library, and each of its corners, with its measures."""
    for name in known_libraries():
        corners = [corner for corner, _ in find_kit(name).corners]
        for at in ("", *(f"@{corner}" for corner in corners if len(corners) > 1)):
            library = f"{name}{at}"
            yield {
                "library": library,
                "conditions": find_kit(library).corner,
                "gate_um2": gate_um2(library),
                "fo4_ns": round(fo4_at_setup_ns(library), 5),
            }


def measured(design: str, where: Row, activity: str) -> Row:
    """Figures of a design in a library, for a period that no design meets there."""
    usual_ns = fo4_at_setup_ns(DEFAULT_LIBRARY)
    clock_ns = round(max(AS_FAST_AS_CAN_BE_NS * where["fo4_ns"] / usual_ns, 0.01), 3)
    target = catalog.get(design).configure(NBITS)
    record = run_flow(target, where["library"], clock_ns, activity=activity)
    return {
        "design": design,
        "library": where["library"],
        "area_um2": record.area_um2,
        "gates": record.area_um2 / where["gate_um2"],
        "min_period_ns": record.min_period_ns,
        "period_fo4": record.min_period_ns / where["fo4_ns"],
        "time_us": record.cycles * record.min_period_ns / 1e3,
        "area_time_um2_ms": record.area_um2 * record.cycles * record.min_period_ns / 1e6,
        "energy_nj": record.energy_nj,
        "clock_gates": record.clock_gate_count,
        "activity": record.activity,
    }


def agreement(rows: list[Row], quantity: str, library: str) -> Row:
    """Compare a library's order of designs with that of the default library.

    ``tau`` is Kendall's: 1 if no pair of designs changes its order, -1 if all do.
    """
    of = [
        {x["design"]: x[quantity] for x in rows if x["library"] == name}
        for name in (DEFAULT_LIBRARY, library)
    ]
    orders = [sorted(values, key=values.__getitem__) for values in of]
    moved = {x: orders[1].index(x) - orders[0].index(x) for x in orders[0]}
    pairs = [
        (of[0][x] - of[0][y]) * (of[1][x] - of[1][y])
        for at, x in enumerate(orders[0])
        for y in orders[0][at + 1 :]
    ]
    return {
        "library": library,
        "quantity": quantity,
        "tau": float(kendalltau(*([of[i][x] for x in orders[0]] for i in (0, 1))).statistic),
        "pairs": len(pairs),
        "changed": sum(x < 0 for x in pairs),
        "first": [order[0] for order in orders],
        "moved": sorted(moved.items(), key=lambda x: -abs(x[1]))[:_MOST_MOVED],
    }


@click.command()
@click.option("--design", "designs", multiple=True, help="Design; all of 32 bits unless given.")
@click.option("--library", "libraries", multiple=True, help="Library; others keep their figures.")
@click.option("--activity", type=click.Choice(ACTIVITIES), default=TIMED, show_default=True)
def command(designs: tuple[str, ...], libraries: tuple[str, ...], activity: str) -> None:
    """Measure designs in all libraries that can be found, and write docs/records/processes.md.

    At single corners, the first design alone is measured.
    """
    asked, kept = designs or designs_at(NBITS), json.loads(readme.PROCESSES.read_text("utf-8"))
    found = [x for x in conditions() if not libraries or x["library"].split("@")[0] in libraries]
    renewed = {x["library"] for x in found}
    rows = [x for x in kept["rows"] if libraries and x["library"] not in renewed]
    found = [x for x in kept["conditions"] if libraries and x["library"] not in renewed] + found
    with steps("processes") as progress:
        for where in (x for x in found if x["library"] in renewed):
            for design in asked[:1] if "@" in where["library"] else asked:
                progress(f"{design} in {where['library']}")
                rows.append(measured(design, where, activity))
    others = [x["library"] for x in found if "@" not in x["library"]][1:]
    rankings = [agreement(rows, x, library) for library in others for x in RANKED]
    about = {"conditions": found, "rows": rows, "rankings": rankings if len(asked) > 1 else []}
    readme.PROCESSES.write_text(json.dumps(about, indent=1) + "\n", "utf-8")
    readme.renew(readme.read_kept(), FigureTable.read(readme.FIGURES))


if __name__ == "__main__":
    sys.exit(guard(command, "python -m tools.processes"))
