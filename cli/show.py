"""``rsaxcel show``: draws the hierarchy of a design, a row for each component."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click
from jinja2 import Environment

from rsaxcel.circuit import Circuit
from rsaxcel.cli.options.common import check_circuit, choose_circuit, output_file, system_options
from rsaxcel.cli.options.flow import flow_options
from rsaxcel.cli.progress import steps
from rsaxcel.flow.files import read_json
from rsaxcel.flow.job import circuit_job
from rsaxcel.flow.libraries import find_kit
from rsaxcel.flow.outline import NETLIST, read_netlist
from rsaxcel.flow.run import run
from rsaxcel.flow.shells import in_shell
from rsaxcel.proc.systems import System
from rsaxcel.sim.hierarchy import ComponentGroup, area_paths, hierarchy
from rsaxcel.store.errors import SetupError
from rsaxcel.store.whole_files import write_whole


@click.command(
    epilog="""\b
    Examples:
      rsaxcel show mont_r2l
      rsaxcel show ssmm_r2l --nbits 64 --output ssmm.svg
      rsaxcel flow proc_mont_r2l && rsaxcel show proc_mont_r2l --depth 3
    """
)
@system_options
@click.option(
    "--depth",
    type=click.IntRange(min=0),
    metavar="D",
    help="Levels below the top to draw; all unless given.",
)
@flow_options(
    "Standard cells of the flow whose areas are shown.",
    "Clock period of that flow, in nanoseconds.",
)
@output_file(
    "--output",
    "SVG to write, with a name that ends in .svg; named after the design, in this folder, unless "
    "given.",
    ".svg",
)
def command(
    design: str,
    nbits: int,
    params: dict[str, str],
    depth: int | None,
    library: str,
    clock_ns: float,
    output: Path | None,
) -> None:
    """Draw the hierarchy of DESIGN, of a multiplier or of a system (proc_DESIGN, axi_DESIGN).

    Each component is a row: its instance and class, its ports with their widths in bits, streams
    with the fields of their messages, and its area with all components in it. Areas are known if
    `rsaxcel flow`, or a report, has synthesized the design with this library and clock. Equal
    components of a list are one row with the sum of their areas. A component that synthesis
    dissolves into its parent has no area of its own.
    """
    target = choose_circuit(design, nbits, params)
    if not isinstance(target, System):
        check_circuit(target)
    name = target.key if isinstance(target, System) else target.name
    with steps(f"show {name}"):
        circuit = target.component() if isinstance(target, System) else target.component("rtl")
        areas = _areas(target, library, clock_ns)
        if areas:
            note = f"area after synthesis, {library}, clock {clock_ns:g} ns"
        else:
            note = f"no areas: no result of the flow, {library}, clock {clock_ns:g} ns"
        said = (
            f"{note}; a component without an area is part of the one around it" if areas else note
        )
        text = draw_hierarchy(hierarchy(circuit, name), name, said, areas, depth)
    path = output or Path(f"{name}.svg")
    write_whole(path, text)
    click.echo(f"{'written':<12}{path}")
    click.echo(f"{'areas':<12}{note.removeprefix('no areas: ')}")


def _areas(target: Circuit | System, library: str, clock_ns: float) -> dict[str, float]:
    """Area in um2 of each component, by its path, from an earlier flow; empty without one."""
    job = circuit_job(target, library, clock_ns)
    try:
        if not (found := run(job, NETLIST, lookup=True)):
            return {}
        areas = read_json(found.files["synthesis.json"])
        paths = area_paths(areas["area_by_module"])
        if target.shelled is None:
            return {"": areas["area_um2"], **paths}
        netlist = read_netlist(found.files, library, job.design)
        _, around = in_shell(netlist, target, find_kit(library), job.subject.check)
        return _in_shell(paths, target.shelled.core, areas["area_um2"], around)
    except SetupError:
        return {}  # without the tools of the flow there are no results


def _in_shell(
    areas: Mapping[str, float], core: str, area_um2: float, around_um2: float | None
) -> dict[str, float]:
    """Areas by path of a core in its shell, from those of a core and a shell beside it.

    ``around_um2`` is the area of a shell that is left out of all others.
    """
    from rsaxcel.rtl.shells import CORE, SHELL

    around, own_um2 = f"{SHELL}.", areas.get(core, area_um2)
    shell_um2 = areas.get(SHELL, 0.0) if around_um2 is None else around_um2
    parts = {x.removeprefix(around): y for x, y in areas.items() if x.startswith(around)}
    return {"": own_um2 + shell_um2, CORE: own_um2, **parts}


_TEXT_CHARACTERS = 110
_LABEL = 5
_ROW, _LINE, _INDENT, _CHARACTER, _SMALL = 26, 15, 24, 7.6, 6.4
_BAR = 170
#: Indent of the text on a component's ports in pixels; connecting lines are left of it.
_PORTS = 30
_MARGIN = 16


class _Row(NamedTuple):
    """Position and texts of a component in the drawing; all lengths are in pixels."""

    #: left edge, vertical position and width of the component's box
    x: float
    y: float
    width: float
    #: name in the box, and name of the class beside it
    head: str
    kind: str
    lines: list[str]  #: ports, as lines of text
    #: area as text, and length of the bar that shows it
    area: str
    bar: float
    #: vertical position of the parent component's box; None for the top component
    parent_y: float | None


def draw_hierarchy(
    top: ComponentGroup, title: str, note: str, areas: Mapping[str, float], depth: int | None = None
) -> str:
    """Draw a hierarchy, and return the text of the SVG.

    ``areas``: in um2, by path of the component; the path of the top is empty. ``depth``: levels
    below the top to draw; all unless given.
    """
    rows: list[_Row] = []
    whole = top.area(areas)
    y = 3.0 * _LINE + _MARGIN
    for part, level, parent in _walk(top, depth):
        lines = [*_wrapped("in", part.inputs), *_wrapped("out", part.outputs)]
        area = part.area(areas)
        count = f" x {len(part.paths)}" if len(part.paths) > 1 else ""
        rows.append(
            _Row(
                x=_MARGIN + level * _INDENT,
                y=y,
                width=_CHARACTER * len(part.name + count) + 16,
                head=part.name + count,
                kind=part.kind,
                lines=lines,
                area="" if area is None else f"{area:,.0f} um2" + _share(area, whole),
                bar=_BAR * area / whole if area and whole else 0,
                parent_y=None if parent is None else rows[parent].y,
            )
        )
        y += _ROW + _LINE * len(lines) + 8
    texts = [_PORTS + _SMALL * max(map(len, row.lines), default=0) for row in rows]
    heads = [row.width + _CHARACTER * (len(row.kind) + 2) for row in rows]
    right = (
        max(row.x + max(x, h) for row, x, h in zip(rows, texts, heads, strict=True)) + 2 * _MARGIN
    )
    width = max(right + (_BAR + 170 if areas else 0), _CHARACTER * len(title), _SMALL * len(note))
    return _TEMPLATE.render(
        rows=rows,
        title=title,
        note=note,
        bars=right,
        width=round(width + 2 * _MARGIN),
        height=round(y + 2 * _LINE),
        indent=_INDENT,
        row_height=_ROW,
        line=_LINE,
        margin=_MARGIN,
        bar=_BAR,
        ports=_PORTS,
    )


def _wrapped(label: str, ports: Sequence[str]) -> Iterator[str]:
    """Yield lines with the inputs or outputs; only a port that is longer than a line is broken."""
    blanks = " " * _LABEL
    line = label.ljust(_LABEL)
    for number, port in enumerate(ports):
        if number and len(line) + len(port) > _TEXT_CHARACTERS:
            yield line.rstrip()
            line = blanks
        *full, rest = textwrap.wrap(f"{line}{port}", _TEXT_CHARACTERS, subsequent_indent=blanks * 2)
        yield from full
        line = f"{rest}  "
    if ports:
        yield line.rstrip()


def _share(area: float, whole: float | None) -> str:
    return f" ({100 * area / whole:.1f} %)" if whole else ""


def _walk(
    part: ComponentGroup,
    depth: int | None,
    level: int = 0,
    parent: int | None = None,
    number: int = 0,
) -> Iterator[tuple[ComponentGroup, int, int | None]]:
    """Yield all components, each with its level and the number of its parent's row."""
    yield part, level, parent
    below = number + 1
    for inner in part.parts if depth is None or level < depth else ():
        rows = list(_walk(inner, depth, level + 1, number, below))
        yield from rows
        below += len(rows)


