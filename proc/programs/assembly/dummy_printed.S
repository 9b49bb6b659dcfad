/* Written by tools/programs.py from crt0.S, start_printed.S, main_printed.c, print.c, one_word.c, dummy_printed.c; source bcef72ed2b38fd3c2a99 */
    .ident "GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
    .text
    .org 0x200
    .globl _start
_start:
    auipc gp, 0x1
    addi gp, gp, 728
    auipc sp, 0x100
    addi sp, sp, -520
    jal ra, main
    ecall
    .globl main
main:
    csrr t1, coreid
    lui t0, 0x4
    mul t0, t0, t1
    sub sp, sp, t0
    auipc t0, 0x1
    addi t0, t0, -1360
    addi t1, gp, -2016
    bgeu t0, t1, .L1
.L0:
    sw zero, 0(t0)
    addi t0, t0, 4
    bltu t0, t1, .L0
.L1:
    addi a0, zero, 0
    addi a1, zero, 0
    jal zero, evaluate
    .type check_answer, @function
    .size check_answer, 8
check_answer:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .globl evaluate
    .type evaluate, @function
    .size evaluate, 188
evaluate:
    addi sp, sp, -16
    sw s0, 8(sp)
    addi s0, zero, 1236
    lw a4, 0(s0)
    sw ra, 12(sp)
    sw s1, 4(sp)
    addi a0, zero, 1
    bne a4, zero, .L3
.L2:
    lw ra, 12(sp)
    lw s0, 8(sp)
    lw s1, 4(sp)
    addi sp, sp, 16
    jalr zero, 0(ra)
.L3:
    addi a0, zero, 1236
    jal ra, check_operands
    bne a0, zero, .L4
    lw a0, 516(s0)
    lw a1, 1028(s0)
    lw a2, 1540(s0)
    csrwi stats_en, 1
    jal ra, mod_exp
    addi s1, a0, 0
    csrwi stats_en, 0
    jal ra, check_answer
    bne a0, zero, .L4
    csrw proc2mngr, s1
    lw a2, 4(s0)
    bne a2, s1, .L5
    addi a0, zero, 1172
    jal ra, print
    lw ra, 12(sp)
    lw s0, 8(sp)
    lw s1, 4(sp)
    addi a0, zero, 0
    addi sp, sp, 16
    jalr zero, 0(ra)
.L4:
    lw ra, 12(sp)
    lw s0, 8(sp)
    lw s1, 4(sp)
    addi a0, a0, 16
    addi sp, sp, 16
    jalr zero, 0(ra)
.L5:
    addi a0, zero, 1056
    addi a1, s1, 0
    jal ra, print
    addi a0, zero, 2
    jal zero, .L2
    .globl print
    .type print, @function
    .size print, 152
print:
    addi sp, sp, -48
    lw t1, 0(a0)
    sw a5, 36(sp)
    addi a5, sp, 20
    sw a1, 20(sp)
    sw a2, 24(sp)
    sw a3, 28(sp)
    sw a4, 32(sp)
    sw a6, 40(sp)
    sw a7, 44(sp)
    sw a5, 12(sp)
    beq t1, zero, .L9
    lui a1, 0x30
    addi a5, zero, 0
    addi a4, zero, 37
    addi a3, a1, 1
    addi a2, zero, 117
.L6:
    beq t1, a4, .L11
    beq a5, zero, .L10
    bne t1, a2, .L10
    lw a5, 12(sp)
    addi a6, a5, 4
    sw a6, 12(sp)
    lw a5, 0(a5)
    csrw proc2mngr, a1
    csrw proc2mngr, a5
.L7:
    addi a5, zero, 0
.L8:
    lw t1, 4(a0)
    addi a0, a0, 4
    bne t1, zero, .L6
.L9:
    addi sp, sp, 48
    jalr zero, 0(ra)
.L10:
    csrw proc2mngr, a3
    csrw proc2mngr, t1
    jal zero, .L7
.L11:
    bne a5, zero, .L10
    addi a5, zero, 1
    jal zero, .L8
    .globl check_one_word
    .type check_one_word, @function
    .size check_one_word, 100
check_one_word:
    lw a3, 0(a0)
    addi a4, zero, 1
    addi a5, a0, 0
    bltu a4, a3, .L14
    lw a4, 1540(a0)
    beq a1, zero, .L12
    addi a3, zero, 2
    addi a0, zero, 1
    bgeu a3, a4, .L16
    andi a3, a4, 1
    addi a0, zero, 2
    bne a3, zero, .L13
    jalr zero, 0(ra)
.L12:
    addi a0, zero, 1
    bgeu a0, a4, .L15
.L13:
    lw a0, 516(a5)
    sltu a0, a0, a4
    sub a0, zero, a0
    andi a0, a0, -3
    addi a0, a0, 3
    jalr zero, 0(ra)
.L14:
    addi a0, zero, 4
    jalr zero, 0(ra)
.L15:
    jalr zero, 0(ra)
.L16:
    jalr zero, 0(ra)
    .globl check_operands
    .type check_operands, @function
    .size check_operands, 8
check_operands:
    addi a1, zero, 0
    jal zero, check_one_word
    .globl mod_exp
    .type mod_exp, @function
    .size mod_exp, 8
mod_exp:
    lw a0, 1240(zero)
    jalr zero, 0(ra)
    .data
    .org 0x420
    .word 0x0000000a, 0x00000020, 0x00000046, 0x00000041, 0x00000049, 0x0000004c, 0x00000045, 0x00000044
    .word 0x0000003a, 0x00000020, 0x00000025, 0x00000075, 0x00000020, 0x00000069, 0x0000006e, 0x00000073
    .word 0x00000074, 0x00000065, 0x00000061, 0x00000064, 0x00000020, 0x0000006f, 0x00000066, 0x00000020
    .word 0x00000025, 0x00000075, 0x0000000a, 0x0000000a, 0x00000000, 0x0000000a, 0x00000020, 0x0000002a
    .word 0x0000002a, 0x00000050, 0x00000041, 0x00000053, 0x00000053, 0x00000045, 0x00000044, 0x0000002a
    .word 0x0000002a, 0x00000020, 0x0000000a, 0x0000000a
    .zero 4
    .org 0x4d4
    .globl rsaxcel_operands
    .size rsaxcel_operands, 2052
rsaxcel_operands:
    .data
    .org 0x4d4
    .zero 2052
    .bss
    .org 0xcd8
