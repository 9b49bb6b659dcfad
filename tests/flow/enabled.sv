module enabled (
  input logic clk, reset, input logic [7:0] select, input logic [3:0] d, output logic [{last}:0] q
);
  logic [7:0] select_reg; logic [{last}:0] value_reg;
  always_ff @(posedge clk) begin
    select_reg <= select;
    if (^select_reg) value_reg <= {{value_reg, d}};
  end
  assign q = value_reg;
endmodule
