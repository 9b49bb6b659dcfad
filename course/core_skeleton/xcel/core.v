// A power behind registers of 32 bits at the processor's xcel interface.
//
// address  write                                  read
// 0        bit 0: start, which takes the          bit 0: the result is there
//          operands; the next ones begin from 0
// 1        next word of base, highest first       -
// 2        next word of exponent, highest first   -
// 3        next word of modulus, highest first    -
// 4        -                                      next word of the result, lowest first
//
// A request is {type, address, data}, and type 1 is a write; a response {type, data} follows in the
// next cycle.
module skeleton_xcel #(parameter WIDTH = 8) (
  input  wire        clk,
  input  wire        reset,
  input  wire [37:0] xcel_req_msg,
  input  wire        xcel_req_val,
  output wire        xcel_req_rdy,
  output reg  [32:0] xcel_resp_msg,
  output reg         xcel_resp_val,
  input  wire        xcel_resp_rdy
);
  localparam TOP = WIDTH + 32;

  reg  [WIDTH-1:0] base, exponent, modulus;
  reg  [WIDTH-1:0] words;                    // of the result, that have not been read
  wire [WIDTH-1:0] result;
  wire             busy, done;

  wire             accepts = xcel_req_val && xcel_req_rdy;
  wire             is_write;
  wire [4:0]       address;
  wire [31:0]      data;
  assign {is_write, address, data} = xcel_req_msg;

  wire             writes = accepts && is_write;
  wire             reads  = accepts && !is_write;
  wire             start  = writes && address == 0 && data[0] && !busy;
  wire [TOP-1:0]   padded = {32'd0, words};
  wire [31:0]      read   = address == 0 ? {31'd0, !busy} : address == 4 ? padded[31:0] : 32'd0;

  assign xcel_req_rdy = !xcel_resp_val || xcel_resp_rdy;

  always @(posedge clk) begin
    if (reset) xcel_resp_val <= 1'b0;
    else if (xcel_req_rdy) xcel_resp_val <= accepts;
    if (accepts) xcel_resp_msg <= {is_write, is_write ? 32'd0 : read};
    if (reset || start) begin
      base     <= 0;
      exponent <= 0;
      modulus  <= 0;
    end else if (writes) begin
      if (address == 1) base     <= {base, data};
      if (address == 2) exponent <= {exponent, data};
      if (address == 3) modulus  <= {modulus, data};
    end
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
