/* Written by tools/programs.py from crt0.S, main.c, dummy.c; source bf16b9d00d24766a8ede */
    .ident "GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
    .text
    .org 0x200
    .globl _start
_start:
    auipc gp, 0x1
    addi gp, gp, 880
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
    addi s3, zero, 1388
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
    addi a0, zero, 1388
    jal ra, prepare
    beq s1, s0, .L5
.L2:
    csrwi stats_en, 1
    addi a0, zero, 1388
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
    addi a0, zero, 1388
    jal ra, check_operands
    bne a0, zero, .L3
    addi a2, s3, 0
    addi a1, s4, 0
    addi a0, s0, 0
    jal ra, modexp_word
    sw a0, 8(sp)
    sw a1, 12(sp)
    sw a1, 876(zero)
    csrwi stats_en, 0
.L6:
    bne a0, zero, .L4
    addi a5, zero, 876
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
    addi a1, zero, 1388
    addi a0, zero, 876
    jal ra, modexp_words
    csrwi stats_en, 0
    jal zero, .L6
    .globl check_operands
    .type check_operands, @function
    .size check_operands, 8
check_operands:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .globl modexp_word
    .type modexp_word, @function
    .size modexp_word, 20
modexp_word:
    addi sp, sp, -16
    lw a1, 1392(zero)
    addi a0, zero, 0
    addi sp, sp, 16
    jalr zero, 0(ra)
    .globl modexp_words
    .type modexp_words, @function
    .size modexp_words, 52
modexp_words:
    lw a5, 0(a1)
    beq a5, zero, .L10
    addi a4, a1, 4
    addi a5, zero, 0
.L9:
    lw a3, 0(a4)
    addi a5, a5, 1
    addi a4, a4, 4
    sw a3, 0(a0)
    lw a3, 0(a1)
    addi a0, a0, 4
    bltu a5, a3, .L9
.L10:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .data
    .org 0x36c
    .zero 512
    .org 0x56c
    .globl rsaxcel_operands
    .size rsaxcel_operands, 2052
rsaxcel_operands:
    .zero 2052
    .bss
    .org 0xd70
