module tiny_product #(parameter N = 8) (
  input clk, input reset, input [3*N-1:0] recv__msg, input recv__val, output recv__rdy,
  output [N-1:0] send__msg, output send__val, input send__rdy
);
  logic busy;
  logic [N-1:0] a, b, m, r;
  function automatic [N-1:0] plus(input [N-1:0] x, input [N-1:0] y);
    logic [N:0] sum = x + y;
    return sum >= m ? sum - m : sum;
  endfunction
  assign {recv__rdy, send__val, send__msg} = {!busy, busy && b == 0, r};
  always_ff @(posedge clk)
    if (reset) busy <= 0;
    else if (recv__rdy && recv__val) {busy, a, b, m, r} <= {1'b1, recv__msg, {N{1'b0}}};
    else if (b != 0) {a, b, r} <= {plus(a, a), b >> 1, b[0] ? plus(r, a) : r};
    else if (send__rdy) busy <= 0;
endmodule
