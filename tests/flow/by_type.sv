module Part #(parameter type T = logic) (input logic clk, input T a, output T r);
  always_ff @(posedge clk) r <= ~a;
endmodule
module Top (input logic clk, input [31:0] a, output [31:0] y);
  typedef struct packed { logic [15:0] high, low; } pair;
  Part #(.T(pair)) p (.clk, .a, .r(y));
endmodule
