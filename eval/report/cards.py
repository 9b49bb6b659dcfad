"""Makes the page's cards: description, measurements and inner structure of each design."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import pandas as pd

from rsaxcel import catalog
from rsaxcel.catalog import Configuration
from rsaxcel.circuit import is_product
from rsaxcel.cl.elastic import latency
from rsaxcel.cl.exponentiator import ExponentiatorCL
from rsaxcel.eval.facts.described import describe
from rsaxcel.eval.facts.fact import OPERATIONS, USUAL_OPERATION
from rsaxcel.eval.facts.points import choices_of
from rsaxcel.eval.facts.quantities import POWERS, QUANTITIES, enough_digits
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.pictures.floor import floor_data
from rsaxcel.eval.pictures.placed import Placed
from rsaxcel.eval.report.spec import OPERATION_TITLES
from rsaxcel.flow.earlier import record_files
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.files import read_json
from rsaxcel.flow.job import circuit_job, energy_job
from rsaxcel.flow.layout import SYNTHESIZED
from rsaxcel.flow.outline import OUTLINE
from rsaxcel.flow.record import Record
from rsaxcel.flow.requests import default_exponents, workload_operands
from rsaxcel.flow.resources import MODULE_FAMILIES
from rsaxcel.flow.run import RECORD, stored_folders
from rsaxcel.flow.subjects import find_target
from rsaxcel.lab.findings import Finding, findings
from rsaxcel.plan.programs import Program
from rsaxcel.plan.walk import Formed, State, walk
from rsaxcel.store.errors import UserError

_PLACED_FILES = {
    "placed.v": "netlist",
    "placed.def": "places",
    "placed.spef": "wires",
    "clock.json": "clock tree",
    "placed-timing.json": "timing",
    "placed-power.json": "power",
    "placed-record.json": "record",
}

#: Function that reads a placed circuit by the hashes of its records, separated by blanks.
Loader = Callable[[str], Placed | None]


def placed_circuits(flows: Path) -> Loader:
    """Return a function that reads placed circuits; it returns None if there is no such circuit."""
    find = record_files(flows)

    def load(hashes: str) -> Placed | None:
        for key in hashes.split():
            found = find(key)
            if found is None or "placed-record.json" not in found[1]:
                continue
            try:
                record = Record.from_json(read_json(found[1]["placed-record.json"]))
                return Placed(record, found[1])
            except (FlowError, OSError):
                return None
        return None

    return load


def placed_anatomy(folder: Path, placed: Placed) -> Anatomy:
    """Collect the inner structure of a placed circuit; links are relative to ``folder``."""
    links = {
        title: os.path.relpath(placed.files[name], folder)
        for name, title in _PLACED_FILES.items()
        if name in placed.files
    }
    timing, power = (read_json(placed.file(f"placed-{x}.json")) for x in ("timing", "power"))
    return _anatomy(dict(Counter(placed.kinds).most_common()), timing, power, links, _floor(placed))


def _floor(placed: Placed) -> Mapping[str, object]:
    """Collect the data of the picture; empty if a file of the run is missing."""
    known = placed.record.operations
    usual = next((x for x in known if x.endswith(USUAL_OPERATION)), placed.record.operation)
    try:
        return floor_data(placed, usual)
    except FlowError:
        return {}


#: Titles of the linked files, by node of the flow and file name.
_FILES = {
    "translate": {"design.v": "Verilog"},
    "synthesis": {"netlist.v": "netlist", "synthesis.json": "cells"},
    "timing": {"timing.json": "timing"},
    "gate-simulation": {"simulation.json": "simulation"},
    "power": {"power.json": "power"},
    "record": {"record.json": "record"},
    "run": {"make.log": "log of the run"},
}


@dataclass(frozen=True)
class Anatomy:
    """Inner structure of a circuit, beyond its facts; a field without data is empty."""

    cells: Mapping[str, int] = field(default_factory=dict)  #: number of cells by kind
    #: histogram of slacks, see flow.timer.histogram
    slacks: Mapping[str, Any] = field(default_factory=dict)
    #: cells of the longest path, see flow.opensta.read_ends
    path: tuple[Mapping[str, Any], ...] = ()
    required_ns: float | None = None  #: time at which a signal must arrive at the end of the path
    #: mW by operation and instance, without instances inside
    power_by_module: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)  #: relative paths of files by title
    #: data of the picture, see eval.pictures.floor.floor_data
    floor: Mapping[str, Any] = field(default_factory=dict)


def find_anatomy(
    folder: Path, subject: str, nbits: int, choices: str, library: str, clock_ns: float, hashes: str
) -> Anatomy:
    """Read a circuit's inner structure from the flow's folders; without results, it is empty.

    ``hashes`` of the facts' records are separated by blanks; links are relative to ``folder``.
    """
    try:
        target = find_target(subject, nbits, choices_of(choices))
        asked, goal = (circuit_job, OUTLINE) if is_product(target) else (energy_job, RECORD)
        results = stored_folders(asked(target, library, clock_ns), goal)
    except (ValueError, OSError):
        return Anatomy()
    last = results.get("record", results.get("timing"))
    if last is None or not any(last.name.endswith(f"-{x}") for x in hashes.split()):
        return Anatomy()
    cells = _read(results, "synthesis").get("cells", {})
    timing, power = (_read(results, x) for x in ("timing", "power"))
    return _anatomy(cells, timing, power, _links(results, folder))


def _anatomy(
    cells: Mapping[str, int],
    timing: Mapping[str, Any],
    power: Mapping[str, Any],
    links: Mapping[str, str],
    floor: Mapping[str, Any] | None = None,
) -> Anatomy:
    """Collect an inner structure from cells by kind, and the files of timing and power."""
    return Anatomy(
        cells,
        timing.get("slacks", {}),
        tuple(timing.get("path", ())),
        timing.get("required_ns"),
        {
            name: operation.get("power_mw_by_module", {})
            for name, operation in power.get("operations", {}).items()
        },
        links,
        floor or {},
    )


def _read(results: Mapping[str, Path], node: str) -> Mapping[str, Any]:
    path = results.get(node, Path()) / f"{node}.json"
    return read_json(path) if path.is_file() else {}


def _links(results: Mapping[str, Path], folder: Path) -> dict[str, str]:
    return {
        title: os.path.relpath(path, folder)
        for node, files in _FILES.items()
        if node in results
        for name, title in files.items()
        if (path := results[node] / name).is_file()
    }


_TIMES = "\N{MULTIPLICATION SIGN}"


def cycle_formula(
    configuration: Configuration, exponent: int, modulus: int
) -> tuple[list[str], int] | None:
    """Return a line with the sum of each executor's cycles, and the total; None without formula.

    Cycles go to the request, to units for constants, and to each step: products of its busiest
    lane, and control. There is no formula if the cycles of a product depend on its operands.
    """
    if configuration.base_dependent:
        return None
    model = configuration.timing
    lines, total = [], 0
    for program in model.golden.programs:
        text, cycles = _machine(model, program, exponent, modulus)
        lines.append(f"{program.name}: {text} = {cycles:,}")
        total += cycles
    return lines, total


def _machine(
    model: ExponentiatorCL, program: Program, exponent: int, modulus: int
) -> tuple[str, int]:
    handshake = model.handshake
    fixed = handshake.fixed_cycles
    terms, cycles = [f"{fixed} (request)"], fixed
    if program.computed_constants:
        taken = max(latency(unit.durations(modulus)) for unit in model.units) + 1
        terms.append(f"{taken} (constants)")
        cycles += taken
    if len(program.turns) > 1:
        turns = len(program.turns) - 1
        terms.append(f"{turns} {_TIMES} {handshake.later_turn_cycles} (start of the next half)")
        cycles += turns * handshake.later_turn_cycles
    if program.reduction:
        terms.append(f"{program.reduction.steps} (reduction)")
        cycles += program.reduction.steps
    for (most, taken), count in _steps(model, program, exponent, modulus).items():
        control = handshake.step_cycles
        each = f"({taken} + {control})" if taken else f"{control}"
        named = f"{most} products in a row" if most > 1 else "product" if most else "no product"
        terms.append(f"{count:,} {_TIMES} {each} ({named})")
        cycles += count * (taken + control)
    return " + ".join(terms), cycles


def _steps(
    model: ExponentiatorCL, program: Program, exponent: int, modulus: int
) -> Counter[tuple[int, int]]:
    """Count steps by the busiest lane's products, and cycles without those of control."""
    found: Counter[tuple[int, int]] = Counter()
    names = (*program.residues, "b")
    split, numbers = [exponent], {}
    if halves := model.golden.halves:
        split, numbers = [*halves.split_numbers(exponent)[0]], halves.numbers_of(exponent)
    states = [State(0, each, dict.fromkeys(names, 0), numbers=numbers) for each in split]
    more = model.more_cycles(program)
    for step in chain.from_iterable(walk(program, states)):
        formed = [Formed(x.product, x.half, 0, 0, 0, 0) for x in step]
        lanes = Counter(program.lane_of[each.product, each.half] for each in formed)
        # The cycles of products do not depend on the operands, so any operands will do.
        taken = model.step_cycles(formed, program, [modulus] * len(states), more)
        found[max(lanes.values(), default=0), taken - model.handshake.step_cycles] += 1
    return found


