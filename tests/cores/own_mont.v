module mont #(parameter N = 8, parameter STEPS = N) (
  input clk, input reset, input [3*N-1:0] ops, input v, output rdy,
  output [N-1:0] q, output qv, input qr
);
  reg busy;
  reg [STEPS-1:0] x;
  reg [N-1:0] y, m;
  reg [N:0] t;
  reg [$clog2(STEPS+1)-1:0] left;
  wire [N+1:0] s = t + (x[0] ? y : {N{1'b0}});
  wire [N+1:0] u = s + (s[0] ? m : {N{1'b0}});
  assign {rdy, qv, q} = {!busy, busy && left == 0, t >= m ? t[N-1:0] - m : t[N-1:0]};
  always @(posedge clk)
    if (reset) busy <= 0;
    else if (!busy) begin
      if (v) begin busy <= 1; {x, y, m} <= ops; t <= 0; left <= STEPS; end
    end else if (left != 0) begin t <= u >> 1; x <= x >> 1; left <= left - 1'b1; end
    else if (qr) busy <= 0;
endmodule
