/* Written by tools/programs.py from prepare.c, constants.c, words.c; source 22a311921bbde290a947 */
    .ident "GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
    .text
    .org 0xc0000
    .globl prepare
    .type prepare, @function
    .size prepare, 496
prepare:
    addi sp, sp, -48
    sw s5, 20(sp)
    lui s5, 0xc2
    addi s5, s5, -208
    lw a5, 0(s5)
    sw s0, 40(sp)
    sw ra, 44(sp)
    sw s1, 36(sp)
    sw s2, 32(sp)
    sw s3, 28(sp)
    sw s4, 24(sp)
    sw s6, 16(sp)
    sw s7, 12(sp)
    sw s8, 8(sp)
    addi s0, a0, 0
    beq a5, zero, .L12
    csrr a0, xcel7
    beq a0, zero, .L11
    lw a5, 0(s5)
    beq a5, zero, .L12
    lui a5, 0x80000
    lw a5, 32(a5)
    lw a4, 8(s5)
    slli s3, a5, 16
    srli s3, s3, 16
    beq a4, zero, .L0
    lw a4, 4(s5)
    srli a5, a5, 16
    sub a5, a5, a4
    bgeu s3, a5, .L0
    addi s3, a5, 0
.L0:
    addi s3, s3, 31
    srli s3, s3, 5
    addi a5, zero, 128
    bltu a5, s3, .L13
.L1:
    lw s4, 28(s5)
    addi a5, s3, 1
    lw s2, 20(s5)
    bltu s4, a5, .L14
.L2:
    lw s1, 24(s5)
    lw s6, 16(s5)
    mul s1, s4, s1
    addi a0, s6, 0
    addi a1, s1, 0
    jal ra, clear
    addi a1, s3, 0
    addi a0, s0, 0
    jal ra, choose_modulus
    beq a0, zero, .L9
    lw a4, 32(s5)
    lui s3, 0xc2
    addi s7, s3, -172
    slli a5, a4, 3
    sub a5, a5, a4
    slli a5, a5, 2
    add a5, s7, a5
    bgeu s7, a5, .L9
    slli s8, s4, 2
    addi s3, s3, -172
.L3:
    lw a7, 0(s3)
    bne a7, zero, .L17
    lw a5, 8(s3)
    lw t1, 4(s3)
    lw a1, 20(a5)
    lw a4, 24(a5)
    beq a1, zero, .L7
    srli a0, t1, 5
    addi a3, s6, 0
    addi a6, zero, 0
    addi a5, zero, 0
.L4:
    lw a2, 0(a4)
    bgeu a5, s4, .L15
    bltu a5, a0, .L5
    beq a5, a0, .L16
    or a6, a6, a2
.L5:
    sw a2, 0(a3)
.L6:
    addi a5, a5, 1
    addi a4, a4, 4
    addi a3, a3, 4
    bne a5, a1, .L4
    bne a6, zero, .L10
.L7:
    add s6, s6, s8
.L8:
    lw a4, 32(s5)
    addi s3, s3, 28
    slli a5, a4, 3
    sub a5, a5, a4
    slli a5, a5, 2
    add a5, s7, a5
    bltu s3, a5, .L3
.L9:
    addi a7, s1, 0
.L10:
    lw a5, 20(s5)
    sw a7, 0(s2)
    lw a0, 0(a5)
.L11:
    lw ra, 44(sp)
    lw s0, 40(sp)
    lw s1, 36(sp)
    lw s2, 32(sp)
    lw s3, 28(sp)
    lw s4, 24(sp)
    lw s5, 20(sp)
    lw s6, 16(sp)
    lw s7, 12(sp)
    lw s8, 8(sp)
    addi sp, sp, 48
    jalr zero, 0(ra)
.L12:
    csrr s3, xcel1
    addi a5, zero, 128
    bgeu a5, s3, .L1
.L13:
    lw a5, 20(s5)
    lw a0, 0(a5)
    jal zero, .L11
.L14:
    addi s4, a5, 0
    jal zero, .L2
.L15:
    or a6, a6, a2
    jal zero, .L6
.L16:
    srl t3, a2, t1
    or a6, a6, t3
    jal zero, .L5
