/* Written by tools/programs.py from crt0.S, main_loaded.c, axi_interrupt_loaded.c; source 5118d2385b15451a2491 */
    .ident "GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
    .text
    .org 0x200
    .globl _start
_start:
    auipc gp, 0x1
    addi gp, gp, 1328
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
    .size main, 256
main:
    addi sp, sp, -48
    sw s2, 32(sp)
    sw s3, 28(sp)
    addi s3, zero, 1836
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
    addi a0, zero, 1836
    jal ra, prepare
    addi a0, zero, 1836
    jal ra, load_key
    beq s1, s0, .L4
    csrwi stats_en, 1
    addi a0, zero, 1836
    jal ra, check_operands
    beq a0, zero, .L7
.L2:
    csrwi stats_en, 0
.L3:
    addi s0, a0, 16
    jal zero, .L0
.L4:
    lw s0, 516(s3)
    lw s4, 1028(s3)
    lw s3, 1540(s3)
    csrwi stats_en, 1
    addi a0, zero, 1836
    jal ra, check_operands
    bne a0, zero, .L2
    addi a2, s3, 0
    addi a1, s4, 0
    addi a0, s0, 0
    jal ra, modexp_word
    sw a0, 8(sp)
    sw a1, 12(sp)
    sw a1, 1324(zero)
    csrwi stats_en, 0
.L5:
    bne a0, zero, .L3
    addi a5, zero, 1324
    slli a4, s1, 2
    add a4, a4, a5
.L6:
    lw a3, 0(a5)
    csrw proc2mngr, a3
    addi a5, a5, 4
    bne a5, a4, .L6
    addi s0, zero, 0
    jal zero, .L0
.L7:
    addi a1, zero, 1836
    addi a0, zero, 1324
    jal ra, modexp_words
    csrwi stats_en, 0
    jal zero, .L5
    .globl check_operands
    .type check_operands, @function
    .size check_operands, 16
check_operands:
    csrr a0, xcel7
    sltiu a0, a0, 1
    slli a0, a0, 4
    jalr zero, 0(ra)
    .globl load_key
    .type load_key, @function
    .size load_key, 128
load_key:
    csrr a5, xcel7
    beq a5, zero, .L11
    lui a5, 0x80000
    addi a4, zero, 1
    sw a4, 56(a5)
    sw a4, 60(a5)
    sw a4, 68(a5)
    lw a5, 0(a0)
    beq a5, zero, .L9
    addi a5, a0, 1028
    addi a4, zero, 0
    lui a3, 0x80000
.L8:
    lw a2, 512(a5)
    addi a5, a5, 4
    addi a4, a4, 1
    sw a2, 40(a3)
    lw a2, -4(a5)
    sw a2, 44(a3)
    lw a2, 0(a0)
    bltu a4, a2, .L8
.L9:
    lw a5, -2016(gp)
    beq a5, zero, .L11
    addi a5, gp, -2012
    addi a4, zero, 0
    lui a1, 0x80000
.L10:
    lw a3, 0(a5)
    addi a4, a4, 1
    addi a5, a5, 4
    sw a3, 52(a1)
    lw a3, -2016(gp)
    bltu a4, a3, .L10
.L11:
    jalr zero, 0(ra)
    .globl modexp_word
    .type modexp_word, @function
    .size modexp_word, 112
modexp_word:
    or a2, a0, a2
    sltiu a3, a2, 256
    sltu a4, zero, a2
    xori a3, a3, 1
    lui a5, 0x10
    sltu a5, a2, a5
    add a4, a4, a3
    lui a3, 0x1000
    xori a5, a5, 1
    sltu a2, a2, a3
    add a4, a4, a5
    xori a2, a2, 1
    lui a5, 0x80000
    add a4, a4, a2
    sw a4, 4(a5)
    sw a0, 20(a5)
    sw zero, 12(a5)
    addi a4, zero, 4
    addi sp, sp, -16
    sw a4, 0(a5)
    csrr a4, xcel0
    addi a4, zero, 1
    sw a4, 72(a5)
    lw a0, 64(a5)
    sw zero, 16(a5)
    lw a1, 24(a5)
    addi sp, sp, 16
    jalr zero, 0(ra)
    .globl modexp_words
    .type modexp_words, @function
    .size modexp_words, 268
modexp_words:
    lw a6, 0(a1)
    lui a5, 0x80000
    addi a4, zero, -1
    sw a4, 4(a5)
    slli a4, a6, 2
    lw t1, 4(a5)
    addi a2, a0, 0
    add a4, a1, a4
    addi a5, a6, 0
    addi a7, zero, 1
    jal zero, .L13
.L12:
    addi a4, a4, -4
    bne a3, zero, .L14
.L13:
    addi a0, a5, 0
    lw a3, 512(a4)
    addi a5, a5, -1
    bltu a7, a0, .L12
.L14:
    sltiu a7, a3, 256
    sltu a4, zero, a3
    xori a7, a7, 1
    lui a0, 0x10
    sltu a0, a3, a0
    add a4, a4, a7
    lui a7, 0x1000
    xori a0, a0, 1
    sltu a3, a3, a7
    add a4, a4, a0
    xori a3, a3, 1
    add a4, a4, a3
    slli a5, a5, 2
    add a5, a4, a5
    addi a4, t1, 0
    bgeu t1, a5, .L15
    addi a4, a5, 0
.L15:
    addi a0, a4, 3
    lui a5, 0x80000
    sw a4, 4(a5)
    srli a0, a0, 2
    addi a1, a1, 516
    addi a5, zero, 0
    lui a4, 0x80000
    beq a0, zero, .L17
.L16:
    lw a3, 0(a1)
    addi a1, a1, 4
    sw a3, 20(a4)
    sw a5, 12(a4)
    addi a5, a5, 1
    bne a5, a0, .L16
.L17:
    lui a5, 0x80000
    addi a4, zero, 4
    sw a4, 0(a5)
    csrr a4, xcel0
    addi a4, zero, 1
    sw a4, 72(a5)
    lw a0, 64(a5)
    addi a4, a2, 0
    addi a5, zero, 0
    lui a3, 0x80000
    beq a6, zero, .L19
.L18:
    sw a5, 16(a3)
    lw a2, 24(a3)
    addi a5, a5, 1
    addi a4, a4, 4
    sw a2, -4(a4)
    bne a6, a5, .L18
    jalr zero, 0(ra)
.L19:
    jalr zero, 0(ra)
    .data
    .org 0x52c
    .zero 512
    .org 0x72c
    .globl rsaxcel_operands
    .size rsaxcel_operands, 2052
rsaxcel_operands:
    .zero 2052
    .bss
    .org 0xf30
    .org 0xf50
    .globl constant_words
    .size constant_words, 4
constant_words:
    .org 0xf54
    .globl constants
constants:
