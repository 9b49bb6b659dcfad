"""Routed wires beside the estimate: the same places, routed and extracted by OpenROAD.

``python -m tools.routed_wires montmul_r2l_shared:32:1.5:0.7`` places and routes each design (name,
width in bits, clock in ns, utilisation) with OpenROAD, and prints violations of the layers' rules,
the period before and after routing, and how far the capacitance of each net's wires, as extracted,
lies from that of the flow's Steiner trees. The environment variable ``RSAXCEL_RCX_RULES`` has to
name OpenRCX's file of rules.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from flow.errors import FlowError
from flow.files import read_json
from flow.kit import DEFAULT_LIBRARY
from flow.layout import OPENROAD, PLACED, ROUTED, Layout
from flow.physical.openroad.program import openroad_version
from flow.physical.placed import SPEF
from flow.physical.spef import read_totals
from flow.run import run_netlist
from flow.subjects import find_target
from tools.beside_openroad import Case

_LEAST_FF = 0.1
"""Nets with less estimated wire are left out of the errors by net, fF: they are a micrometre."""


def run(case: Case, stage: str) -> Mapping[str, Path]:
    """Take a design to a stage with OpenROAD; return the files of the flow's nodes by name."""
    target = find_target(case.design, case.nbits, {})
    layout = Layout(stage, OPENROAD, case.utilisation)
    return run_netlist(target, DEFAULT_LIBRARY, case.clock_ns, layout=layout, progress=_tell)[1]


def errors(estimated: Mapping[str, float], extracted: Mapping[str, float]) -> np.ndarray:
    """Return each net's estimated over its extracted capacitance, less 1."""
    pairs = [(estimated[net], extracted[net]) for net in estimated if estimated[net] > _LEAST_FF]
    own, real = np.array(pairs).T
    return own / real - 1


def describe(case: Case) -> str:
    """Route a design; return the lines that tell what came out.

    Raises
    ------
    FlowError
        If a step fails, or if the wires were not extracted.
    """
    placed, routed = run(case, PLACED), run(case, ROUTED)
    before, after = (read_json(files["placed-timing.json"]) for files in (placed, routed))
    wires = read_json(routed["wires.json"])
    if not wires["wires_extracted"]:
        raise FlowError("no wires were extracted: RSAXCEL_RCX_RULES names no file of rules")
    estimated, extracted = read_totals(placed[SPEF]), read_totals(routed[SPEF])
    found = errors(estimated, extracted)
    own, real = sum(estimated.values()) / 1e3, sum(extracted.values()) / 1e3
    middle, most = np.percentile(np.abs(found), [50, 95])
    period, routed_period = before["min_period_ns"], after["min_period_ns"]
    length = read_json(placed["wires.json"])["wire_length_mm"]
    return "\n".join(
        (
            f"{case.design}, {case.nbits} bits, {case.clock_ns:g} ns, {case.utilisation:g}",
            f"  violations {wires['violations']}",
            f"  wires {length:.4g} mm estimated, {wires['wire_length_mm']:.4g} mm routed",
            f"  capacitance {own:.4g} pF estimated, {real:.4g} pF extracted ({own / real - 1:+.1%})",
            f"  error by net, {len(found)} nets: median {middle:.1%}, 95th percentile {most:.1%}",
            f"  period {period:.4f} ns placed, {routed_period:.4f} ns routed "
            f"({routed_period / period - 1:+.1%})",
        )
    )


def _tell(line: str) -> None:
    print(f"  {line}", file=sys.stderr, flush=True)


def main(arguments: Sequence[str]) -> int:
    """Route the designs that the arguments name; return 1 if one of them failed."""
    parser = argparse.ArgumentParser(prog="python -m tools.routed_wires")
    parser.add_argument("cases", nargs="+", type=Case.of, metavar="NAME:NBITS:CLOCK:UTILISATION")
    asked = parser.parse_args(arguments)
    has_failed = False
    for case in asked.cases:
        try:
            print(f"OpenROAD {openroad_version()}: {describe(case)}", flush=True)
        except FlowError as error:
            print(f"{case.design}: {error}")
            has_failed = True
    return int(has_failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
