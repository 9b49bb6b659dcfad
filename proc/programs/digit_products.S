/* Montgomery products and squares in signed digits; digits.h specifies the results.
 *
 * The products of the factors, then those of the quotient's digits and the modulus, are added
 * column by column from the lowest one (product scanning: Comba, IBM Systems Journal 29(4), 1990;
 * with Montgomery's reduction: Koc, Acar, Kaliski, IEEE Micro 16(3), 1996, finely integrated).
 * Digits are -2**25 .. 2**25 - 1, so that a product adds at most 2**24 to H (columns.h): H has room
 * for 127 products.
 *
 * For factors of up to NARROW digits, a column can hold all its products and the carry of the
 * preceding column. For longer factors, columns are settled (reduced to a digit and a carry) in
 * between: after the products of the factors, unless these are few, and after MOST blocks of the
 * same kind of products. So no L has more than 64 products and carries, and no H more than 80
 * products and a carry. */
#include "columns.h"

#define NARROW 30
#define MOST 11
#define MOST_UNSETTLED 5

/* Arguments. */
#define A a1
#define B a2
#define MODULUS a3

/* POSITION: bytes of a factor below the current block of columns; LENGTH: bytes of a factor. */
#define POSITION s11
#define LENGTH ra

/* Sum of the carries of settled columns, which is added to L0 of the next block of columns; the sum
 * to add to H0 is on the stack (HIGH_CARRY). */
#define CARRY a0

/* Offsets on the stack. */
#define QUOTIENT 0
#define TWICE (4 * MAX_DIGITS)
#define RESULT (8 * MAX_DIGITS)
#define FACTOR (RESULT + 4)
#define HIGH_CARRY (RESULT + 8)
#define KEPT (RESULT + 12)
#define SAVED (RESULT + 16)
#define FRAME (SAVED + 64)

.macro begin
    addi sp, sp, -FRAME
    sw ra, SAVED(sp)
.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    sw s\n, SAVED + 4 + 4 * \n(sp)
.endr
    sw a0, RESULT(sp)
    lw LENGTH, 0(MODULUS)
    lw T, 4(MODULUS)
    slli LENGTH, LENGTH, 2
    sw T, FACTOR(sp)
    addi MODULUS, MODULUS, 8
    li U, 4 * NARROW
.endm

.macro end
    lw ra, SAVED(sp)
.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    lw s\n, SAVED + 4 + 4 * \n(sp)
.endr
    addi sp, sp, FRAME
    ret
.endm

.macro settle_block
    settle
    lw U, HIGH_CARRY(sp)
    add CARRY, CARRY, T
    srai T, T, DIGIT_BITS
    add U, U, T
    sw U, HIGH_CARRY(sp)
.endm

/* Move to the next five columns, with the carry in T. */
.macro next_columns wide
    mv L0, T
    srai H0, T, DIGIT_BITS
.if \wide
    lw U, HIGH_CARRY(sp)
    add L0, L0, CARRY
    li CARRY, 0
    add H0, H0, U
    sw zero, HIGH_CARRY(sp)
.endif
.irp register, L1, L2, L3, L4, H1, H2, H3, H4
    li \register, 0
.endr
    addi POSITION, POSITION, BLOCK_BYTES
.endm

/* Multiply the blocks of the first factor from X on, T bytes in all, as add_blocks does. */
.macro add_all_blocks wide
    add END, X, T
.if \wide
    li U, MOST * BLOCK_BYTES
    bleu T, U, 3f
    sw END, KEPT(sp)
    add END, X, U
    add_blocks
    lw END, KEPT(sp)
    settle_block
3:
.endif
    add_blocks
.endm

/* Add the products of two factors that belong to the current columns: low_product for columns below
 * the length of a factor, high_product for the columns above. */
.macro low_product wide
    mv X, A
    add Y, B, POSITION
    load_window
    mv T, POSITION
    add_all_blocks \wide
    add_lower
.endm
.macro high_product wide, first, second
    sub T, POSITION, LENGTH
    add X, \first, T
    add Y, \second, LENGTH
    add_upper
    slli T, LENGTH, 1
    sub T, T, POSITION
    addi T, T, -BLOCK_BYTES
    add_all_blocks \wide
