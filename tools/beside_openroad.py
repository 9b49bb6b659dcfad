"""The embedded physical tool beside OpenROAD: the same netlists, constraints and cores.

``python -m tools.beside_openroad mont_r2l:32:2.7:0.55 --seeds 5`` (name, bits, clock in ns,
utilisation) prints medians over the seeds: periods by the flow's timing with each tool's clock
tree, wires as this flow's Steiner trees. A layout that breaks a limit stays in the table. Then
OpenROAD judges the embedded tool's first layout: legal places, period, overflow of its router.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.export import export_openroad
from rsaxcel.flow.layout import EMBEDDED, OPENROAD
from rsaxcel.flow.physical.openroad.program import (
    figures,
    global_overflow,
    openroad_version,
    run_script,
)
from tools.cases import Case, LaidOut

_COLUMNS = (
    "min_period_ns",
    "area_um2",
    "wire_length_mm",
    "hold_slack_ns",
    "skew_ns",
    "slow_pins",
    "clock_buffers",
    "hold_buffers",
    "overflow",
)
_RATIOS = {"min_period_ns": 1.05, "area_um2": 1.03, "wire_length_mm": 1.02}
"""Figures whose ratio, embedded to OpenROAD, must not be larger than this."""


def compare(case: Case, seeds: Iterable[int]) -> tuple[dict[str, dict[str, float]], list[str]]:
    """Medians of figures over the seeds by tool, and the flow's complaints about layouts."""
    found, complaints = {}, []
    for physical in (EMBEDDED, OPENROAD):
        runs = []
        for seed in seeds:
            laid = case.lay_out(physical, seed)
            runs.append(_figures(laid))
            if laid.complaint:
                complaints.append(f"{physical}, seed {seed}: {laid.complaint}")
        found[physical] = {name: median(run[name] for run in runs) for name in _COLUMNS}
    return found, complaints


def _figures(laid: LaidOut) -> dict[str, float]:
    timing = laid.timing()
    assert timing.placed is not None  # the analysis had wires
    return {
        **laid.wires(),
        "min_period_ns": timing.min_period_ns,
        "hold_slack_ns": timing.placed.hold_slack_ns,
        "skew_ns": timing.placed.skew_ns,
        "slow_pins": len(timing.placed.slow_pins),
    }


def judge(case: Case, seed: int) -> dict[str, float]:
    """OpenROAD's figures of the embedded layout, with the flow's period; illegal: ``FlowError``."""
    laid = case.lay_out(EMBEDDED, seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "exported")
        export_openroad(laid.job, laid.files, folder)
        log = run_script((folder / "placed.tcl").read_text(), "placed", folder)
    found = figures(log)
    return {
        "own_ns": laid.timing().min_period_ns,
        "spef_ns": case.clock_ns - found["spef_slack_ns"],
        "estimated_ns": case.clock_ns - found["estimated_slack_ns"],
        "overflow": global_overflow(log),
    }


def table(case: Case, found: dict[str, dict[str, float]]) -> Iterable[str]:
    """Yield the lines of a comparison."""
    yield str(case)
    yield f"  {'':18}{EMBEDDED:>12}{OPENROAD:>12}{'ratio':>9}{'allowed':>9}"
    for name in _COLUMNS:
        mine, theirs = found[EMBEDDED][name], found[OPENROAD][name]
        line = f"  {name:18}{mine:12.4g}{theirs:12.4g}"
        if name in _RATIOS:
            line += f"{mine / theirs:9.3f}{_RATIOS[name]:9.2f}"
        yield line


def main(arguments: Sequence[str]) -> int:
    """Compare the named designs; 1 if a ratio is too large, or the flow refuses a layout."""
    parser = argparse.ArgumentParser(prog="python -m tools.beside_openroad")
    parser.add_argument("cases", nargs="+", type=Case.of, metavar="NAME:NBITS:CLOCK:UTILISATION")
    parser.add_argument("--seeds", type=int, default=1, help="number of seeds, from 1 on")
    asked = parser.parse_args(arguments)
    print(f"OpenROAD {openroad_version()}, {asked.seeds} seeds")
    is_worse = False
    for case in asked.cases:
        try:
            found, complaints = compare(case, range(1, asked.seeds + 1))
            judged = judge(case, 1)
        except FlowError as error:
            print(f"{case.design}: {error}")
            is_worse = True
            continue
        print("\n".join((*table(case, found), *(f"  refused: {line}" for line in complaints))))
        own = judged["own_ns"]
        print(
            f"  read by OpenROAD: legal; period with the layout's wires {judged['spef_ns']:.4f} ns "
            f"({judged['spef_ns'] / own - 1:+.1%}), with its own estimate "
            f"{judged['estimated_ns']:.4f} ns ({judged['estimated_ns'] / own - 1:+.1%}); "
            f"global route: overflow {judged['overflow']:g}",
            flush=True,
        )
        ratios = (found[EMBEDDED][x] / found[OPENROAD][x] <= most for x, most in _RATIOS.items())
        is_worse |= bool(complaints) or not all(ratios)
    return int(is_worse)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
