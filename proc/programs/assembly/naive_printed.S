/* Written by tools/programs.py from crt0.S, start_printed.S, main_printed.c, print.c, one_word.c, naive_printed.c; source 514205a7549dd7aa9914 */
    .ident "GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
    .text
    .org 0x200
    .globl _start
_start:
    auipc gp, 0x2
    addi gp, gp, -788
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
    addi t0, t0, 1220
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
    addi s0, a5, -280
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
    addi a0, a5, -280
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
    addi a0, a0, -600
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
    addi a0, a0, -716
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
    .size mod_exp, 220
mod_exp:
    addi sp, sp, -32
    sw s3, 12(sp)
    addi a3, zero, 0
    addi s3, a1, 0
    addi a1, zero, 0
    sw s2, 16(sp)
    sw ra, 28(sp)
    sw s0, 24(sp)
    sw s1, 20(sp)
    sw s4, 8(sp)
    sw s5, 4(sp)
    addi s2, a2, 0
    jal ra, __umoddi3
    beq s3, zero, .L20
    addi s1, a1, 0
    addi s0, a0, 0
    addi s4, zero, 1
    addi s5, zero, 0
.L17:
    andi a5, s3, 1
    addi a2, s2, 0
    addi a3, zero, 0
    srli s3, s3, 1
    beq a5, zero, .L18
    mul a5, s1, s4
    mul s5, s5, s0
    mulhu a1, s0, s4
    add s5, a5, s5
    mul a0, s0, s4
    add a1, s5, a1
    jal ra, __umoddi3
    addi s4, a0, 0
    addi s5, a1, 0
.L18:
    mul s1, s1, s0
    addi a2, s2, 0
    addi a3, zero, 0
    mulhu a1, s0, s0
    slli s1, s1, 1
    mul a0, s0, s0
    add a1, s1, a1
    jal ra, __umoddi3
    addi s0, a0, 0
    addi s1, a1, 0
    bne s3, zero, .L17
    addi a0, s4, 0
.L19:
    lw ra, 28(sp)
    lw s0, 24(sp)
    lw s1, 20(sp)
    lw s2, 16(sp)
    lw s3, 12(sp)
    lw s4, 8(sp)
    lw s5, 4(sp)
    addi sp, sp, 32
    jalr zero, 0(ra)
.L20:
    addi a0, zero, 1
    jal zero, .L19
    .globl __moddi3
    .type __moddi3, @function
    .size __moddi3, 1104
__moddi3:
    addi t3, a1, 0
    addi a6, zero, 0
    bge a1, zero, .L21
    sltu a5, zero, a0
    sub t3, zero, a1
    sub t3, t3, a5
    sub a0, zero, a0
    addi a6, zero, -1
.L21:
    bge a3, zero, .L22
    sltu a5, zero, a2
    sub a3, zero, a3
    sub a3, a3, a5
    sub a2, zero, a2
.L22:
    addi a7, a2, 0
    addi a5, a0, 0
    addi a1, t3, 0
    bne a3, zero, .L40
    auipc t1, 0x1
    addi t1, t1, -1884
    bgeu t3, a2, .L31
    lui a4, 0x10
    bgeu a2, a4, .L30
    sltiu a4, a2, 256
    xori a4, a4, 1
    slli a4, a4, 3
.L23:
    srl a3, a2, a4
    add t1, t1, a3
    lbu a3, 0(t1)
    add a4, a3, a4
    addi a3, zero, 32
    sub t1, a3, a4
    beq a3, a4, .L24
    sll a1, t3, t1
    srl a4, a0, a4
    sll a7, a2, t1
    or a1, a4, a1
    sll a5, a0, t1
.L24:
    srli a3, a7, 16
    divu a4, a1, a3
    slli a0, a7, 16
    srli a0, a0, 16
    remu a1, a1, a3
    mul a4, a4, a0
    slli a2, a1, 16
    srli a1, a5, 16
    or a1, a1, a2
    bgeu a1, a4, .L25
    add a1, a7, a1
    bltu a1, a7, .L25
    bgeu a1, a4, .L25
    add a1, a1, a7
.L25:
    sub a1, a1, a4
    divu a4, a1, a3
    slli a5, a5, 16
    srli a5, a5, 16
    remu a1, a1, a3
    mul a4, a4, a0
    slli a1, a1, 16
    or a5, a5, a1
    bgeu a5, a4, .L26
    add a5, a7, a5
    bltu a5, a7, .L26
    bgeu a5, a4, .L26
    add a5, a5, a7
.L26:
    sub a5, a5, a4
.L27:
    srl a0, a5, t1
    addi a1, zero, 0
.L28:
    beq a6, zero, .L29
    sltu a5, zero, a0
    sub a1, zero, a1
    sub a1, a1, a5
    sub a0, zero, a0
