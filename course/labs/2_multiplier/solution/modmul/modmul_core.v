// result = a * b mod modulus, for a and b below modulus, and modulus >= 2.
//
// A step takes two bits of b, the highest first, as two steps of a bit in one cycle. An odd width
// gets a 0 above its highest bit. (WIDTH + 1) / 2 + 1 cycles from start to done.
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
  localparam STEPS = (WIDTH + 1) / 2;
  localparam COUNT = $clog2(STEPS + 1);

  reg [WIDTH-1:0]   a_reg, modulus_reg, sum;
  reg [2*STEPS-1:0] b_reg;
  reg [COUNT-1:0]   steps;           // that follow

  function [WIDTH-1:0] reduced(input [WIDTH:0] value, input [WIDTH-1:0] m);
    reg [WIDTH:0] less;
    begin
      less = value - {1'b0, m};
      reduced = value >= {1'b0, m} ? less[WIDTH-1:0] : value[WIDTH-1:0];
    end
  endfunction

  wire [WIDTH-1:0] addend_high = b_reg[2*STEPS-1] ? a_reg : {WIDTH{1'b0}};
  wire [WIDTH-1:0] addend_low  = b_reg[2*STEPS-2] ? a_reg : {WIDTH{1'b0}};
  wire [WIDTH-1:0] doubled     = reduced({sum, 1'b0}, modulus_reg);
  wire [WIDTH-1:0] middle      = reduced({1'b0, doubled} + {1'b0, addend_high}, modulus_reg);
  wire [WIDTH-1:0] redoubled   = reduced({middle, 1'b0}, modulus_reg);
  wire [WIDTH-1:0] next        = reduced({1'b0, redoubled} + {1'b0, addend_low}, modulus_reg);

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
      steps       <= STEPS;
    end else if (steps != 0) begin
      sum   <= next;
      b_reg <= b_reg << 2;
      steps <= steps - 1'b1;
    end
  end
endmodule
