module planted (
  input logic clk, reset, recv__val, send__rdy, input logic [{request}:0] recv__msg,
  output logic recv__rdy, send__val, spy, crowd, output logic [{response}:0] send__msg
);
  logic [7:0] base_reg, data_reg; logic [4:0] count_reg; logic busy_reg, digit_reg;
  logic [{crowd}:0] crowd_reg;
  logic mask_reg, share_reg;
  logic [7:0] exponent; assign exponent = recv__msg[{e} +: 8];
  logic last; assign last = {last};
  always_ff @(posedge clk) begin
    if (reset) begin busy_reg <= 0; count_reg <= 0; end
    else if (recv__val & recv__rdy) begin
      busy_reg <= 1; count_reg <= 0;
      base_reg <= recv__msg[{b} +: 8]; data_reg <= recv__msg[{b} +: 8];
      crowd_reg <= {{32{{recv__msg[{b} +: 8]}}}};
    end else if (busy_reg) begin
      if (send__val & send__rdy) busy_reg <= 0;
      if (~last) count_reg <= count_reg + 1;
      crowd_reg <= {next};
      data_reg <= {{data_reg[6:0], data_reg[7] ^ data_reg[5] ^ data_reg[4] ^ data_reg[3]}};
    end
    mask_reg <= data_reg[0]; share_reg <= data_reg[0] ^ exponent[3];
    digit_reg <= busy_reg & {digit};
  end
  assign recv__rdy = ~busy_reg;
  assign send__val = busy_reg & last;
  assign send__msg = {{{zeros}'b0, base_reg}} << {r};
  assign spy = digit_reg;
  assign crowd = ^crowd_reg;
endmodule
