/* Written by tools/programs.py from crt0.S, start_printed.S, main_printed.c, print.c, one_word.c, montgomery_printed.c, mont_multiplier.c; source b2adec172d84377f52b8 */
    .ident "GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
    .text
    .org 0x200
    .globl _start
_start:
    auipc gp, 0x2
    addi gp, gp, 148
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
    auipc t0, 0x2
    addi t0, t0, -1940
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
    .size evaluate, 200
evaluate:
    addi sp, sp, -16
    lui a5, 0x1
    sw s0, 8(sp)
    addi s0, a5, 656
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
    addi a0, a5, 656
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
    lui a0, 0x1
    addi a0, a0, 336
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
    lui a0, 0x1
    addi a0, a0, 220
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
    addi a1, zero, 1
    jal zero, check_one_word
    .globl mod_exp
    .type mod_exp, @function
    .size mod_exp, 216
mod_exp:
    addi sp, sp, -80
    sw s1, 68(sp)
    addi s1, a2, 0
    addi a3, zero, 0
    addi a4, zero, 1
    addi a2, zero, 0
    sw s0, 72(sp)
    sw s2, 64(sp)
    addi s0, a1, 0
    addi s2, a0, 0
    addi a1, s1, 0
    addi a0, sp, 24
    sw ra, 76(sp)
    jal ra, construct
    remu a1, s2, s1
    addi a0, sp, 24
    jal ra, convert_in
    addi a2, a0, 0
    addi a1, zero, 1
    addi a0, sp, 24
    sw a2, 12(sp)
    jal ra, convert_in
    lw a2, 12(sp)
    addi s1, a0, 0
    bne s0, zero, .L18
    jal zero, .L19
.L17:
    addi a1, a2, 0
    addi a0, sp, 24
    jal ra, montgomery_multiply
    addi a2, a0, 0
    beq s0, zero, .L19
.L18:
    andi a5, s0, 1
    srli s0, s0, 1
    beq a5, zero, .L17
    addi a1, s1, 0
    addi a0, sp, 24
    sw a2, 12(sp)
    jal ra, montgomery_multiply
    lw a2, 12(sp)
    addi s1, a0, 0
    addi a0, sp, 24
    addi a1, a2, 0
    jal ra, montgomery_multiply
    addi a2, a0, 0
    bne s0, zero, .L18
.L19:
    addi a1, s1, 0
    addi a0, sp, 24
    jal ra, convert_out
    lw ra, 76(sp)
    lw s0, 72(sp)
    lw s1, 68(sp)
    lw s2, 64(sp)
    addi sp, sp, 80
    jalr zero, 0(ra)
    .type reduce_product, @function
    .size reduce_product, 172
reduce_product:
    lw a5, 8(a0)
    lw a6, 12(a0)
    lw a4, 24(a0)
    sltiu a7, a5, 1
    lw t3, 28(a0)
    addi a3, a5, -1
    sub a6, a6, a7
    and t1, a3, a1
    and a5, a6, a2
    mul a5, a4, a5
    lw a7, 0(a0)
    lw t4, 4(a0)
    addi t5, zero, 1
    mul t3, t3, t1
    mulhu a0, a4, t1
    add a5, a5, t3
    mul a4, a4, t1
    add a5, a5, a0
    and a5, a5, a6
    and a4, a4, a3
    mul a0, t4, a4
    mul a5, a5, a7
    mul a3, a4, a7
    add a5, a5, a0
    mulhu a4, a4, a7
    add a0, a3, a1
    sltu a3, a0, a3
    add a5, a5, a4
    add a5, a5, a2
    add a5, a3, a5
    bltu a5, a2, .L20
    beq a2, a5, .L24
    addi t5, zero, 0
.L20:
    addi a0, a5, 0
    bltu t5, t4, .L22
    beq t4, t5, .L23
.L21:
    sub a0, a5, a7
.L22:
    jalr zero, 0(ra)
.L23:
    bgeu a5, a7, .L21
    jalr zero, 0(ra)
.L24:
    bltu a0, a1, .L20
    addi t5, zero, 0
    jal zero, .L20
    .globl construct
    .type construct, @function
    .size construct, 676
