/* Assembly macros that sum products of digits (digits.h) in five columns, 26 bits apart.
 *
 * A column is the sum S of all products of digits with the same weight. It is held in two registers
 * without a carry between them: L is S modulo 2**32, H is the sum of all products, each divided by
 * 2**26 and rounded down. For at most 64 products, S - 2**26 * H fits 32 bits, so it can be
 * computed from L. So a product takes four instructions; with a carry from L to H, it would take
 * eight. Values that are loaded or multiplied are used at least two instructions later, so that the
 * processor does not stall. All branches depend on lengths only. */
#ifndef COLUMNS_H
#define COLUMNS_H

#include "digits.h"

#define L0 s0
#define L1 s1
#define L2 s2
#define L3 s3
#define L4 s4
#define H0 s5
#define H1 s6
#define H2 s7
#define H3 s8
#define H4 s9

/* F: digit of the first factor; G: F times 2**6; W0 to W4: consecutive digits of the second
 * factor. */
#define F t5
#define G t6
#define W0 t0
#define W1 t1
#define W2 t2
#define W3 t3
#define W4 t4

/* X, Y: addresses of digits of the first and second factor; END: end of the digits of the first
 * factor, or a digit that is loaded early; T, U: temporaries. */
#define X a4
#define Y a5
#define END s10
#define T a6
#define U a7

#define BLOCK_BYTES (4 * BLOCK)
#define DIGIT_MASK ((1 << DIGIT_BITS) - 1)

.macro add_product low, high, digit
    mul T, F, \digit
    mulh U, G, \digit
    add \low, \low, T
    add \high, \high, U
.endm

.macro scale
    slli G, F, SPARE_BITS
.endm

/* Load the next digit of both factors. */
.macro step offset, digit
    lw F, \offset(X)
    lw \digit, -\offset(Y)
    scale
.endm

.macro next_factor
    mv F, END
    scale
.endm

/* Multiply F by digits of the second factor and add the products to consecutive columns: add_row
 * to all five columns, add_row_1 from the second column on, and so on. */
.macro add_row d0, d1, d2, d3, d4
    add_product L0, H0, \d0
    add_row_1 \d1, \d2, \d3, \d4
.endm
.macro add_row_1 d1, d2, d3, d4
    add_product L1, H1, \d1
    add_row_2 \d2, \d3, \d4
.endm
.macro add_row_2 d2, d3, d4
    add_product L2, H2, \d2
    add_row_3 \d3, \d4
.endm
.macro add_row_3 d3, d4
    add_product L3, H3, \d3
    add_product L4, H4, \d4
.endm

/* Load the four digits above Y to W0 to W3, for add_blocks, add_lower and add_quotients. */
.macro load_window
    lw W0, 4(Y)
    lw W1, 8(Y)
    lw W2, 12(Y)
    lw W3, 16(Y)
.endm

/* Multiply blocks of five digits, of the first factor from X up to END, of the second factor from Y
 * down: 25 products per block. */
.macro add_blocks
    beq X, END, 2f
1:
    step 0, W4
    add_row W4, W0, W1, W2, W3
    step 4, W3
    add_row W3, W4, W0, W1, W2
    step 8, W2
    add_row W2, W3, W4, W0, W1
    step 12, W1
    add_row W1, W2, W3, W4, W0
    step 16, W0
    add_row W0, W1, W2, W3, W4
    addi X, X, BLOCK_BYTES
    addi Y, Y, -BLOCK_BYTES
    bne X, END, 1b
2:
.endm

/* Multiply the block at X by the block at Y, but only form the products that belong to the current
 * columns: x[i] * y[j] with i + j <= 4. */
.macro add_lower
    step 0, W4
    lw END, 4(X)
    add_row W4, W0, W1, W2, W3
    next_factor
    lw END, 8(X)
    add_row_1 W4, W0, W1, W2
    next_factor
    lw END, 12(X)
    add_row_2 W4, W0, W1
    next_factor
    lw END, 16(X)
    add_row_3 W4, W0
    next_factor
    add_product L4, H4, W4
.endm

/* Multiply the block at X by the block that ends at Y, but only form the products that belong to
 * the current columns: x[i] * y[j] with i + j >= 5. Moves X and Y to the next blocks. */
