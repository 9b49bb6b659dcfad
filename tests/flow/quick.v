module unit (
  input logic clk, reset, recv__val, send__rdy, input logic [7:0] recv__msg,
  output logic recv__rdy, send__val, output logic [7:0] send__msg
);
  logic [7:0] value_reg, copy_reg, sum_reg; logic full_reg; logic [3:0] low_reg;
  logic [3:0] zero_reg;
  always_ff @(posedge clk) begin
    full_reg <= reset ? 0 : full_reg ? ~send__rdy : recv__val;
    if (recv__val & ~full_reg) begin
      value_reg <= recv__msg; copy_reg <= recv__msg; low_reg <= recv__msg[3:0];
      zero_reg <= recv__msg[7:4] & 4'd0;
    end
    sum_reg <= value_reg + {copy_reg[3:0], low_reg} + zero_reg;
  end
  assign recv__rdy = ~full_reg;
  assign send__msg = sum_reg;
  assign send__val = full_reg;
endmodule