_TEMPLATE = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string("""\
<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}" height="{{ height }}" \
viewBox="0 0 {{ width }} {{ height }}" font-family="monospace" font-size="12.5">
<title>{{ title }}</title>
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="{{ margin }}" y="{{ margin + line }}" font-size="15" font-weight="bold">{{ title }}</text>
{% for row in rows %}
<g>
{% if row.parent_y is not none %}
<path d="M{{ row.x - indent / 2 }},{{ row.parent_y + row_height - 4 }} \
V{{ row.y + row_height / 2 }} H{{ row.x }}" fill="none" stroke="#94a3b8"/>
{% endif %}
<rect x="{{ row.x }}" y="{{ row.y }}" width="{{ row.width }}" height="{{ row_height - 4 }}" rx="3" \
fill="#e0ecff" stroke="#3b82f6"/>
<text x="{{ row.x + 8 }}" y="{{ row.y + 15.5 }}">{{ row.head }}</text>
<text x="{{ row.x + row.width + 8 }}" y="{{ row.y + 15.5 }}" fill="#475569">{{ row.kind }}</text>
{% for text in row.lines %}
<text x="{{ row.x + ports }}" y="{{ row.y + row_height + 9 + line * loop.index0 }}" \
font-size="10.5" fill="#334155" xml:space="preserve">{{ text }}</text>
{% endfor %}
{% if row.area %}
<rect x="{{ bars }}" y="{{ row.y + 3 }}" width="{{ bar }}" height="{{ row_height - 10 }}" \
fill="#f1f5f9"/>
<rect x="{{ bars }}" y="{{ row.y + 3 }}" width="{{ row.bar | round(1) }}" \
height="{{ row_height - 10 }}" fill="#e8710a"/>
<text x="{{ bars + bar + 8 }}" y="{{ row.y + 15.5 }}">{{ row.area }}</text>
{% endif %}
</g>
{% endfor %}
<text x="{{ margin }}" y="{{ height - margin }}" font-size="10.5" fill="#475569">{{ note }}</text>
</svg>
""")
