typedef struct packed { logic [7:0] b; } Request_8;
module Part ( input logic [0:0] clk , output logic [7:0] r );
  localparam logic [0:0] on = 1'd1;
  logic [7:0] r_reg [0:1] /* verilator split_var */;
  always_comb begin : comb_r
    for ( int unsigned i = 1'd0; i < 2'd2; i += 1'd1 ) r = r_reg[i][7:0] % 8'hb5;
  end
  always_ff @(posedge clk) begin : seq_r
    if ( on ) r_reg[0] <= { 4'd0, ~r[3:0] };
    else r_reg[0] <= '0;
  end
endmodule
