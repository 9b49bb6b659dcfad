/* Written by tools/programs.py from crt0.S, main.c, montgomery.c, words.c; source 01564c8a9049bc874f32 */
    .ident "GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
    .text
    .org 0x200
    .globl _start
_start:
    auipc gp, 0x2
    addi gp, gp, -280
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
    addi s3, s2, 228
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
    addi a0, s2, 228
    jal ra, prepare
    beq s1, s0, .L5
.L2:
    csrwi stats_en, 1
    addi a0, s2, 228
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
    addi a0, s2, 228
    jal ra, check_operands
    bne a0, zero, .L3
    addi a2, s3, 0
    addi a1, s4, 0
    addi a0, s0, 0
    jal ra, modexp_word
    lui s0, 0x1
    sw a0, 8(sp)
    sw a1, 12(sp)
    sw a1, -284(s0)
    csrwi stats_en, 0
.L6:
    bne a0, zero, .L4
    addi a5, s0, -284
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
    addi a1, s2, 228
    addi a0, s0, -284
    jal ra, modexp_words
    csrwi stats_en, 0
    jal zero, .L6
    .type montgomery_multiply, @function
    .size montgomery_multiply, 452
montgomery_multiply:
    addi sp, sp, -80
    sw s1, 68(sp)
    lui s1, 0x2
    sw s5, 52(sp)
    sw s8, 40(sp)
    addi s5, a0, 0
    sw s9, 36(sp)
    addi s8, a5, 0
    addi s9, a1, 0
    addi a0, s1, -1816
    addi a1, a5, 2
    sw s2, 64(sp)
    sw s3, 60(sp)
    sw ra, 76(sp)
    sw s0, 72(sp)
    sw s4, 56(sp)
    sw s6, 48(sp)
    sw s7, 44(sp)
    sw s10, 32(sp)
    sw s11, 28(sp)
    sw s5, 12(sp)
    sw a2, 8(sp)
    addi s5, a3, 0
    addi s3, a4, 0
    addi s2, s1, -1816
    jal ra, clear
    beq s8, zero, .L15
    addi s11, s8, 1
    addi s0, s8, -1
    slli s7, s8, 2
    slli s11, s11, 2
    slli s0, s0, 2
    add s6, s5, s7
    addi s10, zero, 0
    add s7, s2, s7
    add s11, s2, s11
    addi s4, zero, 1
    add s0, s2, s0
.L9:
    lw a2, 0(s9)
    lw a1, 8(sp)
    addi a3, s8, 0
    addi a0, s1, -1816
    jal ra, add_multiple
    lw a4, 0(s7)
    add a0, a4, a0
    sltu a4, a0, a4
    sw a4, 0(s11)
    sw a0, 0(s7)
    lw a4, 0(s2)
    lw a3, 0(s5)
    mul a2, a4, s3
    mul a1, a2, a3
    mulhu a3, a2, a3
    add a4, a1, a4
    sltu a4, a4, a1
    add a4, a4, a3
    beq s8, s4, .L11
    addi a0, s5, 4
    addi a1, s2, 4
.L10:
    lw a3, 0(a0)
    lw a6, 0(a1)
    addi a1, a1, 4
    mul a7, a2, a3
    addi a0, a0, 4
    mulhu a3, a2, a3
    add a6, a7, a6
    add a4, a6, a4
    sltu a7, a6, a7
    sw a4, -8(a1)
    sltu a6, a4, a6
    add a7, a7, a3
    add a4, a6, a7
    bne s6, a0, .L10
    lw a0, 0(s7)
.L11:
    add a0, a4, a0
    sw a0, 0(s0)
    lw a3, 0(s11)
    sltu a0, a0, a4
    addi s10, s10, 1
    add a0, a0, a3
    sw a0, 0(s7)
    addi s9, s9, 4
    bne s8, s10, .L9
