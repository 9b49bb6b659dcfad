// Carry look-ahead as a plain ripple. Yosys calls for it wherever it builds an adder.
//
// In a chain of adders the carries of all overlap, so that a tree of carries per adder costs area
// for little time, and ABC speeds up the chains that turn out critical. Yosys takes the rule whose
// name sorts first, and its own begins with _90_.
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
