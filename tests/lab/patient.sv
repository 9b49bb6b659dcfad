  reg patient_reg;
  reg [2:0] accepting_reg, answering_reg;
  reg [3:0] waited_reg;
  always_ff @(posedge clk) begin
    accepting_reg <= reset | !asks | accepts ? 0 : accepting_reg + 1;
    answering_reg <= reset | !busy ? 0 : answering_reg + 1;
    patient_reg <= reset | patient_reg
      & !(asks & !accepts & accepting_reg == 2) & !(busy & answering_reg == 3);
    waited_reg <= reset | !open_reg | valid ? 0 : waited_reg + (waited_reg != 15);
  end
  assign late = !reset & patient_reg & waited_reg > (clears_reg ? 3 + 2 + 2 * 3 : 1 + 2 + 3) - LESS;
endmodule