.L12:
    bne a0, zero, .L13
    addi a2, s8, 0
    addi a1, s5, 0
    addi a0, s1, -1816
    jal ra, compare
    blt a0, zero, .L14
.L13:
    addi a2, s8, 0
    addi a1, s5, 0
    addi a0, s1, -1816
    jal ra, subtract
.L14:
    lw s0, 72(sp)
    lw a0, 12(sp)
    lw ra, 76(sp)
    lw s2, 64(sp)
    lw s3, 60(sp)
    lw s4, 56(sp)
    lw s5, 52(sp)
    lw s6, 48(sp)
    lw s7, 44(sp)
    lw s9, 36(sp)
    lw s10, 32(sp)
    lw s11, 28(sp)
    addi a2, s8, 0
    addi a1, s1, -1816
    lw s8, 40(sp)
    lw s1, 68(sp)
    addi sp, sp, 80
    jal zero, copy
.L15:
    lw a0, 0(s2)
    jal zero, .L12
    .globl check_operands
    .type check_operands, @function
    .size check_operands, 8
check_operands:
    addi a1, zero, 1
    jal zero, check_rules
    .globl modexp_word
    .type modexp_word, @function
    .size modexp_word, 360
modexp_word:
    slli a6, a2, 1
    add a6, a6, a2
    xori a6, a6, 2
    mul t3, a2, a6
    addi a4, zero, 2
    addi sp, sp, -16
    addi a7, a2, 0
    addi a3, zero, 5
    addi t1, zero, 0
    addi a5, zero, 16
    sub t3, a4, t3
    mul a6, a6, t3
    addi t3, zero, 32
    mul t4, a2, a6
    sub t4, a4, t4
    mul a6, a6, t4
    mul t4, a2, a6
    sub a4, a4, t4
    mul a6, a6, a4
.L16:
    sub a4, t3, a5
    srl a4, a7, a4
    addi a3, a3, -1
    bne a4, zero, .L17
    sll a7, a7, a5
    add t1, t1, a5
.L17:
    srli a5, a5, 1
    bne a3, zero, .L16
    sub a7, zero, a2
    remu a7, a7, a2
    sll t3, a2, t1
    srli a3, t3, 16
    slli t4, t3, 16
    srli t4, t4, 16
    sll a5, a7, t1
    divu a4, a5, a3
    mul t5, a3, a4
    mul a4, a4, t4
    sub a5, a5, t5
    slli a5, a5, 16
    bgeu a5, a4, .L18
    add a5, t3, a5
    bgeu a5, t3, .L26
.L18:
    sub a5, a5, a4
    divu a4, a5, a3
    mul a3, a4, a3
    mul a4, a4, t4
    sub a5, a5, a3
    slli a5, a5, 16
    bgeu a5, a4, .L19
    add a5, t3, a5
    bltu a5, t3, .L19
    bgeu a5, a4, .L19
    add a5, a5, t3
.L19:
    sub a5, a5, a4
    srl a5, a5, t1
    mul a4, a5, a0
    mul a4, a6, a4
    mulhu a0, a5, a0
    mulhu a4, a4, a2
    sub a5, a0, a4
    bltu a0, a4, .L23
.L20:
    beq a1, zero, .L24
.L21:
    andi a3, a1, 1
    mul a4, a5, a5
    beq a3, zero, .L22
    mul a3, a7, a5
    mul a3, a6, a3
    mulhu a0, a7, a5
    mulhu a3, a3, a2
    sub a7, a0, a3
    bgeu a0, a3, .L22
    add a7, a7, a2
.L22:
    mul a4, a6, a4
    srli a1, a1, 1
    mulhu a3, a5, a5
    mulhu a4, a4, a2
    sub a5, a3, a4
    bgeu a3, a4, .L20
.L23:
    add a5, a5, a2
    bne a1, zero, .L21
.L24:
    mul a1, a7, a6
    mulhu a1, a1, a2
    beq a1, zero, .L25
    sub a1, a2, a1
