module streams #(parameter W = 8) (input clk, input rst, input [3*W-1:0] d, input v, output r,
                                   output qv, input qr, output [W-1:0] q);
  wire done; wire [W-1:0] result;
  reg busy, full, again, spare;
  reg [2:0] since;
  assign r = !busy && !full, qv = `VALID, q = `DATA;
  quick #(.W(W)) core(clk, rst, v && r, d[3*W-1:2*W], d[2*W-1:W], d[W-1:0], done, result);
  always @(posedge clk) begin
    since <= since + 1; again <= full && qr;
    if (v && r) busy <= 1;
    if (done) begin busy <= 0; full <= 1; since <= 0; end
    if (full && qr) full <= 0;
    if (rst) begin busy <= 0; full <= 0; again <= 0; end
    if (v && v === 1'b0) spare <= 1;
  end
endmodule
