"""Options of ``rsaxcel flow`` that search the smallest period and draw the curve around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from rsaxcel.cli.options.common import check_folder, ending_in, gathered, together
from rsaxcel.cli.options.rules import excludes, only_with
from rsaxcel.store.errors import RunError

_PLOT = "--curve-plot"
_ENDINGS = (".svg", ".png", ".pdf")


@dataclass(frozen=True)
class CurveOptions:
    """Values of the options."""

    asked: bool  #: whether to search the smallest period
    plot: Path | None  #: file to draw the curve to; None: no drawing

    def check(self) -> None:
        """Raise ``UserError``, before the flow runs, if the drawing cannot be written."""
        if self.plot is not None:
            check_folder(_PLOT, self.plot)

    def measure(self, *asked: Any) -> Callable[[bool], None]:
        """Measure the curve and draw it; return a function that prints it, as JSON or as text.

        ``asked``: the first parameters of ``eval.curve.measuring.CurveRuns``.
        """
        from rsaxcel.cli.output.curve import show, show_json, title_of
        from rsaxcel.eval.curve.measuring import CurveRuns, measure_curve
        from rsaxcel.eval.curve.points import tabulate_curve

        curve = measure_curve(CurveRuns(*asked))
        points = tabulate_curve(curve)
        if self.plot is not None:
            from rsaxcel.cli.output.curve_drawing import draw

            record = curve.records[curve.smallest]
            draw(points, self.plot, title_of(record, points.operation[0]))

        def printed(as_json: bool) -> None:
            (show_json if as_json else show)(curve, points)
            if self.plot is not None:
                click.echo(f"written: {self.plot}", err=as_json)
            if fault := next(filter(None, (x.fault for x in curve.records.values())), ""):
                raise RunError(f"the circuit is measured, but its results are wrong: {fault}")

        return printed


curve_options = together(
    click.option(
        "--curve",
        is_flag=True,
        help="Search the smallest clock period, then measure the design at multiples of it, up to "
        "3 times: a curve of area, delay and energy, with its knee.",
    ),
    click.option(
        _PLOT,
        type=click.Path(dir_okay=False, path_type=Path),
        callback=ending_in(*_ENDINGS),
        metavar="FILE",
        help="With --curve: draw area and energy over the period: .svg, .png or .pdf.",
    ),
    excludes("--curve", "--clock-ns", "--vcd", "--saif", "--drawing", "--picture"),
    only_with((_PLOT,), "--curve"),
    gathered("curve", CurveOptions, "curve", "curve_plot"),
)
"""Adds --curve and --curve-plot to a command, which gets them as ``curve``."""
