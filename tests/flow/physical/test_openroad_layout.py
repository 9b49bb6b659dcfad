"""OpenROAD's layouts read back: places, connections, names, copies; its scripts' variables."""

import re
from pathlib import Path

import numpy as np
import pytest

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.array_netlist import ArrayNetlist
from rsaxcel.flow.physical.def_file import write_def
from rsaxcel.flow.physical.equivalence import check_equivalent
from rsaxcel.flow.physical.floorplan import PhysicalCells, fill_gaps, fixed_cells, make_core
from rsaxcel.flow.physical.interface import STEPS, PlacementTask
from rsaxcel.flow.physical.lef import geometry
from rsaxcel.flow.physical.openroad import script as script_module
from rsaxcel.flow.physical.openroad.script import (
    CONSTRAINTS,
    FLOORPLAN_DEF,
    NETLIST,
    PLACED,
    script,
    variables,
    write_inputs,
)
from rsaxcel.flow.physical.openroad.tool import find_copies, read_layout
from rsaxcel.flow.physical.ports import spread_ports
from tests.flow.opensta_scripts import run_opensta
from tests.flow.physical.netlists import KIT, library, random_netlist, small
from tests.flow.physical.placements import place


def placed(folder: Path, netlist) -> tuple[ArrayNetlist, object, Path]:
    """A legal layout of a netlist, its core and its DEF file."""
    design = netlist.design(folder)
    core = make_core(design, KIT, 0.5)
    fixed = fixed_cells(core, KIT)
    place(design, core, fixed)
    spread_ports(design, core, KIT)
    path = folder / "layout.def"
    write_def(path, design, core, KIT, fixed, fill_gaps(design, core, KIT, fixed))
    return design, core, path


def test_a_layout_is_read_as_it_was_written(tmp_path):
    design, core, path = placed(tmp_path, random_netlist(300, 3))
    found = read_layout(path, design, core, geometry(KIT).layers).netlist
    assert found.names == design.names
    for name in ("kind", "x", "y", "orient"):
        assert np.array_equal(getattr(found, name), getattr(design, name)), name
    mine, theirs = (
        [x.nets[net] if net >= 0 else None for net in x.pin_net.tolist()] for x in (found, design)
    )
    assert mine == theirs
    check_equivalent(found, design, library())


def test_inserted_cells_come_after_those_of_the_netlist(tmp_path):
    given = small()
    changed = given.copy()
    changed.cells = {"rebuffer1": ("BUF_X2", {"A": "n1", "Z": "net5"}), **changed.cells}
    changed.move("nand", "A1", "net5")
    _, core, path = placed(tmp_path, changed)
    design = given.design(tmp_path)
    found = read_layout(path, design, core, geometry(KIT).layers).netlist
    cells = int(np.sum(~design.is_port))
    assert found.names[: cells + 1] == [*design.names[:cells], "rebuffer1"]
    assert found.names[cells + 1 :] == design.names[cells:]
    check_equivalent(found, design, library())


def test_a_ports_net_has_the_ports_name(tmp_path):
    design, core, path = placed(tmp_path, small())
    text = path.read_text()
    # OpenROAD keeps the name of the net whose buffer it removes.
    text = text.replace("+ NET y[0] ", "+ NET other ").replace("- y[0] ( state", "- other ( state")
    text = text.replace("- n1 (", "- y[1] (").replace("- y[1] ( inv3", "- third ( inv3")
    path.write_text(text.replace("+ NET y[1] ", "+ NET third "))
    found = read_layout(path, design, core, geometry(KIT).layers).netlist
    nets = dict(zip(found.names, found.pin_net[found.pin_start[:-1]].tolist(), strict=True))
    assert {found.nets[nets[x]] for x in ("y[0]", "y[1]")} == {"y[0]", "y[1]"}
    assert len(set(found.nets)) == len(found.nets)
    check_equivalent(found, design, library())


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (r"- nand NAND2_X1 \+ PLACED \( \d+ \d+ \) \w+", "- nand NAND2_X1", "cell nand has no pla"),
        (r"- nand NAND2_X1", "- nand NAND9_X1", "cell nand of type NAND9_X1: the library has no"),
        (r"\( nand A1 \)", "( nand A9 )", "there is no pin A9 of nand"),
        (r"\( nand A1 \)", "( none A1 )", "there is no pin A1 of none"),
        (r"MICRONS 2000", "MICRONS 1000", "is no DEF file with 2000 units per um"),
        (r"- z \+ NET", "- zz + NET", "port z has no place"),
    ],
)
def test_a_damaged_layout_is_refused(tmp_path, old, new, told):
    design, core, path = placed(tmp_path, small())
    text, count = re.subn(old, new, path.read_text())
    assert count
    path.write_text(text)
    with pytest.raises(FlowError, match=re.escape(told)):
        read_layout(path, design, core, geometry(KIT).layers)


def test_a_copy_is_known_by_what_it_drives(tmp_path):
    given = small()
    given.cells["nor"] = ("NOR2_X1", {"A1": "n1", "A2": "q", "ZN": "n9"})
    given.cells["and"] = ("AND2_X1", {"A1": "n9", "A2": "n1", "ZN": "y[2]"})
    given.outputs["y"] = 3
    changed = given.copy()
    # The gate of n1 is copied; so is its copy, which drives a buffer; a copy drives a copy.
    changed.cells["clone1"] = ("AOI21_X2", {"A": "q", "B1": "a[0]", "B2": "a[1]", "ZN": "net1"})
    changed.cells["clone2"] = ("AOI21_X1", {"A": "q", "B1": "a[0]", "B2": "a[1]", "ZN": "net2"})
    changed.cells["buffer3"] = ("BUF_X1", {"A": "net2", "Z": "net3"})
    changed.cells["clone4"] = ("NOR2_X2", {"A1": "net3", "A2": "q", "ZN": "net4"})
    changed.move("nor", "A1", "net1")
    changed.move("and", "A1", "net4")
    before, after = given.design(tmp_path), changed.design(tmp_path)
    copies = find_copies(after, before, library())
    assert copies == {"clone1": "top/aoi", "clone2": "top/aoi", "clone4": "nor"}
    check_equivalent(after, before, library(), copies)
    changed.resize("clone2", "OAI21_X1")
    changed.cells["clone2"] = ("OAI21_X1", {"A": "q", "B1": "a[0]", "B2": "a[1]", "ZN": "net2"})
    wrong = changed.design(tmp_path)
    with pytest.raises(FlowError, match="clone2 has another function"):
        check_equivalent(wrong, before, library(), find_copies(wrong, before, library()))


def task(folder: Path) -> PlacementTask:
    random_netlist(60, 1).design(folder)
    return PlacementTask(folder / "netlist.json", "top", KIT, 1.25, 0.5, 1, 0.02, 0.05)


def inputs(folder: Path) -> str:
    """Write what the scripts read; return the script of all steps."""
    given = random_netlist(60, 1).design(folder)
    core = make_core(given, KIT, 0.5)
    about = task(folder)
    write_inputs(about, given, core, folder)
    return script([*STEPS, PLACED], variables(about, core, ["a b.lef"], "c.lib"))


def test_scripts_have_all_variables_that_they_name(tmp_path):
    text = inputs(tmp_path)
    given = set(re.findall(r"^ *set (\w+)", text, re.MULTILINE))
    local = r"\bforeach (?:\{([\w ]+)\}|(\w+))|\bproc \w+ \{([\w ]*)\}|\{set (\w+) |variable (\w+) "
    given |= {x for found in re.findall(local, text) for x in " ".join(found).split()}
    code = re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)
    assert set(re.findall(r"\$\{?(\w+)", code)) <= given
    assert "set lefs {{a b.lef}}" in text


def test_the_floorplan_has_taps_and_straps_but_no_ports(tmp_path):
    inputs(tmp_path)
    text = (tmp_path / FLOORPLAN_DEF).read_text()
    assert re.search(r"- TAP_0 WELLTAP_X1 \+ SOURCE DIST \+ FIXED", text)
    assert "+ SHAPE STRIPE" in text
    assert "NETS 0 ;" in text
    assert "PINS 2 ;" in text  # of the power nets


def test_opensta_reads_the_constraints_and_finds_the_latency(tmp_path):
    """OpenROAD's timing is OpenSTA's: what is not of placement runs there, too."""
    inputs(tmp_path)
    setup = (Path(script_module.__file__).parent / "setup.tcl").read_text()
    procedure = setup[setup.index("# Latency of the clock") :]
    output = run_opensta(
        f"read_liberty {KIT.liberty}\nread_verilog {NETLIST}\nlink_design top\n"
        "set_cmd_units -time ns -capacitance fF\nset clock_gates {}\n"
        f"read_sdc {CONSTRAINTS}\n"
        f"{procedure[: procedure.index('# Estimates')]}\n"
        'puts "inputs [llength $inputs] clocks [llength [all_clocks]]"\n'
        "set_propagated_clock [get_clocks clk]\n"
        "foreach pin [all_registers -clock_pins] {\n"
        "  set_assigned_delay -net -from [get_ports clk] -to $pin 0.25\n"
        "}\n"
        'puts "latency [format %.6f [mean_latency]]"\n'
        "write_latencies latencies.txt\n",
        tmp_path,
    )
    assert "Error" not in output
    assert "inputs 8 clocks 2" in output
    assert re.findall(r"latency (\S+)", output) == ["0.262500"]  # late by the derate
    lines = (tmp_path / "latencies.txt").read_text().splitlines()
    registers = sum(x.startswith("DFF") for x, _ in random_netlist(60, 1).cells.values())
    assert len(lines) == registers
    assert re.fullmatch(r"u\d+/CK 0\.262[45]\d*", lines[0])


def test_fillers_and_taps_are_no_cells_of_the_netlist(tmp_path):
    design, core, path = placed(tmp_path, small())
    assert "FILLCELL_X1" in path.read_text()
    found = read_layout(path, design, core, geometry(KIT).layers).netlist
    assert found.count == design.count
    assert isinstance(fixed_cells(core, KIT), PhysicalCells)
