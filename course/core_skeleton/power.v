// result = base ** exponent mod modulus, for base < modulus and modulus >= 2.
//
// Each bit of the exponent, the highest first, takes two products: a square, and a product with
// base that is kept if the bit is 1. So the cycles depend on no operand:
// 2 * WIDTH * WIDTH + 1 from the cycle of start to the cycle of done.
module skeleton_power #(parameter WIDTH = 8) (
  input  wire             clk,
  input  wire             reset,     // synchronous, active high
  input  wire             start,     // pulse: operands are read in this cycle
  input  wire [WIDTH-1:0] base,
  input  wire [WIDTH-1:0] exponent,
  input  wire [WIDTH-1:0] modulus,
  output reg              busy,
  output reg              done,      // pulse
  output reg  [WIDTH-1:0] result     // from the cycle of done until the next start
);
  localparam COUNT = $clog2(WIDTH + 1);

  reg [WIDTH-1:0] base_reg, exponent_reg, modulus_reg;
  reg [WIDTH-1:0] factor;            // bits of one factor that are not used yet, the next one on top
  reg [WIDTH-1:0] sum;               // of the bits that are used, times the other factor
  reg             squares;           // 1: result * result, 0: result * base
  reg [COUNT-1:0] steps, bits;       // that follow in the product, and in the exponent

  // A step of the interleaved multiplication: sum = 2 * sum + bit * other, modulo the modulus.
  wire [WIDTH-1:0] other   = squares ? result : base_reg;
  wire [WIDTH:0]   double  = {sum, 1'b0};
  wire [WIDTH:0]   doubled = double >= {1'b0, modulus_reg} ? double - {1'b0, modulus_reg} : double;
  wire [WIDTH:0]   added   = doubled + (factor[WIDTH-1] ? {1'b0, other} : {(WIDTH+1){1'b0}});
  wire [WIDTH:0]   next    = added >= {1'b0, modulus_reg} ? added - {1'b0, modulus_reg} : added;

  // What result is after a product.
  wire             keeps   = squares || exponent_reg[WIDTH-1];
  wire [WIDTH-1:0] product = keeps ? next[WIDTH-1:0] : result;

  always @(posedge clk) begin
    done <= 1'b0;
    if (reset)
      busy <= 1'b0;
    else if (start) begin
      busy         <= 1'b1;
      base_reg     <= base;
      exponent_reg <= exponent;
      modulus_reg  <= modulus;
      result       <= 1;
      factor       <= 1;
      sum          <= 0;
      squares      <= 1'b1;
      steps        <= WIDTH - 1;
      bits         <= WIDTH - 1;
    end else if (busy) begin
      sum    <= next[WIDTH-1:0];
      factor <= factor << 1;
      steps  <= steps - 1'b1;
      if (steps == 0) begin
        result  <= product;
        factor  <= product;
        sum     <= 0;
        squares <= ~squares;
        steps   <= WIDTH - 1;
        if (!squares) begin
          exponent_reg <= exponent_reg << 1;
          bits         <= bits - 1'b1;
          if (bits == 0) begin
            busy <= 1'b0;
            done <= 1'b1;
          end
        end
      end
    end
  end
endmodule
