/* Written by tools/programs.py from crt0.S, main.c, crt.c, digits.c, digit_products.S, words.c; source b866786346485561cab9 */
    .ident "GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
    .text
    .org 0x200
    .globl _start
_start:
    auipc gp, 0x8
    addi gp, gp, 644
    auipc sp, 0x100
    addi sp, sp, -520
    jal ra, main
    ecall
    .type prepare, @function
    .size prepare, 8
prepare:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .globl main
    .type main, @function
    .size main, 264
main:
    addi sp, sp, -48
    sw s2, 32(sp)
    lui s2, 0x7
    sw s3, 28(sp)
    addi s3, s2, 896
    sw s1, 36(sp)
    lw s1, 0(s3)
    sw s0, 40(sp)
    sw ra, 44(sp)
    sw s4, 24(sp)
    addi a5, zero, 127
    addi a4, s1, -1
    addi s0, zero, 1
    bgeu a5, a4, .L1
.L0:
    lw ra, 44(sp)
    addi a0, s0, 0
    lw s0, 40(sp)
    lw s1, 36(sp)
    lw s2, 32(sp)
    lw s3, 28(sp)
    lw s4, 24(sp)
    addi sp, sp, 48
    jalr zero, 0(ra)
.L1:
    addi a0, s2, 896
    jal ra, prepare
    beq s1, s0, .L5
.L2:
    csrwi stats_en, 1
    addi a0, s2, 896
    jal ra, check_operands
    beq a0, zero, .L8
.L3:
    csrwi stats_en, 0
.L4:
    addi s0, a0, 16
    jal zero, .L0
.L5:
    bne a0, zero, .L2
    lw s0, 516(s3)
    lw s4, 1028(s3)
    lw s3, 1540(s3)
    csrwi stats_en, 1
    addi a0, s2, 896
    jal ra, check_operands
    bne a0, zero, .L3
    addi a2, s3, 0
    addi a1, s4, 0
    addi a0, s0, 0
    jal ra, modexp_word
    lui s0, 0x7
    sw a0, 8(sp)
    sw a1, 12(sp)
    sw a1, 384(s0)
    csrwi stats_en, 0
.L6:
    bne a0, zero, .L4
    addi a5, s0, 384
    slli a4, s1, 2
    add a4, a4, a5
.L7:
    lw a3, 0(a5)
    csrw proc2mngr, a3
    addi a5, a5, 4
    bne a5, a4, .L7
    addi s0, zero, 0
    jal zero, .L0
.L8:
    lui s0, 0x7
    addi a1, s2, 896
    addi a0, s0, 384
    jal ra, modexp_words
    csrwi stats_en, 0
    jal zero, .L6
    .type add_entries, @function
    .size add_entries, 568
add_entries:
    addi sp, sp, -32
    sw s5, 8(sp)
    lui s5, 0x9
    addi a5, a1, 5
    addi t2, a1, 6
    addi t0, a1, 7
    addi t6, a1, 8
    addi t5, a1, 9
    addi t4, a1, 10
    addi t3, a1, 11
    addi t1, a1, 12
    addi a7, a1, 13
    addi a6, a1, 14
    slli a4, a1, 2
    sw s0, 28(sp)
    sw s1, 24(sp)
    addi s0, a1, 4
    addi s1, a1, 3
    sw s2, 20(sp)
    sw s3, 16(sp)
    addi s2, a1, 2
    addi s3, a1, 1
    sw s4, 12(sp)
    addi s5, s5, -1196
    addi s4, a1, 15
    xor s3, s3, a2
    xor a1, a2, a1
    xor s2, s2, a2
    xor s1, s1, a2
    xor s0, s0, a2
    xor a5, a5, a2
    xor t2, t2, a2
    xor t0, t0, a2
    xor t6, t6, a2
    xor t5, t5, a2
    xor t4, t4, a2
    xor t3, t3, a2
    xor t1, t1, a2
    xor a7, a7, a2
    xor a6, a6, a2
    add a4, a4, s5
    xor a2, s4, a2
    slli s4, a3, 7
    sw s6, 4(sp)
    sw s7, 0(sp)
    add s4, a4, s4
    beq a4, s4, .L10
    addi a1, a1, -1
    addi s3, s3, -1
    addi s2, s2, -1
    addi s1, s1, -1
    addi s0, s0, -1
    addi a3, a5, -1
    addi t2, t2, -1
    addi t0, t0, -1
    addi t6, t6, -1
    addi t5, t5, -1
    addi t4, t4, -1
    addi t3, t3, -1
    addi t1, t1, -1
    addi a7, a7, -1
    addi a6, a6, -1
    addi a2, a2, -1
    srai a1, a1, 31
    srai s3, s3, 31
    srai s2, s2, 31
    srai s1, s1, 31
    srai s0, s0, 31
    srai a3, a3, 31
    srai t2, t2, 31
    srai t0, t0, 31
    srai t6, t6, 31
    srai t5, t5, 31
    srai t4, t4, 31
    srai t3, t3, 31
    srai t1, t1, 31
    srai a7, a7, 31
    srai a6, a6, 31
    srai a2, a2, 31
.L9:
    lw s6, 0(a0)
    lw a5, 0(a4)
    lw s5, 4(a4)
    and a5, a1, a5
    and s7, s3, s5
    or a5, a5, s6
    lw s5, 12(a4)
    lw s6, 8(a4)
    or a5, a5, s7
    and s6, s2, s6
    and s7, s1, s5
    or a5, a5, s6
    lw s5, 20(a4)
    lw s6, 16(a4)
    or a5, a5, s7
    and s6, s0, s6
    and s7, a3, s5
    or a5, a5, s6
    lw s5, 28(a4)
    lw s6, 24(a4)
    or a5, a5, s7
    and s6, t2, s6
    and s7, t0, s5
    or a5, a5, s6
    lw s5, 36(a4)
    lw s6, 32(a4)
    or a5, a5, s7
    and s6, t6, s6
    and s7, t5, s5
    or a5, a5, s6
    lw s5, 44(a4)
    lw s6, 40(a4)
    or a5, a5, s7
    and s6, t4, s6
    and s7, t3, s5
    or a5, a5, s6
    lw s5, 52(a4)
    lw s6, 48(a4)
    or a5, a5, s7
    and s6, t1, s6
    or a5, a5, s6
    and s7, a7, s5
    lw s6, 56(a4)
    lw s5, 60(a4)
    or a5, a5, s7
    and s6, a6, s6
    or a5, a5, s6
    and s5, a2, s5
    addi a0, a0, 4
    or s5, s5, a5
    sw s5, -4(a0)
    addi a4, a4, 128
    bne s4, a4, .L9
.L10:
    lw s0, 28(sp)
    lw s1, 24(sp)
    lw s2, 20(sp)
    lw s3, 16(sp)
    lw s4, 12(sp)
    lw s5, 8(sp)
    lw s6, 4(sp)
    lw s7, 0(sp)
    addi sp, sp, 32
    jalr zero, 0(ra)
    .type exponentiate.constprop.0, @function
    .size exponentiate.constprop.0, 988
exponentiate.constprop.0:
    addi sp, sp, -80
    sw s3, 60(sp)
    lw s3, 0(a3)
    sw s6, 48(sp)
    lui s6, 0x8
    sw s0, 72(sp)
    addi s0, s6, -892
    sw s4, 56(sp)
    sw s5, 52(sp)
    addi s4, s0, 640
    addi s5, a3, 328
    sw s7, 44(sp)
    slli s7, s3, 2
    sw s1, 68(sp)
    sw s8, 40(sp)
    sw s9, 36(sp)
    addi s1, a0, 0
    addi s8, a1, 0
    addi a0, s4, 0
    add a1, s0, s7
    addi s9, a2, 0
    addi a2, s5, 0
    sw ra, 76(sp)
    sw s2, 64(sp)
    sw s10, 32(sp)
    addi s2, a3, 0
    sw s11, 28(sp)
    sw s7, 12(sp)
    jal ra, montgomery_multiply
    addi a3, s2, 0
    addi a2, s5, 0
    addi a1, s4, 0
    addi a0, s4, 0
    jal ra, montgomery_multiply
    addi s0, s0, 960
    addi a3, s2, 0
    addi a2, s5, 0
    addi a1, s6, -892
    addi a0, s0, 0
    jal ra, montgomery_multiply
    addi a3, zero, 1
    addi a2, s4, 0
    addi a1, zero, 1
    addi a0, s4, 0
    addi a5, s3, 0
    addi a4, s0, 0
    jal ra, add_multiples
    lui a2, 0x7
    addi a3, s2, 0
    addi a2, a2, -256
    addi a1, s5, 0
    addi a0, s0, 0
    jal ra, montgomery_multiply
    beq s3, zero, .L13
    lui a4, 0x9
    addi a5, s0, 0
    addi a4, a4, -1196
    add a2, s0, s7
.L11:
    lw a3, 0(a5)
    addi a5, a5, 4
    addi a4, a4, 128
    sw a3, -128(a4)
    bne a5, a2, .L11
    lw a3, 12(sp)
    lui a4, 0x9
    addi a5, s4, 0
    addi a4, a4, -1192
    add a2, s4, a3
.L12:
    lw a3, 0(a5)
    addi a5, a5, 4
    addi a4, a4, 128
    sw a3, -128(a4)
    bne a5, a2, .L12
.L13:
    lw a5, 12(sp)
    lui a6, 0x9
    lui s5, 0x9
    addi s7, a6, -1184
    add s10, s0, a5
    addi s11, zero, 2
    addi s5, s5, -1196
    addi s6, zero, 32
.L14:
    srli a4, s11, 1
    beq s3, zero, .L29
    slli a4, a4, 2
    add a4, a4, s5
    addi a5, s0, 0
.L15:
    lw a3, 0(a4)
    addi a5, a5, 4
    addi a4, a4, 128
    sw a3, -4(a5)
    bne a5, s10, .L15
    addi a2, s2, 0
    addi a1, s0, 0
    addi a0, s0, 0
    jal ra, montgomery_square
    addi a4, s7, -4
    addi a5, s0, 0
.L16:
    lw a3, 0(a5)
    addi a5, a5, 4
    addi a4, a4, 128
    sw a3, -128(a4)
    bne a5, s10, .L16
    addi a3, s2, 0
    addi a2, s4, 0
    addi a1, s0, 0
    addi a0, s0, 0
    jal ra, montgomery_multiply
    addi a4, s7, 0
    addi a5, s0, 0
.L17:
    lw a3, 0(a5)
    addi a5, a5, 4
    addi a4, a4, 128
    sw a3, -128(a4)
    bne a5, s10, .L17
    addi s11, s11, 2
    addi s7, s7, 8
    bne s11, s6, .L14
.L18:
    slli s5, s9, 5
    addi s5, s5, -1
    addi a5, zero, 5
    remu a5, s5, a5
    addi a2, zero, 27
    sub s5, s5, a5
    srli a4, s5, 5
    slli a5, a4, 2
    add a5, s8, a5
    lw s4, 0(a5)
    andi a3, s5, 31
    srl s4, s4, a3
    bgeu a2, a3, .L19
    addi a4, a4, 1
    bltu a4, s9, .L31
.L19:
    andi s4, s4, 31
    beq s3, zero, .L21
    lw a4, 12(sp)
    addi a5, s1, 0
    add s7, a4, s1
.L20:
    sw zero, 0(a5)
    addi a5, a5, 4
    bne s7, a5, .L20
.L21:
    addi a1, zero, 0
    addi a0, s1, 0
    addi a3, s3, 0
    addi a2, s4, 0
    jal ra, add_entries
    addi a3, s3, 0
    addi a2, s4, 0
    addi a1, zero, 16
    addi a0, s1, 0
    jal ra, add_entries
    addi s6, zero, 27
    addi s7, zero, 32
.L22:
    addi s5, s5, -5
    addi s4, zero, 5
