// Maps wide comparisons to look-up tables and one carry chain, as Yosys's cmp2lcu.v does. That map
// goes bit by bit, each time with a new module, in a time that grows with the square of the width.
// It has tables of more bits where one operand is constant in a part of the bits; this map, only
// where it is constant in all.
(* techmap_celltype = "$lt $le $gt $ge" *)
module wide_compare (A, B, Y);

parameter A_SIGNED = 0;
parameter B_SIGNED = 0;
parameter A_WIDTH = 0;
parameter B_WIDTH = 0;
parameter Y_WIDTH = 0;
parameter _TECHMAP_CELLTYPE_ = "";
parameter _TECHMAP_CONSTMSK_A_ = 0;
parameter _TECHMAP_CONSTMSK_B_ = 0;

(* force_downto *)
input [A_WIDTH-1:0] A;
(* force_downto *)
input [B_WIDTH-1:0] B;
(* force_downto *)
output [Y_WIDTH-1:0] Y;

localparam WIDTH = A_WIDTH > B_WIDTH ? A_WIDTH : B_WIDTH;
localparam SWAPPED = _TECHMAP_CELLTYPE_ == "$lt" || _TECHMAP_CELLTYPE_ == "$le";
localparam IF_EQUAL = _TECHMAP_CELLTYPE_ == "$ge" || _TECHMAP_CELLTYPE_ == "$le";
localparam SIGNED = A_SIGNED && B_SIGNED;
localparam CONSTANT = &_TECHMAP_CONSTMSK_A_[A_WIDTH-1:0] || &_TECHMAP_CONSTMSK_B_[B_WIDTH-1:0];
// Bits of an operand in a table
localparam SIZE = CONSTANT ? `LUT_WIDTH : `LUT_WIDTH / 2;
localparam COUNT = (WIDTH + SIZE - 1) / SIZE;

generate
    if (WIDTH <= 32)
        wire _TECHMAP_FAIL_ = 1;
    else begin
        wire [WIDTH-1:0] a = {{WIDTH{A_SIGNED && A[A_WIDTH-1]}}, A};
        wire [WIDTH-1:0] b = {{WIDTH{B_SIGNED && B[B_WIDTH-1]}}, B};
        wire [WIDTH-1:0] x = SWAPPED ? b : a;
        wire [WIDTH-1:0] y = SWAPPED ? a : b;
        wire [WIDTH-1:0] equal = ~(x ^ y);
        // Of a sign, 1 is less.
        wire [WIDTH-1:0] greater = SIGNED ? {y[WIDTH-1], x[WIDTH-2:0]} & ~{x[WIDTH-1], y[WIDTH-2:0]}
                                          : x & ~y;
        wire [COUNT-1:0] propagate, generated, carry;
        genvar i, j;
        for (i = 0; i < COUNT; i = i + 1) begin : tables
            // All tables are full but that of the lowest bits.
            localparam HIGH = WIDTH - (COUNT - 1 - i) * SIZE;
            localparam LOW = HIGH > SIZE ? HIGH - SIZE : 0;
            wire [HIGH:LOW] above;
            assign above[LOW] = 0;
            for (j = LOW; j < HIGH; j = j + 1) begin : bits
                assign above[j + 1] = greater[j] | equal[j] & above[j];
            end
            assign propagate[i] = &equal[HIGH-1:LOW];
            assign generated[i] = above[HIGH];
        end
        \$lcu #(.WIDTH(COUNT)) chain (.P(propagate), .G(generated), .CI(IF_EQUAL), .CO(carry));
        assign Y = carry[COUNT-1];
    end
endgenerate
endmodule
