module checked({inputs}, output logic wrong);
{outputs}
  logic started = 0, known = 0;
  logic [1:0] stage;
  logic [{residue}:0] expected;
  logic [{low} - 1:0] low_digits;  // dropped by the last iterations
  wire resets = reset | ~started;
  lane circuit(.reset(resets), .*);

  // The running sum and its offset; known from the first pass on.
  wire [{sum} + 1:0] total =
    {{1'b0, circuit.running_sum.sum_reg}} + {{1'b0, circuit.running_sum.carry_reg}};
  wire out_of_bound = known & ((total < {least}) | (total > {most}));
  wire lost_carry = known & ({dropped});
  {digits}
  wire wrong_digit = known & ({wrong_digits});
  wire replaced = circuit.prepare | circuit.control.takes_b | circuit.control.takes_m_as_b;
  wire wrong_result = (stage == 2) & (circuit.b_reg != expected);
  assign wrong = started & (out_of_bound | lost_carry | wrong_digit | wrong_result);
  always_ff @(posedge clk) begin
    started <= 1;
    if (resets) known <= 0;
    else if (circuit.control.injects | circuit.control.decodes) known <= {fits};
    if (resets | replaced) stage <= 0;
    else if (circuit.control.adds) stage <= 1;
    else stage <= stage == 0 ? 0 : stage + 1;
    if (circuit.control.adds)
      expected <= {{total[{residue} - {low}:0], low_digits}};
    if (circuit.control.keeps_low)
      low_digits <= {low} == {k} ? circuit.quotient_digit.low[{k} - 1:0]
                                 : {{circuit.quotient_digit.low[{k} - 1:0], low_digits}} >> {k};
  end
endmodule
