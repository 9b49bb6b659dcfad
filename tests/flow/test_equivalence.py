"""Netlists are equivalent to their designs, for all inputs and all contents of registers."""

import json
import shutil
from pathlib import Path

import pytest

from rsaxcel import catalog
from rsaxcel.flow.names import FLIP_FLOP
from rsaxcel.lab.proofs.netlists import Equivalence, NotProved, proved_equal
from tests.flow.flow_circuits import ENABLED, KIT, NBITS, build, library, synthesized
from tests.shared.harness import built_once

pytestmark = built_once("netlist", NBITS)

QUICK = Path(__file__).with_name("quick.v").read_text("utf-8")
"""Circuit with registers of each kind that synthesis drops, and with gated clocks."""


@pytest.fixture(scope="module")
def unit(tmp_path_factory):
    """Folder with a small circuit."""
    folder = tmp_path_factory.mktemp("unit")
    synthesized(QUICK, "unit", folder)
    return folder


def test_a_small_circuit(unit):
    found = proved_equal(unit, "unit", KIT, library())
    assert found == Equivalence(kept=16, constant=5, alike=12, unread=0)
    cells = json.loads((unit / "netlist.json").read_text())["modules"]["unit"]["cells"]
    assert any(cell["type"].startswith("CLKGATE") for cell in cells.values())


def test_an_enable_that_drives_many_gates(tmp_path):
    """An enable of 530 bits takes 17 clock gates; the last gate drives fewer flip-flops."""
    summary = synthesized(ENABLED.format(last=529), "enabled", tmp_path)
    assert sum(n for kind, n in summary["cells"].items() if kind.startswith("CLKGATE")) == 17
    assert proved_equal(tmp_path, "enabled", KIT, library()).kept == 538


@pytest.mark.parametrize("wrong", ["gate", "state"])
def test_what_is_wrong_is_found(unit, tmp_path, wrong):
    """The proof fails if one gate inverts, or a flip-flop has another one's next state."""
    shutil.copytree(unit, tmp_path, dirs_exist_ok=True)
    netlist = json.loads((unit / "netlist.json").read_text())
    cells = netlist["modules"]["unit"]["cells"]
    if wrong == "gate":
        other = {"XOR2_X1": "XNOR2_X1", "XNOR2_X1": "XOR2_X1"}
        gate = next(cell for cell in cells.values() if cell["type"] in other)
        gate["type"] = other[gate["type"]]
    else:
        pins = [cells[f"sum_reg[{i}]{FLIP_FLOP}"]["connections"] for i in (3, 4)]
        pins[0]["D"], pins[1]["D"] = pins[1]["D"], pins[0]["D"]
    (tmp_path / "netlist.json").write_text(json.dumps(netlist))
    with pytest.raises(NotProved):
        proved_equal(tmp_path, "unit", KIT, library())


@pytest.mark.slow
@pytest.mark.parametrize("name", catalog.DESIGNS)
def test_designs(circuits, name):
    """Every design at 8 bits."""
    circuit = circuits(name)
    found = proved_equal(circuit.folder, name, KIT, library(), seconds=100)
    assert found.kept == circuit.summary["flip_flop_count"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "nbits", "params"),
    [
        ("orup_window", 16, {}),
        ("crt_window", 16, {"pipeline": "none"}),
        ("crt_window_shared", 32, {}),
    ],
)
def test_other_choices(name, nbits, params, tmp_path):
    """Designs with digits of 8 bits, without row registers, and with wider lanes."""
    circuit = build(name, tmp_path, nbits=nbits, **params)
    found = proved_equal(tmp_path, name, KIT, library())
    assert found.kept == circuit.summary["flip_flop_count"]