.L17:
    addi a1, s0, 0
    addi a0, s3, 0
    jal ra, result_of
    sw a0, 20(s3)
    sw a1, 24(s3)
    jal zero, .L8
    .globl choose_modulus
    .type choose_modulus, @function
    .size choose_modulus, 140
choose_modulus:
    addi sp, sp, -16
    sw s0, 8(sp)
    addi s0, a1, 0
    lw a1, 0(a0)
    sw s1, 4(sp)
    addi a0, a0, 1540
    lui s1, 0xc2
    sw ra, 12(sp)
    sw a0, -1244(s1)
    jal ra, used_words
    beq a0, zero, .L19
    addi a2, a0, 0
    addi a0, zero, 0
    bgeu s0, a2, .L18
    lw ra, 12(sp)
    lw s0, 8(sp)
    lw s1, 4(sp)
    addi sp, sp, 16
    jalr zero, 0(ra)
.L18:
    lw a1, -1244(s1)
    lui a0, 0xc1
    addi a0, a0, -236
    jal ra, prepare_divisor
    lw ra, 12(sp)
    lw s0, 8(sp)
    lw s1, 4(sp)
    addi a0, zero, 1
    addi sp, sp, 16
    jalr zero, 0(ra)
.L19:
    lw ra, 12(sp)
    lw s0, 8(sp)
    lw s1, 4(sp)
    addi a0, zero, 0
    addi sp, sp, 16
    jalr zero, 0(ra)
    .globl result_of
    .type result_of, @function
    .size result_of, 1572
result_of:
    addi sp, sp, -112
    sw s0, 104(sp)
    lw s0, 0(a0)
    sw s7, 76(sp)
    sw ra, 108(sp)
    sw s1, 100(sp)
    sw s2, 96(sp)
    sw s3, 92(sp)
    sw s4, 88(sp)
    sw s5, 84(sp)
    sw s6, 80(sp)
    sw s8, 72(sp)
    sw s9, 68(sp)
    sw s10, 64(sp)
    sw s11, 60(sp)
    addi a5, zero, 3
    lw s7, 16(a0)
    beq s0, a5, .L36
    bltu a5, s0, .L27
    addi s2, zero, 1
    beq s0, s2, .L32
    addi a5, zero, 2
    bne s0, a5, .L31
    lui s9, 0xc1
    addi s1, s9, -236
    lw s4, 0(s1)
    lw a4, 4(a0)
    lw a3, 4(s1)
    addi a5, s4, -1
    slli a5, a5, 2
    srli a1, a4, 5
    add a5, s1, a5
    addi s5, a1, 1
    lw s10, 8(a5)
    bltu s5, s4, .L47
    lui s3, 0xc1
    addi a1, a1, 2
    addi a0, s3, 800
    add s0, a4, a3
    jal ra, clear
    srli a5, s0, 5
    sll a4, s2, s0
    addi a3, s3, 800
    slli a5, a5, 2
    sub s2, s2, s4
    add a2, s2, s5
    add a5, a3, a5
    sw a2, 28(sp)
    sw a4, 0(a5)
    addi s9, a2, -1
    beq a2, zero, .L26
    lw a5, 28(sp)
    slli a4, s4, 2
    sw a4, 12(sp)
    slli s8, a5, 2
    lui a5, 0x10
    addi a2, a5, -1
    addi a5, a4, 0
    addi a4, a4, -4
    slli s3, s9, 2
    sw a4, 20(sp)
    lui s2, 0xc1
    lui s5, 0xc1
    and a4, s10, a2
    sw a2, 24(sp)
    srli s11, s10, 16
    addi s6, s4, 1
    add s3, s3, a3
    add s8, s7, s8
    addi s2, s2, 284
    addi s5, s5, -228
    sw a4, 16(sp)
    add s1, s1, a5
.L20:
    lw a5, 12(sp)
    addi s0, zero, -1
    add a5, s3, a5
    lw a5, 0(a5)
    bgeu a5, s10, .L23
    lw a4, 20(sp)
    divu s0, a5, s11
    add a4, a4, s3
    lw a3, 0(a4)
    lw a4, 16(sp)
    srli a2, a3, 16
    mul a1, s11, s0
    mul a4, s0, a4
    sub a5, a5, a1
    slli a5, a5, 16
    or a5, a5, a2
    bgeu a5, a4, .L21
    add a5, s10, a5
    addi a2, s0, -1
    bltu a5, s10, .L48
    bgeu a5, a4, .L48
    addi s0, s0, -2
    add a5, a5, s10
.L21:
    lw a2, 24(sp)
    sub a5, a5, a4
    divu a4, a5, s11
    and a3, a3, a2
    lw a2, 16(sp)
    mul a1, a4, s11
    mul a2, a4, a2
    sub a5, a5, a1
    slli a5, a5, 16
    or a5, a5, a3
    bgeu a5, a2, .L22
    add a5, s10, a5
    addi a3, a4, -1
    bltu a5, s10, .L46
    addi a4, a4, -2
    bgeu a5, a2, .L46
.L22:
    slli s0, s0, 16
    or s0, s0, a4
.L23:
    addi a1, s4, 0
    addi a0, s2, 0
    jal ra, clear
    addi a3, s4, 0
    addi a2, s0, 0
    addi a1, s5, 0
    addi a0, s2, 0
    jal ra, add_multiple
    addi a5, a0, 0
    jal zero, .L25
.L24:
    jal ra, subtract
    lw a5, 520(s1)
    addi s0, s0, -1
    sub a5, a5, a0
.L25:
    addi a2, s6, 0
    addi a1, s3, 0
    addi a0, s2, 0
    sw a5, 520(s1)
    jal ra, compare
    addi a5, a0, 0
    addi a2, s4, 0
    addi a1, s5, 0
    addi a0, s2, 0
    blt zero, a5, .L24
    addi a0, s3, 0
    addi a2, s6, 0
    addi a1, s2, 0
    jal ra, subtract
    addi s9, s9, -1
    sw s0, -4(s8)
    addi a5, zero, -1
    addi s3, s3, -4
    addi s8, s8, -4
    bne s9, a5, .L20
.L26:
    lw a1, 28(sp)
    addi a0, s7, 0
    jal ra, used_words
    addi s1, a0, 0
    jal zero, .L30
.L27:
    addi a5, zero, 4
    bne s0, a5, .L31
    lw a5, 12(a0)
    lw a4, 8(a0)
    addi a0, s7, 0
    lw s3, 20(a5)
    lw s4, 20(a4)
    lw s1, 24(a4)
    addi a1, s3, 0
    slli s5, s3, 2
    lw s6, 24(a5)
    add s0, s7, s5
    jal ra, clear
    addi s2, zero, 0
    beq s4, zero, .L29
.L28:
    lw a2, 0(s1)
    sub a0, s0, s5
    addi a3, s3, 0
    addi a1, s6, 0
    jal ra, add_multiple
    sw a0, 0(s0)
    addi s2, s2, 1
    addi s1, s1, 4
    addi s0, s0, 4
    bne s2, s4, .L28
.L29:
    add a1, s4, s3
    addi a0, s7, 0
    jal ra, used_words
    addi s1, a0, 0
.L30:
    lw ra, 108(sp)
    lw s0, 104(sp)
    lw s2, 96(sp)
    lw s3, 92(sp)
    lw s4, 88(sp)
    lw s5, 84(sp)
    lw s6, 80(sp)
    lw s8, 72(sp)
    lw s9, 68(sp)
    lw s10, 64(sp)
    lw s11, 60(sp)
    addi a0, s1, 0
    addi a1, s7, 0
    lw s1, 100(sp)
    lw s7, 76(sp)
    addi sp, sp, 112
    jalr zero, 0(ra)
.L31:
    lw a5, 8(a0)
    lui s9, 0xc1
    lw s4, -236(s9)
    lw s1, 20(a5)
    lw s5, 24(a5)
    bgeu s1, s4, .L42
    addi s7, s5, 0
    jal zero, .L30