.L29:
    jalr zero, 0(ra)
.L30:
    lui a3, 0x1000
    addi a4, zero, 16
    bltu a2, a3, .L23
    addi a4, zero, 24
    jal zero, .L23
.L31:
    addi a3, zero, 0
    beq a2, zero, .L32
    lui a4, 0x10
    bgeu a2, a4, .L36
    sltiu a3, a2, 256
    xori a3, a3, 1
    slli a3, a3, 3
.L32:
    srl a4, a2, a3
    add t1, t1, a4
    lbu a4, 0(t1)
    add a4, a4, a3
    addi a3, zero, 32
    sub t1, a3, a4
    bne a3, a4, .L37
    sub a4, t3, a2
.L33:
    srli a1, a7, 16
    divu a2, a4, a1
    slli a0, a7, 16
    srli a0, a0, 16
    srli a3, a5, 16
    remu a4, a4, a1
    mul a2, a2, a0
    slli a4, a4, 16
    or a4, a3, a4
    bgeu a4, a2, .L34
    add a4, a7, a4
    bltu a4, a7, .L34
    bgeu a4, a2, .L34
    add a4, a4, a7
.L34:
    sub a4, a4, a2
    divu a3, a4, a1
    slli a5, a5, 16
    srli a5, a5, 16
    remu a4, a4, a1
    mul a3, a3, a0
    slli a4, a4, 16
    or a5, a5, a4
    bgeu a5, a3, .L35
    add a5, a7, a5
    bltu a5, a7, .L35
    bgeu a5, a3, .L35
    add a5, a5, a7
.L35:
    sub a5, a5, a3
    jal zero, .L27
.L36:
    lui a4, 0x1000
    addi a3, zero, 16
    bltu a2, a4, .L32
    addi a3, zero, 24
    jal zero, .L32
.L37:
    sll a7, a2, t1
    srl a3, t3, a4
    sll a5, a0, t1
    srl a4, a0, a4
    srli a0, a7, 16
    divu a1, a3, a0
    sll t3, t3, t1
    or a4, a4, t3
    slli t3, a7, 16
    srli t3, t3, 16
    remu a3, a3, a0
    mul a1, a1, t3
    slli a2, a3, 16
    srli a3, a4, 16
    or a3, a3, a2
    bgeu a3, a1, .L38
    add a3, a7, a3
    bltu a3, a7, .L38
    bgeu a3, a1, .L38
    add a3, a3, a7
.L38:
    sub a3, a3, a1
    divu a2, a3, a0
    slli a4, a4, 16
    srli a4, a4, 16
    remu a3, a3, a0
    mul a2, a2, t3
    slli a3, a3, 16
    or a4, a4, a3
    bgeu a4, a2, .L39
    add a4, a7, a4
    bltu a4, a7, .L39
    bgeu a4, a2, .L39
    add a4, a4, a7
.L39:
    sub a4, a4, a2
    jal zero, .L33
.L40:
    bltu t3, a3, .L28
    lui a4, 0x10
    bgeu a3, a4, .L44
    sltiu a4, a3, 256
    xori a4, a4, 1
    slli a4, a4, 3
.L41:
    srl t1, a3, a4
    auipc a7, 0x0
    addi a7, a7, 1604
    add a7, a7, t1
    lbu a7, 0(a7)
    addi t1, zero, 32
    add a7, a7, a4
    sub a4, t1, a7
    bne t1, a7, .L45
    bltu a3, t3, .L42
    bltu a0, a2, .L43
.L42:
    sub a2, a0, a2
    sub a3, t3, a3
    sltu a1, a0, a2
    addi a5, a2, 0
    sub a1, a3, a1
.L43:
    addi a0, a5, 0
    jal zero, .L28
.L44:
    lui a7, 0x1000
    addi a4, zero, 16
    bltu a3, a7, .L41
    addi a4, zero, 24
    jal zero, .L41
.L45:
    sll a3, a3, a4
    srl t1, a2, a7
    or t1, t1, a3
    srl a5, t3, a7
    srli t4, t1, 16
    divu t6, a5, t4
    sll t3, t3, a4
    srl a1, a0, a7
    or a1, a1, t3
    slli t3, t1, 16
    srli t3, t3, 16
    sll a2, a2, a4
    sll a0, a0, a4
    remu a5, a5, t4
    mul t5, t3, t6
    slli a3, a5, 16
    srli a5, a1, 16
    or a5, a5, a3
    addi a3, t6, 0
    bgeu a5, t5, .L46
    add a5, t1, a5
    addi a3, t6, -1
    bltu a5, t1, .L46
    bgeu a5, t5, .L46
    addi a3, t6, -2
    add a5, a5, t1
