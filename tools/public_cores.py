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
from pathlib import Path
from typing import Any

import click
import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rsaxcel import catalog
from rsaxcel.catalog.registry import CORES
from rsaxcel.circuit import is_product
from rsaxcel.cli.main import guard
from rsaxcel.cli.progress import steps
from rsaxcel.eval.facts.points import choices_of, on_front, point_name
from rsaxcel.eval.measure.flows import AS_FAST_AS_CAN_BE_NS
from rsaxcel.eval.report.labels import Name, name_points, set_logarithmic
from rsaxcel.eval.report.plots import HOLLOW, INK, STYLE
from rsaxcel.eval.studies.designs import WHERE
from rsaxcel.store.errors import UserError
from rsaxcel.store.processes import in_own_group
from tools import readme
from tools.figure_table import FigureTable

LOOSE_NS = 10  #: clock period that asks nothing of a small core, so that its cells are the least

#: Commands that measure a core, with options beside its name and width.
COMMANDS = {
    "check": ("check", "--random", "100", "--keep-going"),
    "flow": ("flow", "--clock-ns", f"{AS_FAST_AS_CAN_BE_NS:g}"),
    "loose": ("flow", "--clock-ns", f"{LOOSE_NS:g}", "--activity", "zero"),
    "leak": ("leak", "--test", "exponent"),
    "fault": ("fault", "--count", "2000", "--no-safe-errors"),
}

WIDE_NBITS = 65  #: from this width on, operations take so long that fewer of them are run

#: Commands that measure a wide core, in place of those of the same names.
WIDE = COMMANDS | {
    "check": ("check", "--random", "10", "--only", "circuit"),
    "leak": ("check", "--only", "cycles"),
    "fault": ("fault", "--count", "256", "--no-safe-errors"),
}

#: Plot of the page.
FRONTS = readme.PAGES / "public-cores.png"

LEAST_NBITS = 32  #: of a core that has several widths

#: Quantities by which the best designs of this project stand beside the cores.
BEST = ("area_um2", "time_us", "area_time_um2_ms")

Row = dict[str, Any]
#: Name of a circuit, width in bits, and choices of a design of ours as in names of points.
Point = tuple[str, int, str]

_OURS: Row = {"source": "this project", "licence": "", "protocol": {"kind": "streams"}}
_HARDWARE = ("cell_count", "area_um2", "min_period_ns", "flip_flop_count", "notes", "activity")
_OPERATION = ("cycles", "energy_nj")
_TEXTS = ("title", "source", "licence")
_OPERANDS = ("base", "exponent", "modulus")
_SECONDS = 900


def asked_points(names: Iterable[str]) -> list[Point]:
    """Points of arguments ``NAME[:NBITS][,CHOICE=VALUE...]``; without, of all cores."""
    circuits = catalog.circuits()
    cores = [x for x, y in circuits.items() if hasattr(y, "described")]
    if not cores:
        raise UserError(f"{CORES} names no core; a folder of folders with core.toml is allowed")
    found = []
    for text in names or cores:
        name, choices = text.partition(",")[::2]
        name, width = name.partition(":")[::2]
        if name not in circuits or not (width or "0").isdecimal():
            raise UserError(f"{text}: no core or design and width; {', '.join(cores)} are allowed")
        usual = [x for x in circuits[name].widths if x >= LEAST_NBITS] or circuits[name].widths
        found.append((name, int(width) if width else usual[0], choices))
    return found