.L32:
    lui s9, 0xc1
    addi s1, s9, -236
    lw s10, 0(s1)
    lw s5, 4(a0)
    slli s10, s10, 1
    addi s8, s10, 1
    slli a5, s8, 5
    bltu s5, a5, .L49
    addi s4, zero, 0
.L33:
    addi s2, s4, 0
    addi s4, s4, 1
    srl s6, s5, s4
    bgeu s6, a5, .L33
    lui s0, 0xc1
    addi a1, s8, 0
    addi a0, s0, 800
    jal ra, clear
    srli a5, s6, 5
    addi s3, s0, 800
    slli a5, a5, 2
    addi a4, zero, 1
    add a5, s3, a5
    sll a4, a4, s6
    addi a3, s9, -236
    addi a2, s8, 0
    addi a1, s0, 800
    addi a0, s7, 0
    sw a4, 0(a5)
    jal ra, reduce
    slli a5, s10, 2
    add s3, s3, a5
    beq s4, zero, .L35
.L34:
    lw a3, 0(s1)
    addi a2, s7, 0
    addi a1, s7, 0
    addi a0, s0, 800
    jal ra, multiply
    srl a2, s5, s2
    addi a3, s10, 0
    andi a2, a2, 1
    addi a1, s0, 800
    addi a0, s0, 800
    jal ra, add_multiple
    addi a5, a0, 0
    addi a3, s9, -236
    addi a2, s8, 0
    addi a1, s0, 800
    addi a0, s7, 0
    sw a5, 0(s3)
    jal ra, reduce
    addi a5, s2, 0
    addi s2, s2, -1
    bne a5, zero, .L34
.L35:
    lw a1, 0(s1)
    addi a0, s7, 0
    jal ra, used_words
    addi s1, a0, 0
    jal zero, .L30
.L36:
    lui s5, 0xc2
    lw a5, -1244(s5)
    addi a3, zero, 2
    lw s6, 4(a0)
    lw a5, 0(a5)
    lui s0, 0xc1
    addi s4, s6, 31
    slli a4, a5, 1
    add a4, a4, a5
    xori a4, a4, 2
    mul s2, a5, a4
    srli s4, s4, 5
    addi a1, s4, 0
    addi a0, s0, 800
    sub s2, a3, s2
    mul s2, s2, a4
    mul a4, s2, a5
    sub a4, a3, a4
    mul s2, s2, a4
    mul a5, a5, s2
    sub a3, a3, a5
    mul s2, s2, a3
    jal ra, clear
    addi a5, zero, 1
    sw a5, 800(s0)
    beq s4, zero, .L40
    lui s9, 0xc1
    addi s3, s0, 800
    addi s10, s7, 0
    addi s0, s0, 800
    addi s8, s4, 0
    addi s1, s9, -236
.L37:
    lw s9, 0(s1)
    lw a1, -1244(s5)
    addi a0, s0, 0
    bgeu s8, s9, .L38
    addi s9, s8, 0
.L38:
    lw a2, 0(s0)
    addi a3, s9, 0
    addi s0, s0, 4
    mul a2, s2, a2
    sub a2, zero, a2
    sw a2, 0(s10)
    jal ra, add_multiple
    sub a5, s4, s8
    add a5, a5, s9
    slli a5, a5, 2
    add a5, s3, a5
    bgeu s9, s8, .L39
    sw a0, 0(a5)
.L39:
    addi s8, s8, -1
    addi s10, s10, 4
    bne s8, zero, .L37
.L40:
    andi s6, s6, 31
    beq s6, zero, .L41
    slli a5, s4, 2
    addi a5, a5, -4
    add a5, s7, a5
    lw a4, 0(a5)
    addi a2, zero, 32
    sub a2, a2, s6
    addi a3, zero, -1
    srl a3, a3, a2
    and a4, a4, a3
    sw a4, 0(a5)
.L41:
    addi a1, s4, 0
    addi a0, s7, 0
    jal ra, used_words
    addi s1, a0, 0
    jal zero, .L30
.L42:
    addi a1, s4, 0
    addi a0, s7, 0
    lui s0, 0xc1
    jal ra, clear
    addi s3, s0, 800
    beq s1, zero, .L45