construct:
    addi sp, sp, -112
    addi a5, a2, 0
    sw s8, 72(sp)
    addi s8, a3, 0
    addi a2, a1, 0
    addi a3, a5, 0
    sw a0, 20(sp)
    sw a1, 16(sp)
    addi a0, s8, 0
    addi a1, a4, 0
    sw s9, 68(sp)
    sw a5, 12(sp)
    addi s9, a4, 0
    sw ra, 108(sp)
    sw s0, 104(sp)
    sw s1, 100(sp)
    sw s2, 96(sp)
    sw s3, 92(sp)
    sw s4, 88(sp)
    sw s5, 84(sp)
    sw s6, 80(sp)
    sw s7, 76(sp)
    sw s10, 64(sp)
    sw s11, 60(sp)
    jal ra, __umoddi3
    lw t4, 20(sp)
    lw a2, 16(sp)
    lw a3, 12(sp)
    sw s8, 8(t4)
    sw a2, 0(t4)
    sw a3, 4(t4)
    sw s9, 12(t4)
    or a5, a3, a2
    beq a5, zero, .L30
    addi s10, zero, 1
    addi s3, zero, 0
    addi s11, zero, 0
    addi s6, zero, 0
    sw s8, 24(sp)
    sw s9, 28(sp)
    addi s7, s10, 0
    addi s2, s8, 0
    addi s0, s9, 0
    addi s8, s3, 0
    addi s4, zero, 1
    addi s5, zero, 0
    sw t4, 12(sp)
    sw a3, 20(sp)
    addi s1, a2, 0
    addi s3, a3, 0
    addi s9, s11, 0
    sw a2, 32(sp)
    sw a3, 36(sp)
    sw a0, 40(sp)
    sw a1, 44(sp)
    addi s10, s6, 0
    jal zero, .L26
.L25:
    addi s4, t5, 0
    addi s6, a2, 0
    addi s5, t6, 0
    addi s11, a1, 0
.L26:
    addi a2, s1, 0
    addi a3, s3, 0
    addi a0, s2, 0
    addi a1, s0, 0
    jal ra, __divdi3
    addi t5, s1, 0
    addi a6, a0, 0
    addi a7, a1, 0
    mul a3, s1, a7
    addi t6, s3, 0
    mul a2, s3, a6
    mulhu t0, t5, a6
    add a2, a2, a3
    mul s1, s1, a6
    add a2, a2, t0
    sub a5, s0, a2
    addi s0, t6, 0
    sub s1, s2, s1
    mul t6, s11, a6
    sltu a3, s2, s1
    addi s2, t5, 0
    sub s3, a5, a3
    or t0, s1, s3
    mul t5, a7, s5
    mul a2, a7, s4
    add a1, t5, t6
    mul t5, s6, a6
    mul t6, a6, s5
    add a2, a2, t5
    mulhu ra, a6, s5
    sub t6, s7, t6
    sltu t2, s7, t6
    addi s7, s5, 0
    mul t5, a6, s4
    add a1, a1, ra
    sub a1, s8, a1
    sub a1, a1, t2
    addi s8, s11, 0
    mulhu a0, a6, s4
    sub t5, s9, t5
    sltu t2, s9, t5
    addi s9, s4, 0
    add a2, a2, a0
    sub a2, s10, a2
    sub a2, a2, t2
    addi s10, s6, 0
    bne t0, zero, .L25
    lw t4, 12(sp)
    lw t3, 16(sp)
    lw t1, 20(sp)
    lw t0, 24(sp)
    lw t2, 28(sp)
    lw a2, 32(sp)
    lw a3, 36(sp)
    lw a0, 40(sp)
    lw a1, 44(sp)
    sltu a5, zero, s4
    sub s1, zero, s6
    addi s2, s11, 0
    sub s4, zero, s4
    sub s1, s1, a5
.L27:
    or a5, s2, s1
    blt a5, zero, .L29
.L28:
    mul a1, a1, a0
    sw s5, 16(t4)
    sw s2, 20(t4)
    sw s4, 24(t4)
    sw s1, 28(t4)
    sw t4, 12(sp)
    mulhu a5, a0, a0
    slli a1, a1, 1
    mul a0, a0, a0
    add a1, a1, a5
    jal ra, __umoddi3
    lw t4, 12(sp)
    lw ra, 108(sp)
    lw s0, 104(sp)
    sw a0, 32(t4)
    sw a1, 36(t4)
    lw s1, 100(sp)
    lw s2, 96(sp)
    lw s3, 92(sp)
    lw s4, 88(sp)
    lw s5, 84(sp)
    lw s6, 80(sp)
    lw s7, 76(sp)
    lw s8, 72(sp)
    lw s9, 68(sp)
    lw s10, 64(sp)
    lw s11, 60(sp)
    addi sp, sp, 112
    jalr zero, 0(ra)
