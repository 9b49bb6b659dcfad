module counter(input clk, input reset, input counts, input power_up, output full, output begun);
  reg [7:0] count_reg, free_reg;
  reg any_reg;
  always_ff @(posedge clk) begin
    count_reg <= reset ? 0 : count_reg + 8'(counts & count_reg != 100);
    free_reg <= {free_reg[6:0], free_reg[7]};
    any_reg <= power_up ? 0 : any_reg | free_reg == 7;
  end
  assign full = count_reg == LIMIT;
  assign begun = any_reg;
endmodule
