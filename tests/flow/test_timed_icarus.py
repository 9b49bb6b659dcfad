"""Gates with delays against Icarus Verilog with the same delays (SDF)."""

import random
from dataclasses import replace

import pytest

from rsaxcel.flow.opensta import analyse_timing
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import Slews
from tests.flow.flow_circuits import KIT, Circuit, build, library
from tests.flow.timed_comparison import TimedSimulation, random_operation, toggles_in_icarus
from tests.flow.timed_icarus import in_icarus, without_states
from tests.shared.harness import built_once

pytestmark = [built_once("netlist", 8), pytest.mark.slow]

MOST_APART = 0.01
OPERATIONS, EXPONENT_NBITS = 2, 6


def simulated(circuit: Circuit) -> TimedSimulation:
    """Operations one after the other in one lane, with the slews of the static timing."""
    folder, top = circuit.folder, circuit.module.top
    slews, work = folder / "slews.txt", folder / "timing"
    analyse_timing(folder / "netlist.v", top, KIT, clock_ns=3.0, work_dir=work, slews=slews)
    cells = {x.cell.name: x.cell for x in circuit.netlist.instances}
    simple = without_states(replace(library(), cells=cells))
    netlist = Netlist.from_yosys_json(folder / "netlist.json", simple, top=top)
    draw = random.Random(top)
    numbers = [random_operation(circuit, draw, EXPONENT_NBITS) for _ in range(OPERATIONS)]
    return TimedSimulation(netlist, Slews.from_file(slews, time_unit_s=1e-9), [numbers])


@pytest.mark.parametrize("nbits", [8, 32])
@pytest.mark.parametrize("name", ["montmul_r2l_shared", "mulrem_r2l"])
def test_icarus_counts_as_many_toggles(name, nbits, circuits, tmp_path):
    circuit = circuits(name) if nbits == 8 else build(name, tmp_path, nbits=nbits)
    simulation = simulated(circuit)
    responses, found = in_icarus(simulation, tmp_path)
    assert responses == simulation.run.responses[0]
    clock = simulation.netlist.clock_nets
    theirs = {bit: count for bit, count in found.items() if bit not in clock}
    ours = {bit: count for bit, count in simulation.toggles_by_net().items() if count}
    assert sum(ours.values()) > 1.2 * sum(simulation.useful.values())
    assert sum(ours.values()) == pytest.approx(sum(theirs.values()), rel=MOST_APART)
    # Toggles of nets differ only because Icarus withdraws no change.
    assert dict(toggles_in_icarus(simulation)) == theirs
