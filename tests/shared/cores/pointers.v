// A power of 16 bits behind words of 8 bits, with ports for its start and its end.
//
// address      write                                       read, in the next cycle
// 0x10         number of the next word of base             -
// 0x11         this word                                   -
// 0x20 + i     word i of modulus                           -
// 0x30         next word of exponent, the lowest first;
//              three words, of which the last one is 0     -
// 0x40 + i     -                                           word 1 - i of the result
module pointers (
  input  wire       clk,
  input  wire       reset,
  input  wire       we,
  input  wire       re,
  input  wire [7:0] address,
  input  wire [7:0] write_data,
  output reg  [7:0] read_data,
  input  wire       go,
  output reg        finished
);
  reg         pointer;
  reg  [15:0] base, modulus;
  reg  [23:0] exponent;
  wire        running, ended;
  wire [15:0] power;

  always @(posedge clk) begin
    if (we) case (address)
      8'h10: pointer <= write_data[0];
      8'h11: base[8 * pointer +: 8] <= write_data;
      8'h20: modulus[7:0] <= write_data;
      8'h21: modulus[15:8] <= write_data;
      8'h30: exponent <= {write_data, exponent[23:8]};
      default: ;
    endcase
    read_data <= !re ? 8'hx : address == 8'h40 ? power[15:8] : power[7:0];
    if (reset || go) finished <= 1'b0;
    else if (ended) finished <= 1'b1;
  end

  skeleton_power #(.WIDTH(16)) engine (
    .clk(clk),
    .reset(reset),
    .start(go),
    .base(base),
    .exponent(exponent[23:16] == 0 ? exponent[15:0] : 16'd0),
    .modulus(modulus),
    .busy(running),
    .done(ended),
    .result(power)
  );
endmodule
