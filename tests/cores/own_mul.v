module mul #(parameter N = 8) (
  input clk, input rst_n, input start, input [N-1:0] a, input [N-1:0] b, input [N-1:0] n,
  output reg done, output reg [N-1:0] r
);
  reg [N-1:0] x, y, m;
  reg [$clog2(N+1)-1:0] left;
  wire [N:0] d = {r, 1'b0};
  wire [N:0] d1 = d >= m ? d - m : d;
  wire [N:0] s = d1 + (y[N-1] ? x : {N{1'b0}});
  always @(posedge clk or negedge rst_n)
    if (!rst_n) {done, left} <= 0;
    else begin
      done <= left == 1;
      if (start) begin x <= a; y <= b; m <= n; r <= 0; left <= N; end
      else if (left != 0) begin
        r <= s >= m ? s - m : s; y <= y << 1; left <= left - 1'b1;
      end
    end
endmodule
