/* Written by tools/programs.py from crt0.S, main.c, naive.c, words.c; source 1e043ff74a3da5b1f58b */
    .ident "GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
    .text
    .org 0x200
    .globl _start
_start:
    auipc gp, 0x2
    addi gp, gp, -928
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
    .size main, 264
main:
    addi sp, sp, -48
    sw s2, 32(sp)
    lui s2, 0x1
    sw s3, 28(sp)
    addi s3, s2, -420
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
    addi a0, s2, -420
    jal ra, prepare
    beq s1, s0, .L5
.L2:
    csrwi stats_en, 1
    addi a0, s2, -420
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
    addi a0, s2, -420
    jal ra, check_operands
    bne a0, zero, .L3
    addi a2, s3, 0
    addi a1, s4, 0
    addi a0, s0, 0
    jal ra, modexp_word
    lui s0, 0x1
    sw a0, 8(sp)
    sw a1, 12(sp)
    sw a1, -932(s0)
    csrwi stats_en, 0
.L6:
    bne a0, zero, .L4
    addi a5, s0, -932
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
    lui s0, 0x1
    addi a1, s2, -420
    addi a0, s0, -932
    jal ra, modexp_words
    csrwi stats_en, 0
    jal zero, .L6
    .globl check_operands
    .type check_operands, @function
    .size check_operands, 8
check_operands:
    addi a1, zero, 0
    jal zero, check_rules
    .globl modexp_word
    .type modexp_word, @function
    .size modexp_word, 356
modexp_word:
    addi sp, sp, -16
    addi t1, a2, 0
    addi a7, zero, 5
    addi a6, zero, 0
    addi a5, zero, 16
    addi t3, zero, 32
.L9:
    sub a3, t3, a5
    srl a3, t1, a3
    addi a7, a7, -1
    bne a3, zero, .L10
    sll t1, t1, a5
    add a6, a6, a5
.L10:
    srli a5, a5, 1
    bne a7, zero, .L9
    addi t4, zero, 1
    sll a2, a2, a6
    sll t4, t4, a6
    sll a4, a0, a6
    beq a1, zero, .L17
    lui a7, 0x10
    addi a7, a7, -1
    srli a3, a2, 16
    and a0, a2, a7
.L11:
    andi a5, a1, 1
    srl t3, a4, a6
    beq a5, zero, .L14
    mulhu a5, t4, t3
    divu t1, a5, a3
    mul t6, a3, t1
    mul t5, t4, t3
    sub a5, a5, t6
    slli a5, a5, 16
    mul t1, t1, a0
    srli t4, t5, 16
    or a5, a5, t4
    bgeu a5, t1, .L12
    add a5, a2, a5
    bltu a5, a2, .L12
    bgeu a5, t1, .L12
    add a5, a5, a2
.L12:
    sub a5, a5, t1
    divu t4, a5, a3
    and t5, t5, a7
    mul t1, t4, a3
    mul t4, t4, a0
    sub a5, a5, t1
    slli a5, a5, 16
    or a5, a5, t5
    bgeu a5, t4, .L13
    add a5, a2, a5
    bltu a5, a2, .L13
    bgeu a5, t4, .L13
    add a5, a5, a2
.L13:
    sub t4, a5, t4
.L14:
    srli a1, a1, 1
    beq a1, zero, .L17
    mulhu a5, a4, t3
    divu t1, a5, a3
    mul t5, a3, t1
    mul t3, a4, t3
    sub a5, a5, t5
    slli a5, a5, 16
    mul t1, t1, a0
    srli a4, t3, 16
    or a5, a5, a4
    bgeu a5, t1, .L15
    add a5, a2, a5
    bltu a5, a2, .L15
    bgeu a5, t1, .L15
    add a5, a5, a2
.L15:
    sub a5, a5, t1
    divu a4, a5, a3
    and t3, t3, a7
    mul t1, a3, a4
    mul a4, a4, a0
    sub a5, a5, t1
    slli a5, a5, 16
    or a5, a5, t3
    bgeu a5, a4, .L16
    add a5, a2, a5
    bltu a5, a2, .L16
    bgeu a5, a4, .L16
    add a5, a5, a2
.L16:
    sub a4, a5, a4
    jal zero, .L11
.L17:
    addi a0, zero, 0
    srl a1, t4, a6
    addi sp, sp, 16
    jalr zero, 0(ra)
    .globl modexp_words
    .type modexp_words, @function
    .size modexp_words, 348
modexp_words:
    addi sp, sp, -48
    sw s5, 20(sp)
    lw s5, 0(a1)
    sw s0, 40(sp)
    addi s0, a1, 1540
    sw s3, 28(sp)
    sw s6, 16(sp)
    addi s3, a1, 0
    addi s6, a0, 0
    addi a1, s5, 0
    addi a0, s0, 0
    sw ra, 44(sp)
    sw s1, 36(sp)
    sw s2, 32(sp)
    sw s4, 24(sp)
    sw s7, 12(sp)
    lui s4, 0x1
    jal ra, used_words
    addi a2, a0, 0
    addi a1, s0, 0
    addi s2, a0, 0
    addi s1, s4, 1632
    addi a0, s4, 1632
    jal ra, prepare_divisor
    addi s0, s1, 520
    addi a2, s2, 0
    addi a1, s3, 516
    addi a0, s0, 0
    jal ra, copy
    addi a1, s5, 0
    addi a0, s6, 0
    jal ra, clear
    addi a5, zero, 1
    sw a5, 0(s6)
    addi a1, s5, 0
    addi a0, s3, 1028
    jal ra, bit_length
    beq a0, zero, .L20
    addi s5, a0, 0
    addi s7, zero, 0
    addi s2, s1, 1032
.L18:
    srli a5, s7, 5
    addi a5, a5, 256
    slli a5, a5, 2
    add a5, s3, a5
    lw a5, 4(a5)
    srl a5, a5, s7
    andi a5, a5, 1
    addi s7, s7, 1
    bne a5, zero, .L22
.L19:
    addi a2, s0, 0
    addi a1, s0, 0
    addi a0, s2, 0
    bne s7, s5, .L21
.L20:
    lw ra, 44(sp)
    lw s0, 40(sp)
    lw s1, 36(sp)
    lw s2, 32(sp)
    lw s3, 28(sp)
    lw s4, 24(sp)
    lw s5, 20(sp)
    lw s6, 16(sp)
    lw s7, 12(sp)
    addi a0, zero, 0
    addi sp, sp, 48
    jalr zero, 0(ra)
.L21:
    lw a3, 0(s1)
    jal ra, multiply
    lw a2, 0(s1)
    addi a3, s4, 1632
    addi a1, s2, 0
    slli a2, a2, 1
    addi a0, s0, 0
    jal ra, reduce
    jal zero, .L18
.L22:
    lw a3, 0(s1)
    addi a2, s0, 0
    addi a1, s6, 0
    addi a0, s2, 0
    jal ra, multiply
    lw a2, 0(s1)
    addi a3, s4, 1632
    addi a1, s2, 0
    slli a2, a2, 1
    addi a0, s6, 0
    jal ra, reduce
    jal zero, .L19
    .globl copy
    .type copy, @function
    .size copy, 36
copy:
    beq a2, zero, .L24
    slli a2, a2, 2
    add a4, a1, a2
.L23:
    lw a5, 0(a1)
    addi a1, a1, 4
    addi a0, a0, 4
    sw a5, -4(a0)
    bne a1, a4, .L23
.L24:
    jalr zero, 0(ra)
    .globl clear
    .type clear, @function
    .size clear, 28
clear:
    beq a1, zero, .L26
    slli a1, a1, 2
    add a5, a0, a1
.L25:
    sw zero, 0(a0)
    addi a0, a0, 4
    bne a0, a5, .L25
.L26:
    jalr zero, 0(ra)
    .globl used_words
    .type used_words, @function
    .size used_words, 52
used_words:
    beq a1, zero, .L29
    slli a5, a1, 2
    add a5, a0, a5
    addi a0, a1, 0
    jal zero, .L28
.L27:
    addi a0, a0, -1
    beq a0, zero, .L30
.L28:
    lw a4, -4(a5)
    addi a5, a5, -4
    beq a4, zero, .L27
    jalr zero, 0(ra)
.L29:
    addi a0, zero, 0
.L30:
    jalr zero, 0(ra)
    .globl bit_length
    .type bit_length, @function
    .size bit_length, 116
bit_length:
    beq a1, zero, .L35
    slli a5, a1, 2
    add a5, a0, a5
    jal zero, .L32
