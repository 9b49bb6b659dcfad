"""The power analysis against OpenSTA 2.0.17 on a mapped netlist, at one uniform activity."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass

import pytest

from rsaxcel.flow.errors import PowerError
from rsaxcel.flow.power.energy import analyse
from rsaxcel.flow.power.slews import Slews, clock_constraints, run_opensta
from tests.flow.activities import uniform_activity
from tests.flow.opensta_accounting import opensta_power
from tests.flow.power_netlists import LIBERTY, Mapped, library, map_to_gates, near

PERIOD_NS = 3.0
ACTIVITY = 0.1

# Multiply-accumulate lanes and a bit-serial Montgomery product, with registers of all kinds:
# without reset, with synchronous and asynchronous reset, with asynchronous preset, and both. And
# the library's adder cells, which have two outputs.
SOURCE = """
module lane #(parameter W = 16) (
  input clk, input rst_n, input reset, input en, input [W-1:0] a, input [W-1:0] b,
  output reg [2*W-1:0] acc
);
  reg [W-1:0] a_reg, b_reg;
  reg [2*W-1:0] product;
  always @(posedge clk) if (en) begin a_reg <= a; b_reg <= b; end
  always @(posedge clk) if (reset) product <= 0; else product <= a_reg * b_reg;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) acc <= 0; else if (en) acc <= acc + (product ^ {acc[0], acc[2*W-1:1]});
endmodule

module montgomery #(parameter W = 32) (
  input clk, input reset, input go, input [W-1:0] x, input [W-1:0] y, input [W-1:0] n,
  output [W-1:0] r, output reg done
);
  reg [W:0] sum;
  reg [W-1:0] x_reg;
  reg [5:0] count;
  wire [W+1:0] added = sum + (x_reg[0] ? y : 0);
  wire [W+1:0] even = added + (added[0] ? n : 0);
  assign r = (sum >= n) ? sum - n : sum;
  always @(posedge clk)
    if (reset) begin count <= 0; done <= 0; end
    else if (go) begin sum <= 0; x_reg <= x; count <= W; done <= 0; end
    else if (count != 0) begin
      sum <= even >> 1; x_reg <= x_reg >> 1; count <= count - 1; done <= count == 1;
    end
endmodule

(* blackbox *) module FA_X1 (input A, input B, input CI, output CO, output S); endmodule
(* blackbox *) module HA_X1 (input A, input B, output CO, output S); endmodule

module top (
  input clk, input rst_n, input set_n, input reset, input en, input [15:0] a, input [15:0] b,
  output [31:0] y, output reg [7:0] parity, output done
);
  wire [31:0] y0, y1, r;
  wire [7:0] sum, carry, half, next;
  FA_X1 full [7:0] (.A(y0[7:0]), .B(y1[7:0]), .CI(r[7:0]), .CO(carry), .S(sum));
  HA_X1 last [7:0] (.A(sum), .B({carry[6:0], carry[7]}), .CO(next), .S(half));
  lane l0 (.clk(clk), .rst_n(rst_n), .reset(reset), .en(en), .a(a), .b(b), .acc(y0));
  lane l1 (.clk(clk), .rst_n(rst_n), .reset(reset), .en(en), .a(y0[15:0]), .b(y0[31:16]), .acc(y1));
  montgomery mont (.clk(clk), .reset(reset), .go(en & a[0]), .x(y0), .y(y1), .n({b, a}),
    .r(r), .done(done));
  reg [31:0] preset_reg;
  always @(posedge clk or negedge set_n) if (!set_n) preset_reg <= ~0; else preset_reg <= r ^ y1;
  assign y = preset_reg;
  always @(posedge clk or negedge rst_n or negedge set_n)
    if (!rst_n) parity <= 0; else if (!set_n) parity <= ~0;
    else parity <= {^r ^ ^half, ^y0 ^ ^next, ^y1, parity[7:3]};
endmodule
"""


@dataclass(frozen=True)
class Reported:
    """OpenSTA's report in watts: totals, and internal power per instance."""

    internal_w: float
    switching_w: float
    leakage_w: float
    instances_w: dict[str, float]


@pytest.fixture(scope="session")
def mapped(tmp_path_factory) -> Mapped:
    return map_to_gates(SOURCE, "top", tmp_path_factory.mktemp("mapped"))


@pytest.fixture(scope="session")
def slews(mapped, tmp_path_factory) -> Slews:
    return run_opensta(
        liberty=LIBERTY,
        verilog=mapped.verilog,
        top="top",
        constraints=clock_constraints("clk", PERIOD_NS),
        work_dir=tmp_path_factory.mktemp("sta"),
        time_unit_s=library().time_unit_s,
    )


@pytest.fixture(scope="session")
def reported(mapped, tmp_path_factory) -> Reported:
    """Let OpenSTA compute the same powers with its own accounting."""
    folder = tmp_path_factory.mktemp("report")
    (folder / "power.tcl").write_text(
        f"""
        read_liberty {LIBERTY}
        read_verilog {mapped.verilog}
        link_design top
        {clock_constraints("clk", PERIOD_NS)}
        # Gates fed by input ports only have no clock else, and OpenSTA leaves out the period.
        set_input_delay 0 -clock clk [all_inputs]
        set_power_activity -global -activity {ACTIVITY}
        report_power -digits 9 > total.txt
        report_power -instances [get_cells *] -digits 9 > instances.txt
        """
    )
    subprocess.run(
        ["sta", "-no_init", "-exit", "power.tcl"], cwd=folder, check=True, stdout=subprocess.DEVNULL
    )
    (total,) = [
        line for line in (folder / "total.txt").read_text().splitlines() if line[:5] == "Total"
    ]
    internal, switching, leakage = (float(number) for number in total.split()[1:4])
    rows = [line.split() for line in (folder / "instances.txt").read_text().splitlines()[3:]]
    instances = {row[4].replace("\\", ""): float(row[0]) for row in rows}
    return Reported(internal, switching, leakage, instances)


