module memory (
  input logic clk, recv__val, input logic [1:0] index, input logic [3:0] recv__msg,
  output logic [3:0] send__msg
);
  logic [3:0] words_reg [0:2]; logic [1:0] index_reg; logic [3:0] value_reg;
  always_ff @(posedge clk) begin
    index_reg <= index;
    if (recv__val) words_reg[index] <= recv__msg;
    value_reg <= words_reg[index_reg] + recv__msg;
  end
  assign send__msg = value_reg;
endmodule