#: Columns of a card's table; figures of operations have a column for each operation.
FIGURES = ("area_um2", "min_period_ns", "alms", "luts", "cycles", "time_us", "energy_nj")

#: Function that reads the flow's folders, see ``eval.report.cards.find_anatomy``.
Look = Callable[[str, int, str, str, float, str], Anatomy]


@dataclass(frozen=True)
class Variant:
    """Measured variant of a design: a width, parameters, a library and a clock."""

    row: int  #: number of the variant's row in the table of points
    conditions: str  #: width, parameters, library and clock
    figures: Mapping[str, str]  #: texts by column of FIGURES, after an operation: encrypt_time_us
    command: str  #: command that measures the variant
    #: cycles of the usual operation: a line for each executor, then their sum
    formula: Sequence[str]
    links: Mapping[str, str]  #: relative paths of files by title
    kind: str  #: weakest origin of the figures (eval.facts.fact.Kind)


@dataclass(frozen=True)
class Card:
    """Card of a design, system or multiplier."""

    name: str
    form: str  #: design, system, multiplier or other
    colour: str
    summary: str
    about: Mapping[str, str]  #: axes, widths, input rules, constants, source
    parameters: Sequence[Mapping[str, Any]]  #: see eval.facts.described.describe
    variants: Sequence[Variant]
    laboratory: Sequence[Finding] = ()  #: findings: what leaks, effects of faults, proofs

    @property
    def columns(self) -> list[str]:
        """Columns in which at least one variant has a figure."""
        found = {name for variant in self.variants for name in variant.figures}
        return [name for name in _columns() if name in found]


