/* Written by tools/programs.py from crt0.S, main.c, xcel.c; source c225c3aeb9d06b8e4248 */
    .ident "GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
    .text
    .org 0x200
    .globl _start
_start:
    auipc gp, 0x1
    addi gp, gp, 988
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
    .size main, 252
main:
    addi sp, sp, -48
    sw s2, 32(sp)
    sw s3, 28(sp)
    addi s3, zero, 1496
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
    addi a0, zero, 1496
    jal ra, prepare
    beq s1, s0, .L5
.L2:
    csrwi stats_en, 1
    addi a0, zero, 1496
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
    addi a0, zero, 1496
    jal ra, check_operands
    bne a0, zero, .L3
    addi a2, s3, 0
    addi a1, s4, 0
    addi a0, s0, 0
    jal ra, modexp_word
    sw a0, 8(sp)
    sw a1, 12(sp)
    sw a1, 984(zero)
    csrwi stats_en, 0
.L6:
    bne a0, zero, .L4
    addi a5, zero, 984
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
    addi a1, zero, 1496
    addi a0, zero, 984
    jal ra, modexp_words
    csrwi stats_en, 0
    jal zero, .L6
    .globl check_operands
    .type check_operands, @function
    .size check_operands, 16
check_operands:
    csrr a0, xcel1
    sltiu a0, a0, 1
    slli a0, a0, 4
    jalr zero, 0(ra)
    .globl modexp_word
    .type modexp_word, @function
    .size modexp_word, 36
modexp_word:
    addi sp, sp, -16
    csrw xcel1, a0
    csrw xcel2, a1
    csrw xcel3, a2
    csrwi xcel0, 1
    csrr a0, xcel0
    csrr a1, xcel4
    addi sp, sp, 16
    jalr zero, 0(ra)
    .globl modexp_words
    .type modexp_words, @function
    .size modexp_words, 136
modexp_words:
    lw a2, 0(a1)
    addi a5, a0, 0
    beq a2, zero, .L10
    addi a1, a1, 516
    addi a4, zero, 0
.L9:
    lw a3, 0(a1)
    csrw xcel1, a3
    lw a3, 512(a1)
    csrw xcel2, a3
    lw a3, 1024(a1)
    csrw xcel3, a3
    addi a4, a4, 1
    addi a1, a1, 4
    bne a2, a4, .L9
.L10:
    lw a4, -2016(gp)
    beq a4, zero, .L12
    addi a4, gp, -2012
    addi a3, zero, 0
.L11:
    lw a1, 0(a4)
    csrw xcel6, a1
    lw a1, -2016(gp)
    addi a3, a3, 1
    addi a4, a4, 4
    bltu a3, a1, .L11
.L12:
    csrwi xcel0, 1
    csrr a0, xcel0
    beq a2, zero, .L14
    addi a4, zero, 0
.L13:
    csrr a3, xcel4
    sw a3, 0(a5)
    addi a4, a4, 1
    addi a5, a5, 4
    bne a2, a4, .L13
.L14:
    jalr zero, 0(ra)
    .data
    .org 0x3d8
    .zero 512
    .org 0x5d8
    .globl rsaxcel_operands
    .size rsaxcel_operands, 2052
rsaxcel_operands:
    .zero 2052
    .bss
    .org 0xddc
    .org 0xdfc
    .globl constant_words
    .size constant_words, 4
constant_words:
    .org 0xe00
    .globl constants
constants:
