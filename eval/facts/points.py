"""Design points: figures of each circuit from the flow's store, as rows; conditions, the front."""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache, reduce
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyparsing as pp

from rsaxcel import catalog
from rsaxcel.catalog import Configuration
from rsaxcel.circuit import Circuit
from rsaxcel.eval.facts.described import AXES, axes_of
from rsaxcel.eval.facts.fact import DERIVED, OPERATIONS, PRODUCT, USUAL_OPERATION, WRONG, Fact
from rsaxcel.eval.facts.quantities import QUANTITIES, is_projected
from rsaxcel.eval.facts.records import fpga_facts, outline_facts, record_facts
from rsaxcel.eval.facts.table import NO_FLOW, Facts, Flow, read_facts
from rsaxcel.flow.earlier import Earlier, earlier_results
from rsaxcel.flow.fpga import FpgaRecord
from rsaxcel.flow.layout import constraint_of
from rsaxcel.flow.record import Record
from rsaxcel.flow.requests import default_exponents
from rsaxcel.flow.subjects import find_target
from rsaxcel.lab.findings import FOLDER as FINDINGS
from rsaxcel.lab.findings import KINDS as LABORATORY
from rsaxcel.lab.findings import Finding, by_kind, findings
from rsaxcel.proc.systems import find_system, is_system
from rsaxcel.store.places import check_own
from rsaxcel.store.shown import choices_text

BUILD = Path("build")  #: folder of the commands' results, below the current folder

#: Patterns of the tables of facts that sweeps and searches write to the build folder.
SWEPT = ("sweeps/*/facts.parquet", "optimize/*/facts.parquet")

#: all tables of facts in the build folder; flow.earlier finds results of single flows
SOURCES = ("report/facts.parquet", *SWEPT)

#: Columns that identify a circuit.
CIRCUIT = ("subject", "nbits", "choices", "library", "clock_ns", "stage")

#: Columns that identify a row: a circuit has a row for each activity.
IDENTITY = (*CIRCUIT, "activity")

_HARDWARE = ("min_period_ns", "period_ns", "area_um2", "core_area_um2", "cell_count", "flip_flops")
_COSTS = ("synthesis_cpu_seconds", "flow_cpu_seconds")
_RESOURCES = ("alms", "luts", "registers", "dsps")
_CIRCUIT = ("area_um2", "core_area_um2", "cell_count", "min_period_ns", *_RESOURCES)
#: Figures of power and energy; all but ``energy_lower_nj`` depend on the activity.
ENERGY = ("energy_nj", "energy_lower_nj", "glitch_factor", "power_mw")

_SAMPLE = ("timed_percent", "glitch_error_percent")
_AREA_TIMES = ("area_time_um2_ms", "core_area_time_um2_ms")
_WORK = ("cycles", "time_us", *ENERGY, *_AREA_TIMES, *_SAMPLE)
#: How a figure was found, the most reliable way first. A row has the kind of its least reliable
#: figure.
_KINDS = ("measured", "simulated in part", "estimated", "projected", "wrong results")
#: uncertainty of a projected figure, a factor; squared for a product of two, such as area by time
FACTOR = "projected_factor"

#: Columns of figures, named after their quantities; unknown figures are NaN.
NUMBERS = (
    *_HARDWARE,
    *_RESOURCES,
    *_WORK,
    *(f"{name}_{key}" for name in OPERATIONS for key in _WORK),
    *_COSTS,
    FACTOR,
)

#: All columns of the table of points.
COLUMNS = (
    "point",
    "form",
    *IDENTITY,
    *AXES,
    "operation",
    *NUMBERS,
    "constraint",
    "kind",
    "provenance",
    *LABORATORY,
)


def load_points(folder: Path = BUILD, operation: str = USUAL_OPERATION) -> pd.DataFrame:
    """Tabulate all measured points in a build folder, with the laboratory's findings on them."""
    return with_findings(tabulate(load_facts(folder, flows=True), operation), folder)