def test_design_is_rich_enough(mapped):
    """The netlist has thousands of cells, and registers with and without reset pins."""
    types = {instance.cell.name for instance in mapped.netlist.instances}
    assert len(mapped.netlist.instances) > 3000
    assert {"DFF_X1", "DFFR_X1", "DFFS_X1", "DFFRS_X1"} <= types
    assert {"XOR2_X1", "MUX2_X1", "NAND2_X1", "INV_X1", "OAI21_X1", "FA_X1", "HA_X1"} <= types
    assert len(types) > 20


def test_switching_and_leakage_agree_with_opensta(mapped, slews, reported):
    """Switching and leakage equal OpenSTA's, which excludes clock and input nets."""
    activity = uniform_activity(mapped.netlist, toggles_per_cycle=ACTIVITY)
    energy = analyse(mapped.netlist, activity, slews, period_ns=PERIOD_NS)
    power_mw = energy.items_mw()
    # The acceptance limit is 0.5 %; the rest is due to OpenSTA's single-precision sums.
    assert power_mw["switching_mw"] == near(reported.switching_w * 1e3, rel=1e-4)
    assert power_mw["leakage_mw"] == near(reported.leakage_w * 1e3, rel=1e-4)


def test_imitated_accounting_reproduces_opensta(mapped, slews, reported):
    """With OpenSTA's accounting, our internal power equals OpenSTA's, cell by cell."""
    imitated = opensta_power(mapped.netlist, slews, LIBERTY, activity=ACTIVITY, period_ns=PERIOD_NS)
    assert imitated.internal_w.keys() == reported.instances_w.keys()
    assert imitated.internal_w == near(reported.instances_w, rel=1e-4)
    # The acceptance limit is 1 %.
    assert sum(imitated.internal_w.values()) == near(reported.internal_w, rel=1e-4)
    assert sum(imitated.switching_w.values()) == near(reported.switching_w, rel=1e-4)
    assert sum(imitated.leakage_w.values()) == near(reported.leakage_w, rel=1e-4)


def test_proper_accounting_is_below_opensta(mapped, slews, reported):
    """OpenSTA charges a rise and a fall per toggle, about twice too much."""
    activity = uniform_activity(mapped.netlist, toggles_per_cycle=ACTIVITY)
    energy = analyse(mapped.netlist, activity, slews, period_ns=PERIOD_NS)
    internal_w = energy.items.internal_j / energy.time_s
    assert 0.4 * reported.internal_w < internal_w < 0.7 * reported.internal_w


def test_magnitudes_are_those_of_a_45_nm_library(mapped, slews):
    """A few fJ per toggle, under ten per flip-flop and cycle, tens of nanowatts per cell."""
    cycles = 1000.0
    netlist = mapped.netlist
    activity = uniform_activity(netlist, toggles_per_cycle=ACTIVITY, cycles=cycles)
    items = analyse(netlist, activity, slews, period_ns=PERIOD_NS).items
    flip_flops = sum(instance.cell.sequential is not None for instance in netlist.instances)
    gates = len(netlist.instances) - flip_flops
    assert 1e-15 < items.switching_j / (len(netlist.instances) * ACTIVITY * cycles) < 5e-15
    assert 1e-15 < items.internal_combinational_j / (gates * ACTIVITY * cycles) < 5e-15
    assert 5e-15 < items.clock_pins_j / (flip_flops * cycles) < 12e-15
    leakage_w = items.leakage_j / (cycles * PERIOD_NS * 1e-9)
    assert 10e-9 < leakage_w / len(netlist.instances) < 60e-9


def test_energy_of_modules_adds_up(mapped, slews):
    activity = uniform_activity(mapped.netlist, toggles_per_cycle=ACTIVITY)
    energy = analyse(mapped.netlist, activity, slews, period_ns=PERIOD_NS)
    assert list(energy.by_module) == ["", "l0", "l1", "mont"]
    total_j = sum(items.total_j for items in energy.by_module.values())
    assert total_j == near(energy.items.total_j)
    # The lanes are two copies of one module.
    lane_j = energy.by_module["l0"].internal_sequential_j
    assert energy.by_module["l1"].internal_sequential_j == near(lane_j, rel=0.05)
    assert all(items.leakage_j > 0 for items in energy.by_module.values())


def test_sta_errors_are_reported(mapped, tmp_path):
    def run(**changes):
        arguments = {"liberty": LIBERTY, "verilog": mapped.verilog, "top": "top"} | changes
        constraints = clock_constraints("clk", PERIOD_NS)
        run_opensta(**arguments, constraints=constraints, work_dir=tmp_path, time_unit_s=1e-9)

    with pytest.raises(PowerError, match=r"OpenSTA.*cannot (read|open).*absent\.v"):
        run(verilog=tmp_path / "absent.v")
    with pytest.raises(PowerError, match=r"OpenSTA.*other is not a verilog module"):
        run(top="other")


def test_missing_sta_is_named(mapped, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PowerError, match=r"OpenSTA \(sta\) is missing; install it with: .*opensta"):
        run_opensta(
            liberty=LIBERTY,
            verilog=mapped.verilog,
            top="top",
            constraints="",
            work_dir=tmp_path,
            time_unit_s=1e-9,
        )


def test_unknown_pin_has_no_slew(slews):
    with pytest.raises(PowerError, match="no slew is known for pin Z of cell ghost"):
        slews.slew_s("ghost", "Z", "rise")
