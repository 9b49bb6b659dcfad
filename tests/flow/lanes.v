module lane #(parameter W = 16) (
  input clk, input rst_n, input reset, input en, input [W-1:0] a, input [W-1:0] b,
  output reg [2*W-1:0] acc
);
  reg [W-1:0] a_reg, b_reg;
  reg [2*W-1:0] product;
  always @(posedge clk) if (en) begin a_reg <= a; b_reg <= b; end
  always @(posedge clk) if (reset) product <= 0; else product <= a_reg * b_reg;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) acc <= 0; else if (en) acc <= acc + (product ^ {acc[0], acc[2*W-1:1]});
endmodule

module montgomery #(parameter W = 32) (
  input clk, input reset, input go, input [W-1:0] x, input [W-1:0] y, input [W-1:0] n,
  output [W-1:0] r, output reg done
);
  reg [W:0] sum;
  reg [W-1:0] x_reg;
  reg [5:0] count;
  wire [W+1:0] added = sum + (x_reg[0] ? y : 0);
  wire [W+1:0] even = added + (added[0] ? n : 0);
  assign r = (sum >= n) ? sum - n : sum;
  always @(posedge clk)
    if (reset) begin count <= 0; done <= 0; end
    else if (go) begin sum <= 0; x_reg <= x; count <= W; done <= 0; end
    else if (count != 0) begin
      sum <= even >> 1; x_reg <= x_reg >> 1; count <= count - 1; done <= count == 1;
    end
endmodule

(* blackbox *) module FA_X1 (input A, input B, input CI, output CO, output S); endmodule
(* blackbox *) module HA_X1 (input A, input B, output CO, output S); endmodule

module top (
  input clk, input rst_n, input set_n, input reset, input en, input [15:0] a, input [15:0] b,
  output [31:0] y, output reg [7:0] parity, output done
);
  wire [31:0] y0, y1, r;
  wire [7:0] sum, carry, half, next;
  FA_X1 full [7:0] (.A(y0[7:0]), .B(y1[7:0]), .CI(r[7:0]), .CO(carry), .S(sum));
  HA_X1 last [7:0] (.A(sum), .B({carry[6:0], carry[7]}), .CO(next), .S(half));
  lane l0 (.clk(clk), .rst_n(rst_n), .reset(reset), .en(en), .a(a), .b(b), .acc(y0));
  lane l1 (.clk(clk), .rst_n(rst_n), .reset(reset), .en(en), .a(y0[15:0]), .b(y0[31:16]), .acc(y1));
  montgomery mont (.clk(clk), .reset(reset), .go(en & a[0]), .x(y0), .y(y1), .n({b, a}),
    .r(r), .done(done));
  reg [31:0] preset_reg;
  always @(posedge clk or negedge set_n) if (!set_n) preset_reg <= ~0; else preset_reg <= r ^ y1;
  assign y = preset_reg;
  always @(posedge clk or negedge rst_n or negedge set_n)
    if (!rst_n) parity <= 0; else if (!set_n) parity <= ~0;
    else parity <= {^r ^ ^half, ^y0 ^ ^next, ^y1, parity[7:3]};
endmodule