def with_findings(points: pd.DataFrame, folder: Path = BUILD) -> pd.DataFrame:
    """Fill ``leaks``, ``faults``, ``proven`` with the laboratory's findings in a build folder."""
    found: dict[tuple, list[Finding]] = defaultdict(list)
    for each in findings(folder=folder / FINDINGS.name):
        found[each.subject, each.nbits, each.choices].append(each)
    circuits = zip(points["subject"], points["nbits"], points["choices"], strict=True)
    texts = [by_kind(found.get(circuit, ())) for circuit in circuits]
    for kind in LABORATORY:
        points[kind] = [text.get(kind, "") for text in texts]
    return points


def load_facts(
    folder: Path = BUILD, sources: Iterable[str] = SOURCES, *, flows: bool = False
) -> Facts:
    """Load the facts of all sources; of two that contradict, keep the newer one.

    ``sources`` are patterns relative to ``folder``. ``ValueError`` names a file that is no table.
    """
    check_own(folder)
    found: list[Source] = []
    known: dict[str, float] = {}
    for path in {path for pattern in sources for path in folder.glob(pattern) if path.is_file()}:
        try:
            facts = read_facts(path)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
        written_s = path.stat().st_mtime
        # Derived facts are left out: formulas derive these again from the facts of all files.
        own = [fact for fact in facts if not (fact.printed or _is_derived(fact))]
        found.append((written_s, own))
        for name in {fact.provenance for fact in own}:
            known[name] = max(written_s, known.get(name, 0.0))
    if flows:
        found += flow_sources(folder, known)
    found.sort(key=lambda source: -source[0])
    return Facts(_most_exact(_without_changed_circuits(facts for _, facts in found)))


def _is_derived(fact: Fact) -> bool:
    by_formula = fact.quantity in QUANTITIES and bool(QUANTITIES[fact.quantity].formula)
    return fact.kind == DERIVED or (by_formula and is_projected(fact.quantity))


