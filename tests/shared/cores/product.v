// A product in a cycle; its result is valid for a cycle, whether it is taken or not.
module product #(parameter WIDTH = 8) (
  input  wire             clk,
  input  wire             valid,
  input  wire [WIDTH-1:0] a,
  input  wire [WIDTH-1:0] b,
  input  wire [WIDTH-1:0] m,
  output reg              ended,
  output reg  [WIDTH-1:0] r
);
  wire [2*WIDTH-1:0] whole = {{WIDTH{1'b0}}, a} * {{WIDTH{1'b0}}, b};

  always @(posedge clk) begin
    ended <= valid;
    r     <= whole % {{WIDTH{1'b0}}, m};
  end
endmodule
