module unit (
  input logic clk, reset, recv__val, send__rdy, input logic [3:0] recv__msg,
  output logic recv__rdy, send__val, output logic [3:0] send__msg
);
  logic [3:0] value_reg; logic full_reg;
  always_ff @(posedge clk) begin
    if (reset) full_reg <= 0; else full_reg <= full_reg ? ~send__rdy : recv__val;
    if (recv__val & ~full_reg) value_reg <= ~recv__msg;
  end
  assign recv__rdy = ~full_reg;
  assign send__msg = value_reg;
  assign send__val = full_reg;
endmodule