def _most_exact(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Yield facts; of an operation with several samples, only facts of the largest sample.

    A sample is the set of cycles with gate delays, ``timed_percent`` its share of the operation.
    """
    kept = list(facts)
    shares: dict[tuple, dict[str, float]] = defaultdict(dict)
    for fact in kept:
        if fact.quantity == "timed_percent":
            shares[_sampled(fact)][fact.provenance] = float(fact.value)
    for fact in kept:
        known = shares.get(_sampled(fact), {})
        if fact.provenance not in known or known[fact.provenance] == max(known.values()):
            yield fact


def _sampled(fact: Fact) -> tuple:
    """Key of the facts whose samples are compared: circuit, operation and activity."""
    return (*_circuit(fact), fact.operation, fact.activity)


def _without_changed_circuits(sources: Iterable[list[Fact]]) -> Iterator[Fact]:
    """Yield the facts of all sources (newest first), without those of circuits changed since."""
    # A circuit has changed if a newer source has another area, cell count, period or FPGA resource
    # for it. Then all its older facts go: the new area must not stand in a row with the old energy.
    circuits: dict[tuple, dict[str, float | str]] = defaultdict(dict)
    for facts in sources:
        own: dict[tuple, dict[str, float | str]] = defaultdict(dict)
        for fact in facts:
            if fact.quantity in _CIRCUIT and not fact.part:
                own[_circuit(fact)].setdefault(fact.quantity, fact.value)
        for circuit, figures in own.items():
            newer = circuits[circuit]
            if all(newer.get(name, x) == x for name, x in figures.items()):
                newer |= figures
            else:
                own[circuit] = {}
        changed = {circuit for circuit, figures in own.items() if not figures}
        yield from (fact for fact in facts if _circuit(fact) not in changed)


def _circuit(fact: Fact) -> tuple:
    """Identity of a fact's circuit, with the conditions of its synthesis."""
    return tuple(getattr(fact, name) for name in CIRCUIT)


def tabulate(facts: Iterable[Fact], operation: str = USUAL_OPERATION) -> pd.DataFrame:
    """Tabulate facts: one row per configuration and conditions of its measurement.

    Figures of ``operation`` also fill columns without its name (``time_us``); of a multiplier, it
    is a product. Facts without a library, such as cycles, hold for all. ``constraint`` tells what
    the period of a placed circuit is worth; ``form`` is ``design``, ``system``, ``multiplier`` or
    ``other``; ``kind`` is the least reliable of ``measured``, ``simulated in part``, ``estimated``,
    ``projected``, ``wrong results``.
    """
    rows = [
        _row(key, flow, own, operation)
        for key, flows in _grouped(facts).items()
        for flow, own in flows.items()
    ]
    kept = [row for row in rows if _is_point(row)]
    types = dict.fromkeys(("clock_ns", *NUMBERS), float) | {"nbits": int, "lanes": "Int64"}
    frame = pd.DataFrame(kept, columns=list(COLUMNS)).astype(types)
    return frame.sort_values(["nbits", "subject", "choices", "library"], ignore_index=True)


def point_name(subject: str, nbits: int, choices: str = "") -> str:
    """Name of a point: design, width and choices, such as ``mont_r2l:32,schedule=window``."""
    return ",".join(filter(None, (f"{subject}:{nbits}", choices)))


def choices_of(text: str) -> dict[str, str]:
    """Parse a text that ``choices_text`` wrote, and return the choices by name."""
    return dict(item.split("=", 1) for item in text.split(",") if item)


def _grouped(facts: Iterable[Fact]) -> Mapping[tuple, Mapping[Flow, list[Fact]]]:
    """Group the facts of each subject by library, clock, stage and activity.

    Facts without conditions, such as cycles, join every group. Facts with an empty activity, such
    as the area, join the groups of their library, clock and stage, or form one if there are none.
    """
    groups: dict[tuple, dict[Flow, list[Fact]]] = defaultdict(lambda: defaultdict(list))
    for fact in facts:
        if not (fact.printed or fact.part or isinstance(fact.value, str)):
            groups[fact.subject, fact.nbits, fact.choices][fact.flow].append(fact)
    for flows in groups.values():
        general = flows.pop(NO_FLOW, [])
        for own in flows.values() or [flows[NO_FLOW]]:
            own[:0] = general
        with_activity = [flow for flow in flows if flow[-1]]
        for flow in with_activity:
            flows[flow][:0] = flows.get((*flow[:-1], ""), [])
        for flow in with_activity:
            flows.pop((*flow[:-1], ""), None)
    return groups


def _row(key: tuple, flow: Flow, facts: list[Fact], operation: str) -> dict[str, Any]:
    """Make the row of a subject under one set of conditions of the flow, from its facts."""
    subject, nbits, choices = key
    form, configuration = _find(subject, nbits, choices)
    if form == "multiplier":
        operation = PRODUCT
    values: dict[str, Any] = {}
    used: list[Fact] = []
    for fact in facts:
        column = _column(fact)
        if fact.quantity == FACTOR:
            values[FACTOR] = max(float(fact.value), values.get(FACTOR, 1.0))
        elif column in NUMBERS or (fact.operation == operation and fact.quantity in _WORK):
            values[column] = fact.value
            used.append(fact)
    for name in _WORK:
        values[name] = values.pop(f"{operation}_{name}", None)
        if operation in OPERATIONS:
            values[f"{operation}_{name}"] = values[name]
    kinds = {fact.kind for fact in used}
    return {
        "point": point_name(subject, nbits, choices),
        "form": form,
        **dict(zip(IDENTITY, (*key, *flow), strict=True)),
        **(axes_of(configuration) if configuration else dict.fromkeys(AXES)),
        "operation": operation,
        **values,
        "constraint": _constraint(flow, values.get("min_period_ns")),
        "kind": max(kinds & set(_KINDS), key=_KINDS.index, default="measured"),
        "provenance": " ".join(sorted({fact.provenance for fact in used} - {""})),
        **dict.fromkeys(LABORATORY, ""),
    }


def _constraint(flow: Flow, min_period_ns: float | None) -> str:
    """Judge the constraint of a row by ``flow.layout``; empty if the row has none."""
    _, clock_ns, stage, _ = flow
    if clock_ns is None or min_period_ns is None:
        return ""
    return constraint_of(stage, clock_ns, min_period_ns)


def _column(fact: Fact) -> str:
    return f"{fact.operation}_{fact.quantity}" if fact.operation else fact.quantity


def find_configuration(subject: str, nbits: int, choices: str) -> Configuration | None:
    """Find the configuration of a design, or of a system's accelerator; None if there is none."""
    found = _find(subject, nbits, choices)[1]
    return found if isinstance(found, Configuration) else None


@cache
def _find(subject: str, nbits: int, choices: str) -> tuple[str, Circuit | None]:
    """Find a subject's form (``design``, ...) and its configuration, None if it is unknown."""
    asked = choices_of(choices)
    form = "design" if subject in catalog.designs() else "other"
    if catalog.is_multiplier(subject) or subject in catalog.REDUCERS:
        form = "multiplier"
    try:
        target = find_target(subject, nbits, asked)
    except ValueError:
        return form, None
    return "system" if form == "other" else form, target.core


def _is_point(row: Mapping[str, Any]) -> bool:
    """Whether a row has figures of a circuit. The row of a program has cycles, but no area."""
    wanted = NUMBERS if row["form"] != "other" else ("area_um2", *_RESOURCES)
    return any(row.get(name) is not None for name in wanted if name != FACTOR)


#: Time at which facts were made or last requested, in seconds since 1970, and the facts.
Source = tuple[float, list[Fact]]


def flow_sources(build: Path, known: Mapping[str, float]) -> Iterator[Source]:
    """Yield the facts of each result of the flow in a build folder.

    ``known`` has, by hash of a result, when a table with its facts was written: a result that was
    last requested before that time is left out.
    """
    for earlier in earlier_results(build / "flow", build / "fpga"):
        if known.get(earlier.result.hash, 0.0) < earlier.asked_s:
            yield earlier.asked_s, list(earlier_facts(earlier))


def earlier_facts(earlier: Earlier) -> Iterator[Fact]:
    choices, program = choices_and_program(earlier.design, earlier.nbits, earlier.params)
    result, about = earlier.result, (earlier.design, choices_text(choices))
    if isinstance(result, Record):
        return record_facts(_of_the_workload(result), *about, program=program)
    if isinstance(result, FpgaRecord):
        return fpga_facts(result, *about)
    return outline_facts(result, earlier.nbits, *about)


def choices_and_program(
    design: str, nbits: int, params: Mapping[str, Any]
) -> tuple[Mapping[str, Any], str]:
    """Return the choices that differ from the design's own, and a system's program or "".

    The program stands for a system with an accelerator: ``xcel``, or ``axi`` on the bus. For a
    design that the catalog does not know, all parameters are choices.
    """
    try:
        if not is_system(design):
            return catalog.find(design).configure(nbits, **params).changed, ""
        system = find_system(design, nbits, **params)
    except ValueError:
        return params, ""
    usual = {p.name: p.default(nbits) for p in system.parameters}
    changed = {name: x for name, x in system.params.items() if usual.get(name, x) != x}
    if system.configuration is None:
        return changed, ""
    return system.configuration.changed | changed, system.kind.programs[0]


def _of_the_workload(record: Record) -> Record:
    """Return the record without operations whose exponent differs from the standard workload's."""
    if all(operation.exponent is None for operation in record.operations.values()):
        return record  # products of a multiplier: its width may have no RSA key
    usual = _exponents(record.nbits)
    kept = {
        name: x
        for name, x in record.operations.items()
        if usual.get(name.removeprefix(f"{x.program}_"), x.exponent) == x.exponent
    }
    return replace(record, operations=kept)


@cache  # making a key of 4096 bits takes seconds
def _exponents(nbits: int) -> Mapping[str, int]:
    return default_exponents(nbits)


def on_front(points: pd.DataFrame, columns: Sequence[str]) -> pd.Series[bool]:
    """Mark the rows that no other row beats; in each column, less is better.

    A row beats another one if it is nowhere worse and somewhere better. A row that lacks a figure,
    or is of a core whose results are wrong, is not on the front and beats no row.
    """
    figures = points[list(columns)].to_numpy(dtype=float)
    known = ~np.isnan(figures).any(axis=1)
    if "kind" in points:
        known &= (points["kind"] != WRONG).to_numpy()
    front = known.copy()
    for i in np.flatnonzero(known):
        no_worse = (figures[known] <= figures[i]).all(axis=1)
        better = (figures[known] < figures[i]).any(axis=1)
        front[i] = not (no_worse & better).any()
    return points.index.to_series().map(dict(zip(points.index, front, strict=True))).astype(bool)


_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}
_EQUALITY = {"=", "==", "!="}

