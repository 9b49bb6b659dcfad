module below (input clk, input [1:0] at, input d, output reg q);
  reg [7:0] words [0:3];
  reg [7:0] rom [0:3];
  reg k = 1;
  reg l;
  initial l = 0;
  initial begin rom[0] = 1; rom[1] = 5; end
  always @(posedge clk) begin q <= words[at] ^ rom[at] ^ k; k <= l; l <= q; words[at] <= d; end
endmodule
module alike (input clk, input [1:0] at, input d, output q); below b (clk, at, d, q); endmodule
