module tiny_power #(parameter N = 8) (
  input clk, input reset, input [3*N:0] recv__msg, input recv__val, output recv__rdy,
  output [N+7:0] send__msg, output send__val, input send__rdy
);
  logic busy;
  logic [7:0] status;
  logic [N-1:0] base, exponent, modulus, result;
  wire [N-1:0] b = recv__msg[3*N:2*N+1], e = recv__msg[2*N:N+1], m = recv__msg[N:1];
  wire [7:0] found = recv__msg[0] ? 8'd4 : m < 2 ? 8'd1 : b >= m ? 8'd3 : 8'd0;
  function automatic [N-1:0] times(input [N-1:0] x);
    logic [N:0] sum = 0;
    for (int i = N - 1; i >= 0; i--) begin
      sum = 2 * sum >= modulus ? 2 * sum - modulus : 2 * sum;
      if (x[i]) sum = sum + base >= modulus ? sum + base - modulus : sum + base;
    end
    return sum[N-1:0];
  endfunction
  assign {recv__rdy, send__val, send__msg} = {!busy, busy && exponent == 0, result, status};
  always_ff @(posedge clk)
    if (reset) busy <= 0;
    else if (recv__rdy && recv__val)
      {busy, status, base, exponent, modulus, result} <= {1'b1, found, b, found ? {N{1'b0}} : e, m,
        {{N-1{1'b0}}, found == 0}};
    else if (exponent != 0) begin
      {base, exponent} <= {times(base), exponent >> 1};
      if (exponent[0]) result <= times(result);
    end else if (send__rdy) busy <= 0;
endmodule
