// A power that begins with a pulse of start, in whose cycle the operands are read. It ends with a
// pulse of done; result stays until the next start.
module skeleton_core #(parameter WIDTH = 8) (
  input  wire             clk,
  input  wire             reset,
  input  wire             start,
  input  wire [WIDTH-1:0] base,
  input  wire [WIDTH-1:0] exponent,
  input  wire [WIDTH-1:0] modulus,
  output wire             done,
  output wire [WIDTH-1:0] result
);
  wire busy;

  (* rsaxcel_unit *)  // its gates count for it, not for this module
  skeleton_power #(.WIDTH(WIDTH)) power (
    .clk(clk),
    .reset(reset),
    .start(start && !busy),
    .base(base),
    .exponent(exponent),
    .modulus(modulus),
    .busy(busy),
    .done(done),
    .result(result)
  );
endmodule
