// Runs requests on a netlist with two streams, one after the other; prints each response, then the
// number of cycles.
`timescale 1ns / 1ps
module bench;
  reg clk = 0, reset = 1, valid = 0;
  reg [`REQUEST-1:0] requests[0:`COUNT-1];
  wire accepting, answered;
  wire [`RESPONSE-1:0] response;
  integer accepted = 0, taken = 0, cycles = 0;

  `TOP top (
      .clk(clk), .reset(reset),
      .recv__msg(requests[accepted]), .recv__val(valid), .recv__rdy(accepting),
      .send__msg(response), .send__val(answered), .send__rdy(1'b1)
  );

  // Half a period is longer than the delay of 500 gates in series.
  always #50 clk = !clk;

  initial begin
    $readmemh(`REQUESTS, requests);
    #420 reset = 0;
    valid = 1;
  end

  always @(posedge clk) if (!reset) begin
    cycles = cycles + 1;
    if (answered) begin
      $display("%h", response);
      taken = taken + 1;
      if (taken == `COUNT) begin
        $display("%0d", cycles);
        $finish;
      end
    end
    if (valid && accepting) begin
      // The netlist accepts the message at this edge.
      #1 valid = accepted + 1 < `COUNT;
      if (valid) accepted = accepted + 1;
    end
  end
endmodule
