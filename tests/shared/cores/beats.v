// A power whose operands come in beats of 3 bits: exponent and modulus in one stream with last, the
// highest beat first, and base in another one, the lowest beat first and always ready. The result
// leaves in beats, the highest first; without WAITS, whether it is taken or not.
module beats #(parameter WIDTH = 8, WAITS = 1) (
  input  wire       clk,
  input  wire       reset,
  input  wire       key_valid,
  output wire       key_ready,
  input  wire       key_last,
  input  wire [2:0] exponent_beat,
  input  wire [2:0] modulus_beat,
  input  wire       base_valid,
  input  wire [2:0] base_beat,
  output wire       result_valid,
  input  wire       result_ready,
  output wire       result_last,
  output wire [2:0] result_beat
);
  localparam BEATS = (WIDTH + 2) / 3, PADDED = 3 * BEATS;

  reg  [PADDED-1:0] base, exponent, modulus, out;
  reg  [7:0]        base_left, out_left;
  reg               key_given, slow;
  wire              running, ended;
  wire [WIDTH-1:0]  power;
  wire              start = key_given && base_left == 0 && !running && !ended && out_left == 0;

  assign key_ready    = !key_given && slow;  // in every second cycle of an offer
  assign result_valid = out_left != 0;
  assign result_last  = out_left == 1;
  assign result_beat  = out[PADDED-1:PADDED-3];

  always @(posedge clk)
    if (reset) begin
      key_given <= 1'b0;
      slow      <= 1'b0;
      base_left <= BEATS;
      out_left  <= 0;
    end else begin
      slow <= key_valid && !slow;
      if (key_valid && key_ready) begin
        exponent  <= {exponent, exponent_beat};
        modulus   <= {modulus, modulus_beat};
        key_given <= key_last;
      end
      if (base_valid && base_left != 0) begin
        base      <= {base_beat, base[PADDED-1:3]};
        base_left <= base_left - 1'b1;
      end
      if (start) begin
        key_given <= 1'b0;
        base_left <= BEATS;
      end
      if (ended) begin
        out      <= power;
        out_left <= BEATS;
      end else if (result_valid && (result_ready || !WAITS)) begin
        out      <= out << 3;
        out_left <= out_left - 1'b1;
      end
    end

  skeleton_power #(.WIDTH(WIDTH)) engine (
    .clk(clk),
    .reset(reset),
    .start(start),
    .base(base[WIDTH-1:0]),
    .exponent(exponent[WIDTH-1:0]),
    .modulus(modulus[WIDTH-1:0]),
    .busy(running),
    .done(ended),
    .result(power)
  );
endmodule
