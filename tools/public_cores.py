"""``python -m tools.public_cores``: measures the cores of others for the page on public cores.

Neither a core nor its description is in the repository: ``RSAXCEL_CORES`` names their folder. Every
figure is the answer of a command that the page names.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import log2
from typing import Any

import click

from rsaxcel import catalog
from rsaxcel.catalog.registry import CORES
from rsaxcel.circuit import is_product
from rsaxcel.cli.main import guard
from rsaxcel.cli.progress import steps
from rsaxcel.eval.measure.flows import AS_FAST_AS_CAN_BE_NS
from rsaxcel.eval.studies.designs import WHERE
from rsaxcel.store.errors import UserError
from tools import readme
from tools.figure_table import FigureTable

COMMANDS = {
    "check": ("--random", "100", "--keep-going"),
    "flow": ("--clock-ns", f"{AS_FAST_AS_CAN_BE_NS:g}"),
    "leak": ("--test", "exponent"),
    "fault": ("--count", "2000", "--no-safe-errors"),
}
"""Commands that measure a core, with options beside its name and width."""

LEAST_NBITS = 32  #: of a core that has several widths

BEST = {"area_um2": "area", "time_us": "time", "area_time_um2_ms": "area x time"}
"""Quantities by which the best designs of this project stand beside the cores."""

Row = dict[str, Any]

_OURS: Row = {"source": "this project", "licence": "", "protocol": {"kind": "streams"}}
_HARDWARE = ("cell_count", "area_um2", "min_period_ns", "flip_flop_count", "notes", "activity")
_OPERATION = ("cycles", "energy_nj")
_SECONDS = 900


def widths_of(names: Iterable[str]) -> list[tuple[str, int]]:
    """Circuits and widths of arguments ``NAME`` or ``NAME:NBITS``; without, of all cores."""
    circuits = catalog.circuits()
    cores = [x for x, y in circuits.items() if hasattr(y, "described")]
    if not cores:
        raise UserError(f"{CORES} names no core; a folder of folders with core.toml is allowed")
    found = []
    for text in names or cores:
        name, _, width = text.partition(":")
        if name not in circuits or not (width or "0").isdecimal():
            raise UserError(f"{text}: no core or design and width; {', '.join(cores)} are allowed")
        usual = [x for x in circuits[name].widths if x >= LEAST_NBITS] or circuits[name].widths
        found.append((name, int(width) if width else usual[0]))
    return found


def best_designs(nbits: int) -> dict[str, list[str]]:
    """Designs of this project that the pages' figures make the best, with what they are best in.

    The figures are those at the width, or at the one nearest to it, of designs for any modulus.
    """
    known: dict[int, dict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for fact in readme.AskedFacts(readme.read_kept()):
        usual = all(getattr(fact, x) in ("", None, y) for x, y in WHERE.items())
        if usual and not fact.choices and fact.quantity in BEST and fact.subject in catalog.DESIGNS:
            known[fact.nbits][fact.subject][fact.quantity] = float(fact.value)
    whole = {
        n: {x: y for x, y in own.items() if y.keys() == BEST.keys()} for n, own in known.items()
    }
    nearest = min((n for n in whole if len(whole[n]) > 2), key=lambda n: abs(log2(n / nbits)))
    found: dict[str, list[str]] = defaultdict(list)
    for quantity, title in BEST.items():
        own = {x: y[quantity] for x, y in whole[nearest].items() if _takes_any_modulus(x, nbits)}
        found[min(own, key=own.__getitem__)].append(title)
    return found


def _takes_any_modulus(name: str, nbits: int) -> bool:
    design = catalog.find(name)
    return nbits in design.widths and not design.configure(nbits).constant_modulus


def told(name: str, nbits: int) -> Row:
    """Return what is said of a core in its description, or of a design of ours."""
    circuit = catalog.find(name).configure(nbits)
    own = getattr(circuit, "described", None)
    ours = _OURS | {"title": catalog.find(name).summary}
    content: Row = own.table.content if own else ours
    limits = {
        "even moduli": circuit.rules and circuit.rules.odd_modulus,
        "moduli that are shorter": own and own.full_modulus,
        "exponent 0": own and own.positive_exponent,
    }
    return {
        "name": name,
        "nbits": nbits,
        **{x: content.get(x, "") for x in ("title", "source", "licence")},
        "claims": dict(content.get("claims", {})),
        "language": ("VHDL" if own.standard else "Verilog") if own else "",
        "operation": own.operation if own else "mont_mul" if is_product(circuit) else "mod_exp",
        "protocol": content["protocol"]["kind"],
        "constants": [x.description for x in circuit.host_constants],
        "limits": [x for x, holds in limits.items() if holds],
    }


def measured(command: str, name: str, nbits: int, seconds: int) -> Row:
    """Return what is kept of a command's answer; ``told``: why there is none."""
    asked = ["rsaxcel", command, name, "--nbits", str(nbits), *COMMANDS[command], "--json"]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return {"told": f"no end in {seconds} s"}
    answers = [json.loads(x) for x in done.stdout.splitlines()]
    if not answers:
        *_, last = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        return {"told": last.removeprefix("rsaxcel: error: ")}
    return _KEPT[command](answers)