.L23:
    addi s4, s4, -1
    addi a2, s2, 0
    addi a1, s1, 0
    addi a0, s1, 0
    jal ra, montgomery_square
    bne s4, zero, .L23
    srli a3, s5, 5
    slli a5, a3, 2
    add a5, s8, a5
    lw s4, 0(a5)
    andi a4, s5, 31
    srl s4, s4, a4
    bgeu s6, a4, .L28
    addi a3, a3, 1
    bgeu a3, s9, .L24
    lw a5, 4(a5)
    sub a4, s7, a4
    sll a5, a5, a4
    or s4, s4, a5
.L24:
    andi s4, s4, 31
    beq s3, zero, .L30
.L25:
    addi a5, s0, 0
.L26:
    sw zero, 0(a5)
    addi a5, a5, 4
    bne a5, s10, .L26
.L27:
    addi a1, zero, 0
    addi a0, s0, 0
    addi a3, s3, 0
    addi a2, s4, 0
    jal ra, add_entries
    addi a3, s3, 0
    addi a2, s4, 0
    addi a1, zero, 16
    addi a0, s0, 0
    jal ra, add_entries
    addi a3, s2, 0
    addi a2, s0, 0
    addi a1, s1, 0
    addi a0, s1, 0
    jal ra, montgomery_multiply
    bne s5, zero, .L22
    lw ra, 76(sp)
    lw s0, 72(sp)
    lw s1, 68(sp)
    lw s2, 64(sp)
    lw s3, 60(sp)
    lw s4, 56(sp)
    lw s5, 52(sp)
    lw s6, 48(sp)
    lw s7, 44(sp)
    lw s8, 40(sp)
    lw s9, 36(sp)
    lw s10, 32(sp)
    lw s11, 28(sp)
    addi sp, sp, 80
    jalr zero, 0(ra)
.L28:
    andi s4, s4, 31
    bne s3, zero, .L25
    jal zero, .L27
.L29:
    addi a2, s2, 0
    addi a1, s0, 0
    addi a0, s0, 0
    jal ra, montgomery_square
    addi a3, s2, 0
    addi a2, s4, 0
    addi a1, s0, 0
    addi a0, s0, 0
    addi s11, s11, 2
    jal ra, montgomery_multiply
    addi s7, s7, 8
    bne s11, s6, .L14
    jal zero, .L18
.L30:
    addi a2, s4, 0
    addi a0, s0, 0
    addi a3, zero, 0
    addi a1, zero, 0
    jal ra, add_entries
    addi a2, s4, 0
    addi a0, s0, 0
    addi a3, zero, 0
    addi a1, zero, 16
    jal ra, add_entries
    addi a3, s2, 0
    addi a2, s0, 0
    addi a1, s1, 0
    addi a0, s1, 0
    jal ra, montgomery_multiply
    jal zero, .L22
.L31:
    lw a5, 4(a5)
    sub s11, s11, a3
    sll a5, a5, s11
    or s4, s4, a5
    jal zero, .L19
    .globl check_operands
    .type check_operands, @function
    .size check_operands, 156
check_operands:
    lw a5, 0(a0)
    lw a7, 1540(a0)
    addi a2, a0, 1540
    srli a5, a5, 1
    slli a1, a5, 2
    addi a4, zero, 1
    add a2, a2, a1
    sltiu a6, a7, 3
    bgeu a4, a5, .L36
    addi a0, a0, 1544
    addi a5, zero, 0
.L32:
    lw a4, 0(a0)
    addi a0, a0, 4
    or a5, a5, a4
    bne a2, a0, .L32
    sltiu a5, a5, 1
    and a6, a6, a5
    add a1, a2, a1
    addi a5, a2, 4
    addi a4, zero, 0
.L33:
    lw a3, 0(a5)
    addi a5, a5, 4
    or a4, a4, a3
    bne a1, a5, .L33
    sltiu a4, a4, 1
.L34:
    lw a5, 0(a2)
    sltiu a3, a5, 3
    and a4, a4, a3
    bne a4, zero, .L35
    bne a6, zero, .L35
    and a0, a5, a7
    xori a0, a0, -1
    andi a0, a0, 1
    slli a0, a0, 1
    jalr zero, 0(ra)
.L35:
    addi a0, zero, 1
    jalr zero, 0(ra)
.L36:
    addi a4, zero, 1
    jal zero, .L34
    .globl modexp_word
    .type modexp_word, @function
    .size modexp_word, 20
modexp_word:
    addi sp, sp, -16
    addi a0, zero, 4
    addi a1, zero, 0
    addi sp, sp, 16
    jalr zero, 0(ra)
    .globl modexp_words
    .type modexp_words, @function
    .size modexp_words, 608
modexp_words:
    addi sp, sp, -64
    sw s6, 32(sp)
    lw s6, 0(a1)
    sw s2, 48(sp)
    addi a4, zero, 130
    srli s2, s6, 1
    slli a5, s2, 5
    addi a5, a5, 131
    divu a5, a5, a4
    sw s3, 44(sp)
    lui s3, 0x8
    sw s11, 12(sp)
    addi s11, s3, -892
    sw s7, 28(sp)
    sw s8, 24(sp)
    addi s8, s11, 1928
    sw ra, 60(sp)
    sw s0, 56(sp)
    sw s1, 52(sp)
    sw s4, 40(sp)
    sw s5, 36(sp)
    sw s9, 20(sp)
    sw s10, 16(sp)
    addi s1, a1, 0
    addi s0, a0, 0
    addi a1, a1, 1540
    addi a2, s2, 0
    addi a0, s8, 0
    slli s4, s2, 2
    addi s9, s11, 1280
    add s5, a1, s4
    addi s10, s1, 1028
    slli s7, a5, 2
    add s7, s7, a5
    sw s7, 1280(s11)
    sw s7, 1928(s11)
    jal ra, prepare_modulus
    addi a0, s9, 0
    addi a2, s2, 0
    addi a1, s5, 0
    jal ra, prepare_modulus
    addi a2, s1, 516
    lui s1, 0x9
    addi s1, s1, -892
    andi a3, s6, -2
    addi a0, s3, -892
    slli a1, s7, 1
    addi s6, s1, -1520
    jal ra, to_digits
    addi a1, s10, 0
    addi a3, s8, 0
    addi a2, s2, 0
    addi a0, s6, 0
    addi s3, s1, -1200
    jal ra, exponentiate.constprop.0
    addi a3, s9, 0
    add a1, s10, s4
    addi a0, s3, 0
    addi a2, s2, 0
    jal ra, exponentiate.constprop.0
    lui a2, 0x7
    addi a3, s9, 0
    addi a2, a2, -256
    addi a1, s3, 0
    addi a0, s3, 0
    jal ra, montgomery_multiply
    lw s10, 1280(s11)
    addi a0, s3, 0
    addi s9, s1, -880
    addi a1, s10, 0
    jal ra, sign_of
    addi a5, s10, 0
    addi a4, s11, 1288
    sub a3, zero, a0
    addi a2, s3, 0
    addi a0, s3, 0
    addi a1, zero, 1
    jal ra, add_multiples
    addi a2, s3, 0
    addi a3, s7, 0
    addi a1, s2, 0
    addi a0, s0, 0
    jal ra, to_words
    addi a1, s3, 0
    addi a0, s3, 0
    addi a3, s8, 0
    addi a2, s8, 328
    jal ra, montgomery_multiply
    addi a4, s3, 0
    addi a5, s7, 0
    addi a3, zero, -1
    addi a2, s6, 0
    addi a1, zero, 1
    addi a0, s6, 0
    jal ra, add_multiples
    lui a2, 0x8
    addi a3, s2, 0
    addi a2, a2, -1148
    addi a1, s7, 0
    addi a0, s9, 0
    jal ra, to_digits
    addi a3, s8, 0
    addi a2, s9, 0
    addi a1, s6, 0
    addi a0, s6, 0
    jal ra, montgomery_multiply
    lw s3, 1928(s11)
    addi a0, s6, 0
    addi s1, s1, -560
    addi a1, s3, 0
    jal ra, sign_of
    sub a3, zero, a0
    addi a2, s6, 0
    addi a1, zero, 1
    addi a0, s6, 0
    addi a5, s3, 0
    addi a4, s11, 1936
    jal ra, add_multiples
    addi a3, s7, 0
    addi a2, s6, 0
    addi a1, s2, 0
    addi a0, s1, 0
    jal ra, to_words
    beq s2, zero, .L38
    add s0, s0, s4
    addi s3, zero, 0
.L37:
    lw a2, 0(s1)
    sub a0, s0, s4
    addi a3, s2, 0
    addi a1, s5, 0
    jal ra, add_multiple
    sw a0, 0(s0)
    addi s3, s3, 1
    addi s1, s1, 4
    addi s0, s0, 4
    bne s2, s3, .L37
.L38:
    lw ra, 60(sp)
    lw s0, 56(sp)
    lw s1, 52(sp)
    lw s2, 48(sp)
    lw s3, 44(sp)
    lw s4, 40(sp)
    lw s5, 36(sp)
    lw s6, 32(sp)
    lw s7, 28(sp)
    lw s8, 24(sp)
    lw s9, 20(sp)
    lw s10, 16(sp)
    lw s11, 12(sp)
    addi a0, zero, 0
    addi sp, sp, 64
    jalr zero, 0(ra)
    .globl to_digits
    .type to_digits, @function
    .size to_digits, 176
to_digits:
    beq a1, zero, .L42
    slli a1, a1, 2
    addi sp, sp, -16
    lui t5, 0x4000
    sw s0, 12(sp)
    add t4, a0, a1
    addi a4, zero, 0
    addi a1, zero, 0
    addi t2, zero, 6
    addi s0, zero, 32
    addi t5, t5, -1
    lui t0, 0x2000
    lui t6, 0xfc000
.L39:
    srli a6, a1, 5
    slli a5, a6, 2
    add t1, a2, a5
    addi t3, a6, 1
    andi a7, a1, 30
    addi a5, zero, 0
    bgeu a6, a3, .L40
    lw a5, 0(t1)
    srl a5, a5, a7
.L40:
    bgeu t2, a7, .L41
    slli a6, t3, 2
    add a6, a2, a6
    sub a7, s0, a7
    bgeu t3, a3, .L41
    lw a6, 0(a6)
    sll a6, a6, a7
    or a5, a5, a6
.L41:
    and a5, a5, t5
    add a5, a5, a4
    add a4, a5, t0
    and a6, a4, t6
    sub a5, a5, a6
    sw a5, 0(a0)
    addi a0, a0, 4
    srai a4, a4, 26
    addi a1, a1, 26
    bne t4, a0, .L39
    lw s0, 12(sp)
    addi sp, sp, 16
    jalr zero, 0(ra)
.L42:
    jalr zero, 0(ra)
    .globl to_words
    .type to_words, @function
    .size to_words, 216
to_words:
    beq a3, zero, .L49
    beq a1, zero, .L49
    addi sp, sp, -16
    sw s1, 8(sp)
    lui s1, 0x4000
    sw s0, 12(sp)
    addi t4, zero, 0
    addi t0, zero, 0
    addi a5, zero, 0
    addi t1, zero, 0
    addi t6, zero, 0
    addi t5, zero, 0
    addi s1, s1, -1
    addi s0, zero, 31
    jal zero, .L45
.L43:
    sw t6, 0(a6)
    addi t4, t4, 1
    addi t6, t5, 0
    addi a5, a5, -6
    addi t0, t0, 1
    addi t5, zero, 0
    beq a3, t4, .L47
.L44:
    addi a2, a2, 4
    bgeu t0, a1, .L47
.L45:
    lw a4, 0(a2)
    sub a7, s0, a5
    addi t2, a5, -32
    add a6, t1, a4
    and a4, a6, s1
    srli t1, a4, 1
    srl t3, t1, a7
    srai a7, a4, 31
    sll a7, a7, a5
    srai t1, a6, 26
    blt t2, zero, .L48
    sll a7, a4, t2
    addi a4, zero, 0
.L46:
    slli a6, t0, 2
    addi t3, a5, 26
    add a6, a0, a6
    or t6, t6, a4
    or t5, t5, a7
    bltu s0, t3, .L43
    addi t4, t4, 1
    addi a5, t3, 0
    bne a3, t4, .L44
.L47:
    lw s0, 12(sp)
    lw s1, 8(sp)
    addi sp, sp, 16
    jalr zero, 0(ra)