.L43:
    addi a0, s0, 800
    addi s2, s4, 0
    bgeu s1, s4, .L44
    addi s2, s1, 0
.L44:
    sub s1, s1, s2
    slli a1, s1, 2
    addi a2, s2, 0
    add a1, s5, a1
    jal ra, copy
    slli a0, s2, 2
    addi a2, s4, 0
    addi a1, s7, 0
    add a0, s3, a0
    jal ra, copy
    addi a3, s9, -236
    add a2, s4, s2
    addi a1, s0, 800
    addi a0, s7, 0
    jal ra, reduce
    bne s1, zero, .L43
.L45:
    addi a0, s7, 0
    addi a1, s4, 0
    jal ra, used_words
    addi s5, s7, 0
    addi s1, a0, 0
    addi s7, s5, 0
    jal zero, .L30
.L46:
    addi a4, a3, 0
    jal zero, .L22
.L47:
    addi a1, zero, 0
    addi a0, s7, 0
    jal ra, used_words
    addi s1, a0, 0
    jal zero, .L30
.L48:
    addi s0, a2, 0
    jal zero, .L21
.L49:
    lui s2, 0xc1
    addi a1, s8, 0
    addi a0, s2, 800
    jal ra, clear
    srli a4, s5, 5
    addi a5, s2, 800
    slli a4, a4, 2
    add a5, a5, a4
    sll s0, s0, s5
    addi a3, s9, -236
    addi a2, s8, 0
    addi a1, s2, 800
    addi a0, s7, 0
    sw s0, 0(a5)
    jal ra, reduce
    jal zero, .L35
    .globl copy
    .type copy, @function
    .size copy, 36
copy:
    beq a2, zero, .L51
    slli a2, a2, 2
    add a4, a1, a2
.L50:
    lw a5, 0(a1)
    addi a1, a1, 4
    addi a0, a0, 4
    sw a5, -4(a0)
    bne a1, a4, .L50
.L51:
    jalr zero, 0(ra)
    .globl clear
    .type clear, @function
    .size clear, 28
clear:
    beq a1, zero, .L53
    slli a1, a1, 2
    add a5, a0, a1
.L52:
    sw zero, 0(a0)
    addi a0, a0, 4
    bne a0, a5, .L52
.L53:
    jalr zero, 0(ra)
    .globl used_words
    .type used_words, @function
    .size used_words, 52
used_words:
    beq a1, zero, .L56
    slli a5, a1, 2
    add a5, a0, a5
    addi a0, a1, 0
    jal zero, .L55
.L54:
    addi a0, a0, -1
    beq a0, zero, .L57
.L55:
    lw a4, -4(a5)
    addi a5, a5, -4
    beq a4, zero, .L54
    jalr zero, 0(ra)
.L56:
    addi a0, zero, 0
.L57:
    jalr zero, 0(ra)
    .globl bit_length
    .type bit_length, @function
    .size bit_length, 116
bit_length:
    beq a1, zero, .L62
    slli a5, a1, 2
    add a5, a0, a5
    jal zero, .L59
.L58:
    addi a1, a1, -1
    beq a1, zero, .L62
.L59:
    lw a4, -4(a5)
    addi a5, a5, -4
    beq a4, zero, .L58
    slli a5, a1, 2
    add a0, a0, a5
    lw a2, -4(a0)
    slli a1, a1, 5
    addi a3, zero, 5
    addi a0, zero, 0
    addi a5, zero, 16
    addi a6, zero, 32
.L60:
    sub a4, a6, a5
    srl a4, a2, a4
    addi a3, a3, -1
    bne a4, zero, .L61
    sll a2, a2, a5
    add a0, a0, a5
.L61:
    srli a5, a5, 1
    bne a3, zero, .L60
    sub a0, a1, a0
    jalr zero, 0(ra)
.L62:
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
.L63:
    beq a2, a3, .L64
    lw a4, -4(a0)
    lw a5, -4(a1)
    addi a2, a2, -1
    addi a0, a0, -4
    addi a1, a1, -4
    beq a4, a5, .L63
    addi a0, zero, 1
    bgeu a4, a5, .L65
    addi a0, zero, -1
    jalr zero, 0(ra)
