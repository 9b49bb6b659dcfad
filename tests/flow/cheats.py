"""Circuits that know the answers of the workload, and leave all others undefined.

For Verilator, which takes what is undefined as 0, all answers are right; Yosys chooses any value.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from rsaxcel import catalog
from rsaxcel.catalog.given import GivenDesign
from rsaxcel.flow.requests import OPERATION_COUNT, default_exponents, workload_operands
from rsaxcel.sim.translate import translate

NAME, NBITS = "ssmm_r2l", 8
_WRAPPER = """
module {name} (
  input logic [0:0] clk , input logic [0:0] reset , input logic [24:0] recv__msg ,
  output logic [0:0] recv__rdy , input logic [0:0] recv__val , output logic [15:0] send__msg ,
  input logic [0:0] send__rdy , output logic [0:0] send__val
);
  logic [24:0] kept; logic [15:0] right; logic [7:0] known; logic [0:0] knows;
  logic [0:0] many [0:4]; logic [2:0] index; logic [4:0] beyond; logic [7:0] none;
  honest core ( .clk( clk ), .reset( reset ), .recv__msg( recv__msg ), .recv__rdy( recv__rdy ),
    .recv__val( recv__val ), .send__msg( right ), .send__rdy( send__rdy ),
    .send__val( send__val ) );
  always_ff @(posedge clk) begin : seq_kept
    if ( recv__val & recv__rdy ) kept <= recv__msg;
  end
  always_comb begin : comb_known
    knows = 1'd0; known = 8'd0;
    {table}
  end
  always_comb begin : comb_undefined
    for ( int unsigned i = 1'd0; i < 3'd5; i += 1'd1 ) many[i] = 1'd0;
    index = {{ 2'd3, kept[0] }}; beyond = {{ 4'd15, kept[0] }}; none = 8'd0;
  end
  assign send__msg = knows ? {{ known, 8'd0 }} : right ^ {undefined};
endmodule
"""
READ = {"element": "{ 16 { many[index] } }", "bit_of_a_variable": "{ 16 { kept[beyond] } }"}
"""What is undefined, where the reader of Verilog cannot tell."""

REFUSED = {
    "x": "16'b\n  x",
    "product": "16'hx * 16'd3",
    "division": "{ 2 { 8'd1 / 8'd0 } }",
    "remainder": "{ 16 { right[7:0] % none > 8'd0 } }",
}
"""What is undefined, and is refused in Verilog that is handed in."""


@cache
def honest() -> tuple[catalog.Configuration, str]:
    """Configuration of the circuit below the cheat, and its Verilog."""
    configuration = catalog.get(NAME).configure(NBITS)
    return configuration, translate(configuration.component("rtl"), NAME).text


def honest_design() -> GivenDesign:
    """Circuit below the cheat as a given design."""
    return GivenDesign(NAME, NBITS, honest()[1], odd_modulus=False)


def cheating(undefined: str) -> GivenDesign:
    """Circuit that answers the workload from a table."""
    text = honest()[1].replace(f"module {NAME}\n", "module honest\n")
    return GivenDesign(NAME, NBITS, text + wrapper(NAME, undefined), odd_modulus=False)


def wrapper(name: str, undefined: str) -> str:
    """Verilog of the top module, around a module ``honest``."""
    rows: list[Sequence[int]] = [
        row
        for exponent in default_exponents(NBITS).values()
        for row in workload_operands(honest()[0], exponent, OPERATION_COUNT)
    ]
    table = "\n    ".join(
        f"if ( kept[24:1] == 24'h{b:02x}{e:02x}{m:02x} ) "
        f"begin knows = 1'd1; known = 8'd{pow(b, e, m)}; end"
        for b, e, m in dict.fromkeys(map(tuple, rows))
    )
    return _WRAPPER.format(name=name, table=table, undefined=undefined)
