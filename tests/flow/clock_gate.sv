module CLKGATE_X1 (input CK, E, output GCK);
  logic held;
  always_latch if (!CK) held = E;
  assign GCK = CK & held;
endmodule
