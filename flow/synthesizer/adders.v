// Ripple carry in place of the carry look-ahead unit ($lcu) that Yosys puts into every adder.
//
// In a chain of adders, the ripples of all adders overlap in time: a carry tree per adder costs area
// and gains little, and ABC speeds up the carry chains that turn out critical. Yosys applies the
// mapping rule whose name sorts first, and the name of its own rule for $lcu begins with _90_.
(* techmap_celltype = "$lcu" *)
module _80_rsaxcel_ripple_lcu (P, G, CI, CO);
  parameter WIDTH = 2;

  (* force_downto *)
  input [WIDTH-1:0] P, G;
  input CI;
  (* force_downto *)
  output [WIDTH-1:0] CO;

  assign CO = G | (P & {CO[WIDTH-2:0], CI});
endmodule
