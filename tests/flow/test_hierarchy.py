"""Yosys reads whole hierarchies: parameters of instances are kept, and no instance is lost."""

from pathlib import Path

import pytest

from rsaxcel.flow.errors import ToolFailure
from rsaxcel.flow.yosys import Yosys, elaborate, in_yosys
from rsaxcel.flow.yosys_json import read_module

PART = Path(__file__).with_name("part.sv").read_text("utf-8")
BY_TYPE = Path(__file__).with_name("by_type.sv").read_text("utf-8")
BEFORE_ITS_MODULE = Path(__file__).with_name("before_its_module.v").read_text("utf-8")
CIRCUITS = {
    "wide": (PART.format("Part #(.W(32)) p (.clk, .a, .r(y));"), 32),
    "two": (
        PART.format("Part p (.clk, .a(a[3:0]), .r(y[3:0]));\n"
                    "Part #(28) q (.clk, .a(a[31:4]), .r(y[31:4]));"),
        32,
    ),
    "generated": (
        PART.format("for (genvar i = 1; i < 5; i++) begin : g\n"
                    "Part #(.W(i)) p (.clk, .a(a[8*i-1-:i]), .r(y[8*i-1-:8]));\nend"),
        10,
    ),
    "an_array": (PART.format("Part #(.W(16)) p[1:0] (.clk, .a, .r(y));"), 32),
    "supply": (PART.format("supply1 s; Part #(.W(32)) p (.clk(clk & s), .a(a), .r(y));"), 32),
    "by_type": (BY_TYPE, 32),
    "before_its_module": (BEFORE_ITS_MODULE, 32),
}  # fmt: skip
"""Circuits with parameters, and the bits of their registers; slang's front end dies at ``supply``
(an assertion), where Yosys's own has to read the circuit."""


def read(verilog, netlist):
    yosys = Yosys()
    yosys.read_verilog(verilog, "Top")
    yosys.run("proc", "flatten -noscopeinfo", "opt_clean", f"write_json {netlist}")


@pytest.mark.parametrize("name", CIRCUITS)
def test_parameters_of_instances_are_kept(name, tmp_path):
    text, nbits = CIRCUITS[name]
    verilog, netlist = tmp_path / "design.v", tmp_path / "netlist.json"
    verilog.write_text(text)
    in_yosys(tmp_path / "yosys.log", read, verilog, netlist)
    top = read_module(netlist, "Top")
    q = [cell["connections"]["Q"] for cell in top.cells.values() if "dff" in cell["type"]]
    assert sum(map(len, q)) == nbits
    names = top.register_names()
    assert {names[bit].partition(".")[2][:2] for bits in q for bit in bits} <= {
        "r",
        "r[",
        "r.",
        "p.",
    }
    assert (tmp_path / "yosys.own.log").exists() == (name == "supply")


def lose(verilog):
    """Read Verilog, and lose an instance on the way."""
    yosys = Yosys()
    of_all = yosys._read_slang

    def read_less(*args):
        of_all(*args)
        module = yosys.module("Top")
        module.remove(next(x for x in module.cells_.values() if x.name.str() == "\\q"))

    yosys._read_slang = read_less
    yosys.read_verilog(verilog, "Top")


def test_an_instance_that_is_lost_is_an_error_of_one_line(tmp_path):
    verilog = tmp_path / "design.v"
    verilog.write_text(CIRCUITS["two"][0].replace("#(parameter W = 4)", "").replace("#(28)", "")
                       .replace("[W-1:0]", "[31:0]"))  # fmt: skip
    assert elaborate(verilog, "Top").alike
    with pytest.raises(ToolFailure, match="1 instances of Part were read, the Verilog has 2"):
        in_yosys(tmp_path / "yosys.log", lose, verilog)


def test_a_fault_in_the_text_is_told(tmp_path):
    """Verilog with an error is not read by a front end that might accept it."""
    verilog = tmp_path / "design.v"
    verilog.write_text(PART.format("Part #(.V(32)) p (.clk, .a, .r(y));"))
    with pytest.raises(ToolFailure, match="parameter 'V' does not exist"):
        in_yosys(tmp_path / "yosys.log", read, verilog, tmp_path / "netlist.json")
    assert not (tmp_path / "yosys.own.log").exists()