.L29:
    add a4, s5, t3
    add a5, s4, t0
    sltu a7, a4, s5
    sltu a6, a5, s4
    add s2, s2, t1
    add s1, s1, t2
    addi s5, a4, 0
    add s2, a7, s2
    addi s4, a5, 0
    add s1, a6, s1
    jal zero, .L27
.L30:
    addi s4, a2, 0
    addi s1, a3, 0
    addi s5, zero, 1
    addi s2, zero, 0
    jal zero, .L28
    .globl convert_in
    .type convert_in, @function
    .size convert_in, 28
convert_in:
    lw a4, 32(a0)
    lw a2, 36(a0)
    mulhu a5, a4, a1
    mul a2, a2, a1
    mul a1, a4, a1
    add a2, a2, a5
    jal zero, reduce_product
    .globl montgomery_multiply
    .type montgomery_multiply, @function
    .size montgomery_multiply, 16
montgomery_multiply:
    addi a5, a2, 0
    mulhu a2, a1, a2
    mul a1, a1, a5
    jal zero, reduce_product
    .globl convert_out
    .type convert_out, @function
    .size convert_out, 8
convert_out:
    addi a2, zero, 0
    jal zero, reduce_product
    .globl __divdi3
    .type __divdi3, @function
    .size __divdi3, 1144
__divdi3:
    addi t1, a0, 0
    addi t3, a1, 0
    addi a7, zero, 0
    bge a1, zero, .L31
    sltu a5, zero, a0
    sub t3, zero, a1
    sub t3, t3, a5
    sub t1, zero, a0
    addi a7, zero, -1
.L31:
    bge a3, zero, .L32
    sltu a5, zero, a2
    sub a3, zero, a3
    xori a7, a7, -1
    sub a3, a3, a5
    sub a2, zero, a2
.L32:
    addi a4, a2, 0
    addi a6, t1, 0
    addi a5, t3, 0
    bne a3, zero, .L50
    auipc a1, 0x1
    addi a1, a1, -1852
    bgeu t3, a2, .L39
    lui a3, 0x10
    bgeu a2, a3, .L38
    sltiu a3, a2, 256
    xori a3, a3, 1
    slli a3, a3, 3
.L33:
    srl a0, a2, a3
    add a1, a1, a0
    lbu a1, 0(a1)
    addi a0, zero, 32
    add a3, a1, a3
    sub a1, a0, a3
    beq a0, a3, .L34
    sll a5, t3, a1
    srl a3, t1, a3
    sll a4, a2, a1
    or a5, a3, a5
    sll a6, t1, a1
.L34:
    srli a1, a4, 16
    divu t3, a5, a1
    slli a2, a4, 16
    srli a2, a2, 16
    remu a5, a5, a1
    addi a0, t3, 0
    mul t1, a2, t3
    slli a3, a5, 16
    srli a5, a6, 16
    or a5, a5, a3
    bgeu a5, t1, .L35
    add a5, a4, a5
    addi a0, t3, -1
    bltu a5, a4, .L35
    bgeu a5, t1, .L35
    addi a0, t3, -2
    add a5, a5, a4
.L35:
    sub a5, a5, t1
    divu t1, a5, a1
    slli a6, a6, 16
    srli a6, a6, 16
    remu a5, a5, a1
    mul a3, a2, t1
    slli a5, a5, 16
    or a6, a6, a5
    addi a5, t1, 0
    bgeu a6, a3, .L36
    add a6, a4, a6
    addi a5, t1, -1
    bltu a6, a4, .L36
    bgeu a6, a3, .L36
    addi a5, t1, -2
.L36:
    slli a0, a0, 16
    or a0, a0, a5
.L37:
    addi a1, zero, 0
    jal zero, .L44
.L38:
    lui a0, 0x1000
    addi a3, zero, 16
    bltu a2, a0, .L33
    addi a3, zero, 24
    jal zero, .L33