.endm

/* The same for a square, where each product of two different blocks is formed only once: B is twice
 * A. The lower half of the blocks is multiplied by the upper half. One block is left in the middle,
 * or two neighbouring blocks are. */
.macro low_square
    mv X, A
    add Y, B, POSITION
    load_window
    half_position
    add END, X, T
    add_blocks
    lw U, KEPT(sp)
    bnez U, 4f
    add_square_lower
    j 6f
4:
    add_lower
    addi Y, Y, -BLOCK_BYTES
    add_square_upper
6:
.endm
.macro high_square
    sub T, POSITION, LENGTH
    add X, A, T
    add Y, B, LENGTH
    addi T, T, BLOCK_BYTES
    beq T, LENGTH, 5f
    add_upper
    half_position
    add END, A, T
    add_blocks
    lw U, KEPT(sp)
    bnez U, 4f
    add_square_lower
    j 6f
4:
    add_lower
5:
    addi Y, Y, -BLOCK_BYTES
    add_square_upper
6:
.endm

/* T = bytes of half the blocks below the current columns, rounded down to blocks; KEPT = not 0 if
 * their number is odd. */
.macro half_position
    andi U, POSITION, 4 /* blocks have 5 * 4 bytes */
    slli T, U, 2
    add T, T, U
    sub T, POSITION, T
    srli T, T, 1
    sw U, KEPT(sp)
.endm

.macro montgomery square, wide
    li CARRY, 0
    sw zero, HIGH_CARRY(sp)
    li T, 0
    li POSITION, -BLOCK_BYTES
    next_columns \wide
7:
.if \square
    low_square
.else
    low_product \wide
.endif
.if \wide
    li T, MOST_UNSETTLED * BLOCK_BYTES
    bleu POSITION, T, 8f
    settle_block
8:
.endif
    addi X, sp, QUOTIENT
    add Y, MODULUS, POSITION
    load_window
    mv T, POSITION
    add_all_blocks \wide
    lw END, FACTOR(sp)
    add_quotients
    next_columns \wide
    bne POSITION, LENGTH, 7b
9:
.if \square
    high_square
.else
    high_product \wide, A, B
.endif
.if \wide
    slli T, LENGTH, 1
    sub T, T, POSITION
    addi T, T, -(MOST_UNSETTLED + 1) * BLOCK_BYTES
    blez T, 8f
    settle_block
8:
.endif
    addi F, sp, QUOTIENT
    high_product \wide, F, MODULUS
    lw X, RESULT(sp)
    addi T, X, BLOCK_BYTES
    sw T, RESULT(sp)
    put_digits
    next_columns \wide
    slli T, LENGTH, 1
    bne POSITION, T, 9b
    end
.endm

.macro put_twice digit, offset
    slli \digit, \digit, 1
    sw \digit, \offset(Y)
.endm

    .text
    .globl montgomery_multiply
    .type montgomery_multiply, @function
montgomery_multiply:
    begin
    bgtu LENGTH, U, .Lwide_product
    montgomery 0, 0
.Lwide_product:
    montgomery 0, 1
    .size montgomery_multiply, . - montgomery_multiply

    .globl montgomery_square
    .type montgomery_square, @function
montgomery_square:
    mv MODULUS, a2
    begin
    mv X, A
    addi B, sp, TWICE
    mv Y, B
    add END, A, LENGTH
1:
    lw W0, 0(X)
    lw W1, 4(X)
    lw W2, 8(X)
    lw W3, 12(X)
    lw W4, 16(X)
    put_twice W0, 0
    put_twice W1, 4
    put_twice W2, 8
    put_twice W3, 12
    put_twice W4, 16
    addi X, X, BLOCK_BYTES
    addi Y, Y, BLOCK_BYTES
    bne X, END, 1b
    bgtu LENGTH, U, .Lwide_square
    montgomery 1, 0
.Lwide_square:
    montgomery 1, 1
    .size montgomery_square, . - montgomery_square