.L25:
    addi a0, zero, 0
    addi sp, sp, 16
    jalr zero, 0(ra)
.L26:
    bgeu a5, a4, .L18
    add a5, a5, t3
    jal zero, .L18
    .globl modexp_words
    .type modexp_words, @function
    .size modexp_words, 540
modexp_words:
    addi sp, sp, -48
    sw s6, 16(sp)
    lw s6, 0(a1)
    sw s3, 28(sp)
    addi s3, a1, 1540
    sw s4, 24(sp)
    sw s5, 20(sp)
    addi s4, a0, 0
    addi s5, a1, 0
    addi a0, s3, 0
    addi a1, s6, 0
    sw ra, 44(sp)
    sw s0, 40(sp)
    sw s1, 36(sp)
    sw s2, 32(sp)
    sw s7, 12(sp)
    sw s8, 8(sp)
    sw s9, 4(sp)
    sw s10, 0(sp)
    jal ra, used_words
    lw s1, 1540(s5)
    addi a4, zero, 2
    lui s7, 0x2
    slli a5, s1, 1
    add a5, a5, s1
    xori a5, a5, 2
    mul a6, s1, a5
    addi s7, s7, -1816
    addi s10, s7, 520
    addi s2, a0, 0
    addi a2, a0, 0
    addi a1, s3, 0
    addi a0, s10, 0
    addi s8, s7, 1040
    slli s0, s2, 1
    addi s9, zero, 1
    sub a6, a4, a6
    mul a5, a5, a6
    mul a6, s1, a5
    sub a6, a4, a6
    mul a5, a5, a6
    mul s1, s1, a5
    sub s1, s1, a4
    mul s1, s1, a5
    jal ra, prepare_divisor
    addi a1, s0, 0
    addi a0, s8, 0
    jal ra, clear
    slli a5, s2, 3
    addi a2, s0, 1
    lui s0, 0x3
    add s7, s7, a5
    addi a3, s10, 0
    addi s0, s0, -1816
    addi a1, s8, 0
    addi a0, s8, 0
    sw s9, 1040(s7)
    jal ra, reduce
    addi s7, s0, -2028
    addi a1, s2, 0
    addi a0, s7, 0
    jal ra, clear
    addi a1, s6, 0
    addi a0, s4, 0
    sw s9, -2028(s0)
    jal ra, clear
    addi a5, s2, 0
    addi a4, s1, 0
    addi a3, s3, 0
    addi a2, s8, 0
    addi a1, s7, 0
    addi a0, s4, 0
    jal ra, montgomery_multiply
    addi s0, s0, -1516
    addi a0, s0, 0
    addi a1, s5, 516
    addi a5, s2, 0
    addi a4, s1, 0
    addi a3, s3, 0
    addi a2, s8, 0
    jal ra, montgomery_multiply
    addi a1, s6, 0
    addi a0, s5, 1028
    jal ra, bit_length
    beq a0, zero, .L29
    addi s6, a0, 0
    addi s8, zero, 0
.L27:
    srli a3, s8, 5
    addi a3, a3, 256
    slli a3, a3, 2
    add a3, s5, a3
    lw a5, 4(a3)
    srl a5, a5, s8
    andi a5, a5, 1
    addi s8, s8, 1
    bne a5, zero, .L31
.L28:
    addi a5, s2, 0
    addi a4, s1, 0
    addi a3, s3, 0
    addi a2, s0, 0
    addi a1, s0, 0
    addi a0, s0, 0
    bne s8, s6, .L30