def _columns() -> Iterator[str]:
    for name in FIGURES:
        yield name
        yield from (f"{operation}_{name}" for operation in OPERATIONS)


def heading(column: str) -> tuple[str, str, str]:
    """Title of the operation, label and unit of a column."""
    operation, _, rest = column.partition("_")
    name = rest if operation in OPERATIONS else column
    found = QUANTITIES[name]
    title = OPERATION_TITLES[operation] if operation in OPERATIONS else ""
    unit = "" if found.unit == found.label.lower() else found.unit
    return title, found.label[:1].upper() + found.label[1:], unit


def make_cards(
    frame: pd.DataFrame, facts: Facts, colours: Mapping[str, str], look: Look
) -> tuple[list[Card], dict[int, dict[str, Any]]]:
    """Make the cards, and the data on inner structure for each row of the table of points."""
    order = list(catalog.circuits())
    names = list(dict.fromkeys(frame["subject"]))
    names.sort(key=lambda name: (name not in order, order.index(name) if name in order else 0))
    areas, powers = _areas(facts), _powers(facts)
    rows: dict[str, list[dict[str, Any]]] = {}
    for index, row in enumerate(frame.to_dict("records")):
        rows.setdefault(str(row["subject"]), []).append({**row, "row": index})
    cards, insides = [], {}
    for name in names:
        variants = []
        for row in rows[name]:
            clock = row["clock_ns"] if pd.notna(row["clock_ns"]) else 0.0
            place = (name, row["nbits"], row["choices"], row["library"], clock, row["stage"])
            found = look(*place[:-1], row["provenance"])
            insides[row["row"]] = _inside(found, areas.get(place, {}), powers.get(place, {}), row)
            variants.append(_variant(row, found))
        about, parameters = _about(name)
        summary = about.pop("summary", "")
        form = str(rows[name][0]["form"])
        kept = list(findings(name))
        cards.append(Card(name, form, colours[name], summary, about, parameters, variants, kept))
    return cards, insides


def _areas(facts: Facts) -> dict[tuple, dict[str, float]]:
    found: dict[tuple, dict[str, float]] = {}
    for fact in facts:
        if fact.part and fact.quantity == "area_um2" and not fact.printed:
            found.setdefault(_place(fact), {})[fact.part] = float(fact.value)
    return found


def _powers(facts: Facts) -> dict[tuple, dict[str, dict[str, float]]]:
    parts = {f"{name}_mw": label for name, label in POWERS.items()}
    found: dict[tuple, dict[str, dict[str, float]]] = {}
    for fact in facts:
        if fact.quantity in parts and fact.operation in OPERATIONS and not fact.printed:
            of_it = found.setdefault(_place(fact), {}).setdefault(fact.operation, {})
            of_it[parts[fact.quantity]] = float(f"{fact.value:.5g}")
    return found


def _place(fact: Any) -> tuple:
    about = fact.subject, fact.nbits, fact.choices, fact.library, fact.clock_ns or 0.0
    return *about, fact.stage


