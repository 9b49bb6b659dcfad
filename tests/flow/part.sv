module Part #(parameter W = 4) (input logic clk, input [W-1:0] a, output logic [W-1:0] r);
  always_ff @(posedge clk) r <= a + 1;
endmodule
module Top (input logic clk, input [31:0] a, output [31:0] y);
{}
endmodule
