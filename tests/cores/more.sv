`define ADD(a, b) ((a) + (b))
package more; localparam int ONE = 1; endpackage
module latched(input c, input a, output reg q, output w);
  always_latch if (c) q = a;
  initial $display("a ; b) %0d", `ADD(1, 2));
endmodule
module test_bench; reg clk; initial forever #5 clk = !clk; missing x(); endmodule
