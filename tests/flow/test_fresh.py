"""Netlists of Verilog that is not this project's are simulated on operands drawn after synthesis.

The circuits know the answers of the workload. Otherwise, their answers are right for Verilator,
which takes undefined values as 0, and may be anything for Yosys.
"""

from functools import cache

import pytest

import catalog
from flow.errors import WrongNetlist
from flow.power.netlist import Netlist
from flow.requests import OPERATION_COUNT, default_exponents, workload_operands
from flow.run import run_flow
from flow.subjects.exponentiator import ExponentiatorSubject
from flow.subjects.given import GivenDesign, GivenSubject
from sim.translate import translate
from tests.flow.flow_circuits import library, synthesized

NAME, NBITS = "ssmm_r2l", 8
CHEAT = """
module {name} (
  input logic clk, reset, recv__val, send__rdy, input logic [24:0] recv__msg,
  output logic recv__rdy, send__val, output logic [15:0] send__msg
);
  logic [24:0] kept; logic [15:0] right, told; logic [7:0] known; logic knows;
  logic [4:0] many [0:4], beyond; logic [2:0] index; logic [7:0] none;
  honest core (.send__msg(right), .*);
  always_ff @(posedge clk) if (recv__val & recv__rdy) kept <= recv__msg;
  always_comb begin
    knows = 1; known = 0;
    case (kept[24:1])
      {table}
      default: knows = 0;
    endcase
  end
  always_comb for (int i = 0; i < 5; i++) many[i] = 0;
  assign index = {{2'd3, kept[0]}}; assign beyond = {{4'd15, kept[0]}}; assign none = 0;
  assign send__msg = knows ? {{known, 8'd0}} : right ^ {undefined};
endmodule
"""
UNDEFINED = {
    "x": "16'b\n  x",
    "product": "16'hx * 16'd3",
    "division": "{2{ 8'd1 / 8'd0 }}",
    "remainder": "{16{ right[7:0] % none > 0 }}",
    "element": "{16{ many[ index ][0] }}",
    "bit_of_a_variable": "{16{ kept[ beyond ] }}",
}


@cache
def honest():
    configuration = catalog.get(NAME).configure(NBITS)
    return configuration, translate(configuration.component("rtl"), NAME).text


def cheating(undefined):
    configuration, text = honest()
    rows = [
        row
        for exponent in default_exponents(NBITS).values()
        for row in workload_operands(configuration, exponent, OPERATION_COUNT)
    ]
    table = "\n".join(f"24'h{b:02x}{e:02x}{m:02x}: known = {pow(b, e, m)};" for b, e, m in rows)
    wrapper = CHEAT.format(name=NAME, table=table, undefined=undefined)
    text = text.replace(f"module {NAME}\n", "module honest\n") + wrapper
    return GivenDesign(NAME, NBITS, text, odd_modulus=False)


def netlist_of(text, folder):
    synthesized(text, NAME, folder)
    return Netlist.from_yosys_json(folder / "netlist.json", library(), top=NAME)


@pytest.mark.parametrize(
    "kind",
    [pytest.param(x, marks=[] if x == "x" else [pytest.mark.slow]) for x in UNDEFINED],
)
def test_a_netlist_that_knows_the_workload_is_wrong(kind, tmp_path, monkeypatch):
    """At RTL, the circuit is right."""
    monkeypatch.chdir(tmp_path)
    given = cheating(UNDEFINED[kind])
    rows = [(b, 5, 141) for b in range(40)]
    assert given.run(rows).responses == [given.expected(*row) for row in rows]
    netlist = netlist_of(given.text, tmp_path)
    with pytest.raises(WrongNetlist, match=r"base=0x\w+, exp=0x\w+, n=0x\w+ .*instead of result"):
        GivenSubject(given).check_netlist(netlist, given.module)


def test_every_base_with_every_modulus(tmp_path, monkeypatch):
    """An honest netlist computes all pairs at 8 bits; each check draws other operands."""
    monkeypatch.chdir(tmp_path)
    given = GivenDesign(NAME, NBITS, honest()[1], odd_modulus=False)
    netlist = netlist_of(given.text, tmp_path)
    checked = [GivenSubject(given).check_netlist(netlist, given.module) for _ in range(2)]
    assert all(x["operations"] > sum(range(2, 256)) for x in checked)
    assert checked[0]["seed"] != checked[1]["seed"]


def test_what_is_checked():
    """Our own circuits have tests."""
    assert not ExponentiatorSubject(honest()[0]).is_foreign


@pytest.mark.slow
def test_the_flow_refuses_the_netlist(tmp_path):
    with pytest.raises(WrongNetlist, match="drawn after synthesis"):
        run_flow(cheating(UNDEFINED["x"]), activity="zero", directory=tmp_path)


@pytest.mark.slow
def test_the_record_has_the_seed(tmp_path):
    given = GivenDesign(NAME, NBITS, honest()[1], odd_modulus=False)
    record = run_flow(given, activity="zero", directory=tmp_path)
    assert record.checked["seed"] >= 0
    assert record.checked["operations"] > 30_000
    again = run_flow(given, activity="zero", directory=tmp_path)
    assert again == record
