"""Options of ``rsaxcel flow`` that search the smallest period and draw the curve around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from rsaxcel.cli.options.common import check_folder, ending_in, together
from rsaxcel.cli.options.picture import PictureChoice
from rsaxcel.cli.options.waves import Waves
from rsaxcel.store.errors import UserError

_PLOT = "--curve-plot"
_ENDINGS = (".svg", ".png", ".pdf")


@dataclass(frozen=True)
class CurveOptions:
    """Values of the options.

    Parameters
    ----------
    asked
        Whether to search the smallest period.
    plot
        File to draw the curve to; None: no drawing.
    """

    asked: bool
    plot: Path | None

    def check(self, waves: Waves, picture: PictureChoice, clock: ParameterSource | None) -> None:
        """Check, before the flow runs, that all options fit together.

        Parameters
        ----------
        waves, picture
            Options of waveforms and pictures, which need a record at one period.
        clock
            Where the clock period comes from: chosen by the user, or a default.

        Raises
        ------
        UserError
            If an option does not fit, or the drawing cannot be written; names the option.
        """
        if not self.asked:
            if self.plot is not None:
                raise UserError(f"{_PLOT}: has a meaning with --curve only")
            return
        if clock is not ParameterSource.DEFAULT:
            raise UserError("--clock-ns: --curve chooses the clock periods; leave one of them out")
        for option in waves.files:
            raise UserError(f"{option}: shows one record, and --curve makes several")
        if picture.path is not None:
            raise UserError("--picture: shows one record, and --curve makes several")
        if self.plot is not None:
            check_folder(_PLOT, self.plot)

    def measure(self, *asked: Any) -> Callable[[bool], None]:
        """Measure the curve and draw it; return a function that prints it, as JSON or as text.

        ``asked``: the first parameters of ``eval.curve.measuring.Measuring``.
        """
        from rsaxcel.cli.output.curve import show, show_json, title_of
        from rsaxcel.eval.curve.measuring import Measuring, measure_curve
        from rsaxcel.eval.curve.points import tabulate_curve

        curve = measure_curve(Measuring(*asked))
        points = tabulate_curve(curve)
        if self.plot is not None:
            from rsaxcel.cli.output.curve_drawing import draw

            record = curve.records[curve.smallest]
            draw(points, self.plot, title_of(record, points.operation[0]))

        def printed(as_json: bool) -> None:
            (show_json if as_json else show)(curve, points)
            if self.plot is not None:
                click.echo(f"written: {self.plot}", err=as_json)

        return printed


def _curve(command: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(command)
    def called(*args: Any, curve: bool, curve_plot: Path | None, **options: Any) -> Any:
        return command(*args, curve=CurveOptions(curve, curve_plot), **options)

    return called


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
    _curve,
)
"""Adds --curve and --curve-plot to a command, which gets them as ``curve``."""
