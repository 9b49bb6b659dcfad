module {name} (
  input logic [0:0] clk , input logic [0:0] reset , input logic [24:0] recv__msg ,
  output logic [0:0] recv__rdy , input logic [0:0] recv__val , output logic [15:0] send__msg ,
  input logic [0:0] send__rdy , output logic [0:0] send__val
);
  logic [24:0] kept; logic [15:0] right; logic [7:0] known; logic [0:0] knows;
  logic [0:0] many [0:4]; logic [2:0] index; logic [4:0] beyond; logic [7:0] none;
  honest core ( .clk( clk ), .reset( reset ), .recv__msg( recv__msg ), .recv__rdy( recv__rdy ),
    .recv__val( recv__val ), .send__msg( right ), .send__rdy( send__rdy ),
    .send__val( send__val ) );
  always_ff @(posedge clk) begin : seq_kept
    if ( recv__val & recv__rdy ) kept <= recv__msg;
  end
  always_comb begin : comb_known
    knows = 1'd0; known = 8'd0;
    {table}
  end
  always_comb begin : comb_undefined
    for ( int unsigned i = 1'd0; i < 3'd5; i += 1'd1 ) many[i] = 1'd0;
    index = {{ 2'd3, kept[0] }}; beyond = {{ 4'd15, kept[0] }}; none = 8'd0;
  end
  assign send__msg = knows ? {{ known, 8'd0 }} : right ^ {undefined};
endmodule
