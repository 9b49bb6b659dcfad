"""SPEF: OpenSTA takes the wires of every net, and damaged files are refused."""

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.embedded.wires import WireModel
from rsaxcel.flow.physical.spef import read_totals, scale_wires
from tests.flow.flow_circuits import KIT
from tests.flow.physical.measured_wires import measure_wires
from tests.flow.physical.ten_cells import NETS, VERILOG, TenCells

SCRIPT = Path(__file__).with_name("spef.tcl").read_text("utf-8")


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "ten.spef"
    TenCells().write(path)
    return path


@pytest.fixture
def wires():
    cells = TenCells()
    return measure_wires(
        cells.nets, cells.trees, np.zeros(len(cells.nets.px)), cells.is_clock, WireModel()
    )


def opensta(folder) -> str:
    (folder / "ten.v").write_text(VERILOG)
    (folder / "check.tcl").write_text(SCRIPT.format(liberty=KIT.liberty))
    command = ["sta", "-no_init", "-no_splash", "-exit", "check.tcl"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout


@pytest.mark.skipif(shutil.which("sta") is None, reason="OpenSTA is missing")
def test_opensta_takes_the_wires_of_every_net(written, wires):
    output = opensta(written.parent)
    assert "Warning" not in output
    assert "Error" not in output
    found = {}
    for part in output.partition("PATHS")[0].split("NET ")[1:]:
        value = re.search(r"Wire capacitance: (?:r )?(\S+)", part)
        found[part.partition("\n")[0]] = float(value[1])
    assert found == pytest.approx(dict(zip(NETS, wires.wire_ff, strict=True)), abs=2e-6)
    # The output is the end of the longest path; it has no capacitance, as in the Elmore delay here.
    delay = re.search(r"^ *(\S+) +\S+ . y\[0\] \(out\)$", output, re.M)
    sink = NETS["y[0]"].index("y[0]") + TenCells().nets.start[list(NETS).index("y[0]")]
    assert float(delay[1]) == pytest.approx(wires.delay_ns[sink], abs=2e-7)
    assert wires.delay_ns[sink] > 5e-5


def test_totals_are_read(written, wires):
    totals = read_totals(written)
    assert totals == pytest.approx(dict(zip(NETS, wires.wire_ff, strict=True)), abs=2e-6)


@pytest.mark.parametrize(
    ("pattern", "text", "message"),
    [
        (r"(\*D_NET \*3 )\S+", r"\1-4.2", r"net core\.n1\[3\]: -4\.2 fF, expected 0 to 100000 fF"),
        (r"(\*D_NET \*3 )\S+", r"\g<1>nan", "nan fF, expected"),
        (r"(\*D_NET \*3 )\S+", r"\g<1>42e6", "42e6 fF, expected"),
        (r"(\*D_NET \*3 )\S+", r"\g<1>8.4", r"capacitances of 4\.2 fF, but a total of 8\.4 fF"),
        (r"(\*D_NET \*3 )\S+", r"\g<1>4,2", "'4,2' is no number"),
        (r"\*D_NET \*3 ", "*D_NET *333 ", r"net \*333: it is not in the name map"),
        (r"\*D_NET \*3 ", "*D_NET *4 ", r"net core\.lanes__0\.n2: it is there twice"),
        (r"\*END\s*\Z", "", r"net y\[1\]: its end is missing"),
        (r"(\*RES\n1 \S+ \S+) \S+", r"\1 -5", r"net a\[0\]: -5 ohm"),
    ],
)
def test_damaged_files_are_refused(written, pattern, text, message):
    damaged, count = re.subn(pattern, text, written.read_text(), count=1)
    assert count
    written.write_text(damaged)
    with pytest.raises(FlowError, match=message):
        read_totals(written)


def test_a_folder_that_is_missing(tmp_path):
    with pytest.raises(FlowError, match="cannot write"):
        TenCells().write(tmp_path / "missing" / "ten.spef")
    with pytest.raises(FlowError, match="cannot read"):
        read_totals(tmp_path / "ten.spef")


def test_scaled_capacitances_leave_the_resistances(written):
    text, totals = written.read_text(), read_totals(written)
    scaled = written.with_name("scaled.spef")
    scaled.write_text(text)
    scale_wires(scaled, dict.fromkeys(totals, 3.0), resistances=False)
    assert read_totals(scaled) == pytest.approx(
        {net: 3 * ff for net, ff in totals.items()}, rel=1e-4
    )
    resistances = re.compile(r"\*RES\n.*?\*END", re.DOTALL)
    assert resistances.findall(scaled.read_text()) == resistances.findall(text)
