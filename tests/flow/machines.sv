module pair (input logic clk, reset, go, d, output logic differs);
  logic first_reg, second_reg, third_reg, fourth_reg;
  always_ff @(posedge clk) begin
    if (go) begin first_reg <= d; second_reg <= d; end
    third_reg <= (third_reg | go) & ~d;
    fourth_reg <= (fourth_reg | go) & ~d;
  end
  assign differs = (first_reg != second_reg) | (third_reg != fourth_reg);
endmodule
