// A power with a start, in all the ways in which such cores differ.
//
// LEVEL: start has to stay 1 until the end. HELD: operands have to stay, too. SHORT: result is valid
// in the cycle of done alone. ONCE: a start needs a reset before it. LATE: busy and ready follow a
// cycle later.
module variant #(parameter WIDTH = 8, LEVEL = 0, HELD = 0, SHORT = 0, ONCE = 0, LATE = 0) (
  input  wire             clock,
  input  wire             rst_n,
  input  wire             start,
  input  wire [WIDTH-1:0] base,
  input  wire [WIDTH-1:0] exponent,
  input  wire [WIDTH-1:0] modulus,
  input  wire [3:0]       mode,
  output wire             done,
  output wire             busy,
  output wire             ready,
  output wire [WIDTH-1:0] result
);
  wire             running, ended;
  wire [WIDTH-1:0] power;
  reg              late, spent, rests;
  reg  [3*WIDTH-1:0] given;

  // Two starts without a 0 between them are one.
  wire begins = start && !running && !spent && !(LEVEL && rests) && mode == 4'd9;
  wire moved  = HELD && given != {base, exponent, modulus};

  always @(posedge clock or negedge rst_n)
    if (!rst_n) begin
      late  <= 1'b0;
      spent <= 1'b0;
      rests <= 1'b0;
    end else begin
      late  <= running || begins;
      rests <= start;
      if (begins && ONCE) spent <= 1'b1;
    end

  always @(posedge clock)
    if (begins) given <= {base, exponent, modulus};

  assign done   = ended;
  assign busy   = LATE ? late && running : running;
  assign ready  = !busy;
  assign result = (SHORT && !ended) || moved ? ~power : power;

  skeleton_power #(.WIDTH(WIDTH)) engine (
    .clk(clock),
    .reset(!rst_n || (LEVEL && running && !start)),
    .start(begins),
    .base(base),
    .exponent(exponent),
    .modulus(modulus),
    .busy(running),
    .done(ended),
    .result(power)
  );
endmodule
