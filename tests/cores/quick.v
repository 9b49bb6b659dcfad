module quick #(parameter W = 8) (input clk, input rst, input go, input [W-1:0] b, e, n,
                                 output reg done, output reg [W-1:0] r);
  reg [15:0] left; reg busy; reg [W-1:0] power, last; integer i;
  always @* begin
    power = n == 0 ? 0 : 1 % n;
    for (i = W - 1; i >= 0; i = i - 1) begin
      power = n == 0 ? 0 : ({{W{1'b0}}, power} * power) % n;
      if (e[i] && n != 0) power = ({{W{1'b0}}, power} * b) % n;
    end
  end
  always @(posedge clk) begin
    done <= 0;
    if (rst) busy <= 0;
    else if (go && !(`HANGS)) begin busy <= 1; left <= `CYCLES; last <= power; r <= `RESULT; end
    else if (busy) begin
      left <= left - 1;
      if (left <= 1) begin busy <= 0; done <= 1; end
    end
  end
endmodule
