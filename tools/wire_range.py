"""Period and energy of placed circuits if wires had other capacitances.

``python -m tools.wire_range crt_window:1024:0.75:0.6 --ff-per-um 0.052 0.177`` (name, bits, clock
in ns, utilisation) times the same layout again. It was repaired for the flow's own wires: figures
show how far an error of capacitances reaches, not what a flow for other wires would make.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from shutil import copyfile

from rsaxcel.flow.files import read_json
from rsaxcel.flow.kit import DEFAULT_LIBRARY, find_kit
from rsaxcel.flow.layout import PLACED, Layout
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.nodes.placed_power import PlacedPowerNode
from rsaxcel.flow.nodes.power import operations_of, power_period_ns
from rsaxcel.flow.physical.embedded.wires import WireModel
from rsaxcel.flow.physical.interface import NETLIST, SPEF
from rsaxcel.flow.physical.placed import read_placed
from rsaxcel.flow.physical.spef import read_totals, scale_wires
from rsaxcel.flow.power.activity import load_activities
from rsaxcel.flow.power.energy import EnergyModel
from rsaxcel.flow.power.figures import summarize
from rsaxcel.flow.power.slews import FLOW_UNIT_S, Slews
from rsaxcel.flow.run import run_flow
from rsaxcel.flow.subjects import find_target
from tools.cases import Case, tell


def measure(
    case: Case, files: Mapping[str, Path], factor: float
) -> tuple[float, int, dict[str, float]]:
    """Smallest period in ns, pins with slews above the limit, and nJ by operation.

    ``factor`` multiplies the capacitance of each wire.
    """
    kit, node = find_kit(DEFAULT_LIBRARY), PlacedPowerNode
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        spef, slews = folder / SPEF, folder / node.slews
        copyfile(files[SPEF], spef)
        scale_wires(spef, dict.fromkeys(read_totals(spef), factor), resistances=False)
        timing = case.time({**files, SPEF: spef}, slews)
        placed = {NETLIST: files[NETLIST], SPEF: spef}
        netlist = read_placed(placed, kept_library(kit.liberty), case.design)
        model = EnergyModel(netlist, Slews.from_file(slews, time_unit_s=FLOW_UNIT_S))
    period_ns = power_period_ns(case.clock_ns, timing.min_period_ns)
    counts = read_json(files[node.simulation])["operations"]
    energies = {}
    for name, activity in load_activities(files[node.activity]).items():
        energy = model.energy(activity, period_ns=period_ns)
        energies[name] = summarize(energy, operations_of(counts[name]))["energy_nj"]
    assert timing.placed is not None  # the analysis had wires
    return timing.min_period_ns, len(timing.placed.slow_pins), energies


def table(case: Case, ff_per_um: Iterable[float]) -> Iterable[str]:
    """Place the design, or find its record; yield a line for each capacitance."""
    target = find_target(case.design, case.nbits, {})
    layout = Layout(PLACED, utilisation=case.utilisation)
    run_flow(target, DEFAULT_LIBRARY, case.clock_ns, layout=layout, progress=tell)
    files = case.stored(layout)
    usual = WireModel().signal_ff_per_um
    yield str(case)
    for value in (usual, *ff_per_um):
        period_ns, slow, energies = measure(case, files, value / usual)
        found = ", ".join(f"{name} {energy:.4g} nJ" for name, energy in energies.items())
        yield f"  {value:g} fF/um: period {period_ns:.4f} ns, {found}, {slow} slews too long"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.wire_range")
    parser.add_argument("cases", nargs="+", type=Case.of, metavar="NAME:NBITS:CLOCK:UTILISATION")
    parser.add_argument(
        "--ff-per-um", nargs="+", type=float, default=[0.052, 0.177], help="capacitances of wires"
    )
    asked = parser.parse_args(arguments)
    for case in asked.cases:
        for line in table(case, asked.ff_per_um):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