.L46:
    sub a5, a5, t5
    divu t5, a5, t4
    slli a1, a1, 16
    srli a1, a1, 16
    remu a5, a5, t4
    mul t3, t3, t5
    slli a5, a5, 16
    or a1, a1, a5
    addi a5, t5, 0
    bgeu a1, t3, .L47
    add a1, t1, a1
    addi a5, t5, -1
    bltu a1, t1, .L47
    bgeu a1, t3, .L47
    addi a5, t5, -2
    add a1, a1, t1
.L47:
    slli a3, a3, 16
    lui t6, 0x10
    or a3, a3, a5
    sub a1, a1, t3
    addi t3, t6, -1
    and a5, a3, t3
    srli t4, a2, 16
    srli a3, a3, 16
    and t3, a2, t3
    mul t5, a5, t3
    mul t3, a3, t3
    mul a5, a5, t4
    mul a3, a3, t4
    add t4, a5, t3
    srli a5, t5, 16
    add a5, a5, t4
    bgeu a5, t3, .L48
    add a3, a3, t6
.L48:
    srli t3, a5, 16
    add a3, t3, a3
    lui t3, 0x10
    addi t3, t3, -1
    and a5, a5, t3
    slli a5, a5, 16
    and t5, t5, t3
    add a5, a5, t5
    bltu a1, a3, .L49
    bne a1, a3, .L50
    bgeu a0, a5, .L50
.L49:
    sub a2, a5, a2
    sltu t3, a5, a2
    addi a5, a2, 0
    add a2, t3, t1
    sub a3, a3, a2
.L50:
    sub a5, a0, a5
    sltu a0, a0, a5
    sub a1, a1, a3
    sub a1, a1, a0
    sll a7, a1, a7
    srl a5, a5, a4
    or a0, a7, a5
    srl a1, a1, a4
    jal zero, .L28
    .globl __umoddi3
    .type __umoddi3, @function
    .size __umoddi3, 996
__umoddi3:
    addi a6, a2, 0
    addi a5, a0, 0
    addi a4, a1, 0
    bne a3, zero, .L65
    auipc a7, 0x0
    addi a7, a7, 1160
    bgeu a1, a2, .L57
    lui a3, 0x10
    bgeu a2, a3, .L56
    sltiu a3, a2, 256
    xori a3, a3, 1
    slli a3, a3, 3
.L51:
    srl t1, a2, a3
    add a7, a7, t1
    lbu a7, 0(a7)
    addi t1, zero, 32
    add a3, a7, a3
    sub a7, t1, a3
    beq t1, a3, .L52
    sll a4, a1, a7
    srl a3, a0, a3
    sll a6, a2, a7
    or a4, a3, a4
    sll a5, a0, a7
.L52:
    srli a2, a6, 16
    divu a3, a4, a2
    slli a0, a6, 16
    srli a0, a0, 16
    remu a4, a4, a2
    mul a3, a3, a0
    slli a1, a4, 16
    srli a4, a5, 16
    or a4, a4, a1
    bgeu a4, a3, .L53
    add a4, a6, a4
    bltu a4, a6, .L53
    bgeu a4, a3, .L53
    add a4, a4, a6
.L53:
    sub a4, a4, a3
    divu a3, a4, a2
    remu a4, a4, a2
    mul a3, a3, a0
.L54:
    slli a5, a5, 16
    slli a4, a4, 16
    srli a5, a5, 16
    or a5, a5, a4
    bgeu a5, a3, .L55
    add a5, a6, a5
    bltu a5, a6, .L55
    bgeu a5, a3, .L55
    add a5, a5, a6
.L55:
    sub a5, a5, a3
    srl a0, a5, a7
    addi a1, zero, 0
    jalr zero, 0(ra)
.L56:
    lui t1, 0x1000
    addi a3, zero, 16
    bltu a2, t1, .L51
    addi a3, zero, 24
    jal zero, .L51
.L57:
    addi a3, zero, 0
    beq a2, zero, .L58
    lui a4, 0x10
    bgeu a2, a4, .L61
    sltiu a3, a2, 256
    xori a3, a3, 1
    slli a3, a3, 3
.L58:
    srl a4, a2, a3
    add a7, a7, a4
    lbu a4, 0(a7)
    add a4, a4, a3
    addi a3, zero, 32
    sub a7, a3, a4
    bne a3, a4, .L62
    sub a4, a1, a2
.L59:
    srli a1, a6, 16
    divu a2, a4, a1
    slli a0, a6, 16
    srli a0, a0, 16
    srli a3, a5, 16
    remu a4, a4, a1
    mul a2, a2, a0
    slli a4, a4, 16
    or a4, a3, a4
    bgeu a4, a2, .L60
    add a4, a6, a4
    bltu a4, a6, .L60
    bgeu a4, a2, .L60
    add a4, a4, a6
