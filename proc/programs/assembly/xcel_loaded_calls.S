/* Written by tools/programs.py from crt0.S, main_calls.c, xcel_loaded.c; source 0a023cd0b4d5fa6c961a */
    .ident "GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
    .text
    .org 0x200
    .globl _start
_start:
    auipc gp, 0x1
    addi gp, gp, 1364
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
    addi a5, zero, 1872
    lw s0, 516(a5)
    lw s1, 1028(a5)
    lw s2, 1540(a5)
    csrwi stats_en, 1
    addi a0, zero, 1872
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
    addi a0, zero, 1872
    jal ra, check_operands
    bne a0, zero, .L0
    addi a1, zero, 1872
    addi a0, zero, 1360
    jal ra, modexp_words
    jal zero, .L0
.L2:
    addi a2, s2, 0
    addi a1, s1, 0
    addi a0, s0, 0
    jal ra, modexp_word
    sw a0, 8(sp)
    sw a1, 12(sp)
    sw a1, 1360(zero)
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
    lw s0, 1872(zero)
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
    addi a0, zero, 1872
    jal ra, prepare
    beq s0, s1, .L6
    addi a0, zero, 0
    jal ra, measure.constprop.0
    bne a0, zero, .L7
.L4:
    addi a5, zero, 1360
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
    jalr zero, 0(ra)
    .globl main
    .type main, @function
    .size main, 268
main:
    addi sp, sp, -32
    sw s3, 12(sp)
    lw s3, 1872(zero)
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
    addi s4, a5, -172
    slli s3, s3, 2
    addi s6, a4, -1708
    add s1, s4, s3
    addi a5, a5, -172
    addi a4, a4, -1708
.L8:
    lw a3, 0(a4)
    addi a5, a5, 4
    addi a4, a4, 4
    sw a3, -4(a5)
    bne a5, s1, .L8
    addi a0, zero, 1872
    jal ra, load_key
    lw a5, -1500(gp)
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
    addi a5, zero, 1360
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
    beq a5, zero, .L17
    addi a5, a0, 1028
    addi a4, zero, 0
.L16:
    lw a3, 0(a5)
    csrw xcel2, a3
    lw a3, 512(a5)
    csrw xcel3, a3
    lw a3, 0(a0)
    addi a4, a4, 1
    addi a5, a5, 4
    bltu a4, a3, .L16
.L17:
    lw a5, -1504(gp)
    beq a5, zero, .L19
    addi a5, gp, -1500
    addi a4, zero, 0
.L18:
    lw a3, 0(a5)
    csrw xcel6, a3
    lw a3, -1504(gp)
    addi a4, a4, 1
    addi a5, a5, 4
    bltu a4, a3, .L18
.L19:
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
    beq a3, zero, .L21
    addi a1, a1, 516
    addi a4, zero, 0
.L20:
    lw a2, 0(a1)
    csrw xcel1, a2
    addi a4, a4, 1
    addi a1, a1, 4
    bne a3, a4, .L20
.L21:
    csrwi xcel0, 1
    csrr a0, xcel0
    beq a3, zero, .L23
    addi a4, zero, 0
.L22:
    csrr a2, xcel4
    sw a2, 0(a5)
    addi a4, a4, 1
    addi a5, a5, 4
    bne a3, a4, .L22
.L23:
    jalr zero, 0(ra)
    .data
    .org 0x550
    .zero 512
    .org 0x750
    .globl rsaxcel_operands
    .size rsaxcel_operands, 2052
rsaxcel_operands:
    .zero 2052
    .bss
    .org 0xf54
    .org 0x1174
    .globl constant_words
    .size constant_words, 4
constant_words:
    .org 0x1178
    .globl calls
    .size calls, 4
calls:
    .globl constants
constants:
    .data
    .org 0x1178
    .word 0x00000001