.L29:
    addi a0, s4, 0
    addi a5, s2, 0
    addi a4, s1, 0
    addi a3, s3, 0
    addi a2, s7, 0
    addi a1, s4, 0
    jal ra, montgomery_multiply
    lw ra, 44(sp)
    lw s0, 40(sp)
    lw s1, 36(sp)
    lw s2, 32(sp)
    lw s3, 28(sp)
    lw s4, 24(sp)
    lw s5, 20(sp)
    lw s6, 16(sp)
    lw s7, 12(sp)
    lw s8, 8(sp)
    lw s9, 4(sp)
    lw s10, 0(sp)
    addi a0, zero, 0
    addi sp, sp, 48
    jalr zero, 0(ra)
.L30:
    jal ra, montgomery_multiply
    jal zero, .L27
.L31:
    addi a5, s2, 0
    addi a4, s1, 0
    addi a3, s3, 0
    addi a2, s0, 0
    addi a1, s4, 0
    addi a0, s4, 0
    jal ra, montgomery_multiply
    jal zero, .L28
    .globl copy
    .type copy, @function
    .size copy, 36
copy:
    beq a2, zero, .L33
    slli a2, a2, 2
    add a4, a1, a2
.L32:
    lw a5, 0(a1)
    addi a1, a1, 4
    addi a0, a0, 4
    sw a5, -4(a0)
    bne a1, a4, .L32
.L33:
    jalr zero, 0(ra)
    .globl clear
    .type clear, @function
    .size clear, 28
clear:
    beq a1, zero, .L35
    slli a1, a1, 2
    add a5, a0, a1
.L34:
    sw zero, 0(a0)
    addi a0, a0, 4
    bne a0, a5, .L34
.L35:
    jalr zero, 0(ra)
    .globl used_words
    .type used_words, @function
    .size used_words, 52
used_words:
    beq a1, zero, .L38
    slli a5, a1, 2
    add a5, a0, a5
    addi a0, a1, 0
    jal zero, .L37
.L36:
    addi a0, a0, -1
    beq a0, zero, .L39
.L37:
    lw a4, -4(a5)
    addi a5, a5, -4
    beq a4, zero, .L36
    jalr zero, 0(ra)
.L38:
    addi a0, zero, 0
.L39:
    jalr zero, 0(ra)
    .globl bit_length
    .type bit_length, @function
    .size bit_length, 116
bit_length:
    beq a1, zero, .L44
    slli a5, a1, 2
    add a5, a0, a5
    jal zero, .L41
.L40:
    addi a1, a1, -1
    beq a1, zero, .L44
.L41:
    lw a4, -4(a5)
    addi a5, a5, -4
    beq a4, zero, .L40
    slli a5, a1, 2
    add a0, a0, a5
    lw a2, -4(a0)
    slli a1, a1, 5
    addi a3, zero, 5
    addi a0, zero, 0
    addi a5, zero, 16
    addi a6, zero, 32
.L42:
    sub a4, a6, a5
    srl a4, a2, a4
    addi a3, a3, -1
    bne a4, zero, .L43
    sll a2, a2, a5
    add a0, a0, a5
.L43:
    srli a5, a5, 1
    bne a3, zero, .L42
    sub a0, a1, a0
    jalr zero, 0(ra)
.L44:
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
.L45:
    beq a2, a3, .L46
    lw a4, -4(a0)
    lw a5, -4(a1)
    addi a2, a2, -1
    addi a0, a0, -4
    addi a1, a1, -4
    beq a4, a5, .L45
    addi a0, zero, 1
    bgeu a4, a5, .L47
    addi a0, zero, -1
    jalr zero, 0(ra)
.L46:
    addi a0, zero, 0
.L47:
    jalr zero, 0(ra)
    .globl subtract
    .type subtract, @function
    .size subtract, 84
subtract:
    beq a2, zero, .L49
    slli a2, a2, 2
    addi a3, a0, 0
    add a2, a0, a2
    addi a0, zero, 0
.L48:
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
    bne a2, a3, .L48
    jalr zero, 0(ra)
.L49:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .globl add_multiple
    .type add_multiple, @function
    .size add_multiple, 88