def _inside(
    found: Anatomy, areas: Mapping[str, float], powers: Mapping[str, Any], row: Mapping[str, Any]
) -> dict[str, Any]:
    """Collect a variant's inner structure, as data for the page's script."""
    whole = row["area_um2"]
    kept = {
        "area": float(f"{whole:.6g}") if pd.notna(whole) else None,
        "areas": {path: float(f"{area:.6g}") for path, area in areas.items()},
        "powers": powers,
        **{name: x for name, x in asdict(found).items() if name != "links"},
    }
    kept["path"] = [
        [x["pin"], x["cell"], x["edge"], x["load_ff"], x["slew_ns"], x["delay_ns"], x["time_ns"]]
        for x in found.path
    ]
    return {name: x for name, x in kept.items() if x}


def _variant(row: Mapping[str, Any], found: Anatomy) -> Variant:
    figures = {name: _text(name, row[name]) for name in _columns() if name in row}
    known = {name: text for name, text in figures.items() if text}
    # A figure with a column for each operation, such as encrypt_time_us, loses its column without
    # an operation, such as time_us.
    own = {name for name in FIGURES if f"{OPERATIONS[0]}_{name}" in figures}
    return Variant(
        row["row"],
        conditions(row),
        {name: text for name, text in known.items() if name not in own},
        _command(row),
        _formula(row),
        found.links,
        row["kind"],
    )


def _text(column: str, value: Any) -> str:
    if value is None or pd.isna(value):
        return ""
    operation, _, rest = column.partition("_")
    found = QUANTITIES[rest if operation in OPERATIONS else column]
    return found.text(float(value), enough_digits(float(value), found.digits))


def conditions(row: Mapping[str, Any]) -> str:
    """Text on width, choices, library, clock and stage of a point."""
    clock = f"for {row['clock_ns']:g} ns" if pd.notna(row["clock_ns"]) else ""
    choices = row["choices"].replace(",", ", ")
    stage = row["stage"] if row["stage"] not in ("", SYNTHESIZED) else ""
    about = f"{row['nbits']} bits", choices, row["library"], clock, stage
    return "; ".join(filter(None, about))


def _command(row: Mapping[str, Any]) -> str:
    command = ["rsaxcel", "", row["subject"], "--nbits", str(row["nbits"])]
    is_fpga = row["library"] in MODULE_FAMILIES
    if row["library"] and not is_fpga and row["form"] in ("design", "system", "multiplier"):
        command[1] = "flow"
        command += ["--clock-ns", f"{row['clock_ns']:g}", "--library", row["library"]]
        if row["stage"] not in ("", SYNTHESIZED):
            command += ["--stage", row["stage"]]
    elif is_fpga:
        command[1] = "fpga"
        command += ["--family", row["library"]]
    elif row["library"]:
        return "rsaxcel report --all"
    else:
        command[1] = "sim"
        command += ["--random", "100"]
    for name, value in choices_of(row["choices"]).items():
        command += ["--param", f"{name}={value}"]
    return " ".join(command)


def _formula(row: Mapping[str, Any]) -> Sequence[str]:
    """Lines that add up the cycles of ``row["operation"]``; none without the right sum."""
    if row["form"] != "design" or pd.isna(row["cycles"]):
        return ()
    exponent = default_exponents(row["nbits"])[row["operation"]]
    try:
        design = catalog.get(row["subject"])
        configuration = design.configure(row["nbits"], **choices_of(row["choices"]))
        ((_, *key),) = workload_operands(configuration, exponent, 1)
        found = cycle_formula(configuration, *key)
    except ValueError:
        return ()
    if found is None or found[1] != row["cycles"]:
        return ()
    lines, total = found
    return (*lines, f"together {total:,}, as measured") if len(lines) > 1 else lines


def _about(name: str) -> tuple[dict[str, str], Sequence[Mapping[str, Any]]]:
    """Return description and parameters of a design, multiplier or system, as ``rsaxcel list``."""
    try:
        entry = describe(name)
    except UserError:
        return {}, ()
    about = {"summary": str(entry.get("summary", ""))}
    about |= {axis: str(choice) for axis, choice in entry.get("axes", {}).items()}
    about["widths"] = f"{entry['nbits_min']} to {entry['nbits_max']} bits"
    if rules := entry.get("input_rules"):
        about["input rules"] = ", ".join(f"{rule} ({text})" for rule, text in rules.items())
    if given := entry.get("host_constants") or entry.get("constants"):
        about["constants"] = ", ".join(constant["description"] for constant in given)
    if source := entry.get("source"):
        about["source"] = str(source)
    return about, entry["parameters"]
