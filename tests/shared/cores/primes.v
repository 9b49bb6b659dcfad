// base ** exponent mod P * Q by the primes: exponents and inverse of Q are parameters, the operands
// exponent and modulus are not read. It checks nothing.
module primes #(parameter P = 3, Q = 2, DP = 1, DQ = 1, QINV = 1) (
  input  wire        clk, reset, start,
  input  wire [31:0] base, exponent, modulus,
  output wire        done,
  output wire [31:0] result
);
  wire [16:0] p_power, q_power;
  wire [31:0] p_base = base % P, q_base = base % Q;
  wire [31:0] difference = (p_power + P - q_power % P) % P;
  wire [31:0] times      = difference * QINV % P;
  assign result = q_power + Q * times;
  skeleton_power #(.WIDTH(17)) p_unit (
    .clk(clk), .reset(reset), .start(start), .base(p_base[16:0]), .exponent(DP[16:0]),
    .modulus(P[16:0]), .busy(), .done(done), .result(p_power));
  skeleton_power #(.WIDTH(17)) q_unit (
    .clk(clk), .reset(reset), .start(start), .base(q_base[16:0]), .exponent(DQ[16:0]),
    .modulus(Q[16:0]), .busy(), .done(), .result(q_power));
endmodule
