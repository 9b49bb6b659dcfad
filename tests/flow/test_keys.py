"""Keys of nodes and measurements: which changes of a source file renew which results."""

import json
import shutil
from pathlib import Path

import pytest

from rsaxcel.flow.layout import OPENSTA, usual_timer
from rsaxcel.store.packages import MODULES, up_to
from tests.shared.processes import run_python

# One worker makes what all of these tests use.
pytestmark = pytest.mark.xdist_group("keys")

ROOT = Path(__file__).parents[2]
PACKAGES = up_to("flow")
PLACED = """
    floorplan place repair clock-tree repair-timing wires placed-timing placed-gate-simulation
    placed-power placed-record
""".split()
DESIGNS = ("montred_r2l", "montred_r2l_shared", "montmul_r2l", "mont_r2l", "ssmm_r2l")

#: Translates each design, and prints the keys of its nodes and of its measurements.
SCRIPT = """
import json, sys
from pathlib import Path
from rsaxcel import catalog
from rsaxcel.flow.code import code_of
from rsaxcel.flow.graph import NODES, path_to
from rsaxcel.flow.nodes.fpga import FpgaNode
from rsaxcel.flow.nodes.gate_simulation import GateSimulationNode
from rsaxcel.flow.nodes.synthesis import SynthesisNode
from rsaxcel.flow.nodes.translate import TranslateNode
from rsaxcel.flow.job import circuit_job
from rsaxcel.flow.runner import Goal, run_nodes, walk
from rsaxcel.store.code import code_digest

def keys(name):
    own = {"directory": Path(sys.argv[1]), "exponents": {"encrypt": 17}}
    job = circuit_job(catalog.get(name).configure(8), **own)
    run_nodes(job, Goal(lambda _: TranslateNode, lambda *_: None), lambda line: None)
    return {
        "synthesis": list(walk(job, path_to(SynthesisNode)))[1][0].key,
        "fpga": list(walk(job, path_to(FpgaNode)))[1][0].key,
        "gate-simulation": GateSimulationNode.decides(job),
        "cycles": code_digest(job.subject.sources),
    }

found = {f"{name} {stage}": key for name in sys.argv[2:] for stage, key in keys(name).items()}
found |= {f"code of {node.name}": code_of(node) for node in NODES}
json.dump(found, sys.stdout)
"""


def keys_of(folder: Path) -> dict[str, object]:
    own = {"PYTHONPATH": str(folder.parent), "RSAXCEL_CACHE": str(folder / "cache")}
    done = run_python("-c", SCRIPT, folder / "results", *DESIGNS, folder=folder, **own)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def sources(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("sources") / "rsaxcel"
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    for module in MODULES:
        shutil.copy(ROOT / module, folder)
    return folder


@pytest.fixture(scope="module")
def before(sources) -> dict[str, object]:
    return keys_of(sources)


@pytest.fixture
def renewed(sources, before):
    """Return which keys change with a file; the file is restored afterwards."""
    kept: dict[Path, str] = {}

    def change(*changes: tuple[str, str, str]) -> set[str]:
        for name, old, new in changes:
            path = sources / name
            text = path.read_text()
            kept.setdefault(path, text)
            assert old in text
            path.write_text(text.replace(old, new, 1))
        after = keys_of(sources)
        assert after.keys() == before.keys()
        return {name for name, key in after.items() if key != before[name]}

    yield change
    for path, text in kept.items():
        path.write_text(text)


def test_docstrings_and_comments_renew_nothing(renewed):
    changes = (
        ("flow/nodes/synthesis.py", '"""Synthesis: ', '"""The synthesis: '),
        ("flow/opensta.py", '"""Static timing', '"""The static timing'),
        ("flow/opensta.tcl", "# Writes the", "# Reports the"),
        ("flow/synthesizer/adders.v", "//", "// Adders."),
        ("sim/native/streams.h", "//", "// Streams."),
        ("flow/power/energy.py", '"""', '"""Energies. '),
        ("rtl/multipliers/mont_red.py", "Source: Li", "Source: the document of Li"),
        ("rtl/multipliers/mont_red.py", "comb_last():", "comb_last():\n            # Why."),
        ("rtl/exponentiators/sequencer.py", '"""', '"""A text. '),
        ("plan/steps.py", '"""', '"""A text. '),
    )
    assert renewed(*changes) == set()


def test_the_code_of_the_power_analysis_renews_power_alone(renewed):
    power = {"code of power", "code of placed-power"}
    assert renewed(("flow/power/energy.py", "* 1e-9", "* 2e-9")) == power
    assert renewed(("flow/power/energy.py", "0.5", "0.25")) == power


def test_the_code_of_the_physical_half_renews_no_synthesized_circuit(renewed):
    changes = (
        ("flow/nodes/steps.py", "job.utilisation == SEARCHED", "job.utilisation <= SEARCHED"),
        ("flow/physical/placed.py", "1e-15", "2e-15"),
    )
    # The record reads what the other nodes have written.
    assert renewed(*changes) == {f"code of {name}" for name in PLACED if name != "placed-record"}


@pytest.mark.skipif(usual_timer() != OPENSTA, reason="OpenSTA is missing")
def test_only_the_timer_of_a_job_renews_synthesis_which_calls_it(renewed):
    other = ("flow/physical/embedded/static_timing.py", "_SLACK_DIGITS = 5", "_SLACK_DIGITS = 4")
    assert renewed(other) == set()
    change = ("flow/opensta.tcl", "set_input_delay 0", "set_input_delay 1")
    assert renewed(change) == {f"{name} synthesis" for name in DESIGNS}


def test_a_constant_in_a_multiplier_renews_its_designs_and_no_others(renewed):
    own = [name for name in DESIGNS if name.startswith("montred")]
    change = ("rtl/multipliers/mont_red.py", "last = nbits - 1", "last = nbits - 2")
    stages = ("synthesis", "fpga", "cycles")
    assert renewed(change) == {f"{name} {stage}" for name in own for stage in stages}


def test_a_cycle_more_in_a_model_renews_the_work_of_its_designs(renewed):
    """The models are in one file: counts of cycles are renewed for all designs, which is quick."""
    change = ("cl/multipliers.py", "super().__init__(nbits, 1,", "super().__init__(nbits, 2,")
    own = {f"{name} gate-simulation" for name in DESIGNS if name.startswith("montred")}
    assert renewed(change) == own | {f"{name} cycles" for name in DESIGNS}