.L48:
    sll a4, a4, a5
    or a7, t3, a7
    jal zero, .L46
.L49:
    jalr zero, 0(ra)
    .globl sign_of
    .type sign_of, @function
    .size sign_of, 52
sign_of:
    beq a1, zero, .L51
    slli a1, a1, 2
    addi a5, a0, 0
    add a3, a0, a1
    addi a0, zero, 0
.L50:
    lw a4, 0(a5)
    addi a5, a5, 4
    add a0, a0, a4
    srai a0, a0, 26
    bne a5, a3, .L50
    jalr zero, 0(ra)
.L51:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .globl add_multiples
    .type add_multiples, @function
    .size add_multiples, 88
add_multiples:
    beq a5, zero, .L53
    slli a5, a5, 2
    add t1, a2, a5
    addi a6, zero, 0
    lui t4, 0x2000
    lui t3, 0xfc000
.L52:
    lw a5, 0(a2)
    lw a7, 0(a4)
    addi a0, a0, 4
    mul a5, a1, a5
    addi a2, a2, 4
    addi a4, a4, 4
    mul a7, a3, a7
    add a5, a5, a7
    add a5, a5, a6
    add a6, a5, t4
    and a7, a6, t3
    sub a5, a5, a7
    sw a5, -4(a0)
    srai a6, a6, 26
    bne t1, a2, .L52
.L53:
    jalr zero, 0(ra)
    .globl prepare_modulus
    .type prepare_modulus, @function
    .size prepare_modulus, 1060
prepare_modulus:
    lw a5, 0(a1)
    addi a6, zero, 2
    addi sp, sp, -80
    slli a4, a5, 1
    add a4, a4, a5
    xori a4, a4, 2
    mul a7, a5, a4
    sw s2, 64(sp)
    addi s2, a1, 0
    lw a1, 0(a0)
    sw ra, 76(sp)
    sw s0, 72(sp)
    sw s1, 68(sp)
    sw s3, 60(sp)
    addi s1, a0, 0
    sw s4, 56(sp)
    sub a7, a6, a7
    mul a4, a4, a7
    sw s5, 52(sp)
    sw s7, 44(sp)
    sw s6, 48(sp)
    sw s8, 40(sp)
    sw s9, 36(sp)
    sw s10, 32(sp)
    sw s11, 28(sp)
    addi a3, a2, 0
    addi s0, a2, 0
    mul a7, a5, a4
    addi a2, s2, 0
    addi a0, a0, 8
    lui s5, 0xb
    addi s3, s1, 328
    addi s7, s5, 852
    sub a7, a6, a7
    mul a4, a4, a7
    mul a5, a5, a4
    sub a5, a5, a6
    mul a5, a5, a4
    slli a5, a5, 6
    sw a5, 4(s1)
    jal ra, to_digits
    addi a1, s2, 0
    lw s4, 0(s1)
    addi a2, s0, 0
    addi a0, s5, 852
    jal ra, copy
    addi s2, zero, 52
    addi a5, zero, 1
    mul s2, s4, s2
    bgeu a5, s0, .L80
    addi a1, zero, 1
.L54:
    slli a1, a1, 1
    bltu a1, s0, .L54
    addi t0, s0, -1
    slli a7, t0, 2
    add s10, s7, a7
    addi a6, s10, 0
    addi a4, s10, 0
.L55:
    addi a3, a6, 0
    addi a2, zero, 0
    addi a6, a4, 0
    addi a5, zero, 1
    jal zero, .L57
.L56:
    bltu s0, a5, .L58
.L57:
    lw a0, 0(a3)
    addi a5, a5, 1
    addi a3, a3, -4
    or a2, a2, a0
    bgeu a1, a5, .L56
.L58:
    sub a0, zero, a2
    or a0, a0, a2
    srli a0, a0, 31
    sub t1, zero, a1
    addi a0, a0, -1
    slli t1, t1, 2
    addi a3, t0, 0
    addi t3, zero, -1
.L59:
    add a2, a4, t1
    addi a5, zero, 0
    bltu a3, a1, .L60
    lw a5, 0(a2)
.L60:
    lw a2, 0(a4)
    addi a4, a4, -4
    addi a3, a3, -1
    xor a5, a2, a5
    and a5, a5, a0
    xor a5, a5, a2
    sw a5, 4(a4)
    bne a3, t3, .L59
    srli a1, a1, 1
    beq a1, zero, .L62
.L61:
    addi a4, a6, 0
    bne s0, zero, .L55
    srli a1, a1, 1
    bne a1, zero, .L61
.L62:
    slli t2, s0, 30
    sub t2, t2, s0
    slli s9, s0, 2
    add t2, t2, t0
    addi ra, s9, 0
    addi t2, t2, 1
    add s9, s7, s9
    addi a7, a7, -4
    addi ra, ra, -4
    sub a6, s9, a6
    slli t2, t2, 2
    add a5, s7, a7
    lui t6, 0x40000
    add ra, s7, ra
    sw a5, 12(sp)
    addi s8, s7, 0
    add t2, s7, t2
    addi s6, zero, 5
    addi t4, zero, 16
    addi s11, zero, 32
    addi t3, a6, -8
    addi t6, t6, -2
.L63:
    lw a5, 0(ra)
    sub t5, s11, t4
    srl a5, a5, t5
    sub a0, zero, a5
    or a0, a0, a5
    srli a0, a0, 31
    addi a0, a0, -1
    beq s0, zero, .L66
    lw a1, 0(s10)
    sll t1, a1, t4
    beq t0, zero, .L65
    lw a7, 12(sp)
    addi a6, s10, 0
    addi a4, s0, 0
    addi a3, t0, 0
.L64:
    add a4, a4, t6
    slli a4, a4, 2
    add a4, s7, a4
    lw a5, 0(a4)
    addi a2, a3, -1
    addi a4, a3, 0
    srl a5, a5, t5
    or a5, a5, t1
    xor a5, a5, a1
    and a5, a5, a0
    xor a5, a5, a1
    sw a5, 0(a6)
    lw a1, 0(a7)
    add a6, a6, t3
    addi a7, a7, -4
    sll t1, a1, t4
    beq a2, zero, .L65
    addi a3, a2, 0
    jal zero, .L64
.L65:
    xor a5, t1, a1
    and a5, a5, a0
    xor a5, a5, a1
    sw a5, 0(t2)
.L66:
    addi s6, s6, -1
    srli t4, t4, 1
    bne s6, zero, .L63
    addi s7, s7, 512
    addi a3, s0, 0
    addi a2, s5, 852
    addi a1, s4, 0
    addi a0, s7, 0
    jal ra, to_digits
    addi a4, zero, 1
    beq s0, zero, .L68
.L67:
    lw a3, 0(s8)
    addi a5, a4, -1
    addi s8, s8, 4
    sub a5, a5, a3
    sltiu a3, a5, 1
    sw a5, -4(s8)
    and a4, a4, a3
    bne s9, s8, .L67
.L68:
    addi a3, s0, 0
    addi a2, s5, 852
    addi a1, s4, 0
    addi a0, s3, 0
    jal ra, to_digits
    addi a5, zero, 16
    addi a4, zero, 16
    bgeu a5, s2, .L79
.L69:
    addi s6, s6, 1
    srl a5, s2, s6
    bltu a4, a5, .L69
.L70:
    addi a4, zero, 26
    mul a4, s4, a4
    slli s0, s0, 5
    slli s5, s4, 2
    add s5, s5, s1
    lui s9, 0x2000
    lui s8, 0xfc000
    sub a4, a4, s0
    add a6, a4, a5
    bne a6, zero, .L73
.L71:
    beq s6, zero, .L77
.L72:
    addi a2, s1, 0
    addi a1, s3, 0
    addi a0, s3, 0
    addi s6, s6, -1
    jal ra, montgomery_square
    srl a6, s2, s6
    andi a6, a6, 1
    beq a6, zero, .L71
.L73:
    beq s4, zero, .L78
.L74:
    addi a4, s1, 0
    addi a5, zero, 0
.L75:
    lw a3, 328(a4)
    addi a4, a4, 4
    add a5, a5, a3
    srai a5, a5, 26
    bne s5, a4, .L75
    slli a5, a5, 1
    xori a4, a5, -1
    addi a0, s7, 0
    addi a2, s1, 0
    addi a3, zero, 0
.L76:
    lw a1, 0(a0)
    lw a5, 328(a2)
    addi a2, a2, 4
    mul a1, a4, a1
    slli a5, a5, 1
    addi a0, a0, 4
    add a5, a5, a1
    add a5, a5, a3
    add a3, a5, s9
    and a1, a3, s8
    sub a5, a5, a1
    sw a5, 324(a2)
    srai a3, a3, 26
    bne a2, s5, .L76
    addi a6, a6, -1
    bne a6, zero, .L74
    bne s6, zero, .L72
.L77:
    lw s0, 72(sp)
    lw ra, 76(sp)
    lw s2, 64(sp)
    lw s4, 56(sp)
    lw s5, 52(sp)
    lw s6, 48(sp)
    lw s7, 44(sp)
    lw s8, 40(sp)
    lw s9, 36(sp)
    lw s10, 32(sp)
    lw s11, 28(sp)
    addi a3, s1, 0
    addi a1, s3, 0
    lw s1, 68(sp)
    addi a0, s3, 0
    lw s3, 60(sp)
    lui a2, 0x7
    addi a2, a2, 64
    addi sp, sp, 80
    jal zero, montgomery_multiply
.L78:
    addi a6, a6, -1
    beq a6, zero, .L71
    jal zero, .L73
.L79:
    addi a5, s2, 0
    jal zero, .L70
.L80:
    addi t0, s0, -1
    slli a7, t0, 2
    add s10, s7, a7
    addi a6, s10, 0
    addi a1, zero, 1
    jal zero, .L61
    .globl montgomery_multiply
    .type montgomery_multiply, @function
    .size montgomery_multiply, 10612
montgomery_multiply:
    addi sp, sp, -720
    sw ra, 656(sp)
    sw s0, 660(sp)
    sw s1, 664(sp)
    sw s2, 668(sp)
    sw s3, 672(sp)
    sw s4, 676(sp)
    sw s5, 680(sp)
    sw s6, 684(sp)
    sw s7, 688(sp)
    sw s8, 692(sp)
    sw s9, 696(sp)
    sw s10, 700(sp)
    sw s11, 704(sp)
    sw a0, 640(sp)
    lw ra, 0(a3)
    lw a6, 4(a3)
    slli ra, ra, 2
    sw a6, 644(sp)
    addi a3, a3, 8
    addi a7, zero, 120
    bltu a7, ra, .L91
    addi a0, zero, 0
    sw zero, 648(sp)
    addi a6, zero, 0
    addi s11, zero, -20
    addi s0, a6, 0
    srai s5, a6, 26
    addi s1, zero, 0
    addi s2, zero, 0
    addi s3, zero, 0
    addi s4, zero, 0
    addi s6, zero, 0
    addi s7, zero, 0
    addi s8, zero, 0
    addi s9, zero, 0
    addi s11, s11, 20
.L81:
    addi a4, a1, 0
    add a5, a2, s11
    lw t0, 4(a5)
    lw t1, 8(a5)
    lw t2, 12(a5)
    lw t3, 16(a5)
    addi a6, s11, 0
    add s10, a4, a6
    beq a4, s10, .L83