def best_designs(nbits: int) -> set[str]:
    """Designs of this project, for any modulus, that may be the best at a width.

    The figures of the pages make them the best at the width nearest to it, or at the one at which
    most designs are measured.
    """
    known: dict[int, dict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for fact in readme.AskedFacts(readme.read_kept()):
        usual = all(getattr(fact, x) in ("", None, y) for x, y in WHERE.items())
        if usual and not fact.choices and fact.quantity in BEST and fact.subject in catalog.DESIGNS:
            known[fact.nbits][fact.subject][fact.quantity] = float(fact.value)
    whole = {
        n: {x: y for x, y in own.items() if len(y) == len(BEST) and _takes_any_modulus(x, nbits)}
        for n, own in known.items()
    }
    fullest = max(whole, key=lambda n: len(whole[n]))
    nearest = min((n for n in whole if len(whole[n]) > 3), key=lambda n: abs(log2(n / nbits)))
    return {
        min(whole[n], key=lambda x: whole[n][x][quantity])
        for n in (fullest, nearest)
        for quantity in BEST
    }


def _takes_any_modulus(name: str, nbits: int) -> bool:
    design = catalog.find(name)
    return nbits in design.widths and not design.configure(nbits).constant_modulus


def told(name: str, nbits: int, choices: str = "") -> Row:
    """Return what is said of a core in its description, or of a design of ours."""
    circuit = catalog.find(name).configure(nbits, **choices_of(choices))
    own = getattr(circuit, "described", None)
    content: Row = own.table.content if own else _OURS
    limits = {
        "even moduli": own.odd_modulus if own else circuit.rules and circuit.rules.odd_modulus,
        "moduli that are shorter": own and own.full_modulus,
        "exponent 0": own and own.positive_exponent,
    }
    return {
        "name": name,
        "nbits": nbits,
        **({"choices": choices} if choices else {}),
        **texts(name),
        "language": ("VHDL" if own.standard else "Verilog") if own else "",
        "operation": own.operation if own else "mont_mul" if is_product(circuit) else "mod_exp",
        "protocol": content["protocol"]["kind"],
        "constants": [x.description for x in circuit.host_constants],
        "limits": [x for x, holds in limits.items() if holds],
    }


def texts(name: str) -> Row:
    """Return what a description, or our registry, says of a circuit, whatever its width."""
    entry = catalog.find(name)
    own = getattr(entry, "described", None)
    content: Row = own.table.content if own else _OURS | {"title": entry.summary}
    found = {x: content.get(x, "") for x in _TEXTS}
    primes = getattr(entry, "domain", "") == "crt"
    return found | {"claims": dict(content.get("claims", {})), "primes": primes}


def commands_of(name: str, nbits: int) -> dict[str, tuple[str, ...]]:
    """Return the commands that measure a circuit; the laboratory takes no multipliers."""
    found = WIDE if nbits >= WIDE_NBITS else COMMANDS
    multiplier = catalog.is_multiplier(name)
    return {x: y for x, y in found.items() if not multiplier or x in ("check", "flow", "loose")}


def measured(command: str, point: Point, seconds: int, *more: str) -> Row:
    """Return what is kept of a command's answers; ``told``: why there are none."""
    name, nbits, choices = point
    verb, *options = commands_of(name, nbits)[command]
    options += [f"--param={x}={y}" for x, y in choices_of(choices).items()]
    found = answers([verb, name, "--nbits", str(nbits), *options, *more], seconds)
    return {"told": found} if isinstance(found, str) else _KEPT[command](found)


def answers(asked: Sequence[str], seconds: int) -> list[Row] | str:
    """Return the objects that a command prints, or why there are none."""
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    try:
        # a group: its workers would go on without it
        with in_own_group(["rsaxcel", *asked, "--json"], **pipes) as process:
            out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"no end in {seconds} s"
    if out:
        return [json.loads(x) for x in out.splitlines()]
    *_, last = err.strip().splitlines() or [f"exit status {process.returncode}"]
    return last.removeprefix("rsaxcel: error: ")


def renewed(earlier: Row, found: Row) -> Row:
    """Return a new answer; where there is none, the earlier one stays, and ``later`` says why."""
    is_lost = "told" in found and "told" not in earlier
    return earlier | {"later": found["told"]} if is_lost else found


def _checked(answers: Sequence[Row]) -> Row:
    wrong = [x["reason"] for x in answers if x["verdict"] not in ("right", "limits")]
    late = [x for x in answers if x["verdict"] == "limits"]
    if late and not wrong:
        return {"told": f"{late[0]['step']}: {late[0]['reason']}"}
    # The same steps at other widths follow.
    told = {x["step"]: x["told"] for x in reversed(answers)}
    return {"wrong": wrong[0] if wrong else "", "outside": told.get("outside", "")}


def _flowed(answers: Sequence[Row]) -> Row:
    (record,) = answers
    *_, last = record["operations"].values()
    found = {x: record[x] for x in _HARDWARE} | {x: last[x] for x in _OPERATION}
    return {**found, "operation": [*record["operations"]][-1], "faults": record.get("faults")}


def _leaked(answers: Sequence[Row]) -> Row:
    if "step" in answers[0]:  # a wide core: the step of a check that measures cycles
        (step,) = answers
        if step["verdict"] != "right":
            return {"told": step["reason"]}
        words = step["told"].split()
        return {"time": {x: x in words or f"{x}:" in words for x in _OPERANDS}, "energy": {}}
    time = {x["operand"]: x["varies"] for x in answers if x["kind"] == "time"}
    energy = {
        x["test"]: [x["max_t"], x["threshold"], x["traces"]]
        for x in answers
        if x["kind"] == "energy"
    }
    return {"time": time, "energy": energy}


def _faulted(answers: Sequence[Row]) -> Row:
    (found,) = answers
    core = found.get("by_part", {}).get("core", found)  # without the faults in a core's shell
    return {x: core[x] for x in ("faults", "correct", "refused", "wrong", "no_answer")}


_KEPT = {"check": _checked, "flow": _flowed, "loose": _flowed, "leak": _leaked, "fault": _faulted}


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME[:NBITS][,CHOICE=VALUE...]...]")
@click.option("--seconds", default=_SECONDS, show_default=True, help="Time limit of a command.")
@click.option("--only", type=click.Choice([*COMMANDS]), help="Run one command; keep the others.")
@click.option("--traces", type=int, help="Traces of a test of leaks, for slow cores.")
def command(names: tuple[str, ...], seconds: int, only: str | None, traces: int | None) -> None:
    """Measure cores of RSAXCEL_CORES, all or those named, and write docs/records/public-cores.md.

    A core is measured at its least width of 32 bits or more, unless a width stands behind its name,
    and so are the best designs of this project at the widths of all cores. The commands use
    results that they have; figures of circuits that are not named stay, and so do those of a
    command that ends without new ones.
    """
    kept = {(x["name"], x["nbits"], x.get("choices", "")): x for x in readme.public_cores()}
    asked = dict.fromkeys(asked_points(names))
    for nbits in {nbits for name, nbits, _ in asked if not catalog.is_multiplier(name)}:
        asked |= dict.fromkeys((name, nbits, "") for name in sorted(best_designs(nbits)))
    for (name, *_), row in kept.items():
        if name in catalog.circuits():
            row |= texts(name)
    with steps("public cores") as progress:
        for point in asked:
            name, nbits, _ = point
            title = point_name(*point)
            try:
                own = told(*point)
            except UserError as error:  # the others are measured nevertheless
                progress(f"{title}: {error}")
                continue
            row = {x: {"told": "not measured"} for x in COMMANDS}
            row |= kept.get(point, {}) | own
            for each in commands_of(name, nbits):
                if only not in (None, each):
                    continue
                progress(f"{title}: {each}")
                many = [f"--traces={traces}"] if each == "leak" and traces else []
                row[each] = renewed(row[each], measured(each, point, seconds, *many))
                if "later" in row[each]:
                    progress(f"... {row[each]['later']}; the earlier figures stay")
            kept[point] = row
            rows = [kept[x] for x in sorted(kept, key=lambda x: (x[1], x[0], x[2]))]
            readme.CORES.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    draw(readme.public_cores(), FRONTS)
    readme.renew(readme.read_kept(), FigureTable.read(readme.FIGURES))


_BLUE, _BROWN, _SIZE_IN = "#2a6fbb", "#c4622d", (5.6, 4.2)
#: Styles of the fronts of ours, by what the host gives; each front may need what those before need.
_FRONTS = {
    "ours, nothing from the host": "-",
    "ours, constants of the modulus": "--",
    "ours, constants and primes": ":",
}


def points_of(rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """Return a point for each exponentiator with a flow's figures, by width."""
    points = [
        {
            "name": row["name"] + ("*" if "choices" in row else ""),
            "nbits": row["nbits"],
            "time_us": row["flow"]["cycles"] * row["flow"]["min_period_ns"] / 1000,
            "area_um2": row["flow"]["area_um2"],
            "is_ours": row["source"] == "this project",
            "needs": 2 if row["primes"] else 1 if row["constants"] else 0,
            "is_right": not row["check"].get("wrong"),
        }
        for row in rows
        if "area_um2" in row["flow"] and row["operation"] == "mod_exp"
    ]
    return pd.DataFrame(points)


def fronts(points: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the fronts of ours at one width, each from the least time on."""
    ours = points[points["is_ours"]]
    among = {label: ours[ours["needs"] <= most] for most, label in enumerate(_FRONTS)}
    return {
        label: x[on_front(x, ["time_us", "area_um2"])].sort_values("time_us")
        for label, x in among.items()
    }


def draw(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Draw a panel for each width at which there are ours and others; of ours, only the fronts."""
    points = points_of(rows)
    widths = [n for n, x in points.groupby("nbits") if 0 < x["is_ours"].sum() < len(x)]
    width_in, height_in = _SIZE_IN
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(width_in, height_in * len(widths)), layout="constrained")
        panels = figure.subplots(len(widths), squeeze=False)[:, 0]
        names = {
            axes: _panel(axes, points[points["nbits"] == nbits], f"{nbits} bits")
            for axes, nbits in zip(panels, widths, strict=True)
        }
        # Beside the panels, where no name of a point can cross it.
        lines, labels = panels[0].get_legend_handles_labels()
        figure.legend(lines, labels, loc="outside upper left", fontsize=8, frameon=False)
        name_points(figure, names)
        figure.savefig(path, dpi=130, metadata={"Software": None})


def _panel(axes: Axes, points: pd.DataFrame, title: str) -> list[Name]:
    found = fronts(points)
    for label, front in found.items():
        style: Any = {"color": _BLUE, "alpha": 0.6, "linewidth": 1.3}
        axes.plot(front["time_us"], front["area_um2"], _FRONTS[label], label=label, **style)
    best = pd.concat(found.values()).index
    shown = points[~points["is_ours"] | points.index.isin(best)]
    names = []
    for point in shown.to_dict("records"):
        at = point["time_us"], point["area_um2"]
        look: dict[str, Any] = {"color": _BLUE if point["is_ours"] else _BROWN, "markersize": 6}
        axes.plot(*at, "o", **look | ({} if point["is_right"] else HOLLOW))
        names.append(Name(point["name"], at, {"fontsize": 8, "color": INK}))
    for axis, column in (("x", "time_us"), ("y", "area_um2")):
        set_logarithmic(axes, axis, shown[column].min(), shown[column].max())
    axes.set(title=title, xlabel="time of a decryption in µs", ylabel="area of the cells in µm²")
    return names


if __name__ == "__main__":
    sys.exit(guard(command, "python -m tools.public_cores"))
