"""What a notebook shows of circuits, records and pictures: tables in HTML, drawings in SVG."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rsaxcel.circuit import Target, is_product
from rsaxcel.flow.layout import SYNTHESIZED
from rsaxcel.flow.record import Record
from rsaxcel.store.shown import shorten

if TYPE_CHECKING:  # slow to import
    from matplotlib.figure import Figure


_MODULES = 6  #: most modules in a table of areas
_DIGITS = 24  #: most characters of an exponent
_CELL = 'style="text-align:left"'


class Drawing:
    """A picture of a circuit; a notebook shows it.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The picture; its methods change it.
    """

    def __init__(self, figure: Figure) -> None:
        self.figure = figure

    def save(self, path: Path | str) -> None:
        """Write the picture to a file whose name ends in .svg, .png or .pdf.

        Parameters
        ----------
        path : Path or str
            The file.
        """
        from rsaxcel.eval.pictures.style import save

        save(self.figure, Path(path))

    def _repr_svg_(self) -> str:
        import matplotlib as mpl

        from rsaxcel.eval.pictures.style import STYLE

        with mpl.rc_context(STYLE), io.StringIO() as file:
            self.figure.savefig(file, format="svg", facecolor="white", bbox_inches="tight")
            return file.getvalue()


def draw(record: Record, kind: str, operation: str) -> Drawing:
    """Draw a picture, a key of ``PICTURES``, of a record whose files are in ``build``."""
    from rsaxcel.eval.pictures import drawings
    from rsaxcel.eval.pictures.placed import placed_of

    if kind not in drawings.PICTURES:
        raise ValueError(f"kind={kind!r}: allowed: {', '.join(drawings.PICTURES)}")
    if drawings.PICTURES[kind].places and record.stage == SYNTHESIZED:
        told = "the record is of a circuit without places; allowed: areas, or Layout('placed')"
        raise ValueError(f"kind={kind!r}: {told}")

    return Drawing(drawings.draw(kind, record, partial(placed_of, record), operation))


def circuit_html(circuit: Target) -> str:
    """Table of a circuit: its parameters, and on which operands its cycles depend."""
    rows = {name: str(value) for name, value in circuit.params.items()}
    core = circuit.core
    if core is not None:
        pairs = {"exponent": core.exponent_dependent, "base": core.base_dependent}
        if is_product(core):
            pairs = {"operands": core.base_dependent}
        depends = [name for name, is_so in pairs.items() if is_so]
        rows["cycles depend on"] = " and ".join(depends) or f"no {' or '.join(pairs)}"
    return _titled(f"{circuit.design_name}, {circuit.nbits} bits", _rows(rows))


def record_html(record: Record) -> str:
    """Tables of a record: figures with units, operations, the largest modules."""
    figures = {
        "stage": f"{record.stage}, {record.library} ({record.corner})",
        "clock": f"{record.clock_ns:g} ns asked, {record.min_period_ns:.3f} ns would do",
        "longest path": f"{record.critical_path.start} to {record.critical_path.end}",
        "area": f"{record.area_um2:,.1f} µm², {record.cell_count:,} cells, "
        f"{record.flip_flop_count:,} of them flip-flops",
    }
    if record.core_area_um2 is not None:
        used = f"at a utilisation of {record.utilisation:.3g}"
        figures["core"] = f"{record.core_area_um2:,.1f} µm² {used}"
    if record.fault:
        figures["wrong results"] = record.fault
    head = ["operation", "exponent", "cycles", "power, mW", "energy, nJ", "of it glitches"]
    operations = [
        [
            name,
            "" if x.exponent is None else shorten(f"{x.exponent:#x}", _DIGITS),
            f"{x.cycles:,.1f}",
            f"{x.power_mw:.4g}",
            f"{x.energy_nj:.4g}",
            "" if x.glitch_factor is None else f"{1 - x.energy_lower_nj / x.energy_nj:.0%}",
        ]
        for name, x in record.operations.items()
    ]
    ranked = sorted(record.area_by_module.items(), key=lambda x: -x[1])[:_MODULES]
    modules = [[name, f"{x:,.1f}", f"{x / record.area_um2:.0%}"] for name, x in ranked]
    parts = [_rows(figures), _table(head, operations)]
    if modules:
        parts.append(_table(["largest modules", "µm²", "of the area"], modules))
    return _titled(f"{record.design}, {record.nbits} bits", *parts)


def _titled(title: str, *parts: str) -> str:
    return f"<div><b>{escape(title)}</b>{''.join(parts)}</div>"


def _rows(rows: Mapping[str, str]) -> str:
    return _table((), rows.items())


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    def row(kind: str, cells: Iterable[str]) -> str:
        return f"<tr>{''.join(f'<{kind} {_CELL}>{escape(x)}</{kind}>' for x in cells)}</tr>"

    lines = [*([row("th", head)] if head else ()), *(row("td", each) for each in rows)]
    return f"<table>{''.join(lines)}</table>"


def show_in_notebooks(circuits: Iterable[type]) -> None:
    """Let a notebook, if this process is one, show circuits of some classes, and records."""
    if shell := _notebook():
        html = shell.display_formatter.formatters["text/html"]
        for kind in circuits:
            html.for_type(kind, circuit_html)
        html.for_type(Record, record_html)


def updated_line() -> Callable[[str], None] | None:
    """Add a line to the output of a cell, which each call replaces; None: this is no notebook."""
    if not _notebook():
        return None
    from IPython.display import Pretty, display

    handle = display(Pretty(""), display_id=True)
    return lambda text: handle.update(Pretty(text))


def _notebook() -> Any:
    # No import: where nobody has imported IPython, there is no notebook.
    found: Any = sys.modules.get("IPython")
    return found and found.get_ipython()
