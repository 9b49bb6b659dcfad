/* Written by tools/programs.py from crt0.S, main_loaded.c, xcel_loaded.c; source b924f9f16566fde08a9a */
    .ident "GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
    .text
    .org 0x200
    .globl _start
_start:
    auipc gp, 0x1
    addi gp, gp, 1020
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
    addi s3, zero, 1528
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
    addi a0, zero, 1528
    jal ra, prepare
    addi a0, zero, 1528
    jal ra, load_key
    beq s1, s0, .L4
    csrwi stats_en, 1
    addi a0, zero, 1528
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
    addi a0, zero, 1528
    jal ra, check_operands
    bne a0, zero, .L2
    addi a2, s3, 0
    addi a1, s4, 0
    addi a0, s0, 0
    jal ra, modexp_word
    sw a0, 8(sp)
    sw a1, 12(sp)
    sw a1, 1016(zero)
    csrwi stats_en, 0
.L5:
    bne a0, zero, .L3
    addi a5, zero, 1016
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
    addi a1, zero, 1528
    addi a0, zero, 1016
    jal ra, modexp_words
    csrwi stats_en, 0
    jal zero, .L5
    .globl check_operands
    .type check_operands, @function
    .size check_operands, 16
check_operands:
    csrr a0, xcel1
    sltiu a0, a0, 1
    slli a0, a0, 4
    jalr zero, 0(ra)
    .globl load_key
    .type load_key, @function
    .size load_key, 92
load_key:
    lw a5, 0(a0)
    beq a5, zero, .L9
    addi a5, a0, 1028
    addi a4, zero, 0
.L8:
    lw a3, 0(a5)
    csrw xcel2, a3
    lw a3, 512(a5)
    csrw xcel3, a3
    lw a3, 0(a0)
    addi a4, a4, 1
    addi a5, a5, 4
    bltu a4, a3, .L8
.L9:
    lw a5, -2016(gp)
    beq a5, zero, .L11
    addi a5, gp, -2012
    addi a4, zero, 0
.L10:
    lw a3, 0(a5)
    csrw xcel6, a3
    lw a3, -2016(gp)
    addi a4, a4, 1
    addi a5, a5, 4
    bltu a4, a3, .L10
.L11:
    jalr zero, 0(ra)
    .globl modexp_word
    .type modexp_word, @function
    .size modexp_word, 28
modexp_word:
    addi sp, sp, -16
    csrw xcel1, a0
    csrwi xcel0, 1
    csrr a0, xcel0
    csrr a1, xcel4
    addi sp, sp, 16
    jalr zero, 0(ra)
    .globl modexp_words
    .type modexp_words, @function
    .size modexp_words, 80
modexp_words:
    lw a3, 0(a1)
    addi a5, a0, 0
    beq a3, zero, .L13
    addi a1, a1, 516
    addi a4, zero, 0
.L12:
    lw a2, 0(a1)
    csrw xcel1, a2
    addi a4, a4, 1
    addi a1, a1, 4
    bne a3, a4, .L12
.L13:
    csrwi xcel0, 1
    csrr a0, xcel0
    beq a3, zero, .L15
    addi a4, zero, 0
.L14:
    csrr a2, xcel4
    sw a2, 0(a5)
    addi a4, a4, 1
    addi a5, a5, 4
    bne a3, a4, .L14
.L15:
    jalr zero, 0(ra)
    .data
    .org 0x3f8
    .zero 512
    .org 0x5f8
    .globl rsaxcel_operands
    .size rsaxcel_operands, 2052
rsaxcel_operands:
    .zero 2052
    .bss
    .org 0xdfc
    .org 0xe1c
    .globl constant_words
    .size constant_words, 4
constant_words:
    .org 0xe20
    .globl constants
constants:
