module checked({inputs}, output logic wrong);
{outputs}
  logic started = 0;
  logic [1:0] stage = 0;
  wire resets = reset | ~started;
  control circuit(.reset(resets), .loads(loads | whole), .*);
  wire replaces = takes_b | takes_m_as_b;
  wire resolves = takes_low | adds | increments;
  wire early = adds & (stage != 0) | increments & (stage != 1);
  wire late = kept & ~reducing & (stage != 2) | tripling & ~reducing;
  assign wrong = started & (replaces & resolves | early | late);
  always_ff @(posedge clk) begin
    started <= 1;
    stage <= resets | prepare ? 0 : adds ? 1 : stage == 0 ? 0 : stage + 1;
  end
endmodule
