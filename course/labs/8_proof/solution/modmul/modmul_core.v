// result = a * b mod modulus, for a and b below modulus, and modulus >= 2.
//
// A step takes a bit of b, the highest first: sum = 2 * sum + bit * a, modulo the modulus. So the
// cycles depend on no operand: WIDTH + 1 from the cycle of start to the cycle of done.
module modmul_core #(parameter WIDTH = 8) (
  input  wire             clk,
  input  wire             reset,     // synchronous, active high
  input  wire             start,     // pulse: operands are read in this cycle
  input  wire [WIDTH-1:0] a,
  input  wire [WIDTH-1:0] b,
  input  wire [WIDTH-1:0] modulus,
  output reg              done,      // pulse
  output wire [WIDTH-1:0] result     // from the cycle of done until the next start
);
  localparam COUNT = $clog2(WIDTH + 1);

  reg [WIDTH-1:0] a_reg, b_reg, modulus_reg, sum;
  reg [COUNT-1:0] steps;             // that follow

  wire [WIDTH:0]   double  = {sum, 1'b0};
  wire [WIDTH:0]   doubled = double >= {1'b0, modulus_reg} ? double - {1'b0, modulus_reg} : double;
  wire [WIDTH:0]   added   = doubled + (b_reg[WIDTH-1] ? {1'b0, a_reg} : {(WIDTH+1){1'b0}});
  wire [WIDTH:0]   next    = added >= {1'b0, modulus_reg} ? added - {1'b0, modulus_reg} : added;

  assign result = sum;

  always @(posedge clk) begin
    done <= !reset && steps == 1;
    if (reset)
      steps <= 0;
    else if (start) begin
      a_reg       <= a;
      b_reg       <= b;
      modulus_reg <= modulus;
      sum         <= 0;
      steps       <= WIDTH;
    end else if (steps != 0) begin
      sum   <= next[WIDTH-1:0];
      b_reg <= b_reg << 1;
      steps <= steps - 1'b1;
    end
  end
endmodule
