module Part ( input logic [3:0] i , output logic [3:0] o );
  assign o = ~i;
endmodule
module Clocked ( input logic [0:0] clk , output logic [7:0] o );
  always_ff @(posedge clk) o <= ~o;
endmodule
module Top ( input logic [0:0] clk , input logic [7:0] a , input logic [2:0] k ,
             output logic [7:0] r );
  localparam logic [3:0] nine = 4'd9;
  localparam logic [7:0] none = 8'd0;
  logic [7:0] w;
  logic [7:0] m [0:4] /* verilator split_var */;
  assign w = ( a / 8'd3 ) % 8'( nine );
  always_comb begin : comb_m
    for ( int unsigned i = 1'd0; i < 3'd5; i += 1'd1 ) m[i] = a >> i;
  end
  {}
endmodule