.L60:
    sub a4, a4, a2
    divu a3, a4, a1
    remu a4, a4, a1
    mul a3, a3, a0
    jal zero, .L54
.L61:
    lui a4, 0x1000
    addi a3, zero, 16
    bltu a2, a4, .L58
    addi a3, zero, 24
    jal zero, .L58
.L62:
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
    bgeu a3, a1, .L63
    add a3, a6, a3
    bltu a3, a6, .L63
    bgeu a3, a1, .L63
    add a3, a3, a6
.L63:
    sub a3, a3, a1
    divu a2, a3, a0
    slli a4, a4, 16
    srli a4, a4, 16
    remu a3, a3, a0
    mul a2, a2, t1
    slli a3, a3, 16
    or a4, a4, a3
    bgeu a4, a2, .L64
    add a4, a6, a4
    bltu a4, a6, .L64
    bgeu a4, a2, .L64
    add a4, a4, a6
.L64:
    sub a4, a4, a2
    jal zero, .L59
.L65:
    bltu a1, a3, .L76
    lui a6, 0x10
    bgeu a3, a6, .L69
    sltiu a6, a3, 256
    xori a6, a6, 1
    slli a6, a6, 3
.L66:
    srl t1, a3, a6
    auipc a7, 0x0
    addi a7, a7, 612
    add a7, a7, t1
    lbu a7, 0(a7)
    addi t1, zero, 32
    add a7, a7, a6
    sub a6, t1, a7
    bne t1, a7, .L70
    bltu a3, a1, .L67
    bltu a0, a2, .L68
.L67:
    sub a2, a0, a2
    sub a3, a1, a3
    sltu a4, a0, a2
    addi a5, a2, 0
    sub a4, a3, a4
.L68:
    addi a0, a5, 0
    addi a1, a4, 0
    jalr zero, 0(ra)
.L69:
    lui a7, 0x1000
    addi a6, zero, 16
    bltu a3, a7, .L66
    addi a6, zero, 24
    jal zero, .L66
.L70:
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
    bgeu a5, t4, .L71
    add a5, a3, a5
    addi a4, t5, -1
    bltu a5, a3, .L71
    bgeu a5, t4, .L71
    addi a4, t5, -2
    add a5, a5, a3
.L71:
    sub a5, a5, t4
    divu t4, a5, t3
    slli a1, a1, 16
    srli a1, a1, 16
    remu a5, a5, t3
    addi t3, t4, 0
    mul t1, t1, t4
    slli a5, a5, 16
    or a1, a1, a5
    bgeu a1, t1, .L72
    add a1, a3, a1
    addi t3, t4, -1
    bltu a1, a3, .L72
    bgeu a1, t1, .L72
    addi t3, t4, -2
    add a1, a1, a3
.L72:
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
    bgeu a4, t1, .L73
    add a5, a5, t5
.L73:
    srli t1, a4, 16
    add a5, t1, a5
    lui t1, 0x10
    addi t1, t1, -1
    and a4, a4, t1
    slli a4, a4, 16
    and t4, t4, t1
    add a4, a4, t4
    bltu a1, a5, .L74
    bne a1, a5, .L75
    bgeu a0, a4, .L75
.L74:
    sub a2, a4, a2
    sltu t1, a4, a2
    add a3, t1, a3
    addi a4, a2, 0
    sub a5, a5, a3
.L75:
    sub a4, a0, a4
    sltu a0, a0, a4
    sub a1, a1, a5
    sub a1, a1, a0
    sll a7, a1, a7
    srl a4, a4, a6
    or a0, a7, a4
    srl a1, a1, a6
.L76:
    jalr zero, 0(ra)
    .data
    .org 0xd34
    .word 0x0000000a, 0x00000020, 0x00000046, 0x00000041, 0x00000049, 0x0000004c, 0x00000045, 0x00000044
    .word 0x0000003a, 0x00000020, 0x00000025, 0x00000075, 0x00000020, 0x00000069, 0x0000006e, 0x00000073
    .word 0x00000074, 0x00000065, 0x00000061, 0x00000064, 0x00000020, 0x0000006f, 0x00000066, 0x00000020
    .word 0x00000025, 0x00000075, 0x0000000a, 0x0000000a, 0x00000000, 0x0000000a, 0x00000020, 0x0000002a
    .word 0x0000002a, 0x00000050, 0x00000041, 0x00000053, 0x00000053, 0x00000045, 0x00000044, 0x0000002a
    .word 0x0000002a, 0x00000020, 0x0000000a, 0x0000000a
    .zero 4
    .org 0xde8
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
    .org 0xee8
    .globl rsaxcel_operands
    .size rsaxcel_operands, 2052
rsaxcel_operands:
    .data
    .org 0xee8
    .zero 2052
    .bss
    .org 0x16ec