def _checked(answers: Sequence[Row]) -> Row:
    wrong = [x["reason"] for x in answers if x["verdict"] != "right"]
    # The same steps at other widths follow.
    told = {x["step"]: x["told"] for x in reversed(answers)}
    return {"wrong": wrong[0] if wrong else "", "outside": told.get("outside", "")}


def _flowed(answers: Sequence[Row]) -> Row:
    (record,) = answers
    *_, last = record["operations"].values()
    found = {x: record[x] for x in _HARDWARE} | {x: last[x] for x in _OPERATION}
    return {**found, "operation": [*record["operations"]][-1], "faults": record.get("faults")}


def _leaked(answers: Sequence[Row]) -> Row:
    time = {x["operand"]: x["varies"] for x in answers if x["kind"] == "time"}
    energy = {x["test"]: [x["max_t"], x["threshold"]] for x in answers if x["kind"] == "energy"}
    return {"time": time, "energy": energy}


def _faulted(answers: Sequence[Row]) -> Row:
    (found,) = answers
    return {x: found[x] for x in ("faults", "correct", "refused", "wrong", "no_answer")}


_KEPT = {"check": _checked, "flow": _flowed, "leak": _leaked, "fault": _faulted}


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME[:NBITS]...]")
@click.option("--seconds", default=_SECONDS, show_default=True, help="Time limit of a command.")
@click.option("--only", type=click.Choice([*COMMANDS]), help="Run one command; keep the others.")
def command(names: tuple[str, ...], seconds: int, only: str | None) -> None:
    """Measure cores of RSAXCEL_CORES, all or those named, and write docs/public-cores.md.

    A core is measured at its least width of 32 bits or more, unless a width stands behind its name,
    and so are the best designs of this project at the widths of all cores. The commands use
    results that they have; figures of circuits that are not named stay.
    """
    kept = {(x["name"], x["nbits"]): x for x in readme.public_cores()}
    asked: dict[tuple[str, int], list[str]] = {at: [] for at in widths_of(names)}
    for nbits in {nbits for name, nbits in asked if not catalog.is_multiplier(name)}:
        asked |= {(name, nbits): best for name, best in best_designs(nbits).items()}
    with steps("public cores") as progress:
        for (name, nbits), best in asked.items():
            try:
                own = told(name, nbits)
            except UserError as error:  # the others are measured nevertheless
                progress(f"{name}, {nbits} bits: {error}")
                continue
            earlier = kept.get((name, nbits)) or {x: {"told": "not measured"} for x in COMMANDS}
            row = {**earlier, **own, "best": best}
            for each in [only] if only else COMMANDS:
                progress(f"{name}, {nbits} bits: {each}")
                row[each] = measured(each, name, nbits, seconds)
            kept[name, nbits] = row
            rows = sorted(kept.values(), key=lambda x: (x["nbits"], x["name"]))
            readme.CORES.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    readme.renew(readme.read_kept(), FigureTable.read(readme.FIGURES))


if __name__ == "__main__":
    sys.exit(guard(command, "python -m tools.public_cores"))
