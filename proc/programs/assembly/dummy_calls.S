/* Written by tools/programs.py from crt0.S, main_calls.c, dummy.c; source 840dff54fbeb290f61e4 */
    .ident "GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
    .text
    .org 0x200
    .globl _start
_start:
    auipc gp, 0x1
    addi gp, gp, 1228
    auipc sp, 0x100
    addi sp, sp, -520
    jal ra, main
    ecall
    .type measure.constprop.0, @function
    .size measure.constprop.0, 148
measure.constprop.0:
    addi sp, sp, -32
    sw ra, 28(sp)
    sw s0, 24(sp)
    sw s1, 20(sp)
    sw s2, 16(sp)
    beq a0, zero, .L1
    addi a5, zero, 1736
    lw s0, 516(a5)
    lw s1, 1028(a5)
    lw s2, 1540(a5)
    csrwi stats_en, 1
    addi a0, zero, 1736
    jal ra, check_operands
    beq a0, zero, .L2
.L0:
    csrwi stats_en, 0
    lw ra, 28(sp)
    lw s0, 24(sp)
    lw s1, 20(sp)
    lw s2, 16(sp)
    addi sp, sp, 32
    jalr zero, 0(ra)
.L1:
    csrwi stats_en, 1
    addi a0, zero, 1736
    jal ra, check_operands
    bne a0, zero, .L0
    addi a1, zero, 1736
    addi a0, zero, 1224
    jal ra, modexp_words
    jal zero, .L0
.L2:
    addi a2, s2, 0
    addi a1, s1, 0
    addi a0, s0, 0
    jal ra, modexp_word
    sw a0, 8(sp)
    sw a1, 12(sp)
    sw a1, 1224(zero)
    jal zero, .L0
    .type prepare, @function
    .size prepare, 8
prepare:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .globl main_of_one_call
    .type main_of_one_call, @function
    .size main_of_one_call, 180
main_of_one_call:
    addi sp, sp, -16
    sw s0, 8(sp)
    lw s0, 1736(zero)
    sw s1, 4(sp)
    sw ra, 12(sp)
    addi a5, zero, 127
    addi a4, s0, -1
    addi s1, zero, 1
    bgeu a5, a4, .L3
    lw ra, 12(sp)
    lw s0, 8(sp)
    addi a0, s1, 0
    lw s1, 4(sp)
    addi sp, sp, 16
    jalr zero, 0(ra)
.L3:
    addi a0, zero, 1736
    jal ra, prepare
    beq s0, s1, .L6
    addi a0, zero, 0
    jal ra, measure.constprop.0
    bne a0, zero, .L7
.L4:
    addi a5, zero, 1224
    slli a4, s0, 2
    add a4, a4, a5
.L5:
    lw a3, 0(a5)
    csrw proc2mngr, a3
    addi a5, a5, 4
    bne a5, a4, .L5
    lw ra, 12(sp)
    lw s0, 8(sp)
    addi s1, zero, 0
    addi a0, s1, 0
    lw s1, 4(sp)
    addi sp, sp, 16
    jalr zero, 0(ra)
.L6:
    sltiu a0, a0, 1
    jal ra, measure.constprop.0
    beq a0, zero, .L4
.L7:
    lw ra, 12(sp)
    lw s0, 8(sp)
    addi s1, a0, 16
    addi a0, s1, 0
    lw s1, 4(sp)
    addi sp, sp, 16
    jalr zero, 0(ra)
    .type load_key, @function
    .size load_key, 4
load_key:
    jalr zero, 0(ra)
    .globl main
    .type main, @function
    .size main, 268
main:
    addi sp, sp, -32
    sw s3, 12(sp)
    lw s3, 1736(zero)
    sw s2, 16(sp)
    sw ra, 28(sp)
    sw s0, 24(sp)
    sw s1, 20(sp)
    sw s4, 8(sp)
    sw s5, 4(sp)
    sw s6, 0(sp)
    addi a5, zero, 127
    addi s2, s3, -1
    addi a0, zero, 1
    bltu a5, s2, .L12
    lui a5, 0x1
    lui a4, 0x1
    addi s4, a5, -308
    slli s3, s3, 2
    addi s6, a4, -1844
    add s1, s4, s3
    addi a5, a5, -308
    addi a4, a4, -1844
.L8:
    lw a3, 0(a4)
    addi a5, a5, 4
    addi a4, a4, 4
    sw a3, -4(a5)
    bne a5, s1, .L8
    addi a0, zero, 1736
    jal ra, load_key
    lw a5, -1504(gp)
    sltiu s2, s2, 1
    addi s5, zero, -1
    addi s0, a5, -1
    beq a5, zero, .L14
.L9:
    addi a3, s6, 0
    addi a5, s4, 0
.L10:
    lw a4, 0(a5)
    addi a3, a3, 4
    addi a5, a5, 4
    srl a4, a4, s0
    sw a4, -4(a3)
    bne a5, s1, .L10
    addi a0, s2, 0
    addi s0, s0, -1
    jal ra, measure.constprop.0
    beq s0, s5, .L13
    beq a0, zero, .L9
.L11:
    addi a0, a0, 16
.L12:
    lw ra, 28(sp)
    lw s0, 24(sp)
    lw s1, 20(sp)
    lw s2, 16(sp)
    lw s3, 12(sp)
    lw s4, 8(sp)
    lw s5, 4(sp)
    lw s6, 0(sp)
    addi sp, sp, 32
    jalr zero, 0(ra)
.L13:
    bne a0, zero, .L11
.L14:
    addi a5, zero, 1224
    add s3, a5, s3
.L15:
    lw a4, 0(a5)
    csrw proc2mngr, a4
    addi a5, a5, 4
    bne s3, a5, .L15
    addi a0, zero, 0
    jal zero, .L12
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
    lw a1, 1740(zero)
    addi a0, zero, 0
    addi sp, sp, 16
    jalr zero, 0(ra)
    .globl modexp_words
    .type modexp_words, @function
    .size modexp_words, 52
modexp_words:
    lw a5, 0(a1)
    beq a5, zero, .L17
    addi a4, a1, 4
    addi a5, zero, 0
.L16:
    lw a3, 0(a4)
    addi a5, a5, 1
    addi a4, a4, 4
    sw a3, 0(a0)
    lw a3, 0(a1)
    addi a0, a0, 4
    bltu a5, a3, .L16
.L17:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .data
    .org 0x4c8
    .zero 512
    .org 0x6c8
    .globl rsaxcel_operands
    .size rsaxcel_operands, 2052
rsaxcel_operands:
    .zero 2052
    .bss
    .org 0xecc
    .org 0x10ec
    .globl calls
    .size calls, 4
calls:
    .data
    .org 0x10ec
    .word 0x00000001
