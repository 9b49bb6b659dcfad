/* Written by tools/programs.py from crt0.S, main_loaded.c, axi_interrupt_loaded.c; source 5118d2385b15451a2491 */
    .ident "GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
    .text
    .org 0x200
    .globl _start
_start:
    auipc gp, 0x1
    addi gp, gp, 1368
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
    addi s3, zero, 1876
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
    addi a0, zero, 1876
    jal ra, prepare
    addi a0, zero, 1876
    jal ra, load_key
    beq s1, s0, .L4
    csrwi stats_en, 1
    addi a0, zero, 1876
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
    addi a0, zero, 1876
    jal ra, check_operands
    bne a0, zero, .L2
    addi a2, s3, 0
    addi a1, s4, 0
    addi a0, s0, 0
    jal ra, modexp_word
    sw a0, 8(sp)
    sw a1, 12(sp)
    sw a1, 1364(zero)
    csrwi stats_en, 0
.L5:
    bne a0, zero, .L3
    addi a5, zero, 1364
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
    addi a1, zero, 1876
    addi a0, zero, 1364
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
    .size modexp_words, 308
modexp_words:
    lw a7, 0(a1)
    addi a2, a0, 0
    addi t1, zero, 1
    slli a4, a7, 2
    add a4, a1, a4
    addi a0, a7, 0
    jal zero, .L13
.L12:
    addi a4, a4, -4
    bne a5, zero, .L18
.L13:
    lw a5, 512(a4)
    lw a6, 1536(a4)
    addi a3, a0, 0
    addi a0, a0, -1
    or a5, a5, a6
    bltu t1, a3, .L12
    sltiu t1, a5, 256
    sltu a4, zero, a5
    xori t1, t1, 1
    lui a6, 0x10
    sltu a6, a5, a6
    add a4, a4, t1
    lui t1, 0x1000
    xori a6, a6, 1
    sltu a5, a5, t1
    add a4, a4, a6
    xori a5, a5, 1
    add a5, a4, a5
    slli a0, a0, 2
    add a5, a5, a0
    lui a4, 0x80000
    sw a5, 4(a4)
    beq a3, zero, .L16
    addi a3, zero, 1
.L14:
    addi a1, a1, 516
    addi a5, zero, 0
    lui a4, 0x80000
.L15:
    lw a0, 0(a1)
    addi a1, a1, 4
    sw a0, 20(a4)
    sw a5, 12(a4)
    addi a5, a5, 1
    bne a3, a5, .L15
.L16:
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
    beq a7, zero, .L19
.L17:
    sw a5, 16(a3)
    lw a2, 24(a3)
    addi a5, a5, 1
    addi a4, a4, 4
    sw a2, -4(a4)
    bne a7, a5, .L17
    jalr zero, 0(ra)
.L18:
    sltiu a4, a5, 256
    lui a6, 0x10
    sltu a6, a5, a6
    xori a4, a4, 1
    lui t1, 0x1000
    addi a4, a4, 1
    xori a6, a6, 1
    sltu a5, a5, t1
    add a4, a4, a6
    xori a5, a5, 1
    add a5, a4, a5
    slli a0, a0, 2
    add a5, a5, a0
    lui a4, 0x80000
    sw a5, 4(a4)
    jal zero, .L14
.L19:
    jalr zero, 0(ra)
    .data
    .org 0x554
    .zero 512
    .org 0x754
    .globl rsaxcel_operands
    .size rsaxcel_operands, 2052
rsaxcel_operands:
    .zero 2052
    .bss
    .org 0xf58
    .org 0xf78
    .globl constant_words
    .size constant_words, 4
constant_words:
    .org 0xf7c
    .globl constants
constants:
