"""Measurements as pandas data frames: facts, design points, fronts and sweeps."""

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
    """Turn ``UserError`` and ``RunError`` into ``ValueError``, ``SetupError`` or ``FlowError``."""
    try:
        yield
    except UserError as error:
        raise ValueError(error.message) from error
    except RunError as error:
        kind = SetupError if error.exit_code == UserError.exit_code else FlowError
        raise kind(error.message) from error


def facts(folder: Path | str = _BUILD) -> pd.DataFrame:
    """Read all facts from the results of earlier commands.

    Parameters
    ----------
    folder : Path or str
        Folder in which commands wrote their results; ``build`` in the current folder by default.

    Returns
    -------
    pandas.DataFrame
        A row for each fact: the circuit (``subject``, ``nbits``, ``choices``, ``part``),
        ``quantity`` with its unit, ``value``, conditions and source.

    Raises
    ------
    ValueError
        If a file is not a table of facts.
    """
    from eval.facts.points import load_facts

    return load_facts(Path(folder), flows=True).frame


def points(folder: Path | str = _BUILD, *, operation: str = USUAL_OPERATION) -> pd.DataFrame:
    """Read all design points from the results of earlier commands, as ``rsaxcel results`` does.

    Parameters
    ----------
    folder : Path or str
        See ``facts``.
    operation : str
        Operation of the columns for cycles, time and energy, such as ``encrypt``.

    Returns
    -------
    pandas.DataFrame
        A row for each circuit with its width, choices, library and clock; a column for each
        quantity, such as ``area_um2``, ``time_us``, ``energy_nj``.

    Raises
    ------
    ValueError
        If a file is not a table of facts.
    """
    from eval.facts.points import load_points

    return load_points(Path(folder), operation)


def front(points: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Select the points that no other point beats; in each column, less is better.

    Parameters
    ----------
    points : pandas.DataFrame
        Design points.
    *columns : str
        Two or more quantities, such as ``time_us`` and ``area_um2``.

    Returns
    -------
    pandas.DataFrame
        The points on the Pareto front, sorted by the first column.

    Raises
    ------
    ValueError
        If a column is unknown, less than two columns are given, or points are of several stages of
        the flow, whose figures are not comparable.
    """
    from eval.facts.front import on_front

    for column in columns:
        if column not in points.columns:
            listed = ", ".join(points.columns)
            raise ValueError(f"column {column!r} is unknown; allowed: {listed}")
    if len(columns) < 2:
        told = f"{len(columns)} columns: two or more are needed, such as time_us and area_um2"
        raise ValueError(told)
    stages = sorted(set(points.get("stage", ())) - {""})
    if len(stages) > 1:
        told = f"points of several stages ({', '.join(stages)}): choose those of one, such as"
        raise ValueError(f"{told} points[points.stage == {stages[0]!r}]")
    return points[on_front(points, columns)].sort_values(columns[0])


def sweep(
    spec: Path | str | Sequence[Mapping[str, Any]],
    *,
    name: str = "notebook",
    workers: int = 0,
    operation: str = USUAL_OPERATION,
) -> pd.DataFrame:
    """Measure every point of a sweep; earlier measurements are not repeated.

    Parameters
    ----------
    spec : Path, str or sequence of mapping
        A file for ``rsaxcel sweep``, or its groups with the keys of a table ``[[group]]``, such as
        ``{"design": "all", "nbits": [16, 32], "measure": "energy"}``.
    name : str
        Name of the folder in ``build/sweeps``, if ``spec`` lists groups.
    workers : int
        Number of parallel processes; 0: one for each core.
    operation : str
        See ``points``.

    Returns
    -------
    pandas.DataFrame
        The sweep's design points, in the form of ``points``.

    Raises
    ------
    ValueError
        If a group, key or value is not allowed; the message lists the allowed ones.
    FlowError
        If some points could not be measured; raised after the figures of all other points are
        written.
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
