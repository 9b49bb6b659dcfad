"""What was measured, as pandas data frames: facts, design points, fronts and sweeps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from eval.facts.fact import USUAL_OPERATION
from flow.errors import FlowError, SetupError
from store.errors import RunError, UserError

_BUILD = Path("build")


@contextmanager
def _told() -> Iterator[None]:
    """Raise what programs expect in place of the errors of commands."""
    try:
        yield
    except UserError as error:
        raise ValueError(error.message) from error
    except RunError as error:
        kind = SetupError if error.exit_code == UserError.exit_code else FlowError
        raise kind(error.message) from error


def facts(folder: Path | str = _BUILD) -> pd.DataFrame:
    """Read every figure that was measured in a folder.

    Parameters
    ----------
    folder : Path or str
        The folder ``build`` of earlier commands; that of the current folder unless given.

    Returns
    -------
    pandas.DataFrame
        A row for each figure: what it is of (``subject``, ``nbits``, ``choices``, ``part``),
        ``quantity`` with its unit, ``value``, the conditions, and where it comes from.

    Raises
    ------
    ValueError
        Naming a file that is no table of facts.
    """
    from eval.facts.points import load_facts

    return load_facts(Path(folder), flows=True).frame


def points(folder: Path | str = _BUILD, *, operation: str = USUAL_OPERATION) -> pd.DataFrame:
    """Read every design point that was measured in a folder, as ``rsaxcel results`` shows them.

    Parameters
    ----------
    folder : Path or str
        As for ``facts``.
    operation : str
        Operation whose cycles, time and energy are meant, such as ``encrypt``.

    Returns
    -------
    pandas.DataFrame
        A row for each circuit with its width, choices, library and clock; a column for each
        quantity, such as ``area_um2``, ``time_us``, ``energy_nj``.

    Raises
    ------
    ValueError
        Naming a file that is no table of facts.
    """
    from eval.facts.points import load_points

    return load_points(Path(folder), operation)


def front(points: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Choose the points that no other point beats: the less in each column, the better.

    Parameters
    ----------
    points : pandas.DataFrame
        Design points.
    *columns : str
        Two quantities or more, such as ``time_us`` and ``area_um2``.

    Returns
    -------
    pandas.DataFrame
        The points on the Pareto front, by the first column.

    Raises
    ------
    ValueError
        Naming an unknown column, with those that there are.
    """
    from eval.facts.front import on_front

    for column in columns:
        if column not in points.columns:
            listed = ", ".join(points.columns)
            raise ValueError(f"column {column!r} is unknown; allowed: {listed}")
    if len(columns) < 2:
        told = f"{len(columns)} columns: two or more are needed, such as time_us and area_um2"
        raise ValueError(told)
    return points[on_front(points, columns)].sort_values(columns[0])


def sweep(
    spec: Path | str | Sequence[Mapping[str, Any]],
    *,
    name: str = "notebook",
    workers: int = 0,
    operation: str = USUAL_OPERATION,
) -> pd.DataFrame:
    """Measure every point of a sweep; what was measured before is not measured again.

    Parameters
    ----------
    spec : Path, str or sequence of mapping
        A file for ``rsaxcel sweep``, or its groups: keys are those of a table ``[[group]]``, such
        as ``{"design": "all", "nbits": [16, 32], "measure": "energy"}``.
    name : str
        Name of the folder in ``build/sweeps``, where groups are given.
    workers : int
        Processes that work side by side; 0: as many as there are cores.
    operation : str
        As for ``points``.

    Returns
    -------
    pandas.DataFrame
        The sweep's design points, as ``points`` gives them.

    Raises
    ------
    ValueError
        Naming group, key, value and what is allowed.
    FlowError
        If some points have no figures, after the others were measured and written.
    SetupError
        If a tool is missing.
    """
    from eval.facts.points import tabulate
    from eval.facts.table import read_facts
    from eval.measure.job import Place
    from eval.sweep.points import points_of
    from eval.sweep.run import run_sweep
    from eval.sweep.spec import read_spec, spec_of

    with _told():
        if isinstance(spec, str | Path):
            read = read_spec(Path(spec))
        else:
            read = spec_of({"name": name, "group": [*map(dict, spec)]}, "sweep", name)
        folder = run_sweep(read, points_of(read).points, Place("", workers))
    return tabulate(read_facts(folder / "facts.parquet"), operation)
