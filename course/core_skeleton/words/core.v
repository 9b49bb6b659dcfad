// A power behind registers of 32 bits.
//
// address  write                                  read
// 0        bit 0: start                           bit 0: ready; the result can be read from the
//                                                 next cycle on
// 1        next word of base, highest first       -
// 2        next word of exponent, highest first   -
// 3        next word of modulus, highest first    -
// 4        -                                      next word of the result, lowest first
module skeleton_core #(parameter WIDTH = 8) (
  input  wire        clk,
  input  wire        reset,
  input  wire        select,
  input  wire        write,
  input  wire [2:0]  address,
  input  wire [31:0] write_data,
  output wire [31:0] read_data
);
  localparam TOP = WIDTH + 32;

  reg  [WIDTH-1:0] base, exponent, modulus;
  reg  [WIDTH-1:0] words;                    // of the result, that have not been read
  wire [WIDTH-1:0] result;
  wire             busy, done;

  wire             writes = select && write;
  wire             reads  = select && !write;
  wire             start  = writes && address == 0 && write_data[0] && !busy;
  wire [TOP-1:0]   padded = {32'd0, words};

  assign read_data = address == 0 ? {31'd0, !busy} : address == 4 ? padded[31:0] : 32'd0;

  always @(posedge clk) begin
    if (writes && address == 1) base     <= {base, write_data};
    if (writes && address == 2) exponent <= {exponent, write_data};
    if (writes && address == 3) modulus  <= {modulus, write_data};
    if (done)
      words <= result;
    else if (reads && address == 4)
      words <= padded >> 32;
  end

  (* rsaxcel_unit *)  // its gates count for it, not for this module
  skeleton_power #(.WIDTH(WIDTH)) power (
    .clk(clk),
    .reset(reset),
    .start(start),
    .base(base),
    .exponent(exponent),
    .modulus(modulus),
    .busy(busy),
    .done(done),
    .result(result)
  );
endmodule
