"""Wires of routed layouts as SPEF: OpenRCX's file in this flow's form, and scaled estimates."""

import re
from pathlib import Path

import numpy as np
import pytest

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.embedded.finish import trees_of, write_wires
from rsaxcel.flow.physical.embedded.wires import wires_of
from rsaxcel.flow.physical.openroad.tool import convert_extraction
from rsaxcel.flow.physical.spef import read_totals, scale_wires
from tests.flow.physical.netlists import KIT, Netlist, small
from tests.shared.planted import planted

EXTRACTED = Path(__file__).with_name("extracted.spef").read_text("utf-8")


def inverter() -> Netlist:
    return Netlist({"a": 2}, {"y": 1}, {"u[1]": ("INV_X1", {"A": "a[0]", "ZN": "y"})})


def test_an_extraction_gets_this_flows_names_and_units(tmp_path):
    source, target = tmp_path / "routed.spef", tmp_path / "placed.spef"
    source.write_text(EXTRACTED)
    design = inverter().design(tmp_path)
    convert_extraction(source, target, design, {"net7": "y"})
    # The capacitance between the nets counts at both.
    assert read_totals(target) == pytest.approx({"a[0]": 4.0, "y": 1.5})
    text = target.read_text()
    found = re.findall(r"^(\*\d+) (\S+)$", text.partition("*D_NET")[0], re.MULTILINE)
    nets = {name: number for number, name in reversed(found)}  # nets come before instances
    cells = {name: number for number, name in found}
    inner, driver = nets["y"] + ":1", cells[r"u\[1\]"] + ":ZN"
    assert f"\n1 {driver} {inner} 2\n2 {inner} {cells['y']} 2\n" in text
    assert f"\n2 {inner} 0.5\n" in text, "the node of the other net"
    assert "TAP_0" not in text
    assert "VDD" not in text


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("*C_UNIT 1 PF", "*C_UNIT 1 MF", "does not tell its unit of capacitance"),
        ("1 *4:ZN *2:1 2", "1 *9:ZN *2:1 2", "is no extraction of the netlist: '*9'"),
        ("2 *1:5 0.0025", "2 *1:5 many", "is no extraction of the netlist: could not convert"),
    ],
)
def test_a_damaged_extraction_is_refused(tmp_path, old, new, told):
    source = tmp_path / "routed.spef"
    source.write_text(planted(EXTRACTED, (old, new)))
    with pytest.raises(FlowError, match=re.escape(told)):
        convert_extraction(source, tmp_path / "x", inverter().design(tmp_path), {"net7": "y"})


def test_estimates_are_scaled_net_by_net(tmp_path):
    design = small().design(tmp_path)
    design.x[:] = [2000 * at for at in range(design.count)]
    path = tmp_path / "placed.spef"
    is_clock = np.array([net == "clk" for net in design.nets])
    write_wires(path, design, trees_of(design), is_clock, wires_of(KIT))
    before, text = read_totals(path), path.read_text()
    scale_wires(path, {"n1": 1.5, "a[0]": 0.5})
    after = read_totals(path)
    expected = before | {"n1": 1.5 * before["n1"], "a[0]": 0.5 * before["a[0]"]}
    assert after == pytest.approx(expected, rel=1e-4)
    ohms = [
        [float(x) for x in re.findall(r"^\d+ \S+ \S+ (\S+)$", file, re.MULTILINE)]
        for file in (text, path.read_text())
    ]
    ratios = {round(new / old, 3) for old, new in zip(*ohms, strict=True)}
    assert ratios == {0.5, 1.0, 1.5}
