// A power behind two streams: operands are taken, and the result given, in a cycle in which valid
// and ready are 1.
module skeleton_core #(parameter WIDTH = 8) (
  input  wire               clk,
  input  wire               reset,
  input  wire               operands_valid,
  output wire               operands_ready,
  input  wire [3*WIDTH-1:0] operands,        // base, exponent, modulus; base in the highest bits
  output wire               result_valid,
  input  wire               result_ready,
  output wire [WIDTH-1:0]   result
);
  wire busy, done;
  reg  waits;                                // a result has not been taken

  assign operands_ready = !busy && !result_valid;
  assign result_valid   = done || waits;

  always @(posedge clk)
    waits <= result_valid && !result_ready && !reset;

  (* rsaxcel_unit *)  // its gates count for it, not for this module
  skeleton_power #(.WIDTH(WIDTH)) power (
    .clk(clk),
    .reset(reset),
    .start(operands_valid && operands_ready),
    .base(operands[3*WIDTH-1:2*WIDTH]),
    .exponent(operands[2*WIDTH-1:WIDTH]),
    .modulus(operands[WIDTH-1:0]),
    .busy(busy),
    .done(done),
    .result(result)
  );
endmodule