.macro add_upper
    step 4, W3
    add_product L0, H0, W3
    step 8, W2
    add_product L0, H0, W2
    add_product L1, H1, W3
    step 12, W1
    add_product L0, H0, W1
    add_product L1, H1, W2
    add_product L2, H2, W3
    step 16, W0
    add_product L0, H0, W0
    add_product L1, H1, W1
    add_product L2, H2, W2
    add_product L3, H3, W3
    addi X, X, BLOCK_BYTES
    addi Y, Y, -BLOCK_BYTES
.endm

/* Square the block at X: the products in the five columns that begin with the square of its lowest
 * digit. At Y are the digits of the block, doubled. */
.macro add_square_lower
    lw F, 0(X)
    lw W1, 4(Y)
    scale
    lw W2, 8(Y)
    lw W3, 12(Y)
    lw W4, 16(Y)
    add_row F, W1, W2, W3, W4
    lw F, 4(X)
    lw END, 8(X)
    scale
    add_row_2 F, W2, W3
    next_factor
    add_product L4, H4, F
.endm

/* Square the block at X: the products in the columns above those of add_square_lower. */
.macro add_square_upper
    lw F, 4(X)
    lw W4, 16(Y)
    scale
    lw W3, 12(Y)
    lw END, 8(X)
    add_product L0, H0, W4
    next_factor
    lw END, 12(X)
    add_product L0, H0, W3
    add_product L1, H1, W4
    next_factor
    lw END, 16(X)
    add_product L1, H1, F
    add_product L2, H2, W4
    next_factor
    add_product L3, H3, F
.endm

/* T = the carry of a column: the sum of the column divided by 2**26, rounded down. */
.macro carry_of low, high
    slli T, \high, DIGIT_BITS
    sub T, \low, T
    srli T, T, DIGIT_BITS
    add T, T, \high
.endm

.macro pass_to low, high
    add \low, \low, T
    srai T, T, DIGIT_BITS
    add \high, \high, T
.endm

/* Reduce each column to one digit, which is unsigned here, and pass its carry to the next column.
 * The carry of the last column is left in T. */
.macro settle
    li F, DIGIT_MASK
    settle_column L0, H0
    pass_to L1, H1
    settle_column L1, H1
    pass_to L2, H2
    settle_column L2, H2
    pass_to L3, H3
    settle_column L3, H3
    pass_to L4, H4
    settle_column L4, H4
.endm
.macro settle_column low, high
    carry_of \low, \high
    and \low, \low, F
    li \high, 0
.endm

/* Compute five digits of the quotient and store them at X; the modulus is at Y. Each digit times
 * the modulus makes the sum of a column a multiple of 2**26. END has the factor of the modulus
 * (digits.h): -1 / modulus mod 2**26, times 2**6. The last carry is left in T. */
.macro add_quotients
    mul G, L0, END
    lw W4, 0(Y)
    put_quotient 0
    add_row W4, W0, W1, W2, W3
    carry_of L0, H0
    pass_to_quotient L1, H1, 4
    add_row_1 W4, W0, W1, W2
    carry_of L1, H1
    pass_to_quotient L2, H2, 8
    add_row_2 W4, W0, W1
    carry_of L2, H2
    pass_to_quotient L3, H3, 12
    add_row_3 W4, W0
    carry_of L3, H3
    pass_to_quotient L4, H4, 16
    add_product L4, H4, W4
    carry_of L4, H4
.endm
.macro put_quotient offset
    srai F, G, SPARE_BITS
    sw F, \offset(X)
.endm
.macro pass_to_quotient low, high, offset
    add \low, \low, T
    mul G, \low, END
    srai T, T, DIGIT_BITS
    add \high, \high, T
    put_quotient \offset
.endm

/* Store the signed digit of each column at X: of all numbers equal to the sum modulo 2**26, the one
 * nearest to 0. The last carry is left in T. */
.macro put_digits
    li F, 1 << (DIGIT_BITS - 1)
    put_digit L0, H0, 0
    pass_to L1, H1
    put_digit L1, H1, 4
    pass_to L2, H2
    put_digit L2, H2, 8
    pass_to L3, H3
    put_digit L3, H3, 12
    pass_to L4, H4
    put_digit L4, H4, 16
.endm
.macro put_digit low, high, offset
    slli T, \high, DIGIT_BITS
    sub T, \low, T
    add T, T, F
    srli T, T, DIGIT_BITS
    add T, T, \high
    slli U, T, DIGIT_BITS
    sub U, \low, U
    sw U, \offset(X)
.endm
#endif