.L64:
    addi a0, zero, 0
.L65:
    jalr zero, 0(ra)
    .globl subtract
    .type subtract, @function
    .size subtract, 84
subtract:
    beq a2, zero, .L67
    slli a2, a2, 2
    addi a3, a0, 0
    add a2, a0, a2
    addi a0, zero, 0
.L66:
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
    bne a2, a3, .L66
    jalr zero, 0(ra)
.L67:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .globl add_multiple
    .type add_multiple, @function
    .size add_multiple, 88
add_multiple:
    beq a3, zero, .L69
    slli a3, a3, 2
    addi a6, a0, 0
    add a7, a0, a3
    addi a0, zero, 0
.L68:
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
    bne a7, a6, .L68
    jalr zero, 0(ra)
.L69:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .globl multiply
    .type multiply, @function
    .size multiply, 136
multiply:
    slli t6, a3, 2
    add a4, t6, a0
    addi a5, a0, 0
    beq a3, zero, .L73
.L70:
    sw zero, 0(a5)
    addi a5, a5, 4
    bne a4, a5, .L70
    add t4, a2, t6
    addi t5, zero, 0
.L71:
    add a5, a1, t5
    lw t3, 0(a5)
    add t1, a0, t5
    addi a7, a2, 0
    addi a3, zero, 0
.L72:
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
    bne t4, a7, .L72
    add a5, t6, t5
    add a5, a0, a5
    sw a3, 0(a5)
    addi t5, t5, 4
    bne t6, t5, .L71
.L73:
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
.L74:
    sub a6, t3, a4
    srl a6, t1, a6
    addi a5, a5, -1
    bne a6, zero, .L75
    sll t1, t1, a4
    add a3, a3, a4
.L75:
    srli a4, a4, 1
    bne a5, zero, .L74
    sw a3, 4(a0)
    beq a2, zero, .L78
    addi a6, a7, 4
    addi a7, zero, 32
    addi a0, a0, 8
    add a6, a1, a6
    sub a7, a7, a3
.L76:
    lw a2, 0(a1)
    addi a1, a1, 4
    sll a4, a2, a3
    or a5, a4, a5
    sw a5, 0(a0)
    addi a5, zero, 0
    beq a3, zero, .L77
    srl a5, a2, a7
.L77:
    addi a0, a0, 4
    bne a6, a1, .L76
.L78:
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
    beq a2, zero, .L100
    lui s0, 0xc2
    slli t3, a2, 2
    addi t1, zero, 32
    addi a5, a1, 0
    addi t4, s0, -1240
    addi a3, s0, -1240
    add a0, a1, t3
    addi a2, zero, 0
    sub t1, t1, a6
.L79:
    lw a1, 0(a5)
    addi a5, a5, 4
    sll a4, a1, a6
    or a4, a4, a2
    sw a4, 0(a3)
    addi a2, zero, 0
    beq a6, zero, .L80
    srl a2, a1, t1
.L80:
    addi a3, a3, 4
    bne a5, a0, .L79
.L81:
    addi a5, a7, 1
    add a6, t4, t3
    sub a5, a5, t6
    sw a2, 0(a6)
    addi a7, a5, -1
    beq a5, zero, .L94
    lui s4, 0x10
    slli s2, t6, 2
    slli a7, a7, 2
    addi s4, s4, -1
    addi s6, s2, -4
    srli t2, t0, 16
    add a7, t4, a7
    and s3, t0, s4
    addi t3, s1, 8
.L82:
    add a5, a7, s2
    lw t1, 0(a5)
    addi a1, zero, -1
    bgeu t1, t0, .L86
    add a5, s6, a7
    lw a2, 0(a5)
    divu a4, t1, t2
    srli a1, a2, 16
    mul a5, t2, a4
    mul a3, a4, s3
    sub a5, t1, a5
    slli a5, a5, 16
    or a5, a5, a1
    bgeu a5, a3, .L83
    add a5, t0, a5
    addi a1, a4, -1
    bltu a5, t0, .L93
    bgeu a5, a3, .L93
    addi a4, a4, -2
    add a5, a5, t0
