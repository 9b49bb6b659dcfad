module tiny_mont #(parameter N = 8) (
  input clk, input reset, input [4*N+1:0] recv__msg, input recv__val, output recv__rdy,
  output [N+7:0] send__msg, output send__val, input send__rdy
);
  logic busy;
  logic [7:0] status, left;
  logic [N-1:0] base, exponent, modulus, result;
  wire [N-1:0] b = recv__msg[4*N+1:3*N+2], e = recv__msg[3*N+1:2*N+2];
  wire [N-1:0] m = recv__msg[2*N+1:N+2], r2 = recv__msg[N+1:2];
  wire [7:0] found = recv__msg[1] ? 8'd4 : m < 3 ? 8'd1 : !m[0] ? 8'd2 : b >= m ? 8'd3 :
    recv__msg[0] ? 8'd5 : 8'd0;
  function automatic [N-1:0] mont(input [N-1:0] x, input [N-1:0] y, input [N-1:0] m);
    logic [N+1:0] sum = 0;
    for (int i = 0; i < N; i++) begin
      if (x[i]) sum = sum + y;
      sum = (sum[0] ? sum + m : sum) >> 1;
    end
    return sum >= m ? sum - m : sum;
  endfunction
  assign {recv__rdy, send__val, send__msg} = {!busy, busy && left == 0, result, status};
  always_ff @(posedge clk)
    if (reset) busy <= 0;
    else if (recv__rdy && recv__val)
      {busy, status, left, base, exponent, modulus, result} <= {1'b1, found,
        found ? 8'd0 : 8'(N + 1), mont(b, r2, m), e, m, found ? {N{1'b0}} : mont(1, r2, m)};
    else if (left != 0) begin
      {left, base, exponent} <= {left - 8'd1, mont(base, base, modulus), exponent >> 1};
      if (left == 1) result <= mont(result, 1, modulus);
      else if (exponent[0]) result <= mont(result, base, modulus);
    end else if (send__rdy) busy <= 0;
endmodule
