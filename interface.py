"""The public names of rsaxcel, imported from this package and from the packages that it uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from rsaxcel import catalog
from rsaxcel.catalog import (
    DEFAULT_NBITS,
    Configuration,
    Design,
    MultiplierConfiguration,
    axes,
    register,
)
from rsaxcel.catalog.configuration import Exponentiator, MultiplierAlone
from rsaxcel.eval import display
from rsaxcel.eval.display import Drawing
from rsaxcel.eval.facts.fact import USUAL_OPERATION
from rsaxcel.fl.status import Status
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.fpga import FpgaRecord, run_fpga
from rsaxcel.flow.layout import Layout
from rsaxcel.flow.record import CriticalPath, OperationRecord, Record
from rsaxcel.flow.run import run_flow
from rsaxcel.proc.systems import System, find_system
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import operation
from rsaxcel.sim.runners import Answer, RunnerError, engine_of, open_runner
from rsaxcel.sim.vectors import Vector, random_vectors
from rsaxcel.store.errors import RsaxcelError, SetupError
from rsaxcel.store.tools import ToolError

__version__ = version("rsaxcel")

__all__ = [
    "LEVELS",
    "Answer",
    "Configuration",
    "CriticalPath",
    "Design",
    "Drawing",
    "FlowError",
    "FpgaRecord",
    "Layout",
    "MultiplierConfiguration",
    "OperationRecord",
    "Record",
    "RsaxcelError",
    "RunnerError",
    "SetupError",
    "Status",
    "System",
    "ToolError",
    "__version__",
    "axes",
    "design",
    "designs",
    "facts",
    "front",
    "multiplier",
    "multipliers",
    "picture",
    "points",
    "random_operands",
    "register",
    "run_flow",
    "run_fpga",
    "simulate",
    "sweep",
    "system",
]


def designs() -> list[str]:
    """List the names of all designs; ``rsaxcel list NAME`` prints the details of a design.

    Returns
    -------
    list of str
        Names, including the designs of other packages (``RSAXCEL_DESIGNS``, entry points,
        ``register``).
    """
    return list(catalog.DESIGNS)


def multipliers() -> list[str]:
    """List the names of all multipliers.

    Returns
    -------
    list of str
        Names. Each multiplier can be simulated alone, or chosen on the axis ``multiplier``.
    """
    return list(catalog.multipliers())


def design(name: str, nbits: int = DEFAULT_NBITS, /, **choices: Any) -> Configuration:
    """Configure an exponentiator.

    Parameters
    ----------
    name : str
        Name of a design, see ``designs``.
    nbits : int
        Width of base, modulus and result in bits.
    **choices
        Parameters by name, and choices on the axes such as ``schedule="window"`` (see ``axes``).
        On all other axes, the design's own choice remains if it fits the given choices. Otherwise
        a choice that fits replaces it.

    Returns
    -------
    Configuration
        Argument for ``simulate``, ``run_flow`` and ``run_fpga``. Its methods: ``outcome(base,
        exponent, modulus)`` runs the functional model, ``evaluate(...)`` also counts cycles,
        ``component(level)`` makes the PyMTL3 component.

    Raises
    ------
    ValueError
        If a name or a value is not allowed; the message lists the allowed ones.
    """
    return catalog.get(name).configure(nbits, **choices)


def multiplier(name: str, nbits: int = DEFAULT_NBITS, /, **params: Any) -> MultiplierConfiguration:
    """Configure a multiplier without an exponentiator.

    Parameters
    ----------
    name : str
        Name of a multiplier, see ``multipliers``.
    nbits : int
        Width of operands and result in bits.
    **params
        Parameters by name.

    Returns
    -------
    MultiplierConfiguration
        Argument for ``simulate``, ``run_flow`` and ``run_fpga``.

    Raises
    ------
    ValueError
        If a name or a value is not allowed; the message lists the allowed ones.
    """
    known = catalog.multipliers()
    if name not in known:
        raise ValueError(f"multiplier {name!r} is unknown; allowed: {', '.join(known)}")
    return known[name].configure(nbits, **params)


def system(name: str, nbits: int = DEFAULT_NBITS, /, **params: Any) -> System:
    """Configure a system: a processor alone, with an accelerator, or with one on a bus.

    Parameters
    ----------
    name : str
        ``proc_null``, ``proc_DESIGN`` or ``axi_DESIGN``.
    nbits : int
        Width of the operands in bits.
    **params
        Parameters of the processor and of its accelerator, and choices on the accelerator's axes.

    Returns
    -------
    System
        Argument for ``run_flow``.

    Raises
    ------
    ValueError
        If a name or a value is not allowed; the message lists the allowed ones.
    """
    return find_system(name, nbits, **params)


Level = Literal["fl", "cl", "rtl"]
Engine = Literal["native", "pymtl", "python"]

LEVELS: tuple[Level, ...] = ("fl", "cl", "rtl")
"""Levels of a simulation: functional model, cycle model, circuit."""


def simulate(
    chosen: Configuration | MultiplierConfiguration,
    operands: Iterable[Operands],
    *,
    level: Level = "rtl",
    engine: Engine | None = None,
) -> list[Answer]:
    """Simulate exponentiations or products, one after the other.

    Parameters
    ----------
    chosen : Configuration or MultiplierConfiguration
        Result of ``design`` or ``multiplier``.
    operands : iterable of tuple of int
        (base, exponent, modulus) for a design, (a, b, modulus) for a multiplier. Operands may
        have any size: for a broken input rule, the answer has its status. A design by the primes
        p and q takes ``chosen.halves.joined(dp, dq)`` as exponent, and ``joined(p, q)`` as modulus;
        ``joined_exponents(dp, dq, e)`` if it checks its result by the public exponent e.
    level : str
        ``"fl"``: the functional model; ``"cl"``: the cycle model; ``"rtl"``: the circuit.
    engine : str, optional
        ``"native"``: compiled C++, only for ``rtl`` and the default there; ``"pymtl"``: PyMTL3, for
        all levels; ``"python"``: the models without a component, the default for ``fl`` and ``cl``.

    Returns
    -------
    list of Answer
        An answer for each operation:

        - ``status``: a ``Status``.
        - ``result``: an int, 0 unless the status is ok. The result of a Montgomery multiplier is
          a * b / R mod m.
        - ``cycles``: from the acceptance of the request to the response; None at ``fl``.

        Operands that break an input rule are not sent to a multiplier, because its response has
        no status. Their answer has a status, but no cycles.

    Raises
    ------
    ValueError
        If the level is unknown, the engine does not run it, or an operand is negative.
    RunnerError
        If the simulation never ends.
    ToolError
        If Verilator or the C++ compiler is missing.
    """
    engine_name = engine_of(level, engine)
    status = operation(chosen).status
    vectors = []
    for number, triple in enumerate(operands, 1):
        if min(triple) < 0:
            raise ValueError(f"operands={triple}: 0 and more are allowed")
        vectors.append(Vector(number, triple, status(triple), 0))
    if not vectors:
        return []
    answers, _ = open_runner(chosen, level, engine_name).run(vectors)
    return answers


def random_operands(
    chosen: Configuration | MultiplierConfiguration, count: int, seed: int = 0
) -> list[Operands]:
    """Draw operands of all bit lengths as ``rsaxcel sim --random`` does; a few break an input rule.

    Parameters
    ----------
    chosen : Configuration or MultiplierConfiguration
        Result of ``design`` or ``multiplier``.
    count : int
        Number of operations.
    seed : int
        Seed; the same seed and width give the same operands.

    Returns
    -------
    list of tuple of int
        Operands for ``simulate``.
    """
    drawn = random_vectors(count, seed, chosen.nbits, operation(chosen))
    return [vector.operands for vector in drawn]


def picture(record: Record, kind: str = "modules", *, operation: str = "") -> Drawing:
    """Draw a circuit that ``run_flow`` has measured, as ``rsaxcel flow --picture`` does.

    Parameters
    ----------
    record : Record
        Result of ``run_flow`` in this folder, with ``layout=Layout("placed")`` unless ``kind`` is
        ``areas``.
    kind : str
        ``modules``: cells by module, and the critical path; ``areas``: treemap of the area by
        module; ``energy``, ``glitches``: power by place; ``clock``: the clock tree; ``capacity``:
        use of the routing tracks.
    operation : str
        Type of operation of ``energy`` and ``glitches``; the record's standard one if empty.

    Returns
    -------
    Drawing
        A notebook shows it; ``save(path)`` writes it.

    Raises
    ------
    ValueError
        If the kind is unknown, or needs a placed circuit.
    FlowError
        If the operation is unknown, or files of the placement are gone.
    """
    return display.draw(record, kind, operation)


_BUILD = Path("build")


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
    from rsaxcel.eval.facts.points import load_facts

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
    from rsaxcel.eval.facts.points import load_points

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
    from rsaxcel.eval.facts.points import on_front

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
    from rsaxcel.cli.progress import steps
    from rsaxcel.eval.facts.points import tabulate
    from rsaxcel.eval.facts.table import read_facts
    from rsaxcel.eval.measure.job import Workers
    from rsaxcel.eval.sweep import points_of, read_spec, run_sweep, spec_of

    if isinstance(spec, str | Path):
        read = read_spec(Path(spec))
    else:
        read = spec_of({"name": name, "group": [*map(dict, spec)]}, "sweep", name)
    with steps("sweep") as tell:
        shown = display.updated_line() or tell
        folder = run_sweep(read, points_of(read).points, Workers("", workers), shown)
    return tabulate(read_facts(folder / "facts.parquet"), operation)


display.show_in_notebooks((Exponentiator, MultiplierAlone, System))