.L82:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L82
.L83:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    lw s10, 4(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 8(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 12(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 16(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, sp, 0
    add a5, a3, s11
    lw t0, 4(a5)
    lw t1, 8(a5)
    lw t2, 12(a5)
    lw t3, 16(a5)
    addi a6, s11, 0
    add s10, a4, a6
    beq a4, s10, .L85
.L84:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L84
.L85:
    lw s10, 644(sp)
    mul t6, s0, s10
    lw t4, 0(a5)
    srai t5, t6, 6
    sw t5, 0(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s5, 26
    sub a6, s0, a6
    srli a6, a6, 26
    add a6, a6, s5
    add s1, s1, a6
    mul t6, s1, s10
    srai a6, a6, 26
    add s6, s6, a6
    srai t5, t6, 6
    sw t5, 4(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s6, 26
    sub a6, s1, a6
    srli a6, a6, 26
    add a6, a6, s6
    add s2, s2, a6
    mul t6, s2, s10
    srai a6, a6, 26
    add s7, s7, a6
    srai t5, t6, 6
    sw t5, 8(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s7, 26
    sub a6, s2, a6
    srli a6, a6, 26
    add a6, a6, s7
    add s3, s3, a6
    mul t6, s3, s10
    srai a6, a6, 26
    add s8, s8, a6
    srai t5, t6, 6
    sw t5, 12(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s8, 26
    sub a6, s3, a6
    srli a6, a6, 26
    add a6, a6, s8
    add s4, s4, a6
    mul t6, s4, s10
    srai a6, a6, 26
    add s9, s9, a6
    srai t5, t6, 6
    sw t5, 16(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s9, 26
    sub a6, s4, a6
    srli a6, a6, 26
    add a6, a6, s9
    addi s0, a6, 0
    srai s5, a6, 26
    addi s1, zero, 0
    addi s2, zero, 0
    addi s3, zero, 0
    addi s4, zero, 0
    addi s6, zero, 0
    addi s7, zero, 0
    addi s8, zero, 0
    addi s9, zero, 0
    addi s11, s11, 20
    bne s11, ra, .L81
.L86:
    sub a6, s11, ra
    add a4, a1, a6
    add a5, a2, ra
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    addi a4, a4, 20
    addi a5, a5, -20
    slli a6, ra, 1
    sub a6, a6, s11
    addi a6, a6, -20
    add s10, a4, a6
    beq a4, s10, .L88
.L87:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L87
.L88:
    addi t5, sp, 0
    sub a6, s11, ra
    add a4, t5, a6
    add a5, a3, ra
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    addi a4, a4, 20
    addi a5, a5, -20
    slli a6, ra, 1
    sub a6, a6, s11
    addi a6, a6, -20
    add s10, a4, a6
    beq a4, s10, .L90
.L89:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L89
.L90:
    lw a4, 640(sp)
    addi a6, a4, 20
    sw a6, 640(sp)
    lui t5, 0x2000
    slli a6, s5, 26
    sub a6, s0, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s5
    slli a7, a6, 26
    sub a7, s0, a7
    sw a7, 0(a4)
    add s1, s1, a6
    srai a6, a6, 26
    add s6, s6, a6
    slli a6, s6, 26
    sub a6, s1, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s6
    slli a7, a6, 26
    sub a7, s1, a7
    sw a7, 4(a4)
    add s2, s2, a6
    srai a6, a6, 26
    add s7, s7, a6
    slli a6, s7, 26
    sub a6, s2, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s7
    slli a7, a6, 26
    sub a7, s2, a7
    sw a7, 8(a4)
    add s3, s3, a6
    srai a6, a6, 26
    add s8, s8, a6
    slli a6, s8, 26
    sub a6, s3, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s8
    slli a7, a6, 26
    sub a7, s3, a7
    sw a7, 12(a4)
    add s4, s4, a6
    srai a6, a6, 26
    add s9, s9, a6
    slli a6, s9, 26
    sub a6, s4, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s9
    slli a7, a6, 26
    sub a7, s4, a7
    sw a7, 16(a4)
    addi s0, a6, 0
    srai s5, a6, 26
    addi s1, zero, 0
    addi s2, zero, 0
    addi s3, zero, 0
    addi s4, zero, 0
    addi s6, zero, 0
    addi s7, zero, 0
    addi s8, zero, 0
    addi s9, zero, 0
    addi s11, s11, 20
    slli a6, ra, 1
    bne s11, a6, .L86
    lw ra, 656(sp)
    lw s0, 660(sp)
    lw s1, 664(sp)
    lw s2, 668(sp)
    lw s3, 672(sp)
    lw s4, 676(sp)
    lw s5, 680(sp)
    lw s6, 684(sp)
    lw s7, 688(sp)
    lw s8, 692(sp)
    lw s9, 696(sp)
    lw s10, 700(sp)
    lw s11, 704(sp)
    addi sp, sp, 720
    jalr zero, 0(ra)
.L91:
    addi a0, zero, 0
    sw zero, 648(sp)
    addi a6, zero, 0
    addi s11, zero, -20
    addi s0, a6, 0
    srai s5, a6, 26
    lw a7, 648(sp)
    add s0, s0, a0
    addi a0, zero, 0
    add s5, s5, a7
    sw zero, 648(sp)
    addi s1, zero, 0
    addi s2, zero, 0
    addi s3, zero, 0
    addi s4, zero, 0
    addi s6, zero, 0
    addi s7, zero, 0
    addi s8, zero, 0
    addi s9, zero, 0
    addi s11, s11, 20
.L92:
    addi a4, a1, 0
    add a5, a2, s11
    lw t0, 4(a5)
    lw t1, 8(a5)
    lw t2, 12(a5)
    lw t3, 16(a5)
    addi a6, s11, 0
    add s10, a4, a6
    addi a7, zero, 220
    bgeu a7, a6, .L95
    sw s10, 652(sp)
    add s10, a4, a7
    beq a4, s10, .L94
.L93:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L93
.L94:
    lw s10, 652(sp)
    lui t5, 0x4000
    addi t5, t5, -1
    slli a6, s5, 26
    sub a6, s0, a6
    srli a6, a6, 26
    add a6, a6, s5
    and s0, s0, t5
    addi s5, zero, 0
    add s1, s1, a6
    srai a6, a6, 26
    add s6, s6, a6
    slli a6, s6, 26
    sub a6, s1, a6
    srli a6, a6, 26
    add a6, a6, s6
    and s1, s1, t5
    addi s6, zero, 0
    add s2, s2, a6
    srai a6, a6, 26
    add s7, s7, a6
    slli a6, s7, 26
    sub a6, s2, a6
    srli a6, a6, 26
    add a6, a6, s7
    and s2, s2, t5
    addi s7, zero, 0
    add s3, s3, a6
    srai a6, a6, 26
    add s8, s8, a6
    slli a6, s8, 26
    sub a6, s3, a6
    srli a6, a6, 26
    add a6, a6, s8
    and s3, s3, t5
    addi s8, zero, 0
    add s4, s4, a6
    srai a6, a6, 26
    add s9, s9, a6
    slli a6, s9, 26
    sub a6, s4, a6
    srli a6, a6, 26
    add a6, a6, s9
    and s4, s4, t5
    addi s9, zero, 0
    lw a7, 648(sp)
    add a0, a0, a6
    srai a6, a6, 26
    add a7, a7, a6
    sw a7, 648(sp)
.L95:
    beq a4, s10, .L97
.L96:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L96
.L97:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    lw s10, 4(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 8(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 12(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 16(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a6, zero, 100
    bgeu a6, s11, .L98
    lui t5, 0x4000
    addi t5, t5, -1
    slli a6, s5, 26
    sub a6, s0, a6
    srli a6, a6, 26
    add a6, a6, s5
    and s0, s0, t5
    addi s5, zero, 0
    add s1, s1, a6
    srai a6, a6, 26
    add s6, s6, a6
    slli a6, s6, 26
    sub a6, s1, a6
    srli a6, a6, 26
    add a6, a6, s6
    and s1, s1, t5
    addi s6, zero, 0
    add s2, s2, a6
    srai a6, a6, 26
    add s7, s7, a6
    slli a6, s7, 26
    sub a6, s2, a6
    srli a6, a6, 26
    add a6, a6, s7
    and s2, s2, t5
    addi s7, zero, 0
    add s3, s3, a6
    srai a6, a6, 26
    add s8, s8, a6
    slli a6, s8, 26
    sub a6, s3, a6
    srli a6, a6, 26
    add a6, a6, s8
    and s3, s3, t5
    addi s8, zero, 0
    add s4, s4, a6
    srai a6, a6, 26
    add s9, s9, a6
    slli a6, s9, 26
    sub a6, s4, a6
    srli a6, a6, 26
    add a6, a6, s9
    and s4, s4, t5
    addi s9, zero, 0
    lw a7, 648(sp)
    add a0, a0, a6
    srai a6, a6, 26
    add a7, a7, a6
    sw a7, 648(sp)
.L98:
    addi a4, sp, 0
    add a5, a3, s11
    lw t0, 4(a5)
    lw t1, 8(a5)
    lw t2, 12(a5)
    lw t3, 16(a5)
    addi a6, s11, 0
    add s10, a4, a6
    addi a7, zero, 220
    bgeu a7, a6, .L101
    sw s10, 652(sp)
    add s10, a4, a7
    beq a4, s10, .L100
.L99:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L99
.L100:
    lw s10, 652(sp)
    lui t5, 0x4000
    addi t5, t5, -1
    slli a6, s5, 26
    sub a6, s0, a6
    srli a6, a6, 26
    add a6, a6, s5
    and s0, s0, t5
    addi s5, zero, 0
    add s1, s1, a6
    srai a6, a6, 26
    add s6, s6, a6
    slli a6, s6, 26
    sub a6, s1, a6
    srli a6, a6, 26
    add a6, a6, s6
    and s1, s1, t5
    addi s6, zero, 0
    add s2, s2, a6
    srai a6, a6, 26
    add s7, s7, a6
    slli a6, s7, 26
    sub a6, s2, a6
    srli a6, a6, 26
    add a6, a6, s7
    and s2, s2, t5
    addi s7, zero, 0
    add s3, s3, a6
    srai a6, a6, 26
    add s8, s8, a6
    slli a6, s8, 26
    sub a6, s3, a6
    srli a6, a6, 26
    add a6, a6, s8
    and s3, s3, t5
    addi s8, zero, 0
    add s4, s4, a6
    srai a6, a6, 26
    add s9, s9, a6
    slli a6, s9, 26
    sub a6, s4, a6
    srli a6, a6, 26
    add a6, a6, s9
    and s4, s4, t5
    addi s9, zero, 0
    lw a7, 648(sp)
    add a0, a0, a6
    srai a6, a6, 26
    add a7, a7, a6
    sw a7, 648(sp)
.L101:
    beq a4, s10, .L103
.L102:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L102
.L103:
    lw s10, 644(sp)
    mul t6, s0, s10
    lw t4, 0(a5)
    srai t5, t6, 6
    sw t5, 0(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s5, 26
    sub a6, s0, a6
    srli a6, a6, 26
    add a6, a6, s5
    add s1, s1, a6
    mul t6, s1, s10
    srai a6, a6, 26
    add s6, s6, a6
    srai t5, t6, 6
    sw t5, 4(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s6, 26
    sub a6, s1, a6
    srli a6, a6, 26
    add a6, a6, s6
    add s2, s2, a6
    mul t6, s2, s10
    srai a6, a6, 26
    add s7, s7, a6
    srai t5, t6, 6
    sw t5, 8(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s7, 26
    sub a6, s2, a6
    srli a6, a6, 26
    add a6, a6, s7
    add s3, s3, a6
    mul t6, s3, s10
    srai a6, a6, 26
    add s8, s8, a6
    srai t5, t6, 6
    sw t5, 12(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s8, 26
    sub a6, s3, a6
    srli a6, a6, 26
    add a6, a6, s8
    add s4, s4, a6
    mul t6, s4, s10
    srai a6, a6, 26
    add s9, s9, a6
    srai t5, t6, 6
    sw t5, 16(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s9, 26
    sub a6, s4, a6
    srli a6, a6, 26
    add a6, a6, s9
    addi s0, a6, 0
    srai s5, a6, 26
    lw a7, 648(sp)
    add s0, s0, a0
    addi a0, zero, 0
    add s5, s5, a7
    sw zero, 648(sp)
    addi s1, zero, 0
    addi s2, zero, 0
    addi s3, zero, 0
    addi s4, zero, 0
    addi s6, zero, 0
    addi s7, zero, 0
    addi s8, zero, 0
    addi s9, zero, 0
    addi s11, s11, 20
    bne s11, ra, .L92
.L104:
    sub a6, s11, ra
    add a4, a1, a6
    add a5, a2, ra
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    addi a4, a4, 20
    addi a5, a5, -20
    slli a6, ra, 1
    sub a6, a6, s11
    addi a6, a6, -20
    add s10, a4, a6
    addi a7, zero, 220
    bgeu a7, a6, .L107
    sw s10, 652(sp)
    add s10, a4, a7
    beq a4, s10, .L106
.L105:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L105
.L106:
    lw s10, 652(sp)
    lui t5, 0x4000
    addi t5, t5, -1
    slli a6, s5, 26
    sub a6, s0, a6
    srli a6, a6, 26
    add a6, a6, s5
    and s0, s0, t5
    addi s5, zero, 0
    add s1, s1, a6
    srai a6, a6, 26
    add s6, s6, a6
    slli a6, s6, 26
    sub a6, s1, a6
    srli a6, a6, 26
    add a6, a6, s6
    and s1, s1, t5
    addi s6, zero, 0
    add s2, s2, a6
    srai a6, a6, 26
    add s7, s7, a6
    slli a6, s7, 26
    sub a6, s2, a6
    srli a6, a6, 26
    add a6, a6, s7
    and s2, s2, t5
    addi s7, zero, 0
    add s3, s3, a6
    srai a6, a6, 26
    add s8, s8, a6
    slli a6, s8, 26
    sub a6, s3, a6
    srli a6, a6, 26
    add a6, a6, s8
    and s3, s3, t5
    addi s8, zero, 0
    add s4, s4, a6
    srai a6, a6, 26
    add s9, s9, a6
    slli a6, s9, 26
    sub a6, s4, a6
    srli a6, a6, 26
    add a6, a6, s9
    and s4, s4, t5
    addi s9, zero, 0
    lw a7, 648(sp)
    add a0, a0, a6
    srai a6, a6, 26
    add a7, a7, a6
    sw a7, 648(sp)
.L107:
    beq a4, s10, .L109
.L108:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L108
.L109:
    slli a6, ra, 1
    sub a6, a6, s11
    addi a6, a6, -120
    bge zero, a6, .L110
    lui t5, 0x4000
    addi t5, t5, -1
    slli a6, s5, 26
    sub a6, s0, a6
    srli a6, a6, 26
    add a6, a6, s5
    and s0, s0, t5
    addi s5, zero, 0
    add s1, s1, a6
    srai a6, a6, 26
    add s6, s6, a6
    slli a6, s6, 26
    sub a6, s1, a6
    srli a6, a6, 26
    add a6, a6, s6
    and s1, s1, t5
    addi s6, zero, 0
    add s2, s2, a6
    srai a6, a6, 26
    add s7, s7, a6
    slli a6, s7, 26
    sub a6, s2, a6
    srli a6, a6, 26
    add a6, a6, s7
    and s2, s2, t5
    addi s7, zero, 0
    add s3, s3, a6
    srai a6, a6, 26
    add s8, s8, a6
    slli a6, s8, 26
    sub a6, s3, a6
    srli a6, a6, 26
    add a6, a6, s8
    and s3, s3, t5
    addi s8, zero, 0
    add s4, s4, a6
    srai a6, a6, 26
    add s9, s9, a6
    slli a6, s9, 26
    sub a6, s4, a6
    srli a6, a6, 26
    add a6, a6, s9
    and s4, s4, t5
    addi s9, zero, 0
    lw a7, 648(sp)
    add a0, a0, a6
    srai a6, a6, 26
    add a7, a7, a6
    sw a7, 648(sp)
.L110:
    addi t5, sp, 0
    sub a6, s11, ra
    add a4, t5, a6
    add a5, a3, ra
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    addi a4, a4, 20
    addi a5, a5, -20
    slli a6, ra, 1
    sub a6, a6, s11
    addi a6, a6, -20
    add s10, a4, a6
    addi a7, zero, 220
    bgeu a7, a6, .L113
    sw s10, 652(sp)
    add s10, a4, a7
    beq a4, s10, .L112
.L111:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L111
.L112:
    lw s10, 652(sp)
    lui t5, 0x4000
    addi t5, t5, -1
    slli a6, s5, 26
    sub a6, s0, a6
    srli a6, a6, 26
    add a6, a6, s5
    and s0, s0, t5
    addi s5, zero, 0
    add s1, s1, a6
    srai a6, a6, 26
    add s6, s6, a6
    slli a6, s6, 26
    sub a6, s1, a6
    srli a6, a6, 26
    add a6, a6, s6
    and s1, s1, t5
    addi s6, zero, 0
    add s2, s2, a6
    srai a6, a6, 26
    add s7, s7, a6
    slli a6, s7, 26
    sub a6, s2, a6
    srli a6, a6, 26
    add a6, a6, s7
    and s2, s2, t5
    addi s7, zero, 0
    add s3, s3, a6
    srai a6, a6, 26
    add s8, s8, a6
    slli a6, s8, 26
    sub a6, s3, a6
    srli a6, a6, 26
    add a6, a6, s8
    and s3, s3, t5
    addi s8, zero, 0
    add s4, s4, a6
    srai a6, a6, 26
    add s9, s9, a6
    slli a6, s9, 26
    sub a6, s4, a6
    srli a6, a6, 26
    add a6, a6, s9
    and s4, s4, t5
    addi s9, zero, 0
    lw a7, 648(sp)
    add a0, a0, a6
    srai a6, a6, 26
    add a7, a7, a6
    sw a7, 648(sp)
.L113:
    beq a4, s10, .L115
.L114:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L114
.L115:
    lw a4, 640(sp)
    addi a6, a4, 20
    sw a6, 640(sp)
    lui t5, 0x2000
    slli a6, s5, 26
    sub a6, s0, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s5
    slli a7, a6, 26
    sub a7, s0, a7
    sw a7, 0(a4)
    add s1, s1, a6
    srai a6, a6, 26
    add s6, s6, a6
    slli a6, s6, 26
    sub a6, s1, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s6
    slli a7, a6, 26
    sub a7, s1, a7
    sw a7, 4(a4)
    add s2, s2, a6
    srai a6, a6, 26
    add s7, s7, a6
    slli a6, s7, 26
    sub a6, s2, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s7
    slli a7, a6, 26
    sub a7, s2, a7
    sw a7, 8(a4)
    add s3, s3, a6
    srai a6, a6, 26
    add s8, s8, a6
    slli a6, s8, 26
    sub a6, s3, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s8
    slli a7, a6, 26
    sub a7, s3, a7
    sw a7, 12(a4)
    add s4, s4, a6
    srai a6, a6, 26
    add s9, s9, a6
    slli a6, s9, 26
    sub a6, s4, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s9
    slli a7, a6, 26
    sub a7, s4, a7
    sw a7, 16(a4)
    addi s0, a6, 0
    srai s5, a6, 26
    lw a7, 648(sp)
    add s0, s0, a0
    addi a0, zero, 0
    add s5, s5, a7
    sw zero, 648(sp)
    addi s1, zero, 0
    addi s2, zero, 0
    addi s3, zero, 0
    addi s4, zero, 0
    addi s6, zero, 0
    addi s7, zero, 0
    addi s8, zero, 0
    addi s9, zero, 0
    addi s11, s11, 20
    slli a6, ra, 1
    bne s11, a6, .L104
    lw ra, 656(sp)
    lw s0, 660(sp)
    lw s1, 664(sp)
    lw s2, 668(sp)
    lw s3, 672(sp)
    lw s4, 676(sp)
    lw s5, 680(sp)
    lw s6, 684(sp)
    lw s7, 688(sp)
    lw s8, 692(sp)
    lw s9, 696(sp)
    lw s10, 700(sp)
    lw s11, 704(sp)
    addi sp, sp, 720
    jalr zero, 0(ra)
    .globl montgomery_square
    .type montgomery_square, @function
    .size montgomery_square, 11412
montgomery_square:
    addi a3, a2, 0
    addi sp, sp, -720
    sw ra, 656(sp)
    sw s0, 660(sp)
    sw s1, 664(sp)
    sw s2, 668(sp)
    sw s3, 672(sp)
    sw s4, 676(sp)
    sw s5, 680(sp)
    sw s6, 684(sp)
    sw s7, 688(sp)
    sw s8, 692(sp)
    sw s9, 696(sp)
    sw s10, 700(sp)
    sw s11, 704(sp)
    sw a0, 640(sp)
    lw ra, 0(a3)
    lw a6, 4(a3)
    slli ra, ra, 2
    sw a6, 644(sp)
    addi a3, a3, 8
    addi a7, zero, 120
    addi a4, a1, 0
    addi a2, sp, 320
    addi a5, a2, 0
    add s10, a1, ra
.L116:
    lw t0, 0(a4)
    lw t1, 4(a4)
    lw t2, 8(a4)
    lw t3, 12(a4)
    lw t4, 16(a4)
    slli t0, t0, 1
    sw t0, 0(a5)
    slli t1, t1, 1
    sw t1, 4(a5)
    slli t2, t2, 1
    sw t2, 8(a5)
    slli t3, t3, 1
    sw t3, 12(a5)
    slli t4, t4, 1
    sw t4, 16(a5)
    addi a4, a4, 20
    addi a5, a5, 20
    bne a4, s10, .L116
    bgeu a7, ra, .L117
    jal zero, .L133
.L117:
    addi a0, zero, 0
    sw zero, 648(sp)
    addi a6, zero, 0
    addi s11, zero, -20
    addi s0, a6, 0
    srai s5, a6, 26
    addi s1, zero, 0
    addi s2, zero, 0
    addi s3, zero, 0
    addi s4, zero, 0
    addi s6, zero, 0
    addi s7, zero, 0
    addi s8, zero, 0
    addi s9, zero, 0
    addi s11, s11, 20
.L118:
    addi a4, a1, 0
    add a5, a2, s11
    lw t0, 4(a5)
    lw t1, 8(a5)
    lw t2, 12(a5)
    lw t3, 16(a5)
    andi a7, s11, 4
    slli a6, a7, 2
    add a6, a6, a7
    sub a6, s11, a6
    srli a6, a6, 1
    sw a7, 652(sp)
    add s10, a4, a6
    beq a4, s10, .L120
.L119:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L119
.L120:
    lw a7, 652(sp)
    bne a7, zero, .L121
    lw t5, 0(a4)
    lw t1, 4(a5)
    slli t6, t5, 6
    lw t2, 8(a5)
    lw t3, 12(a5)
    lw t4, 16(a5)
    mul a6, t5, t5
    mulh a7, t6, t5
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw s10, 8(a4)
    slli t6, t5, 6
    mul a6, t5, t5
    mulh a7, t6, t5
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    mul a6, t5, t5
    mulh a7, t6, t5
    add s4, s4, a6
    add s9, s9, a7
    jal zero, .L122
.L121:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    lw s10, 4(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 8(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 12(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 16(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a5, a5, -20
    lw t5, 4(a4)
    lw t4, 16(a5)
    slli t6, t5, 6
    lw t3, 12(a5)
    lw s10, 8(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 12(a4)
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 16(a4)
    mul a6, t5, t5
    mulh a7, t6, t5
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    addi t5, s10, 0
    slli t6, t5, 6
    mul a6, t5, t5
    mulh a7, t6, t5
    add s3, s3, a6
    add s8, s8, a7
.L122:
    addi a4, sp, 0
    add a5, a3, s11
    lw t0, 4(a5)
    lw t1, 8(a5)
    lw t2, 12(a5)
    lw t3, 16(a5)
    addi a6, s11, 0
    add s10, a4, a6
    beq a4, s10, .L124
.L123:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L123
.L124:
    lw s10, 644(sp)
    mul t6, s0, s10
    lw t4, 0(a5)
    srai t5, t6, 6
    sw t5, 0(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s5, 26
    sub a6, s0, a6
    srli a6, a6, 26
    add a6, a6, s5
    add s1, s1, a6
    mul t6, s1, s10
    srai a6, a6, 26
    add s6, s6, a6
    srai t5, t6, 6
    sw t5, 4(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s6, 26
    sub a6, s1, a6
    srli a6, a6, 26
    add a6, a6, s6
    add s2, s2, a6
    mul t6, s2, s10
    srai a6, a6, 26
    add s7, s7, a6
    srai t5, t6, 6
    sw t5, 8(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s7, 26
    sub a6, s2, a6
    srli a6, a6, 26
    add a6, a6, s7
    add s3, s3, a6
    mul t6, s3, s10
    srai a6, a6, 26
    add s8, s8, a6
    srai t5, t6, 6
    sw t5, 12(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s8, 26
    sub a6, s3, a6
    srli a6, a6, 26
    add a6, a6, s8
    add s4, s4, a6
    mul t6, s4, s10
    srai a6, a6, 26
    add s9, s9, a6
    srai t5, t6, 6
    sw t5, 16(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s9, 26
    sub a6, s4, a6
    srli a6, a6, 26
    add a6, a6, s9
    addi s0, a6, 0
    srai s5, a6, 26
    addi s1, zero, 0
    addi s2, zero, 0
    addi s3, zero, 0
    addi s4, zero, 0
    addi s6, zero, 0
    addi s7, zero, 0
    addi s8, zero, 0
    addi s9, zero, 0
    addi s11, s11, 20
    bne s11, ra, .L118
.L125:
    sub a6, s11, ra
    add a4, a1, a6
    add a5, a2, ra
    addi a6, a6, 20
    beq a6, ra, .L129
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    addi a4, a4, 20
    addi a5, a5, -20
    andi a7, s11, 4
    slli a6, a7, 2
    add a6, a6, a7
    sub a6, s11, a6
    srli a6, a6, 1
    sw a7, 652(sp)
    add s10, a1, a6
    beq a4, s10, .L127
.L126:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L126
.L127:
    lw a7, 652(sp)
    bne a7, zero, .L128
    lw t5, 0(a4)
    lw t1, 4(a5)
    slli t6, t5, 6
    lw t2, 8(a5)
    lw t3, 12(a5)
    lw t4, 16(a5)
    mul a6, t5, t5
    mulh a7, t6, t5
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw s10, 8(a4)
    slli t6, t5, 6
    mul a6, t5, t5
    mulh a7, t6, t5
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    mul a6, t5, t5
    mulh a7, t6, t5
    add s4, s4, a6
    add s9, s9, a7
    jal zero, .L130
.L128:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    lw s10, 4(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 8(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 12(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 16(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
.L129:
    addi a5, a5, -20
    lw t5, 4(a4)
    lw t4, 16(a5)
    slli t6, t5, 6
    lw t3, 12(a5)
    lw s10, 8(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 12(a4)
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 16(a4)
    mul a6, t5, t5
    mulh a7, t6, t5
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    addi t5, s10, 0
    slli t6, t5, 6
    mul a6, t5, t5
    mulh a7, t6, t5
    add s3, s3, a6
    add s8, s8, a7
.L130:
    addi t5, sp, 0
    sub a6, s11, ra
    add a4, t5, a6
    add a5, a3, ra
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    addi a4, a4, 20
    addi a5, a5, -20
    slli a6, ra, 1
    sub a6, a6, s11
    addi a6, a6, -20
    add s10, a4, a6
    beq a4, s10, .L132
.L131:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L131
.L132:
    lw a4, 640(sp)
    addi a6, a4, 20
    sw a6, 640(sp)
    lui t5, 0x2000
    slli a6, s5, 26
    sub a6, s0, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s5
    slli a7, a6, 26
    sub a7, s0, a7
    sw a7, 0(a4)
    add s1, s1, a6
    srai a6, a6, 26
    add s6, s6, a6
    slli a6, s6, 26
    sub a6, s1, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s6
    slli a7, a6, 26
    sub a7, s1, a7
    sw a7, 4(a4)
    add s2, s2, a6
    srai a6, a6, 26
    add s7, s7, a6
    slli a6, s7, 26
    sub a6, s2, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s7
    slli a7, a6, 26
    sub a7, s2, a7
    sw a7, 8(a4)
    add s3, s3, a6
    srai a6, a6, 26
    add s8, s8, a6
    slli a6, s8, 26
    sub a6, s3, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s8
    slli a7, a6, 26
    sub a7, s3, a7
    sw a7, 12(a4)
    add s4, s4, a6
    srai a6, a6, 26
    add s9, s9, a6
    slli a6, s9, 26
    sub a6, s4, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s9
    slli a7, a6, 26
    sub a7, s4, a7
    sw a7, 16(a4)
    addi s0, a6, 0
    srai s5, a6, 26
    addi s1, zero, 0
    addi s2, zero, 0
    addi s3, zero, 0
    addi s4, zero, 0
    addi s6, zero, 0
    addi s7, zero, 0
    addi s8, zero, 0
    addi s9, zero, 0
    addi s11, s11, 20
    slli a6, ra, 1
    bne s11, a6, .L125
    lw ra, 656(sp)
    lw s0, 660(sp)
    lw s1, 664(sp)
    lw s2, 668(sp)
    lw s3, 672(sp)
    lw s4, 676(sp)
    lw s5, 680(sp)
    lw s6, 684(sp)
    lw s7, 688(sp)
    lw s8, 692(sp)
    lw s9, 696(sp)
    lw s10, 700(sp)
    lw s11, 704(sp)
    addi sp, sp, 720
    jalr zero, 0(ra)
.L133:
    addi a0, zero, 0
    sw zero, 648(sp)
    addi a6, zero, 0
    addi s11, zero, -20
    addi s0, a6, 0
    srai s5, a6, 26
    lw a7, 648(sp)
    add s0, s0, a0
    addi a0, zero, 0
    add s5, s5, a7
    sw zero, 648(sp)
    addi s1, zero, 0
    addi s2, zero, 0
    addi s3, zero, 0
    addi s4, zero, 0
    addi s6, zero, 0
    addi s7, zero, 0
    addi s8, zero, 0
    addi s9, zero, 0
    addi s11, s11, 20
.L134:
    addi a4, a1, 0
    add a5, a2, s11
    lw t0, 4(a5)
    lw t1, 8(a5)
    lw t2, 12(a5)
    lw t3, 16(a5)
    andi a7, s11, 4
    slli a6, a7, 2
    add a6, a6, a7
    sub a6, s11, a6
    srli a6, a6, 1
    sw a7, 652(sp)
    add s10, a4, a6
    beq a4, s10, .L136
.L135:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L135
.L136:
    lw a7, 652(sp)
    bne a7, zero, .L137
    lw t5, 0(a4)
    lw t1, 4(a5)
    slli t6, t5, 6
    lw t2, 8(a5)
    lw t3, 12(a5)
    lw t4, 16(a5)
    mul a6, t5, t5
    mulh a7, t6, t5
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw s10, 8(a4)
    slli t6, t5, 6
    mul a6, t5, t5
    mulh a7, t6, t5
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    mul a6, t5, t5
    mulh a7, t6, t5
    add s4, s4, a6
    add s9, s9, a7
    jal zero, .L138
.L137:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    lw s10, 4(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 8(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 12(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 16(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a5, a5, -20
    lw t5, 4(a4)
    lw t4, 16(a5)
    slli t6, t5, 6
    lw t3, 12(a5)
    lw s10, 8(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 12(a4)
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 16(a4)
    mul a6, t5, t5
    mulh a7, t6, t5
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    addi t5, s10, 0
    slli t6, t5, 6
    mul a6, t5, t5
    mulh a7, t6, t5
    add s3, s3, a6
    add s8, s8, a7
.L138:
    addi a6, zero, 100
    bgeu a6, s11, .L139
    lui t5, 0x4000
    addi t5, t5, -1
    slli a6, s5, 26
    sub a6, s0, a6
    srli a6, a6, 26
    add a6, a6, s5
    and s0, s0, t5
    addi s5, zero, 0
    add s1, s1, a6
    srai a6, a6, 26
    add s6, s6, a6
    slli a6, s6, 26
    sub a6, s1, a6
    srli a6, a6, 26
    add a6, a6, s6
    and s1, s1, t5
    addi s6, zero, 0
    add s2, s2, a6
    srai a6, a6, 26
    add s7, s7, a6
    slli a6, s7, 26
    sub a6, s2, a6
    srli a6, a6, 26
    add a6, a6, s7
    and s2, s2, t5
    addi s7, zero, 0
    add s3, s3, a6
    srai a6, a6, 26
    add s8, s8, a6
    slli a6, s8, 26
    sub a6, s3, a6
    srli a6, a6, 26
    add a6, a6, s8
    and s3, s3, t5
    addi s8, zero, 0
    add s4, s4, a6
    srai a6, a6, 26
    add s9, s9, a6
    slli a6, s9, 26
    sub a6, s4, a6
    srli a6, a6, 26
    add a6, a6, s9
    and s4, s4, t5
    addi s9, zero, 0
    lw a7, 648(sp)
    add a0, a0, a6
    srai a6, a6, 26
    add a7, a7, a6
    sw a7, 648(sp)
.L139:
    addi a4, sp, 0
    add a5, a3, s11
    lw t0, 4(a5)
    lw t1, 8(a5)
    lw t2, 12(a5)
    lw t3, 16(a5)
    addi a6, s11, 0
    add s10, a4, a6
    addi a7, zero, 220
    bgeu a7, a6, .L142
    sw s10, 652(sp)
    add s10, a4, a7
    beq a4, s10, .L141
.L140:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L140
.L141:
    lw s10, 652(sp)
    lui t5, 0x4000
    addi t5, t5, -1
    slli a6, s5, 26
    sub a6, s0, a6
    srli a6, a6, 26
    add a6, a6, s5
    and s0, s0, t5
    addi s5, zero, 0
    add s1, s1, a6
    srai a6, a6, 26
    add s6, s6, a6
    slli a6, s6, 26
    sub a6, s1, a6
    srli a6, a6, 26
    add a6, a6, s6
    and s1, s1, t5
    addi s6, zero, 0
    add s2, s2, a6
    srai a6, a6, 26
    add s7, s7, a6
    slli a6, s7, 26
    sub a6, s2, a6
    srli a6, a6, 26
    add a6, a6, s7
    and s2, s2, t5
    addi s7, zero, 0
    add s3, s3, a6
    srai a6, a6, 26
    add s8, s8, a6
    slli a6, s8, 26
    sub a6, s3, a6
    srli a6, a6, 26
    add a6, a6, s8
    and s3, s3, t5
    addi s8, zero, 0
    add s4, s4, a6
    srai a6, a6, 26
    add s9, s9, a6
    slli a6, s9, 26
    sub a6, s4, a6
    srli a6, a6, 26
    add a6, a6, s9
    and s4, s4, t5
    addi s9, zero, 0
    lw a7, 648(sp)
    add a0, a0, a6
    srai a6, a6, 26
    add a7, a7, a6
    sw a7, 648(sp)
.L142:
    beq a4, s10, .L144
.L143:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L143
.L144:
    lw s10, 644(sp)
    mul t6, s0, s10
    lw t4, 0(a5)
    srai t5, t6, 6
    sw t5, 0(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s5, 26
    sub a6, s0, a6
    srli a6, a6, 26
    add a6, a6, s5
    add s1, s1, a6
    mul t6, s1, s10
    srai a6, a6, 26
    add s6, s6, a6
    srai t5, t6, 6
    sw t5, 4(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s6, 26
    sub a6, s1, a6
    srli a6, a6, 26
    add a6, a6, s6
    add s2, s2, a6
    mul t6, s2, s10
    srai a6, a6, 26
    add s7, s7, a6
    srai t5, t6, 6
    sw t5, 8(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s7, 26
    sub a6, s2, a6
    srli a6, a6, 26
    add a6, a6, s7
    add s3, s3, a6
    mul t6, s3, s10
    srai a6, a6, 26
    add s8, s8, a6
    srai t5, t6, 6
    sw t5, 12(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s8, 26
    sub a6, s3, a6
    srli a6, a6, 26
    add a6, a6, s8
    add s4, s4, a6
    mul t6, s4, s10
    srai a6, a6, 26
    add s9, s9, a6
    srai t5, t6, 6
    sw t5, 16(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    slli a6, s9, 26
    sub a6, s4, a6
    srli a6, a6, 26
    add a6, a6, s9
    addi s0, a6, 0
    srai s5, a6, 26
    lw a7, 648(sp)
    add s0, s0, a0
    addi a0, zero, 0
    add s5, s5, a7
    sw zero, 648(sp)
    addi s1, zero, 0
    addi s2, zero, 0
    addi s3, zero, 0
    addi s4, zero, 0
    addi s6, zero, 0
    addi s7, zero, 0
    addi s8, zero, 0
    addi s9, zero, 0
    addi s11, s11, 20
    bne s11, ra, .L134
.L145:
    sub a6, s11, ra
    add a4, a1, a6
    add a5, a2, ra
    addi a6, a6, 20
    beq a6, ra, .L149
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    addi a4, a4, 20
    addi a5, a5, -20
    andi a7, s11, 4
    slli a6, a7, 2
    add a6, a6, a7
    sub a6, s11, a6
    srli a6, a6, 1
    sw a7, 652(sp)
    add s10, a1, a6
    beq a4, s10, .L147
.L146:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L146
.L147:
    lw a7, 652(sp)
    bne a7, zero, .L148
    lw t5, 0(a4)
    lw t1, 4(a5)
    slli t6, t5, 6
    lw t2, 8(a5)
    lw t3, 12(a5)
    lw t4, 16(a5)
    mul a6, t5, t5
    mulh a7, t6, t5
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw s10, 8(a4)
    slli t6, t5, 6
    mul a6, t5, t5
    mulh a7, t6, t5
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    mul a6, t5, t5
    mulh a7, t6, t5
    add s4, s4, a6
    add s9, s9, a7
    jal zero, .L150
.L148:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    lw s10, 4(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 8(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 12(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 16(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    addi t5, s10, 0
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
.L149:
    addi a5, a5, -20
    lw t5, 4(a4)
    lw t4, 16(a5)
    slli t6, t5, 6
    lw t3, 12(a5)
    lw s10, 8(a4)
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 12(a4)
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    addi t5, s10, 0
    slli t6, t5, 6
    lw s10, 16(a4)
    mul a6, t5, t5
    mulh a7, t6, t5
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    addi t5, s10, 0
    slli t6, t5, 6
    mul a6, t5, t5
    mulh a7, t6, t5
    add s3, s3, a6
    add s8, s8, a7
.L150:
    slli a6, ra, 1
    sub a6, a6, s11
    addi a6, a6, -120
    bge zero, a6, .L151
    lui t5, 0x4000
    addi t5, t5, -1
    slli a6, s5, 26
    sub a6, s0, a6
    srli a6, a6, 26
    add a6, a6, s5
    and s0, s0, t5
    addi s5, zero, 0
    add s1, s1, a6
    srai a6, a6, 26
    add s6, s6, a6
    slli a6, s6, 26
    sub a6, s1, a6
    srli a6, a6, 26
    add a6, a6, s6
    and s1, s1, t5
    addi s6, zero, 0
    add s2, s2, a6
    srai a6, a6, 26
    add s7, s7, a6
    slli a6, s7, 26
    sub a6, s2, a6
    srli a6, a6, 26
    add a6, a6, s7
    and s2, s2, t5
    addi s7, zero, 0
    add s3, s3, a6
    srai a6, a6, 26
    add s8, s8, a6
    slli a6, s8, 26
    sub a6, s3, a6
    srli a6, a6, 26
    add a6, a6, s8
    and s3, s3, t5
    addi s8, zero, 0
    add s4, s4, a6
    srai a6, a6, 26
    add s9, s9, a6
    slli a6, s9, 26
    sub a6, s4, a6
    srli a6, a6, 26
    add a6, a6, s9
    and s4, s4, t5
    addi s9, zero, 0
    lw a7, 648(sp)
    add a0, a0, a6
    srai a6, a6, 26
    add a7, a7, a6
    sw a7, 648(sp)
.L151:
    addi t5, sp, 0
    sub a6, s11, ra
    add a4, t5, a6
    add a5, a3, ra
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    addi a4, a4, 20
    addi a5, a5, -20
    slli a6, ra, 1
    sub a6, a6, s11
    addi a6, a6, -20
    add s10, a4, a6
    addi a7, zero, 220
    bgeu a7, a6, .L154
    sw s10, 652(sp)
    add s10, a4, a7
    beq a4, s10, .L153
.L152:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L152
.L153:
    lw s10, 652(sp)
    lui t5, 0x4000
    addi t5, t5, -1
    slli a6, s5, 26
    sub a6, s0, a6
    srli a6, a6, 26
    add a6, a6, s5
    and s0, s0, t5
    addi s5, zero, 0
    add s1, s1, a6
    srai a6, a6, 26
    add s6, s6, a6
    slli a6, s6, 26
    sub a6, s1, a6
    srli a6, a6, 26
    add a6, a6, s6
    and s1, s1, t5
    addi s6, zero, 0
    add s2, s2, a6
    srai a6, a6, 26
    add s7, s7, a6
    slli a6, s7, 26
    sub a6, s2, a6
    srli a6, a6, 26
    add a6, a6, s7
    and s2, s2, t5
    addi s7, zero, 0
    add s3, s3, a6
    srai a6, a6, 26
    add s8, s8, a6
    slli a6, s8, 26
    sub a6, s3, a6
    srli a6, a6, 26
    add a6, a6, s8
    and s3, s3, t5
    addi s8, zero, 0
    add s4, s4, a6
    srai a6, a6, 26
    add s9, s9, a6
    slli a6, s9, 26
    sub a6, s4, a6
    srli a6, a6, 26
    add a6, a6, s9
    and s4, s4, t5
    addi s9, zero, 0
    lw a7, 648(sp)
    add a0, a0, a6
    srai a6, a6, 26
    add a7, a7, a6
    sw a7, 648(sp)
.L154:
    beq a4, s10, .L156
.L155:
    lw t5, 0(a4)
    lw t4, 0(a5)
    slli t6, t5, 6
    mul a6, t5, t4
    mulh a7, t6, t4
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 4(a4)
    lw t3, -4(a5)
    slli t6, t5, 6
    mul a6, t5, t3
    mulh a7, t6, t3
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 8(a4)
    lw t2, -8(a5)
    slli t6, t5, 6
    mul a6, t5, t2
    mulh a7, t6, t2
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 12(a4)
    lw t1, -12(a5)
    slli t6, t5, 6
    mul a6, t5, t1
    mulh a7, t6, t1
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t0
    mulh a7, t6, t0
    add s4, s4, a6
    add s9, s9, a7
    lw t5, 16(a4)
    lw t0, -16(a5)
    slli t6, t5, 6
    mul a6, t5, t0
    mulh a7, t6, t0
    add s0, s0, a6
    add s5, s5, a7
    mul a6, t5, t1
    mulh a7, t6, t1
    add s1, s1, a6
    add s6, s6, a7
    mul a6, t5, t2
    mulh a7, t6, t2
    add s2, s2, a6
    add s7, s7, a7
    mul a6, t5, t3
    mulh a7, t6, t3
    add s3, s3, a6
    add s8, s8, a7
    mul a6, t5, t4
    mulh a7, t6, t4
    add s4, s4, a6
    add s9, s9, a7
    addi a4, a4, 20
    addi a5, a5, -20
    bne a4, s10, .L155
.L156:
    lw a4, 640(sp)
    addi a6, a4, 20
    sw a6, 640(sp)
    lui t5, 0x2000
    slli a6, s5, 26
    sub a6, s0, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s5
    slli a7, a6, 26
    sub a7, s0, a7
    sw a7, 0(a4)
    add s1, s1, a6
    srai a6, a6, 26
    add s6, s6, a6
    slli a6, s6, 26
    sub a6, s1, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s6
    slli a7, a6, 26
    sub a7, s1, a7
    sw a7, 4(a4)
    add s2, s2, a6
    srai a6, a6, 26
    add s7, s7, a6
    slli a6, s7, 26
    sub a6, s2, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s7
    slli a7, a6, 26
    sub a7, s2, a7
    sw a7, 8(a4)
    add s3, s3, a6
    srai a6, a6, 26
    add s8, s8, a6
    slli a6, s8, 26
    sub a6, s3, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s8
    slli a7, a6, 26
    sub a7, s3, a7
    sw a7, 12(a4)
    add s4, s4, a6
    srai a6, a6, 26
    add s9, s9, a6
    slli a6, s9, 26
    sub a6, s4, a6
    add a6, a6, t5
    srli a6, a6, 26
    add a6, a6, s9
    slli a7, a6, 26
    sub a7, s4, a7
    sw a7, 16(a4)
    addi s0, a6, 0
    srai s5, a6, 26
    lw a7, 648(sp)
    add s0, s0, a0
    addi a0, zero, 0
    add s5, s5, a7
    sw zero, 648(sp)
    addi s1, zero, 0
    addi s2, zero, 0
    addi s3, zero, 0
    addi s4, zero, 0
    addi s6, zero, 0
    addi s7, zero, 0
    addi s8, zero, 0
    addi s9, zero, 0
    addi s11, s11, 20
    slli a6, ra, 1
    bne s11, a6, .L145
    lw ra, 656(sp)
    lw s0, 660(sp)
    lw s1, 664(sp)
    lw s2, 668(sp)
    lw s3, 672(sp)
    lw s4, 676(sp)
    lw s5, 680(sp)
    lw s6, 684(sp)
    lw s7, 688(sp)
    lw s8, 692(sp)
    lw s9, 696(sp)
    lw s10, 700(sp)
    lw s11, 704(sp)
    addi sp, sp, 720
    jalr zero, 0(ra)
    .globl copy
    .type copy, @function
    .size copy, 36
copy:
    beq a2, zero, .L158
    slli a2, a2, 2
    add a4, a1, a2
.L157:
    lw a5, 0(a1)
    addi a1, a1, 4
    addi a0, a0, 4
    sw a5, -4(a0)
    bne a1, a4, .L157
.L158:
    jalr zero, 0(ra)
    .globl clear
    .type clear, @function
    .size clear, 28
clear:
    beq a1, zero, .L160
    slli a1, a1, 2
    add a5, a0, a1
.L159:
    sw zero, 0(a0)
    addi a0, a0, 4
    bne a0, a5, .L159
.L160:
    jalr zero, 0(ra)
    .globl used_words
    .type used_words, @function
    .size used_words, 52
used_words:
    beq a1, zero, .L163
    slli a5, a1, 2
    add a5, a0, a5
    addi a0, a1, 0
    jal zero, .L162
.L161:
    addi a0, a0, -1
    beq a0, zero, .L164
.L162:
    lw a4, -4(a5)
    addi a5, a5, -4
    beq a4, zero, .L161
    jalr zero, 0(ra)
.L163:
    addi a0, zero, 0
.L164:
    jalr zero, 0(ra)
    .globl bit_length
    .type bit_length, @function
    .size bit_length, 116
bit_length:
    beq a1, zero, .L169
    slli a5, a1, 2
    add a5, a0, a5
    jal zero, .L166
.L165:
    addi a1, a1, -1
    beq a1, zero, .L169
.L166:
    lw a4, -4(a5)
    addi a5, a5, -4
    beq a4, zero, .L165
    slli a5, a1, 2
    add a0, a0, a5
    lw a2, -4(a0)
    slli a1, a1, 5
    addi a3, zero, 5
    addi a0, zero, 0
    addi a5, zero, 16
    addi a6, zero, 32
.L167:
    sub a4, a6, a5
    srl a4, a2, a4
    addi a3, a3, -1
    bne a4, zero, .L168
    sll a2, a2, a5
    add a0, a0, a5
.L168:
    srli a5, a5, 1
    bne a3, zero, .L167
    sub a0, a1, a0
    jalr zero, 0(ra)
.L169:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .globl compare
    .type compare, @function
    .size compare, 72
compare:
    slli a5, a2, 2
    add a0, a0, a5
    addi a2, a2, -1
    add a1, a1, a5
    addi a3, zero, -1
.L170:
    beq a2, a3, .L171
    lw a4, -4(a0)
    lw a5, -4(a1)
    addi a2, a2, -1
    addi a0, a0, -4
    addi a1, a1, -4
    beq a4, a5, .L170
    addi a0, zero, 1
    bgeu a4, a5, .L172
    addi a0, zero, -1
    jalr zero, 0(ra)
.L171:
    addi a0, zero, 0
.L172:
    jalr zero, 0(ra)
    .globl subtract
    .type subtract, @function
    .size subtract, 84
subtract:
    beq a2, zero, .L174
    slli a2, a2, 2
    addi a3, a0, 0
    add a2, a0, a2
    addi a0, zero, 0
.L173:
    lw a5, 0(a3)
    lw a4, 0(a1)
    addi a3, a3, 4
    addi a1, a1, 4
    sub a4, a5, a4
    sub a0, a4, a0
    sltu a5, a5, a4
    sub a5, zero, a5
    sltu a4, a4, a0
    sub a5, a5, a4
    sw a0, -4(a3)
    srli a0, a5, 31
    bne a2, a3, .L173
    jalr zero, 0(ra)
.L174:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .globl add_multiple
    .type add_multiple, @function
    .size add_multiple, 88
add_multiple:
    beq a3, zero, .L176
    slli a3, a3, 2
    addi a6, a0, 0
    add a7, a0, a3
    addi a0, zero, 0
.L175:
    lw a3, 0(a1)
    lw a5, 0(a6)
    addi a6, a6, 4
    mul a4, a2, a3
    addi a1, a1, 4
    mulhu a3, a2, a3
    add a5, a4, a5
    add a0, a5, a0
    sltu a4, a5, a4
    sw a0, -4(a6)
    sltu a5, a0, a5
    add a4, a4, a3
    add a0, a5, a4
    bne a7, a6, .L175
    jalr zero, 0(ra)
.L176:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .globl multiply
    .type multiply, @function
    .size multiply, 136
multiply:
    slli t6, a3, 2
    add a4, t6, a0
    addi a5, a0, 0
    beq a3, zero, .L180
.L177:
    sw zero, 0(a5)
    addi a5, a5, 4
    bne a4, a5, .L177
    add t4, a2, t6
    addi t5, zero, 0
.L178:
    add a5, a1, t5
    lw t3, 0(a5)
    add t1, a0, t5
    addi a7, a2, 0
    addi a3, zero, 0
.L179:
    lw a6, 0(a7)
    lw a5, 0(t1)
    addi t1, t1, 4
    mul a4, t3, a6
    addi a7, a7, 4
    mulhu a6, t3, a6
    add a5, a4, a5
    add a3, a5, a3
    sltu a4, a5, a4
    sw a3, -4(t1)
    sltu a5, a3, a5
    add a4, a4, a6
    add a3, a5, a4
    bne t4, a7, .L179
    add a5, t6, t5
    add a5, a0, a5
    sw a3, 0(a5)
    addi t5, t5, 4
    bne t6, t5, .L178
.L180:
    jalr zero, 0(ra)
    .globl prepare_divisor
    .type prepare_divisor, @function
    .size prepare_divisor, 140
prepare_divisor:
    slli a7, a2, 2
    addi a7, a7, -4
    add a5, a1, a7
    sw a2, 0(a0)
    lw t1, 0(a5)
    addi a3, zero, 0
    addi a5, zero, 5
    addi a4, zero, 16
    addi t3, zero, 32
.L181:
    sub a6, t3, a4
    srl a6, t1, a6
    addi a5, a5, -1
    bne a6, zero, .L182
    sll t1, t1, a4
    add a3, a3, a4
.L182:
    srli a4, a4, 1
    bne a5, zero, .L181
    sw a3, 4(a0)
    beq a2, zero, .L185
    addi a6, a7, 4
    addi a7, zero, 32
    addi a0, a0, 8
    add a6, a1, a6
    sub a7, a7, a3
.L183:
    lw a2, 0(a1)
    addi a1, a1, 4
    sll a4, a2, a3
    or a5, a4, a5
    sw a5, 0(a0)
    addi a5, zero, 0
    beq a3, zero, .L184
    srl a5, a2, a7
.L184:
    addi a0, a0, 4
    bne a6, a1, .L183
.L185:
    jalr zero, 0(ra)
    .globl reduce
    .type reduce, @function
    .size reduce, 700
reduce:
    lw t6, 0(a3)
    addi sp, sp, -48
    sw s5, 24(sp)
    addi s5, t6, -1
    slli s5, s5, 2
    sw s1, 40(sp)
    add a5, a3, s5
    sw s0, 44(sp)
    sw s2, 36(sp)
    sw s3, 32(sp)
    sw s4, 28(sp)
    sw s6, 20(sp)
    sw s7, 16(sp)
    sw s8, 12(sp)
    lw t0, 8(a5)
    lw a6, 4(a3)
    addi s1, a3, 0
    addi a7, a2, 0
    addi t5, a0, 0
    beq a2, zero, .L207
    lui s0, 0xb
    slli t3, a2, 2
    addi t1, zero, 32
    addi a5, a1, 0
    addi t4, s0, 1684
    addi a3, s0, 1684
    add a0, a1, t3
    addi a2, zero, 0
    sub t1, t1, a6
.L186:
    lw a1, 0(a5)
    addi a5, a5, 4
    sll a4, a1, a6
    or a4, a4, a2
    sw a4, 0(a3)
    addi a2, zero, 0
    beq a6, zero, .L187
    srl a2, a1, t1
.L187:
    addi a3, a3, 4
    bne a5, a0, .L186
.L188:
    addi a5, a7, 1
    add a6, t4, t3
    sub a5, a5, t6
    sw a2, 0(a6)
    addi a7, a5, -1
    beq a5, zero, .L201
    lui s4, 0x10
    slli s2, t6, 2
    slli a7, a7, 2
    addi s4, s4, -1
    addi s6, s2, -4
    srli t2, t0, 16
    add a7, t4, a7
    and s3, t0, s4
    addi t3, s1, 8
.L189:
    add a5, a7, s2
    lw t1, 0(a5)
    addi a1, zero, -1
    bgeu t1, t0, .L193
    add a5, s6, a7
    lw a2, 0(a5)
    divu a4, t1, t2
    srli a1, a2, 16
    mul a5, t2, a4
    mul a3, a4, s3
    sub a5, t1, a5
    slli a5, a5, 16
    or a5, a5, a1
    bgeu a5, a3, .L190
    add a5, t0, a5
    addi a1, a4, -1
    bltu a5, t0, .L200
    bgeu a5, a3, .L200
    addi a4, a4, -2
    add a5, a5, t0
.L190:
    sub a5, a5, a3
    divu a3, a5, t2
    and a2, a2, s4
    mul a0, a3, t2
    mul a1, a3, s3
    sub a5, a5, a0
    slli a5, a5, 16
    or a5, a5, a2
    bgeu a5, a1, .L192
    add a5, t0, a5
    addi a2, a3, -1
    bltu a5, t0, .L191
    addi a3, a3, -2
    bltu a5, a1, .L192
.L191:
    addi a3, a2, 0
.L192:
    slli a4, a4, 16
    or a1, a4, a3
.L193:
    beq t6, zero, .L206
    addi a2, s1, 8
    addi a4, a7, 0
    addi a0, zero, 0
.L194:
    lw a3, 0(a2)
    lw s7, 0(a4)
    addi a4, a4, 4
    mul a5, a1, a3
    addi a2, a2, 4
    mulhu a3, a1, a3
    add a0, a5, a0
    sltu a5, a0, a5
    sub s8, s7, a0
    sw s8, -4(a4)
    sltu a0, s7, a0
    add a5, a5, a3
    add a0, a0, a5
    bne a6, a4, .L194
.L195:
    beq t1, a0, .L198
    beq t6, zero, .L199
.L196:
    addi a1, t3, 0
    addi a3, a7, 0
    addi a4, zero, 0
.L197:
    lw a2, 0(a3)
    lw a5, 0(a1)
    addi a3, a3, 4
    addi a1, a1, 4
    add a5, a2, a5
    add a4, a5, a4
    sltu a2, a5, a2
    sw a4, -4(a3)
    sltu a5, a4, a5
    add a4, a5, a2
    bne a6, a3, .L197
    sub a0, a0, a4
    bne t1, a0, .L196
.L198:
    addi a5, a7, -4
    addi a6, a6, -4
    beq t4, a7, .L201
    addi a7, a5, 0
    jal zero, .L189
.L199:
    beq t1, a0, .L198
    bne t1, a0, .L199
    jal zero, .L198
.L200:
    addi a4, a1, 0
    jal zero, .L190
.L201:
    lw a2, 4(s1)
    beq t6, zero, .L205
    addi a0, zero, 32
    add t4, t4, s5
    add t5, t5, s5
    addi s0, s0, 1684
    addi a4, zero, 0
    sub a0, a0, a2
    jal zero, .L203
.L202:
    addi t4, a1, 0
.L203:
    lw a3, 0(t4)
    addi a1, t4, -4
    srl a5, a3, a2
    or a5, a5, a4
    sw a5, 0(t5)
    addi a4, zero, 0
    beq a2, zero, .L204
    sll a4, a3, a0
.L204:
    addi t5, t5, -4
    bne t4, s0, .L202
.L205:
    lw s0, 44(sp)
    lw s1, 40(sp)
    lw s2, 36(sp)
    lw s3, 32(sp)
    lw s4, 28(sp)
    lw s5, 24(sp)
    lw s6, 20(sp)
    lw s7, 16(sp)
    lw s8, 12(sp)
    addi sp, sp, 48
    jalr zero, 0(ra)
.L206:
    addi a0, zero, 0
    jal zero, .L195
.L207:
    lui s0, 0xb
    addi a2, zero, 0
    addi t4, s0, 1684
    addi t3, zero, 0
    jal zero, .L188
    .globl check_rules
    .type check_rules, @function
    .size check_rules, 200
check_rules:
    lw a3, 0(a0)
    addi a5, a0, 0
    beq a3, zero, .L216
    slli a6, a3, 2
    add a4, a0, a6
    addi a2, a3, 0
    jal zero, .L209
.L208:
    addi a2, a2, -1
    beq a2, zero, .L216
.L209:
    lw a0, 1536(a4)
    addi a4, a4, -4
    beq a0, zero, .L208
    addi a4, zero, 1
    beq a2, a4, .L216
    bne a1, zero, .L211
    addi a4, a3, -1
    add a0, a5, a6
    addi a2, zero, -1
.L210:
    beq a4, a2, .L214
    lw a5, 512(a0)
    lw a3, 1536(a0)
    addi a4, a4, -1
    addi a0, a0, -4
    beq a5, a3, .L210
    sltu a0, a5, a3
    addi a0, a0, -1
    andi a0, a0, 3
    jalr zero, 0(ra)
.L211:
    lw a4, 1540(a5)
.L212:
    andi a4, a4, 1
    addi a0, zero, 2
    beq a4, zero, .L215
    slli a6, a3, 2
.L213:
    addi a4, a3, -1
    add a0, a5, a6
    addi a2, zero, -1
    jal zero, .L210
.L214:
    addi a0, zero, 3
.L215:
    jalr zero, 0(ra)
.L216:
    lw a4, 1540(a5)
    beq a1, zero, .L217
    addi a2, zero, 2
    addi a0, zero, 1
    bltu a2, a4, .L212
    jalr zero, 0(ra)
.L217:
    addi a2, zero, 1
    addi a0, zero, 1
    bgeu a2, a4, .L215
    slli a6, a3, 2
    jal zero, .L213
    .data
    .org 0x6f00
    .word 0x00000001, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000
    .word 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000
    .word 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000
    .word 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000
    .word 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000
    .word 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000
    .word 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000
    .word 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000
    .word 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000
    .word 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000
    .word 0x00000001
    .zero 316
    .data
    .org 0x7180
    .zero 512
    .org 0x7380
    .globl rsaxcel_operands
    .size rsaxcel_operands, 2052
rsaxcel_operands:
    .zero 2052
    .org 0x7b84
    .globl rsaxcel_q_inverse
    .size rsaxcel_q_inverse, 256
rsaxcel_q_inverse:
    .zero 256
    .bss
    .org 0x7c84