.L39:
    addi a3, zero, 0
    beq a2, zero, .L40
    lui a5, 0x10
    bgeu a2, a5, .L46
    sltiu a3, a2, 256
    xori a3, a3, 1
    slli a3, a3, 3
.L40:
    srl a5, a2, a3
    add a1, a1, a5
    lbu a5, 0(a1)
    add a5, a5, a3
    addi a3, zero, 32
    sub a1, a3, a5
    bne a3, a5, .L47
    sub a5, t3, a2
    addi a1, zero, 1
.L41:
    srli t1, a4, 16
    divu t4, a5, t1
    slli a2, a4, 16
    srli a2, a2, 16
    srli a3, a6, 16
    remu a5, a5, t1
    addi a0, t4, 0
    mul t3, a2, t4
    slli a5, a5, 16
    or a5, a3, a5
    bgeu a5, t3, .L42
    add a5, a4, a5
    addi a0, t4, -1
    bltu a5, a4, .L42
    bgeu a5, t3, .L42
    addi a0, t4, -2
    add a5, a5, a4
.L42:
    sub a5, a5, t3
    divu t3, a5, t1
    slli a6, a6, 16
    srli a6, a6, 16
    remu a5, a5, t1
    mul a3, a2, t3
    slli a5, a5, 16
    or a6, a6, a5
    addi a5, t3, 0
    bgeu a6, a3, .L43
    add a6, a4, a6
    addi a5, t3, -1
    bltu a6, a4, .L43
    bgeu a6, a3, .L43
    addi a5, t3, -2
.L43:
    slli a0, a0, 16
    or a0, a0, a5
.L44:
    beq a7, zero, .L45
    sltu a5, zero, a0
    sub a1, zero, a1
    sub a1, a1, a5
    sub a0, zero, a0
.L45:
    jalr zero, 0(ra)
.L46:
    lui a5, 0x1000
    addi a3, zero, 16
    bltu a2, a5, .L40
    addi a3, zero, 24
    jal zero, .L40
.L47:
    sll a4, a2, a1
    srl a3, t3, a5
    srli a0, a4, 16
    sll t3, t3, a1
    srl a5, t1, a5
    or a5, a5, t3
    divu t3, a3, a0
    slli a2, a4, 16
    srli a2, a2, 16
    sll a6, t1, a1
    remu a3, a3, a0
    mul t1, a2, t3
    slli a1, a3, 16
    srli a3, a5, 16
    or a3, a3, a1
    addi a1, t3, 0
    bgeu a3, t1, .L48
    add a3, a4, a3
    addi a1, t3, -1
    bltu a3, a4, .L48
    bgeu a3, t1, .L48
    addi a1, t3, -2
    add a3, a3, a4
.L48:
    sub a3, a3, t1
    divu t1, a3, a0
    slli a5, a5, 16
    srli a5, a5, 16
    remu a3, a3, a0
    mul a2, a2, t1
    slli a3, a3, 16
    or a5, a5, a3
    addi a3, t1, 0
    bgeu a5, a2, .L49
    add a5, a4, a5
    addi a3, t1, -1
    bltu a5, a4, .L49
    bgeu a5, a2, .L49
    addi a3, t1, -2
    add a5, a5, a4
.L49:
    slli a1, a1, 16
    sub a5, a5, a2
    or a1, a1, a3
    jal zero, .L41
.L50:
    bltu t3, a3, .L58
    lui a5, 0x10
    bgeu a3, a5, .L52
    sltiu a4, a3, 256
    xori a4, a4, 1
    slli a4, a4, 3
.L51:
    srl a1, a3, a4
    auipc a5, 0x0
    addi a5, a5, 1556
    add a5, a5, a1
    lbu a5, 0(a5)
    add a5, a5, a4
    addi a4, zero, 32
    sub a1, a4, a5
    bne a4, a5, .L53
    addi a0, zero, 1
    bltu a3, t3, .L44
    sltu a0, t1, a2
    xori a0, a0, 1
    jal zero, .L44
.L52:
    lui a5, 0x1000
    addi a4, zero, 16
    bltu a3, a5, .L51
    addi a4, zero, 24
    jal zero, .L51
