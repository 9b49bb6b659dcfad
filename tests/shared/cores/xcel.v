// The core behind words, by xcel messages: a response in the cycle after its request.
module skeleton_xcel #(parameter WIDTH = 8) (
  input  wire        clk,
  input  wire        reset,
  input  wire [37:0] xcelreq_msg,
  input  wire        xcelreq_val,
  output wire        xcelreq_rdy,
  output reg  [32:0] xcelresp_msg,
  output reg         xcelresp_val,
  input  wire        xcelresp_rdy
);
  wire        accepts = xcelreq_val && xcelreq_rdy;
  wire [31:0] read_data;

  assign xcelreq_rdy = !xcelresp_val || xcelresp_rdy;

  always @(posedge clk) begin
    if (reset) xcelresp_val <= 1'b0;
    else if (xcelreq_rdy) xcelresp_val <= accepts;
    if (accepts) xcelresp_msg <= {xcelreq_msg[37], read_data};
  end

  skeleton_core #(.WIDTH(WIDTH)) words (
    .clk(clk),
    .reset(reset),
    .select(accepts),
    .write(xcelreq_msg[37]),
    .address(xcelreq_msg[34:32]),
    .write_data(xcelreq_msg[31:0]),
    .read_data(read_data)
  );
endmodule
