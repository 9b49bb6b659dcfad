"""Circuits of some twenty lines of hand-written Verilog, which tests make known by their names."""

from rsaxcel.catalog.given import GivenEntry, GivenMultiplierEntry
from rsaxcel.plan.modulus_constants import ModulusConstant, PowerOfTwo

NAME = "tiny_power"

TEXT = """
module tiny_power #(parameter N = 8) (
  input clk, input reset, input [3*N:0] recv__msg, input recv__val, output recv__rdy,
  output [N+7:0] send__msg, output send__val, input send__rdy
);
  logic busy;
  logic [7:0] status;
  logic [N-1:0] base, exponent, modulus, result;
  wire [N-1:0] b = recv__msg[3*N:2*N+1], e = recv__msg[2*N:N+1], m = recv__msg[N:1];
  wire [7:0] found = recv__msg[0] ? 8'd4 : m < 2 ? 8'd1 : b >= m ? 8'd3 : 8'd0;
  function automatic [N-1:0] times(input [N-1:0] x);
    logic [N:0] sum = 0;
    for (int i = N - 1; i >= 0; i--) begin
      sum = 2 * sum >= modulus ? 2 * sum - modulus : 2 * sum;
      if (x[i]) sum = sum + base >= modulus ? sum + base - modulus : sum + base;
    end
    return sum[N-1:0];
  endfunction
  assign {recv__rdy, send__val, send__msg} = {!busy, busy && exponent == 0, result, status};
  always_ff @(posedge clk)
    if (reset) busy <= 0;
    else if (recv__rdy && recv__val)
      {busy, status, base, exponent, modulus, result} <= {1'b1, found, b, found ? {N{1'b0}} : e, m,
        {{N-1{1'b0}}, found == 0}};
    else if (exponent != 0) begin
      {base, exponent} <= {times(base), exponent >> 1};
      if (exponent[0]) result <= times(result);
    end else if (send__rdy) busy <= 0;
endmodule
"""

ENTRY = GivenEntry(
    NAME,
    "squares and multiplies, each in a cycle",
    range(4, 33),
    lambda nbits: TEXT.replace("N = 8", f"N = {nbits}"),
    odd_modulus=False,
)

PRODUCT = "tiny_product"

PRODUCT_TEXT = """
module tiny_product #(parameter N = 8) (
  input clk, input reset, input [3*N-1:0] recv__msg, input recv__val, output recv__rdy,
  output [N-1:0] send__msg, output send__val, input send__rdy
);
  logic busy;
  logic [N-1:0] a, b, m, r;
  function automatic [N-1:0] plus(input [N-1:0] x, input [N-1:0] y);
    logic [N:0] sum = x + y;
    return sum >= m ? sum - m : sum;
  endfunction
  assign {recv__rdy, send__val, send__msg} = {!busy, busy && b == 0, r};
  always_ff @(posedge clk)
    if (reset) busy <= 0;
    else if (recv__rdy && recv__val) {busy, a, b, m, r} <= {1'b1, recv__msg, {N{1'b0}}};
    else if (b != 0) {a, b, r} <= {plus(a, a), b >> 1, b[0] ? plus(r, a) : r};
    else if (send__rdy) busy <= 0;
endmodule
"""

PRODUCT_ENTRY = GivenMultiplierEntry(
    PRODUCT,
    "adds and doubles, once for each bit of b",
    range(4, 65),
    lambda nbits: PRODUCT_TEXT.replace("N = 8", f"N = {nbits}"),
    odd_modulus=False,
)

MONT_NAME = "tiny_mont"

MONT_TEXT = """
module tiny_mont #(parameter N = 8) (
  input clk, input reset, input [4*N+1:0] recv__msg, input recv__val, output recv__rdy,
  output [N+7:0] send__msg, output send__val, input send__rdy
);
  logic busy;
  logic [7:0] status, left;
  logic [N-1:0] base, exponent, modulus, result;
  wire [N-1:0] b = recv__msg[4*N+1:3*N+2], e = recv__msg[3*N+1:2*N+2];
  wire [N-1:0] m = recv__msg[2*N+1:N+2], r2 = recv__msg[N+1:2];
  wire [7:0] found = recv__msg[1] ? 8'd4 : m < 3 ? 8'd1 : !m[0] ? 8'd2 : b >= m ? 8'd3 :
    recv__msg[0] ? 8'd5 : 8'd0;
  function automatic [N-1:0] mont(input [N-1:0] x, input [N-1:0] y, input [N-1:0] m);
    logic [N+1:0] sum = 0;
    for (int i = 0; i < N; i++) begin
      if (x[i]) sum = sum + y;
      sum = (sum[0] ? sum + m : sum) >> 1;
    end
    return sum >= m ? sum - m : sum;
  endfunction
  assign {recv__rdy, send__val, send__msg} = {!busy, busy && left == 0, result, status};
  always_ff @(posedge clk)
    if (reset) busy <= 0;
    else if (recv__rdy && recv__val)
      {busy, status, left, base, exponent, modulus, result} <= {1'b1, found,
        found ? 8'd0 : 8'(N + 1), mont(b, r2, m), e, m, found ? {N{1'b0}} : mont(1, r2, m)};
    else if (left != 0) begin
      {left, base, exponent} <= {left - 8'd1, mont(base, base, modulus), exponent >> 1};
      if (left == 1) result <= mont(result, 1, modulus);
      else if (exponent[0]) result <= mont(result, base, modulus);
    end else if (send__rdy) busy <= 0;
endmodule
"""

MONT_ENTRY = GivenEntry(
    MONT_NAME,
    "Montgomery's, with R^2 from the host",
    range(4, 33),
    lambda nbits: MONT_TEXT.replace("N = 8", f"N = {nbits}"),
    odd_modulus=True,
    host_constants=lambda nbits: (
        ModulusConstant("r2", nbits, PowerOfTwo(2 * nbits), "R^2 mod m"),
    ),
    exponent_dependent=False,
    base_dependent=False,
)