.L53:
    srl a4, a2, a5
    sll a3, a3, a1
    or a3, a4, a3
    srl a4, t3, a5
    sll t3, t3, a1
    srl a5, t1, a5
    or a5, a5, t3
    srli t3, a3, 16
    divu t5, a4, t3
    slli a6, a3, 16
    srli a6, a6, 16
    sll a2, a2, a1
    remu a4, a4, t3
    mul t4, a6, t5
    slli a0, a4, 16
    srli a4, a5, 16
    or a4, a4, a0
    addi a0, t5, 0
    bgeu a4, t4, .L54
    add a4, a3, a4
    addi a0, t5, -1
    bltu a4, a3, .L54
    bgeu a4, t4, .L54
    addi a0, t5, -2
    add a4, a4, a3
.L54:
    sub a4, a4, t4
    divu t4, a4, t3
    slli a5, a5, 16
    srli a5, a5, 16
    remu a4, a4, t3
    mul a6, a6, t4
    slli a4, a4, 16
    or a5, a5, a4
    addi a4, t4, 0
    bgeu a5, a6, .L55
    add a5, a3, a5
    addi a4, t4, -1
    bltu a5, a3, .L55
    bgeu a5, a6, .L55
    addi a4, t4, -2
    add a5, a5, a3
.L55:
    slli a0, a0, 16
    lui t4, 0x10
    or a0, a0, a4
    addi a3, t4, -1
    and a4, a0, a3
    sub a5, a5, a6
    and a3, a2, a3
    srli a6, a0, 16
    srli a2, a2, 16
    mul t3, a4, a3
    mul a3, a6, a3
    mul a4, a4, a2
    mul a6, a6, a2
    add a2, a4, a3
    srli a4, t3, 16
    add a4, a4, a2
    bgeu a4, a3, .L56
    add a6, a6, t4
.L56:
    srli a3, a4, 16
    add a3, a3, a6
    bltu a5, a3, .L57
    bne a5, a3, .L37
    lui a5, 0x10
    addi a5, a5, -1
    and a4, a4, a5
    slli a4, a4, 16
    and t3, t3, a5
    sll t1, t1, a1
    add a4, a4, t3
    addi a1, zero, 0
    bgeu t1, a4, .L44
.L57:
    addi a0, a0, -1
    jal zero, .L37
.L58:
    addi a1, zero, 0
    addi a0, zero, 0
    jal zero, .L44
    .globl __umoddi3
    .type __umoddi3, @function
    .size __umoddi3, 996
__umoddi3:
    addi a6, a2, 0
    addi a5, a0, 0
    addi a4, a1, 0
    bne a3, zero, .L73
    auipc a7, 0x0
    addi a7, a7, 1160
    bgeu a1, a2, .L65
    lui a3, 0x10
    bgeu a2, a3, .L64
    sltiu a3, a2, 256
    xori a3, a3, 1
    slli a3, a3, 3
.L59:
    srl t1, a2, a3
    add a7, a7, t1
    lbu a7, 0(a7)
    addi t1, zero, 32
    add a3, a7, a3
    sub a7, t1, a3
    beq t1, a3, .L60
    sll a4, a1, a7
    srl a3, a0, a3
    sll a6, a2, a7
    or a4, a3, a4
    sll a5, a0, a7
.L60:
    srli a2, a6, 16
    divu a3, a4, a2
    slli a0, a6, 16
    srli a0, a0, 16
    remu a4, a4, a2
    mul a3, a3, a0
    slli a1, a4, 16
    srli a4, a5, 16
    or a4, a4, a1
    bgeu a4, a3, .L61
    add a4, a6, a4
    bltu a4, a6, .L61
    bgeu a4, a3, .L61
    add a4, a4, a6
.L61:
    sub a4, a4, a3
    divu a3, a4, a2
    remu a4, a4, a2
    mul a3, a3, a0
.L62:
    slli a5, a5, 16
    slli a4, a4, 16
    srli a5, a5, 16
    or a5, a5, a4
    bgeu a5, a3, .L63
    add a5, a6, a5
    bltu a5, a6, .L63
    bgeu a5, a3, .L63
    add a5, a5, a6
.L63:
    sub a5, a5, a3
    srl a0, a5, a7
    addi a1, zero, 0
    jalr zero, 0(ra)