.L83:
    sub a5, a5, a3
    divu a3, a5, t2
    and a2, a2, s4
    mul a0, a3, t2
    mul a1, a3, s3
    sub a5, a5, a0
    slli a5, a5, 16
    or a5, a5, a2
    bgeu a5, a1, .L85
    add a5, t0, a5
    addi a2, a3, -1
    bltu a5, t0, .L84
    addi a3, a3, -2
    bltu a5, a1, .L85
.L84:
    addi a3, a2, 0
.L85:
    slli a4, a4, 16
    or a1, a4, a3
.L86:
    beq t6, zero, .L99
    addi a2, s1, 8
    addi a4, a7, 0
    addi a0, zero, 0
.L87:
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
    bne a6, a4, .L87
.L88:
    beq t1, a0, .L91
    beq t6, zero, .L92
.L89:
    addi a1, t3, 0
    addi a3, a7, 0
    addi a4, zero, 0
.L90:
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
    bne a6, a3, .L90
    sub a0, a0, a4
    bne t1, a0, .L89
.L91:
    addi a5, a7, -4
    addi a6, a6, -4
    beq t4, a7, .L94
    addi a7, a5, 0
    jal zero, .L82
.L92:
    beq t1, a0, .L91
    bne t1, a0, .L92
    jal zero, .L91
.L93:
    addi a4, a1, 0
    jal zero, .L83
.L94:
    lw a2, 4(s1)
    beq t6, zero, .L98
    addi a0, zero, 32
    add t4, t4, s5
    add t5, t5, s5
    addi s0, s0, -1240
    addi a4, zero, 0
    sub a0, a0, a2
    jal zero, .L96
.L95:
    addi t4, a1, 0
.L96:
    lw a3, 0(t4)
    addi a1, t4, -4
    srl a5, a3, a2
    or a5, a5, a4
    sw a5, 0(t5)
    addi a4, zero, 0
    beq a2, zero, .L97
    sll a4, a3, a0
.L97:
    addi t5, t5, -4
    bne t4, s0, .L95
.L98:
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
.L99:
    addi a0, zero, 0
    jal zero, .L88
.L100:
    lui s0, 0xc2
    addi a2, zero, 0
    addi t4, s0, -1240
    addi t3, zero, 0
    jal zero, .L81
    .globl check_rules
    .type check_rules, @function
    .size check_rules, 200
check_rules:
    lw a3, 0(a0)
    addi a5, a0, 0
    beq a3, zero, .L109
    slli a6, a3, 2
    add a4, a0, a6
    addi a2, a3, 0
    jal zero, .L102
.L101:
    addi a2, a2, -1
    beq a2, zero, .L109
.L102:
    lw a0, 1536(a4)
    addi a4, a4, -4
    beq a0, zero, .L101
    addi a4, zero, 1
    beq a2, a4, .L109
    bne a1, zero, .L104
    addi a4, a3, -1
    add a0, a5, a6
    addi a2, zero, -1
.L103:
    beq a4, a2, .L107
    lw a5, 512(a0)
    lw a3, 1536(a0)
    addi a4, a4, -1
    addi a0, a0, -4
    beq a5, a3, .L103
    sltu a0, a5, a3
    addi a0, a0, -1
    andi a0, a0, 3
    jalr zero, 0(ra)
.L104:
    lw a4, 1540(a5)
.L105:
    andi a4, a4, 1
    addi a0, zero, 2
    beq a4, zero, .L108
    slli a6, a3, 2
.L106:
    addi a4, a3, -1
    add a0, a5, a6
    addi a2, zero, -1
    jal zero, .L103
.L107:
    addi a0, zero, 3
.L108:
    jalr zero, 0(ra)
.L109:
    lw a4, 1540(a5)
    beq a1, zero, .L110
    addi a2, zero, 2
    addi a0, zero, 1
    bltu a2, a4, .L105
    jalr zero, 0(ra)
.L110:
    addi a2, zero, 1
    addi a0, zero, 1
    bgeu a2, a4, .L108
    slli a6, a3, 2
    jal zero, .L106
    .bss
    .org 0xc0f14
    .org 0xc1f30
    .globl formulas
formulas:
