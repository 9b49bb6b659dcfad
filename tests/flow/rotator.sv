module rotator (
  input logic clk, reset, recv__val, send__rdy, input logic [3:0] recv__msg,
  output logic recv__rdy, send__val, output logic [3:0] send__msg
);
  logic [3:0] value_reg; logic [1:0] count_reg;
  always_ff @(posedge clk) begin
    if (reset) count_reg <= 0;
    else if (count_reg == 0) count_reg <= {1'b0, recv__val};
    else if (count_reg == 3) count_reg <= send__rdy ? 2'd0 : 2'd3;
    else count_reg <= count_reg + 1;
    value_reg <= count_reg == 0 ? recv__msg : {value_reg[2:0], value_reg[3]};
  end
  assign recv__rdy = count_reg == 0;
  assign send__msg = value_reg;
  assign send__val = count_reg == 3;
endmodule