.L64:
    lui t1, 0x1000
    addi a3, zero, 16
    bltu a2, t1, .L59
    addi a3, zero, 24
    jal zero, .L59
.L65:
    addi a3, zero, 0
    beq a2, zero, .L66
    lui a4, 0x10
    bgeu a2, a4, .L69
    sltiu a3, a2, 256
    xori a3, a3, 1
    slli a3, a3, 3
.L66:
    srl a4, a2, a3
    add a7, a7, a4
    lbu a4, 0(a7)
    add a4, a4, a3
    addi a3, zero, 32
    sub a7, a3, a4
    bne a3, a4, .L70
    sub a4, a1, a2
.L67:
    srli a1, a6, 16
    divu a2, a4, a1
    slli a0, a6, 16
    srli a0, a0, 16
    srli a3, a5, 16
    remu a4, a4, a1
    mul a2, a2, a0
    slli a4, a4, 16
    or a4, a3, a4
    bgeu a4, a2, .L68
    add a4, a6, a4
    bltu a4, a6, .L68
    bgeu a4, a2, .L68
    add a4, a4, a6
.L68:
    sub a4, a4, a2
    divu a3, a4, a1
    remu a4, a4, a1
    mul a3, a3, a0
    jal zero, .L62
.L69:
    lui a4, 0x1000
    addi a3, zero, 16
    bltu a2, a4, .L66
    addi a3, zero, 24
    jal zero, .L66
.L70:
    sll a6, a2, a7
    srl a3, a1, a4
    sll a5, a0, a7
    sll a1, a1, a7
    srl a4, a0, a4
    srli a0, a6, 16
    or a4, a4, a1
    divu a1, a3, a0
    slli t1, a6, 16
    srli t1, t1, 16
    remu a3, a3, a0
    mul a1, a1, t1
    slli a2, a3, 16
    srli a3, a4, 16
    or a3, a3, a2
    bgeu a3, a1, .L71
    add a3, a6, a3
    bltu a3, a6, .L71
    bgeu a3, a1, .L71
    add a3, a3, a6
.L71:
    sub a3, a3, a1
    divu a2, a3, a0
    slli a4, a4, 16
    srli a4, a4, 16
    remu a3, a3, a0
    mul a2, a2, t1
    slli a3, a3, 16
    or a4, a4, a3
    bgeu a4, a2, .L72
    add a4, a6, a4
    bltu a4, a6, .L72
    bgeu a4, a2, .L72
    add a4, a4, a6
.L72:
    sub a4, a4, a2
    jal zero, .L67
.L73:
    bltu a1, a3, .L84
    lui a6, 0x10
    bgeu a3, a6, .L77
    sltiu a6, a3, 256
    xori a6, a6, 1
    slli a6, a6, 3
.L74:
    srl t1, a3, a6
    auipc a7, 0x0
    addi a7, a7, 612
    add a7, a7, t1
    lbu a7, 0(a7)
    addi t1, zero, 32
    add a7, a7, a6
    sub a6, t1, a7
    bne t1, a7, .L78
    bltu a3, a1, .L75
    bltu a0, a2, .L76
.L75:
    sub a2, a0, a2
    sub a3, a1, a3
    sltu a4, a0, a2
    addi a5, a2, 0
    sub a4, a3, a4
.L76:
    addi a0, a5, 0
    addi a1, a4, 0
    jalr zero, 0(ra)
.L77:
    lui a7, 0x1000
    addi a6, zero, 16
    bltu a3, a7, .L74
    addi a6, zero, 24
    jal zero, .L74
.L78:
    srl a5, a2, a7
    sll a3, a3, a6
    or a3, a5, a3
    srl a4, a1, a7
    srli t3, a3, 16
    divu t5, a4, t3
    slli t1, a3, 16
    srli t1, t1, 16
    sll a5, a1, a6
    srl a1, a0, a7
    or a1, a1, a5
    srli a5, a1, 16
    sll a2, a2, a6
    sll a0, a0, a6
    remu a4, a4, t3
    mul t4, t1, t5
    slli a4, a4, 16
    or a5, a5, a4
    addi a4, t5, 0
    bgeu a5, t4, .L79
    add a5, a3, a5
    addi a4, t5, -1
    bltu a5, a3, .L79
    bgeu a5, t4, .L79
    addi a4, t5, -2
    add a5, a5, a3