add_multiple:
    beq a3, zero, .L51
    slli a3, a3, 2
    addi a6, a0, 0
    add a7, a0, a3
    addi a0, zero, 0
.L50:
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
    bne a7, a6, .L50
    jalr zero, 0(ra)
.L51:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .globl multiply
    .type multiply, @function
    .size multiply, 136
multiply:
    slli t6, a3, 2
    add a4, t6, a0
    addi a5, a0, 0
    beq a3, zero, .L55
.L52:
    sw zero, 0(a5)
    addi a5, a5, 4
    bne a4, a5, .L52
    add t4, a2, t6
    addi t5, zero, 0
.L53:
    add a5, a1, t5
    lw t3, 0(a5)
    add t1, a0, t5
    addi a7, a2, 0
    addi a3, zero, 0
.L54:
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
    bne t4, a7, .L54
    add a5, t6, t5
    add a5, a0, a5
    sw a3, 0(a5)
    addi t5, t5, 4
    bne t6, t5, .L53
.L55:
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
.L56:
    sub a6, t3, a4
    srl a6, t1, a6
    addi a5, a5, -1
    bne a6, zero, .L57
    sll t1, t1, a4
    add a3, a3, a4
.L57:
    srli a4, a4, 1
    bne a5, zero, .L56
    sw a3, 4(a0)
    beq a2, zero, .L60
    addi a6, a7, 4
    addi a7, zero, 32
    addi a0, a0, 8
    add a6, a1, a6
    sub a7, a7, a3
.L58:
    lw a2, 0(a1)
    addi a1, a1, 4
    sll a4, a2, a3
    or a5, a4, a5
    sw a5, 0(a0)
    addi a5, zero, 0
    beq a3, zero, .L59
    srl a5, a2, a7
.L59:
    addi a0, a0, 4
    bne a6, a1, .L58
.L60:
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
    beq a2, zero, .L82
    slli t3, a2, 2
    addi t1, zero, 32
    addi a5, a1, 0
    addi t4, gp, 1044
    addi a3, gp, 1044
    add a0, a1, t3
    addi a2, zero, 0
    sub t1, t1, a6
.L61:
    lw a1, 0(a5)
    addi a5, a5, 4
    sll a4, a1, a6
    or a4, a4, a2
    sw a4, 0(a3)
    addi a2, zero, 0
    beq a6, zero, .L62
    srl a2, a1, t1
.L62:
    addi a3, a3, 4
    bne a5, a0, .L61
.L63:
    addi a5, a7, 1
    add a6, t4, t3
    sub a5, a5, t6
    sw a2, 0(a6)
    addi a7, a5, -1
    beq a5, zero, .L76
    lui s4, 0x10
    slli s2, t6, 2
    slli a7, a7, 2
    addi s4, s4, -1
    addi s6, s2, -4
    srli t2, t0, 16
    add a7, t4, a7
    and s3, t0, s4
    addi t3, s1, 8
.L64:
    add a5, a7, s2
    lw t1, 0(a5)
    addi a1, zero, -1
    bgeu t1, t0, .L68
    add a5, s6, a7
    lw a2, 0(a5)
    divu a4, t1, t2
    srli a1, a2, 16
    mul a5, t2, a4
    mul a3, a4, s3
    sub a5, t1, a5
    slli a5, a5, 16
    or a5, a5, a1
    bgeu a5, a3, .L65
    add a5, t0, a5
    addi a1, a4, -1
    bltu a5, t0, .L75
    bgeu a5, a3, .L75
    addi a4, a4, -2
    add a5, a5, t0
.L65:
    sub a5, a5, a3
    divu a3, a5, t2
    and a2, a2, s4
    mul a0, a3, t2
    mul a1, a3, s3
    sub a5, a5, a0
    slli a5, a5, 16
    or a5, a5, a2
    bgeu a5, a1, .L67
    add a5, t0, a5
    addi a2, a3, -1
    bltu a5, t0, .L66
    addi a3, a3, -2
    bltu a5, a1, .L67
