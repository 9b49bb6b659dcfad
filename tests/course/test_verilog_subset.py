"""The Verilog that `rsaxcel rank` takes has no undefined values, and nothing hides in comments."""

from pathlib import Path

import pytest

from rsaxcel.course.rank.verilog import check_verilog
from rsaxcel.sim.check.refused import Refused

CIRCUIT = Path(__file__).with_name("verilog_subset.v").read_text("utf-8")
HONEST = (
    "assign r = { w[7:4], m[4][3:0] };",
    "always_ff @(posedge clk) begin if ( w[7] ) r <= '1; else r <= m[k]; end",
    "Clocked c ( .clk( clk ), .o( r ) );",
    "logic [0:0] c__clk [0:1]; Clocked c ( .clk( c__clk[0] ), .o( r ) ); assign c__clk[0] = clk;",
    "assign r = 8'( a[ 3'd4 +: 4 ] ) - { { 4 { w[3] } }, m[0][3:0] };",
)
CHEATS = {
    "x": (
        "assign r = 8'b\n  xxxxxxxx;",
        "assign r = 8'hx;",
        "assign r = 8'b/* 0 */x;",
        "assign r = k[0] ? 'x : w;",
        "assign r = 'z;",
        "assign r = 8'o?;",
        "assign r = { 7'd0, 1 'b X };",
        "always_comb unique if ( k[0] ) r = w; else r = a;",
        "always_comb begin casez ( k ) 3'b1??: r = w; default: r = a; endcase end",
        "assign r = w == 8'b1zzz_0000 ? w : a;",
    ),
    "division": (
        "assign r = 8'd1 / 8'd0;",
        "assign r = a % none;",
        "assign r = a / ( 8'( nine ) - 8'd9 );",
        "assign r = a % w;",
        "assign r = 8'd200 / 8'( k );",
    ),
    "select": (
        "assign r = { 7'd0, a[8] };",
        "assign r = { 7'd0, a[nine] };",
        "assign r = a[11:4];",
        "assign r = a[ 3'd5 +: 8 ];",
        "assign r = m[5];",
        "assign r = m[ nine - 4'd4 ];",
        "assign r = { 7'd0, a[-1] };",
    ),
    "comment": (
        "always_comb begin r = w; end/* ... */initial m[0] = 8'd3;",
        "(/**/* full_case *) assign r = w;",
        "( * full_case * ) assign r = w;",
        "always/**/@(a) r = w;",
        "assign r = w; /* verilator\n public */ `define x",
        "assign r = w; // \\\n initial $finish;",
        "assign /* // */ #1 r = w;",
    ),
    "undriven": (
        "logic [7:0] v; assign r = v;",
        "Part p ( .o( r[3:0] ) ); assign r[7:4] = w[3:0];",
        "Part p ( .i( ), .o( r[3:0] ) ); assign r[7:4] = w[3:0];",
        "always_comb if ( k[0] ) r = w;",
        "assign r = w; assign r = ~w;",
    ),
    "clock": (
        "always_ff @(posedge a[0]) r <= w;",
        "logic [0:0] q; assign q = ~clk; always_ff @(posedge q) r <= w;",
        "always_ff @(posedge clk[0]) r <= w;",
        "always_ff @(clk) r <= w;",
        "assign r = { 7'd0, clk };",
        "assign r = { 7'd0, clk[0] };",
        "assign r = w; always_ff @(posedge clk) m[0] <= clk ? a : w;",
        "logic [0:0] q; Clocked c ( .clk( q ), .o( r ) ); assign q = a[0];",
        "Clocked c ( .clk( ~clk ), .o( r ) );",
        "Clocked c ( .clk( a[0] ), .o( r ) );",
        "Part p ( .i( clk ), .o( r[3:0] ) ); assign r[7:4] = w[3:0];",
        "Part p ( .i( (clk) ), .o( r[3:0] ) ); assign r[7:4] = w[3:0];",
        "assign clk = a[0]; assign r = w;",
        "logic [0:0] c__clk; Clocked c ( .clk( c__clk ), .o( r ) ); assign c__clk = a[0];",
        "logic [0:0] c__clk; Clocked c ( .clk( c__clk ), .o( r ) ); assign c__clk = ~clk;",
        "logic [0:0] c__clk; assign c__clk = clk; assign r = { 7'd0, c__clk };",
        "logic [0:0] c__clk; assign c__clk = clk; assign r[0] = c__clk; assign r[7:1] = w[7:1];",
        "logic [0:0] c__clk; always_comb c__clk = clk; Clocked c ( .clk( c__clk ), .o( r ) );",
        "logic [0:0] c__clk; assign c__clk = clk; always_ff @(posedge c__clk) r <= w;",
        "logic [0:0] c__clk; assign { c__clk, r } = { clk, w };",
    ),
    "modules": (
        "assign r = 8'd1 / 8'd0; endmodule module Loop ( input logic [0:0] clk ); "
        "Loop l ( .clk( clk ) ); Top t ( .clk( clk ), .a( 8'd0 ), .k( 3'd0 ), .r( ) );",
        "Top t ( .clk( clk ), .a( a ), .k( k ), .r( r ) );",
        "assign r = w; endmodule module Part ( input logic [3:0] i , output logic [3:0] o ); "
        "assign o = i;",
        "assign r = w; endmodule module Own ( input logic [0:0] i ); logic [0:0] clk; "
        "assign clk = i;",
    ),
    "other": (
        "logic [7:0] v = 8'd3; assign r = v;",
        "Part p ( .i( w[3:0] ), .o( r[3:0] ) ); assign r[7:4] = p.i;",
        "assign r = w +;",
        "assign r = \\w ;",
        '`include "/etc/passwd"',
    ),
}


@pytest.mark.parametrize("line", HONEST)
def test_what_is_defined_is_allowed(line):
    text = check_verilog(CIRCUIT.format(f"/* a // comment */ {line} // end /*"))
    assert "comment" not in text
    assert text.count("/*") == text.count("/* verilator split_var */;") == 1
    assert check_verilog(text) == text


LONG = {
    "a_chain": "assign r = w" + " + w" * 50_000 + ";",
    "brackets": "assign r = " + "(" * 5000 + "w" + ")" * 5000 + ";",
    "conditions": f"always_comb begin {'if ( k[0] ) r = w; else ' * 50_000} r = a; end",
    # A regular expression would look for the end of each of these comments.
    "comments": "/* verilator " * 200_000,
}


@pytest.mark.parametrize(
    "line", [pytest.param(x, id=kind) for kind in CHEATS for x in CHEATS[kind]]
)
def test_cheats_are_refused(line):
    with pytest.raises(Refused) as refused:
        check_verilog(CIRCUIT.format(line))
    assert refused.value.kind == "verilog"
    assert "\n" not in refused.value.reason


@pytest.mark.timeout(30)
@pytest.mark.parametrize("kind", LONG)
def test_what_is_endless_is_refused_in_a_few_words(kind):
    with pytest.raises(Refused) as refused:
        check_verilog(CIRCUIT.format(LONG[kind]))
    assert len(refused.value.reason) < 200
