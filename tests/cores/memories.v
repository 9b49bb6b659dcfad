module store(input clk, input write, input [1:0] at, input [7:0] d, output [7:0] q);
  reg [7:0] kept [0:3];
  assign q = kept[at];
  always @(posedge clk) if (write) kept[at] <= d;
endmodule
module top(input clk, input write, input [1:0] at, input [7:0] d, output [7:0] q, output [8:0] z);
  (* rsaxcel_unit *) store core(clk, write, at, d, q);
  reg [8:0] kept [0:1];
  reg [7:0] kept_too;
  assign z = kept[at[1]] ^ kept_too;
  always @(posedge clk) if (write) begin kept[at[0]] <= d; kept_too <= d; end
endmodule