.L31:
    addi a1, a1, -1
    beq a1, zero, .L35
.L32:
    lw a4, -4(a5)
    addi a5, a5, -4
    beq a4, zero, .L31
    slli a5, a1, 2
    add a0, a0, a5
    lw a2, -4(a0)
    slli a1, a1, 5
    addi a3, zero, 5
    addi a0, zero, 0
    addi a5, zero, 16
    addi a6, zero, 32
.L33:
    sub a4, a6, a5
    srl a4, a2, a4
    addi a3, a3, -1
    bne a4, zero, .L34
    sll a2, a2, a5
    add a0, a0, a5
.L34:
    srli a5, a5, 1
    bne a3, zero, .L33
    sub a0, a1, a0
    jalr zero, 0(ra)
.L35:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .globl compare
    .type compare, @function
    .size compare, 72
compare:
    slli a5, a2, 2
    add a0, a0, a5
    addi a2, a2, -1
    add a1, a1, a5
    addi a3, zero, -1
.L36:
    beq a2, a3, .L37
    lw a4, -4(a0)
    lw a5, -4(a1)
    addi a2, a2, -1
    addi a0, a0, -4
    addi a1, a1, -4
    beq a4, a5, .L36
    addi a0, zero, 1
    bgeu a4, a5, .L38
    addi a0, zero, -1
    jalr zero, 0(ra)
.L37:
    addi a0, zero, 0
.L38:
    jalr zero, 0(ra)
    .globl subtract
    .type subtract, @function
    .size subtract, 84
subtract:
    beq a2, zero, .L40
    slli a2, a2, 2
    addi a3, a0, 0
    add a2, a0, a2
    addi a0, zero, 0
.L39:
    lw a5, 0(a3)
    lw a4, 0(a1)
    addi a3, a3, 4
    addi a1, a1, 4
    sub a4, a5, a4
    sub a0, a4, a0
    sltu a5, a5, a4
    sub a5, zero, a5
    sltu a4, a4, a0
    sub a5, a5, a4
    sw a0, -4(a3)
    srli a0, a5, 31
    bne a2, a3, .L39
    jalr zero, 0(ra)
.L40:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .globl add_multiple
    .type add_multiple, @function
    .size add_multiple, 88
add_multiple:
    beq a3, zero, .L42
    slli a3, a3, 2
    addi a6, a0, 0
    add a7, a0, a3
    addi a0, zero, 0
.L41:
    lw a3, 0(a1)
    lw a5, 0(a6)
    addi a6, a6, 4
    mul a4, a2, a3
    addi a1, a1, 4
    mulhu a3, a2, a3
    add a5, a4, a5
    add a0, a5, a0
    sltu a4, a5, a4
    sw a0, -4(a6)
    sltu a5, a0, a5
    add a4, a4, a3
    add a0, a5, a4
    bne a7, a6, .L41
    jalr zero, 0(ra)
.L42:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .globl multiply
    .type multiply, @function
    .size multiply, 136
multiply:
    slli t6, a3, 2
    add a4, t6, a0
    addi a5, a0, 0
    beq a3, zero, .L46
.L43:
    sw zero, 0(a5)
    addi a5, a5, 4
    bne a4, a5, .L43
    add t4, a2, t6
    addi t5, zero, 0
.L44:
    add a5, a1, t5
    lw t3, 0(a5)
    add t1, a0, t5
    addi a7, a2, 0
    addi a3, zero, 0
.L45:
    lw a6, 0(a7)
    lw a5, 0(t1)
    addi t1, t1, 4
    mul a4, t3, a6
    addi a7, a7, 4
    mulhu a6, t3, a6
    add a5, a4, a5
    add a3, a5, a3
    sltu a4, a5, a4
    sw a3, -4(t1)
    sltu a5, a3, a5
    add a4, a4, a6
    add a3, a5, a4
    bne t4, a7, .L45
    add a5, t6, t5
    add a5, a0, a5
    sw a3, 0(a5)
    addi t5, t5, 4
    bne t6, t5, .L44
.L46:
    jalr zero, 0(ra)
    .globl prepare_divisor
    .type prepare_divisor, @function
    .size prepare_divisor, 140
prepare_divisor:
    slli a7, a2, 2
    addi a7, a7, -4
    add a5, a1, a7
    sw a2, 0(a0)
    lw t1, 0(a5)
    addi a3, zero, 0
    addi a5, zero, 5
    addi a4, zero, 16
    addi t3, zero, 32
.L47:
    sub a6, t3, a4
    srl a6, t1, a6
    addi a5, a5, -1
    bne a6, zero, .L48
    sll t1, t1, a4
    add a3, a3, a4
.L48:
    srli a4, a4, 1
    bne a5, zero, .L47
    sw a3, 4(a0)
    beq a2, zero, .L51
    addi a6, a7, 4
    addi a7, zero, 32
    addi a0, a0, 8
    add a6, a1, a6
    sub a7, a7, a3
.L49:
    lw a2, 0(a1)
    addi a1, a1, 4
    sll a4, a2, a3
    or a5, a4, a5
    sw a5, 0(a0)
    addi a5, zero, 0
    beq a3, zero, .L50
    srl a5, a2, a7
.L50:
    addi a0, a0, 4
    bne a6, a1, .L49
.L51:
    jalr zero, 0(ra)
    .globl reduce
    .type reduce, @function
    .size reduce, 692
reduce:
    lw t6, 0(a3)
    addi sp, sp, -48
    sw s5, 24(sp)
    addi s5, t6, -1
    slli s5, s5, 2
    sw s1, 40(sp)
    add a5, a3, s5
    sw s0, 44(sp)
    sw s2, 36(sp)
    sw s3, 32(sp)
    sw s4, 28(sp)
    sw s6, 20(sp)
    sw s7, 16(sp)
    sw s8, 12(sp)
    lw t0, 8(a5)
    lw a6, 4(a3)
    addi s1, a3, 0
    addi a7, a2, 0
    addi t5, a0, 0
    beq a2, zero, .L73
    slli t3, a2, 2
    addi t1, zero, 32
    addi a5, a1, 0
    addi t4, gp, 8
    addi a3, gp, 8
    add a0, a1, t3
    addi a2, zero, 0
    sub t1, t1, a6
.L52:
    lw a1, 0(a5)
    addi a5, a5, 4
    sll a4, a1, a6
    or a4, a4, a2
    sw a4, 0(a3)
    addi a2, zero, 0
    beq a6, zero, .L53
    srl a2, a1, t1
.L53:
    addi a3, a3, 4
    bne a5, a0, .L52
.L54:
    addi a5, a7, 1
    add a6, t4, t3
    sub a5, a5, t6
    sw a2, 0(a6)
    addi a7, a5, -1
    beq a5, zero, .L67
    lui s4, 0x10
    slli s2, t6, 2
    slli a7, a7, 2
    addi s4, s4, -1
    addi s6, s2, -4
    srli t2, t0, 16
    add a7, t4, a7
    and s3, t0, s4
    addi t3, s1, 8
.L55:
    add a5, a7, s2
    lw t1, 0(a5)
    addi a1, zero, -1
    bgeu t1, t0, .L59
    add a5, s6, a7
    lw a2, 0(a5)
    divu a4, t1, t2
    srli a1, a2, 16
    mul a5, t2, a4
    mul a3, a4, s3
    sub a5, t1, a5
    slli a5, a5, 16
    or a5, a5, a1
    bgeu a5, a3, .L56
    add a5, t0, a5
    addi a1, a4, -1
    bltu a5, t0, .L66
    bgeu a5, a3, .L66
    addi a4, a4, -2
    add a5, a5, t0
.L56:
    sub a5, a5, a3
    divu a3, a5, t2
    and a2, a2, s4
    mul a0, a3, t2
    mul a1, a3, s3
    sub a5, a5, a0
    slli a5, a5, 16
    or a5, a5, a2
    bgeu a5, a1, .L58
    add a5, t0, a5
    addi a2, a3, -1
    bltu a5, t0, .L57
    addi a3, a3, -2
    bltu a5, a1, .L58
.L57:
    addi a3, a2, 0
.L58:
    slli a4, a4, 16
    or a1, a4, a3
.L59:
    beq t6, zero, .L72
    addi a2, s1, 8
    addi a4, a7, 0
    addi a0, zero, 0
.L60:
    lw a3, 0(a2)
    lw s7, 0(a4)
    addi a4, a4, 4
    mul a5, a1, a3
    addi a2, a2, 4
    mulhu a3, a1, a3
    add a0, a5, a0
    sltu a5, a0, a5
    sub s8, s7, a0
    sw s8, -4(a4)
    sltu a0, s7, a0
    add a5, a5, a3
    add a0, a0, a5
    bne a6, a4, .L60
.L61:
    beq t1, a0, .L64
    beq t6, zero, .L65
.L62:
    addi a1, t3, 0
    addi a3, a7, 0
    addi a4, zero, 0
.L63:
    lw a2, 0(a3)
    lw a5, 0(a1)
    addi a3, a3, 4
    addi a1, a1, 4
    add a5, a2, a5
    add a4, a5, a4
    sltu a2, a5, a2
    sw a4, -4(a3)
    sltu a5, a4, a5
    add a4, a5, a2
    bne a6, a3, .L63
    sub a0, a0, a4
    bne t1, a0, .L62
.L64:
    addi a5, a7, -4
    addi a6, a6, -4
    beq t4, a7, .L67
    addi a7, a5, 0
    jal zero, .L55
.L65:
    beq t1, a0, .L64
    bne t1, a0, .L65
    jal zero, .L64
.L66:
    addi a4, a1, 0
    jal zero, .L56
.L67:
    lw a2, 4(s1)
    beq t6, zero, .L71
    addi a0, zero, 32
    add t4, t4, s5
    add t5, t5, s5
    addi s0, gp, 8
    addi a4, zero, 0
    sub a0, a0, a2
    jal zero, .L69
.L68:
    addi t4, a1, 0
.L69:
    lw a3, 0(t4)
    addi a1, t4, -4
    srl a5, a3, a2
    or a5, a5, a4
    sw a5, 0(t5)
    addi a4, zero, 0
    beq a2, zero, .L70
    sll a4, a3, a0
.L70:
    addi t5, t5, -4
    bne t4, s0, .L68
.L71:
    lw s0, 44(sp)
    lw s1, 40(sp)
    lw s2, 36(sp)
    lw s3, 32(sp)
    lw s4, 28(sp)
    lw s5, 24(sp)
    lw s6, 20(sp)
    lw s7, 16(sp)
    lw s8, 12(sp)
    addi sp, sp, 48
    jalr zero, 0(ra)
.L72:
    addi a0, zero, 0
    jal zero, .L61
.L73:
    addi a2, zero, 0
    addi t4, gp, 8
    addi t3, zero, 0
    jal zero, .L54
    .globl check_rules
    .type check_rules, @function
    .size check_rules, 200
check_rules:
    lw a3, 0(a0)
    addi a5, a0, 0
    beq a3, zero, .L82
    slli a6, a3, 2
    add a4, a0, a6
    addi a2, a3, 0
    jal zero, .L75
.L74:
    addi a2, a2, -1
    beq a2, zero, .L82
.L75:
    lw a0, 1536(a4)
    addi a4, a4, -4
    beq a0, zero, .L74
    addi a4, zero, 1
    beq a2, a4, .L82
    bne a1, zero, .L77
    addi a4, a3, -1
    add a0, a5, a6
    addi a2, zero, -1
.L76:
    beq a4, a2, .L80
    lw a5, 512(a0)
    lw a3, 1536(a0)
    addi a4, a4, -1
    addi a0, a0, -4
    beq a5, a3, .L76
    sltu a0, a5, a3
    addi a0, a0, -1
    andi a0, a0, 3
    jalr zero, 0(ra)
.L77:
    lw a4, 1540(a5)
.L78:
    andi a4, a4, 1
    addi a0, zero, 2
    beq a4, zero, .L81
    slli a6, a3, 2
.L79:
    addi a4, a3, -1
    add a0, a5, a6
    addi a2, zero, -1
    jal zero, .L76
.L80:
    addi a0, zero, 3
.L81:
    jalr zero, 0(ra)
.L82:
    lw a4, 1540(a5)
    beq a1, zero, .L83
    addi a2, zero, 2
    addi a0, zero, 1
    bltu a2, a4, .L78
    jalr zero, 0(ra)
.L83:
    addi a2, zero, 1
    addi a0, zero, 1
    bgeu a2, a4, .L81
    slli a6, a3, 2
    jal zero, .L79
    .data
    .org 0xc5c
    .zero 512
    .org 0xe5c
    .globl rsaxcel_operands
    .size rsaxcel_operands, 2052
rsaxcel_operands:
    .zero 2052
    .bss
    .org 0x1660
