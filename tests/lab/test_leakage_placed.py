"""Side channels of a placed netlist: its wires and its clock tree are in the traces."""

import json
import shutil

import pytest

from rsaxcel import catalog
from rsaxcel.cli.main import cli, guard
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import ACTIVITIES, NOT_PLACED, PLACED, TIMED, ZERO, Layout
from rsaxcel.flow.power.energy import EnergyModel
from rsaxcel.flow.power.slews import Slews
from rsaxcel.lab.design_netlist import netlist_files
from rsaxcel.lab.leakage.measure import calibration
from rsaxcel.lab.leakage.recorder import Recorder
from tests.shared.harness import built_once

pytestmark = [built_once("leakage placed", 8), pytest.mark.slow]  #: places a circuit

DESIGN, CLOCK_NS = "montmul_r2l_shared", 1.5
LAYOUT = Layout(PLACED, utilisation=0.6)
PLACE = ["--stage", "placed", "--utilisation", "0.6"]


@pytest.fixture(scope="module")
def recorder_of(tmp_path_factory):
    configuration = catalog.get(DESIGN).configure(8)
    folder = tmp_path_factory.mktemp("flow")

    def make(layout, activity):
        where = configuration, DEFAULT_LIBRARY, CLOCK_NS
        files, _ = netlist_files(*where, directory=folder, layout=layout)
        rows = calibration(configuration)
        options = DEFAULT_LIBRARY, rows, activity, layout
        return Recorder.of_files(configuration, files, *options), files

    return make


@pytest.mark.parametrize("activity", ACTIVITIES)
def test_traces_of_a_placed_netlist_add_up_to_its_power_analysis(recorder_of, activity):
    recorder, files = recorder_of(LAYOUT, activity)
    rows = [[row[0], *row] for row in calibration(recorder.configuration)]
    traces = recorder.record(rows)
    slews = Slews.from_file(files["placed-slews.txt"])
    run = recorder.simulator.trace(
        [[recorder.request(x) for x in lane] for lane in rows], capacity=2000, uncounted=1
    ).run
    energy = EnergyModel(recorder.netlist, slews).energy(run.activity, period_ns=1.0)
    dynamic_fj = 1e15 * (energy.items.total_j - energy.items.leakage_j)
    traced = sum(x.energies_fj[:, :, 0].sum(dtype=float) for x in traces)
    # Weights are means over the states of a typical run, and this is another one.
    assert traced == pytest.approx(dynamic_fj, rel=0.02)


def test_wires_and_clock_tree_cost_energy(recorder_of):
    clocks, recorders = [], [recorder_of(layout, ZERO)[0] for layout in (NOT_PLACED, LAYOUT)]
    for recorder in recorders:
        clocks.append(sum(x.every_cycle_fj for x in recorder.weights.values()))
    assert clocks[1] > clocks[0]  # buffers of the tree toggle in every cycle
    loads = [sum(recorder.netlist.load_f.values()) for recorder in recorders]
    assert loads[0] != loads[1]


def test_command(here, capsys):
    asked = ["leak", DESIGN, "--nbits", "8", "--clock-ns", str(CLOCK_NS), "--test", "exponent"]
    asked += ["--traces", "256", *PLACE, "--activity", TIMED]
    assert guard(cli, "rsaxcel", asked) == 0
    said = capsys.readouterr().out
    own = "" if shutil.which("sta") else "timed by rsaxcel, "
    told = f"placed by embedded, utilisation 0.6, placement seed 1, {own}gates with delays"
    assert told in said
    assert f"{DEFAULT_LIBRARY}, {CLOCK_NS:g} ns, placed" in said
    assert "gates with delays, so with glitches, with wires and clock tree" in said
    assert guard(cli, "rsaxcel", [*asked, "--json"]) == 0
    rows = [json.loads(x) for x in capsys.readouterr().out.splitlines()]
    (energy,) = [x for x in rows if x["kind"] == "energy"]
    assert (energy["stage"], energy["activity"]) == (PLACED, TIMED)
    assert (energy["seed"], energy["placement_seed"]) == (0, 1)
    (kept,) = (json.loads(x.read_text()) for x in here.glob("build/laboratory/*.json"))
    assert kept["item"] == f"fixed exponent, {CLOCK_NS:g} ns, {LAYOUT}, {TIMED}"
    assert f" --activity {TIMED} --stage placed --utilisation 0.6" in kept["command"]
