// The core behind words, as a slave on an AXI4-Lite bus; addresses are four times as high.
module skeleton_axi #(parameter WIDTH = 8) (
  input  wire        aclk,
  input  wire        aresetn,
  input  wire [4:0]  awaddr,
  input  wire [2:0]  awprot,
  input  wire        awvalid,
  output wire        awready,
  input  wire [31:0] wdata,
  input  wire [3:0]  wstrb,
  input  wire        wvalid,
  output wire        wready,
  output wire [1:0]  bresp,
  output reg         bvalid,
  input  wire        bready,
  input  wire [4:0]  araddr,
  input  wire [2:0]  arprot,
  input  wire        arvalid,
  output wire        arready,
  output reg  [31:0] rdata,
  output wire [1:0]  rresp,
  output reg         rvalid,
  input  wire        rready
);
  reg         address_held;                  // an address waits for its word
  reg  [4:0]  address;
  wire        writes = address_held && wvalid && !bvalid;
  wire        reads  = arvalid && arready && !writes;
  wire [31:0] read_data;

  assign awready = !address_held;
  assign wready  = writes;
  assign arready = !rvalid && !address_held && !awvalid;
  assign bresp   = 2'b00;
  assign rresp   = 2'b00;

  always @(posedge aclk)
    if (!aresetn) begin
      address_held <= 1'b0;
      bvalid       <= 1'b0;
      rvalid       <= 1'b0;
    end else begin
      if (awvalid && awready) address_held <= 1'b1;
      else if (writes) address_held <= 1'b0;
      if (awvalid && awready) address <= awaddr;
      if (writes) bvalid <= 1'b1;
      else if (bready) bvalid <= 1'b0;
      if (reads) rvalid <= 1'b1;
      else if (rready) rvalid <= 1'b0;
      if (reads) rdata <= read_data;
    end

  skeleton_core #(.WIDTH(WIDTH)) words (
    .clk(aclk),
    .reset(!aresetn),
    .select(writes && wstrb == 4'hf || reads),
    .write(writes),
    .address(writes ? address[4:2] : araddr[4:2]),
    .write_data(wdata),
    .read_data(read_data)
  );
endmodule
