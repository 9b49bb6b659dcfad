module Top (input clk, input [31:0] a, output [31:0] y);
  Part p (clk, a, y);
  defparam p.W = 32;
endmodule
module Part (clk, a, r);
  parameter W = 4;
  input clk; input [W-1:0] a; output reg [W-1:0] r;
  always @(posedge clk) r <= a + 1;
endmodule