.L79:
    sub a5, a5, t4
    divu t4, a5, t3
    slli a1, a1, 16
    srli a1, a1, 16
    remu a5, a5, t3
    addi t3, t4, 0
    mul t1, t1, t4
    slli a5, a5, 16
    or a1, a1, a5
    bgeu a1, t1, .L80
    add a1, a3, a1
    addi t3, t4, -1
    bltu a1, a3, .L80
    bgeu a1, t1, .L80
    addi t3, t4, -2
    add a1, a1, a3
.L80:
    slli a5, a4, 16
    lui t5, 0x10
    or a5, a5, t3
    sub a1, a1, t1
    addi t1, t5, -1
    and a4, a5, t1
    srli t3, a2, 16
    srli a5, a5, 16
    and t1, a2, t1
    mul t4, a4, t1
    mul t1, a5, t1
    mul a4, a4, t3
    mul a5, a5, t3
    add t3, a4, t1
    srli a4, t4, 16
    add a4, a4, t3
    bgeu a4, t1, .L81
    add a5, a5, t5
.L81:
    srli t1, a4, 16
    add a5, t1, a5
    lui t1, 0x10
    addi t1, t1, -1
    and a4, a4, t1
    slli a4, a4, 16
    and t4, t4, t1
    add a4, a4, t4
    bltu a1, a5, .L82
    bne a1, a5, .L83
    bgeu a0, a4, .L83
.L82:
    sub a2, a4, a2
    sltu t1, a4, a2
    add a3, t1, a3
    addi a4, a2, 0
    sub a5, a5, a3
.L83:
    sub a4, a0, a4
    sltu a0, a0, a4
    sub a1, a1, a5
    sub a1, a1, a0
    sll a7, a1, a7
    srl a4, a4, a6
    or a0, a7, a4
    srl a1, a1, a6
.L84:
    jalr zero, 0(ra)
    .data
    .org 0x10dc
    .word 0x0000000a, 0x00000020, 0x00000046, 0x00000041, 0x00000049, 0x0000004c, 0x00000045, 0x00000044
    .word 0x0000003a, 0x00000020, 0x00000025, 0x00000075, 0x00000020, 0x00000069, 0x0000006e, 0x00000073
    .word 0x00000074, 0x00000065, 0x00000061, 0x00000064, 0x00000020, 0x0000006f, 0x00000066, 0x00000020
    .word 0x00000025, 0x00000075, 0x0000000a, 0x0000000a, 0x00000000, 0x0000000a, 0x00000020, 0x0000002a
    .word 0x0000002a, 0x00000050, 0x00000041, 0x00000053, 0x00000053, 0x00000045, 0x00000044, 0x0000002a
    .word 0x0000002a, 0x00000020, 0x0000000a, 0x0000000a
    .zero 4
    .org 0x1190
    .globl __clz_tab
    .size __clz_tab, 256
__clz_tab:
    .word 0x02020100, 0x03030303, 0x04040404, 0x04040404, 0x05050505, 0x05050505, 0x05050505, 0x05050505
    .word 0x06060606, 0x06060606, 0x06060606, 0x06060606, 0x06060606, 0x06060606, 0x06060606, 0x06060606
    .word 0x07070707, 0x07070707, 0x07070707, 0x07070707, 0x07070707, 0x07070707, 0x07070707, 0x07070707
    .word 0x07070707, 0x07070707, 0x07070707, 0x07070707, 0x07070707, 0x07070707, 0x07070707, 0x07070707
    .word 0x08080808, 0x08080808, 0x08080808, 0x08080808, 0x08080808, 0x08080808, 0x08080808, 0x08080808
    .word 0x08080808, 0x08080808, 0x08080808, 0x08080808, 0x08080808, 0x08080808, 0x08080808, 0x08080808
    .word 0x08080808, 0x08080808, 0x08080808, 0x08080808, 0x08080808, 0x08080808, 0x08080808, 0x08080808
    .word 0x08080808, 0x08080808, 0x08080808, 0x08080808, 0x08080808, 0x08080808, 0x08080808, 0x08080808
    .org 0x1290
    .globl rsaxcel_operands
    .size rsaxcel_operands, 2052
rsaxcel_operands:
    .data
    .org 0x1290
    .zero 2052
    .bss
    .org 0x1a94
