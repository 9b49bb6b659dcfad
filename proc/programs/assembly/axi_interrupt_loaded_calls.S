/* Written by tools/programs.py from crt0.S, main_calls.c, axi_interrupt_loaded.c; source 66dd93c564bf0ac197ea */
    .ident "GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
    .text
    .org 0x200
    .globl _start
_start:
    auipc gp, 0x1
    addi gp, gp, 1728
    auipc sp, 0x100
    addi sp, sp, -520
    jal ra, main
    ecall
    .type measure.constprop.0, @function
    .size measure.constprop.0, 156
measure.constprop.0:
    addi sp, sp, -32
    sw ra, 28(sp)
    sw s0, 24(sp)
    sw s1, 20(sp)
    sw s2, 16(sp)
    beq a0, zero, .L1
    lui a0, 0x1
    addi a5, a0, -1860
    lw s0, 516(a5)
    lw s1, 1028(a5)
    lw s2, 1540(a5)
    csrwi stats_en, 1
    addi a0, a0, -1860
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
    lui s0, 0x1
    addi a0, s0, -1860
    jal ra, check_operands
    bne a0, zero, .L0
    addi a1, s0, -1860
    addi a0, zero, 1724
    jal ra, modexp_words
    jal zero, .L0
.L2:
    addi a2, s2, 0
    addi a1, s1, 0
    addi a0, s0, 0
    jal ra, modexp_word
    sw a0, 8(sp)
    sw a1, 12(sp)
    sw a1, 1724(zero)
    jal zero, .L0
    .type prepare, @function
    .size prepare, 8
prepare:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .globl main_of_one_call
    .type main_of_one_call, @function
    .size main_of_one_call, 184
main_of_one_call:
    addi sp, sp, -16
    lui a0, 0x1
    sw s0, 8(sp)
    lw s0, -1860(a0)
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
    addi a0, a0, -1860
    jal ra, prepare
    beq s0, s1, .L6
    addi a0, zero, 0
    jal ra, measure.constprop.0
    bne a0, zero, .L7
.L4:
    addi a5, zero, 1724
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
    .size main, 272
main:
    addi sp, sp, -32
    lui a2, 0x1
    sw s3, 12(sp)
    lw s3, -1860(a2)
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
    addi s4, a5, 192
    slli s3, s3, 2
    addi s6, a4, -1344
    add s1, s4, s3
    addi a5, a5, 192
    addi a4, a4, -1344
.L8:
    lw a3, 0(a4)
    addi a5, a5, 4
    addi a4, a4, 4
    sw a3, -4(a5)
    bne a5, s1, .L8
    addi a0, a2, -1860
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
    addi a5, zero, 1724
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
    csrr a0, xcel7
    sltiu a0, a0, 1
    slli a0, a0, 4
    jalr zero, 0(ra)
    .globl load_key
    .type load_key, @function
    .size load_key, 128
load_key:
    csrr a5, xcel7
    beq a5, zero, .L19
    lui a5, 0x80000
    addi a4, zero, 1
    sw a4, 56(a5)
    sw a4, 60(a5)
    sw a4, 68(a5)
    lw a5, 0(a0)
    beq a5, zero, .L17
    addi a5, a0, 1028
    addi a4, zero, 0
    lui a3, 0x80000
.L16:
    lw a2, 512(a5)
    addi a5, a5, 4
    addi a4, a4, 1
    sw a2, 40(a3)
    lw a2, -4(a5)
    sw a2, 44(a3)
    lw a2, 0(a0)
    bltu a4, a2, .L16
.L17:
    lw a5, -1504(gp)
    beq a5, zero, .L19
    addi a5, gp, -1500
    addi a4, zero, 0
    lui a1, 0x80000
.L18:
    lw a3, 0(a5)
    addi a4, a4, 1
    addi a5, a5, 4
    sw a3, 52(a1)
    lw a3, -1504(gp)
    bltu a4, a3, .L18
.L19:
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
    jal zero, .L21
.L20:
    addi a4, a4, -4
    bne a5, zero, .L26
.L21:
    lw a5, 512(a4)
    lw a6, 1536(a4)
    addi a3, a0, 0
    addi a0, a0, -1
    or a5, a5, a6
    bltu t1, a3, .L20
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
    beq a3, zero, .L24
    addi a3, zero, 1
.L22:
    addi a1, a1, 516
    addi a5, zero, 0
    lui a4, 0x80000
.L23:
    lw a0, 0(a1)
    addi a1, a1, 4
    sw a0, 20(a4)
    sw a5, 12(a4)
    addi a5, a5, 1
    bne a3, a5, .L23
.L24:
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
    beq a7, zero, .L27
.L25:
    sw a5, 16(a3)
    lw a2, 24(a3)
    addi a5, a5, 1
    addi a4, a4, 4
    sw a2, -4(a4)
    bne a7, a5, .L25
    jalr zero, 0(ra)
.L26:
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
    jal zero, .L22
.L27:
    jalr zero, 0(ra)
    .data
    .org 0x6bc
    .zero 512
    .org 0x8bc
    .globl rsaxcel_operands
    .size rsaxcel_operands, 2052
rsaxcel_operands:
    .zero 2052
    .bss
    .org 0x10c0
    .org 0x12e0
    .globl constant_words
    .size constant_words, 4
constant_words:
    .org 0x12e4
    .globl calls
    .size calls, 4
calls:
    .globl constants
constants:
    .data
    .org 0x12e4
    .word 0x00000001
