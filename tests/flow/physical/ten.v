module ten(a, y);
  input [1:0] a;
  output [1:0] y;
  wire \core.n1[3] ;
  wire \core.lanes__0.n2 ;
  wire \n$3 ;
  wire \p[0].q[1] ;
  wire n5, n6, n7, n8;
  INV_X1 \core.g[1] (.A(a[0]), .ZN(\core.n1[3] ));
  INV_X1 \core.g[2] (.A(\core.n1[3] ), .ZN(\core.lanes__0.n2 ));
  INV_X1 g3 (.A(\core.n1[3] ), .ZN(\n$3 ));
  NAND2_X1 \g/4 (.A1(\core.lanes__0.n2 ), .A2(\n$3 ), .ZN(\p[0].q[1] ));
  INV_X1 g5 (.A(\p[0].q[1] ), .ZN(n5));
  INV_X1 g6 (.A(a[1]), .ZN(n6));
  NAND2_X1 g7 (.A1(n5), .A2(n6), .ZN(n7));
  INV_X1 g8 (.A(n7), .ZN(n8));
  INV_X1 g9 (.A(n8), .ZN(y[0]));
  NAND2_X1 g10 (.A1(n7), .A2(\p[0].q[1] ), .ZN(y[1]));
endmodule