.L66:
    addi a3, a2, 0
.L67:
    slli a4, a4, 16
    or a1, a4, a3
.L68:
    beq t6, zero, .L81
    addi a2, s1, 8
    addi a4, a7, 0
    addi a0, zero, 0
.L69:
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
    bne a6, a4, .L69
.L70:
    beq t1, a0, .L73
    beq t6, zero, .L74
.L71:
    addi a1, t3, 0
    addi a3, a7, 0
    addi a4, zero, 0
.L72:
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
    bne a6, a3, .L72
    sub a0, a0, a4
    bne t1, a0, .L71
.L73:
    addi a5, a7, -4
    addi a6, a6, -4
    beq t4, a7, .L76
    addi a7, a5, 0
    jal zero, .L64
.L74:
    beq t1, a0, .L73
    bne t1, a0, .L74
    jal zero, .L73
.L75:
    addi a4, a1, 0
    jal zero, .L65
.L76:
    lw a2, 4(s1)
    beq t6, zero, .L80
    addi a0, zero, 32
    add t4, t4, s5
    add t5, t5, s5
    addi s0, gp, 1044
    addi a4, zero, 0
    sub a0, a0, a2
    jal zero, .L78
.L77:
    addi t4, a1, 0
.L78:
    lw a3, 0(t4)
    addi a1, t4, -4
    srl a5, a3, a2
    or a5, a5, a4
    sw a5, 0(t5)
    addi a4, zero, 0
    beq a2, zero, .L79
    sll a4, a3, a0
.L79:
    addi t5, t5, -4
    bne t4, s0, .L77
.L80:
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
.L81:
    addi a0, zero, 0
    jal zero, .L70
.L82:
    addi a2, zero, 0
    addi t4, gp, 1044
    addi t3, zero, 0
    jal zero, .L63
    .globl check_rules
    .type check_rules, @function
    .size check_rules, 200
check_rules:
    lw a3, 0(a0)
    addi a5, a0, 0
    beq a3, zero, .L91
    slli a6, a3, 2
    add a4, a0, a6
    addi a2, a3, 0
    jal zero, .L84
.L83:
    addi a2, a2, -1
    beq a2, zero, .L91
.L84:
    lw a0, 1536(a4)
    addi a4, a4, -4
    beq a0, zero, .L83
    addi a4, zero, 1
    beq a2, a4, .L91
    bne a1, zero, .L86
    addi a4, a3, -1
    add a0, a5, a6
    addi a2, zero, -1
.L85:
    beq a4, a2, .L89
    lw a5, 512(a0)
    lw a3, 1536(a0)
    addi a4, a4, -1
    addi a0, a0, -4
    beq a5, a3, .L85
    sltu a0, a5, a3
    addi a0, a0, -1
    andi a0, a0, 3
    jalr zero, 0(ra)
.L86:
    lw a4, 1540(a5)
.L87:
    andi a4, a4, 1
    addi a0, zero, 2
    beq a4, zero, .L90
    slli a6, a3, 2
.L88:
    addi a4, a3, -1
    add a0, a5, a6
    addi a2, zero, -1
    jal zero, .L85
.L89:
    addi a0, zero, 3
.L90:
    jalr zero, 0(ra)
.L91:
    lw a4, 1540(a5)
    beq a1, zero, .L92
    addi a2, zero, 2
    addi a0, zero, 1
    bltu a2, a4, .L87
    jalr zero, 0(ra)
.L92:
    addi a2, zero, 1
    addi a0, zero, 1
    bgeu a2, a4, .L90
    slli a6, a3, 2
    jal zero, .L88
    .data
    .org 0xee4
    .zero 512
    .org 0x10e4
    .globl rsaxcel_operands
    .size rsaxcel_operands, 2052
rsaxcel_operands:
    .zero 2052
    .bss
    .org 0x18e8
