"""What `check` measures of a core beside its results."""

import pytest

from rsaxcel.catalog.described import describe
from rsaxcel.sim.check.outside import check_outside
from rsaxcel.sim.check.refused import Refused
from rsaxcel.sim.check.timing import check_cycles

#: Counts down from `CYCLES; the result is right, but for `FAULT.
CORE = """
module quick #(parameter W = 8) (input clk, input rst, input go, input [W-1:0] b, e, n,
                                 output reg done, output reg [W-1:0] r);
  reg [15:0] left; reg busy; reg [W-1:0] power; integer i;
  always @* begin
    power = n == 0 ? 0 : 1 % n;
    for (i = W - 1; i >= 0; i = i - 1) begin
      power = n == 0 ? 0 : ({{W{1'b0}}, power} * power) % n;
      if (e[i] && n != 0) power = ({{W{1'b0}}, power} * b) % n;
    end
  end
  always @(posedge clk) begin
    done <= 0;
    if (rst) busy <= 0;
    else if (go && !(`HANGS)) begin busy <= 1; left <= `CYCLES; r <= `FAULT ? ~power : power; end
    else if (busy) begin
      left <= left - 1;
      if (left <= 1) begin busy <= 0; done <= 1; end
    end
  end
endmodule
"""
TOML = """
name = "quick_core"
files = "*.v"
top = "quick"
widths = { least = 2, most = 64 }
parameters = { W = "nbits" }
clock = "clk"
reset = "rst"
"""
PROTOCOL = """
[protocol]
kind = "start_done"
start = "go"
operands = { b = "b", e = "e", n = "n" }
sampled = true
done = "done"
result = "r"
result_held = true
"""


def quick(folder, cycles="9", hangs="0", fault="0", more="", protocol=PROTOCOL):
    folder.mkdir(exist_ok=True)
    (folder / "quick.v").write_text(CORE)
    defines = f"defines = {{ CYCLES = '{cycles}', HANGS = '{hangs}', FAULT = '{fault}' }}\n"
    (folder / "core.toml").write_text(f"{TOML}{defines}{more}{protocol}")
    return describe(folder)


@pytest.mark.parametrize(
    ("cycles", "told"),
    [
        ("9", "cycles: constant (10)"),
        ("9 + $countones(e)", "on the exponent's weight (number of ones): "),
        ("$clog2(n + 1)", "on the modulus's length: "),
        ("b[0] ? 9 : 3", "on the base's value: 4 to 10"),
        ("e == 0 ? 2 : 9", "on whether the exponent is small (0: 3; else 10)"),
    ],
)
def test_it_is_told_on_what_cycles_depend(tmp_path, cycles, told):
    assert told in check_cycles(quick(tmp_path, cycles).configure(8), 0, 0)


def test_what_is_declared_of_cycles_is_compared(tmp_path):
    more = "secrecy = { exponent_dependent = false }\n"
    circuit = quick(tmp_path, "9 + e", more=more).configure(8)
    with pytest.raises(Refused, match="exponent_dependent = false is declared, but") as caught:
        check_cycles(circuit, 0, 0)
    assert caught.value.kind == "declared"
    assert "rsaxcel sim quick_core" in caught.value.replay


def test_what_is_outside_of_the_rules_is_told(tmp_path):
    more = "rules = { odd_modulus = true, full_modulus = true, positive_exponent = true }\n"
    entry = quick(tmp_path, hangs="n == 0 || e == 0", fault="(n > 1 && b >= n)", more=more)
    first, *lines = check_outside(entry.configure(8), 0, 0).split("\n")
    assert first == "what is not judged:"
    told = dict(x.split(": ", 1) for x in lines)
    assert told["modulus 0"].startswith("no answer in 4 of 4 (base=")
    assert told["modulus 1"] == "right in 4 of 4"
    assert told["even modulus"].startswith("right in ")
    assert "wrong" not in told["modulus shorter than the width"]
    assert told["base not below the modulus"].startswith("wrong in 13 of 13 (base=")
    assert told["exponent 0"].startswith("no answer in 12 of 12 (base=")
