module top (input clk, input d, output q);
  wire a, b, tied;
  sg13g2_tiehi tie (.L_HI(tied));
  sg13g2_dfrbpq_1 \a_reg_ff  (.CLK(clk), .D(d), .RESET_B(tied), .Q(a));
  sg13g2_inv_1 g0 (.A(a), .Y(b));
  sg13g2_dfrbpq_1 \b_reg_ff  (.CLK(clk), .D(b), .RESET_B(tied), .Q(q));
endmodule
