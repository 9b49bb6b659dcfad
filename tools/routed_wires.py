"""Routed wires beside the estimate: the same places, routed and extracted by OpenROAD.

``python -m tools.routed_wires montmul_r2l_shared:32:1.5:0.7`` (name, bits, clock in ns,
utilisation) prints violations of rules, the period before and after routing, and each net's
extracted capacitance beside that of the flow's Steiner trees. ``RSAXCEL_RCX_RULES`` names OpenRCX's
rules.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.layout import OPENROAD, PLACED, ROUTED
from rsaxcel.flow.physical.interface import SPEF
from rsaxcel.flow.physical.openroad.program import openroad_version
from rsaxcel.flow.physical.spef import read_totals
from tools.cases import Case

_LEAST_FF = 0.1
"""Nets with less estimated wire are left out of the errors by net, fF: they are a micrometre."""

_LONG_FF = 5.0  # estimated wire from which on a net is long, fF: some 50 um

_SEED = 1


def errors(
    estimated: Mapping[str, float], extracted: Mapping[str, float], least_ff: float = _LEAST_FF
) -> np.ndarray:
    """Each net's estimated over its extracted capacitance, less 1; without short nets."""
    return np.array([estimated[x] / extracted[x] - 1 for x in estimated if estimated[x] > least_ff])


def _spread(found: np.ndarray) -> str:
    if not len(found):
        return "no nets"
    middle, most = np.percentile(np.abs(found), [50, 95])
    return f"median {middle:.1%}, 95th percentile {most:.1%} ({len(found)} nets)"


def describe(case: Case) -> str:
    """Route a design; return the lines that tell what came out."""
    placed, routed = (case.lay_out(OPENROAD, _SEED, stage) for stage in (PLACED, ROUTED))
    wires = routed.wires()
    if not wires["wires_extracted"]:
        raise FlowError("no wires were extracted: RSAXCEL_RCX_RULES names no file of rules")
    estimated, extracted = (read_totals(laid.files[SPEF]) for laid in (placed, routed))
    own, real = sum(estimated.values()) / 1e3, sum(extracted.values()) / 1e3
    before, after = (laid.timing() for laid in (placed, routed))
    length = placed.wires()["wire_length_mm"]
    change = after.min_period_ns / before.min_period_ns - 1
    slow = tuple(len(timing.placed.slow_pins) for timing in (before, after) if timing.placed)
    return "\n".join(
        (
            str(case),
            f"  violations {wires['violations']}",
            f"  wires {length:.4g} mm estimated, {wires['wire_length_mm']:.4g} mm routed",
            f"  capacitance {own:.4g} pF estimated, {real:.4g} pF extracted "
            f"({own / real - 1:+.1%})",
            f"  error by net: {_spread(errors(estimated, extracted))}; of long nets: "
            f"{_spread(errors(estimated, extracted, _LONG_FF))}",
            f"  period {before.min_period_ns:.4f} ns placed, {after.min_period_ns:.4f} ns routed "
            f"({change:+.1%}); slews above the limit at {slow[0]} pins placed, {slow[1]} routed",
        )
    )


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