#: Function that marks the rows that meet a condition.
Mask = Callable[[pd.DataFrame], "pd.Series[bool]"]


def matching(points: pd.DataFrame, condition: str) -> pd.DataFrame:
    """Select the rows that meet a condition. The condition is parsed, never executed.

    Comparisons are joined by ``and``, ``or``, ``not`` and parentheses. A column of texts is tested
    for equality, in which ``*`` stands for any characters and ``?`` for one. A comparison with an
    empty cell is false.
    """
    try:
        (mask,) = _grammar().parse_string(condition, parse_all=True)
    except pp.ParseException as error:
        rest = condition[error.loc :].strip() or "its end"
        raise ValueError(
            f"{condition!r} is not a condition, at {rest!r}: comparisons such as area_um2<5000, "
            "joined by and, or, not and parentheses, are allowed"
        ) from error
    return points[mask(points)]


@cache
def _grammar() -> pp.ParserElement:
    words = pp.one_of("and or not", as_keyword=True)
    column = ~words + pp.Word(pp.alphas + "_", pp.alphanums + "_")
    bare = ~words + pp.Word(pp.alphanums + "_*?.:=,-")
    number = pp.Regex(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?(?![\w*?:.])")
    number.set_parse_action(lambda tokens: float(tokens[0]))
    value = number | pp.QuotedString("'") | pp.QuotedString('"') | bare
    comparison = (column + pp.one_of(list(_COMPARE)) + value).set_parse_action(_comparison)
    levels: Any = [
        (pp.Keyword("not"), 1, pp.OpAssoc.RIGHT, _negation),
        (pp.Keyword("and"), 2, pp.OpAssoc.LEFT, _join(operator.and_)),
        (pp.Keyword("or"), 2, pp.OpAssoc.LEFT, _join(operator.or_)),
    ]
    return pp.infix_notation(comparison, levels)


def _comparison(tokens: Any) -> Mask:
    name, sign, value = tokens

    def mask(points: pd.DataFrame) -> pd.Series[bool]:
        if name not in points.columns:
            raise ValueError(f"column {name!r} is unknown; allowed: {', '.join(points.columns)}")
        cells = points[name]
        if pd.api.types.is_numeric_dtype(cells):
            if isinstance(value, str):
                raise ValueError(f"{name}{sign}{value}: {name} is a number")
            found = _COMPARE[sign](cells, value)
        elif sign not in _EQUALITY:
            raise ValueError(f"{name}{sign}{value}: {name} is a text; =, == and != are allowed")
        else:
            same = cells.map(lambda cell: fnmatchcase(str(cell), str(value)))
            found = ~same if sign == "!=" else same
        return found.fillna(False).astype(bool) & cells.notna()

    return mask


def _negation(tokens: Any) -> Mask:
    ((_, inner),) = tokens
    return lambda points: ~inner(points)


def _join(combine: Callable[[Any, Any], Any]) -> Callable[[Any], Mask]:
    def joined(tokens: Any) -> Mask:
        (operands,) = tokens
        return lambda points: reduce(combine, (operand(points) for operand in operands[::2]))

    return joined
