/* Written by tools/programs.py from crt0.S, selfcheck.c; source 358e0c58c32134c74690 */
    .ident "GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
    .text
    .org 0x200
    .globl _start
_start:
    auipc gp, 0x1
    addi gp, gp, 1376
    auipc sp, 0x100
    addi sp, sp, -520
    jal ra, main
    ecall
    .type twice, @function
    .size twice, 8
twice:
    slli a0, a0, 1
    jalr zero, 0(ra)
    .type square, @function
    .size square, 8
square:
    mul a0, a0, a0
    jalr zero, 0(ra)
    .type check_words, @function
    .size check_words, 8
check_words:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .type check_long_words, @function
    .size check_long_words, 136
check_long_words:
    lui a5, 0x1
    lw a0, -504(a5)
    lw a1, -500(a5)
    lui a2, 0xfedcc
    addi sp, sp, -16
    addi a2, a2, -1384
    addi a3, zero, 0
    sw ra, 12(sp)
    jal ra, __udivdi3
    lui a5, 0x12492
    addi a5, a5, 1170
    bne a0, a5, .L0
    bne a1, zero, .L0
    addi a5, zero, 5
    addi a4, a5, -6
    addi a3, zero, -1
    addi a2, zero, -1
    bne a4, a3, .L1
    bne a2, a4, .L1
    lw ra, 12(sp)
    addi a0, a5, -5
    sltu a0, zero, a0
    sub a0, zero, a0
    andi a0, a0, 24
    addi sp, sp, 16
    jalr zero, 0(ra)
.L0:
    lw ra, 12(sp)
    addi a0, zero, 21
    addi sp, sp, 16
    jalr zero, 0(ra)
.L1:
    lw ra, 12(sp)
    addi a0, zero, 23
    addi sp, sp, 16
    jalr zero, 0(ra)
    .type check_csrs, @function
    .size check_csrs, 56
check_csrs:
    csrr a4, instret
    csrr a3, cycle
    csrr a5, instret
    addi a5, a5, -2
    addi a0, zero, 40
    bne a5, a4, .L3
    csrr a5, cycle
    addi a4, zero, 1
    sub a5, a5, a3
    bgeu a4, a5, .L2
    addi a0, zero, 0
    jalr zero, 0(ra)
.L2:
    addi a0, zero, 41
.L3:
    jalr zero, 0(ra)
    .type check_memory, @function
    .size check_memory, 304
check_memory:
    addi a0, zero, 8
.L4:
    addi a0, a0, -1
    bne a0, zero, .L4
    lui a5, 0x1
    addi a5, a5, -420
    addi a2, a5, 4
    addi a3, zero, 0
.L5:
    lbu a4, 0(a5)
    addi a5, a5, 1
    slli a4, a4, 24
    srai a4, a4, 24
    add a3, a3, a4
    bne a2, a5, .L5
    addi a5, zero, -2
    bne a3, a5, .L9
    lui a5, 0x1
    addi a5, a5, -496
    addi a2, a5, 10
    addi a4, zero, 0
.L6:
    lhu a3, 0(a5)
    addi a5, a5, 2
    add a4, a4, a3
    bne a5, a2, .L6
    lui a5, 0x20
    addi a5, a5, -1
    bne a4, a5, .L7
    addi sp, sp, -32
    addi a5, zero, 18
    sb a5, 20(sp)
    addi a5, zero, -2
    sh a5, 22(sp)
    lw a5, 20(sp)
    addi a3, zero, -3
    sb a3, 28(sp)
    sw a5, 8(sp)
    lui a4, 0x34568
    lw a5, 28(sp)
    addi a4, a4, -1894
    sw a4, 12(sp)
    sw a5, 16(sp)
    lbu a5, 8(sp)
    sw a4, 24(sp)
    addi a2, zero, 2
    addi a5, a5, -16
    andi a5, a5, 255
    sb a5, 8(sp)
    lhu a5, 10(sp)
    slli a5, a5, 16
    srai a5, a5, 16
    slli a1, a5, 1
    add a5, a5, a1
    slli a5, a5, 16
    srai a5, a5, 16
    sh a5, 10(sp)
    lbu a5, 8(sp)
    bne a5, a2, .L8
    lhu a5, 10(sp)
    addi a2, zero, -6
    slli a5, a5, 16
    srai a5, a5, 16
    bne a5, a2, .L8
    lw a5, 12(sp)
    bne a5, a4, .L8
    lbu a5, 16(sp)
    slli a5, a5, 24
    srai a5, a5, 24
    bne a5, a3, .L8
    addi sp, sp, 32
    jalr zero, 0(ra)
.L7:
    addi a0, zero, 5
    jalr zero, 0(ra)
.L8:
    addi a0, zero, 6
    addi sp, sp, 32
    jalr zero, 0(ra)
.L9:
    addi a0, zero, 4
    jalr zero, 0(ra)
    .type fibonacci, @function
    .size fibonacci, 1024
fibonacci:
    addi sp, sp, -128
    sw s3, 108(sp)
    sw ra, 124(sp)
    sw s0, 120(sp)
    sw s1, 116(sp)
    sw s2, 112(sp)
    sw s4, 104(sp)
    sw s5, 100(sp)
    sw s6, 96(sp)
    sw s7, 92(sp)
    sw s8, 88(sp)
    sw s9, 84(sp)
    sw s10, 80(sp)
    sw s11, 76(sp)
    addi a5, zero, 1
    addi s3, a0, 0
    bgeu a5, a0, .L36
    addi a5, a0, -1
    andi a4, a5, -2
    sub s10, a0, a4
    addi s5, a0, 0
    addi s4, zero, 0
    addi s7, zero, 1
    addi s6, a5, 0
    beq s5, s10, .L35
.L10:
    addi s5, s5, -2
    andi a5, s5, -2
    sub s8, s6, a5
    addi s3, zero, 0
    addi s9, s8, 0
.L11:
    addi s11, s6, -1
    beq s6, s9, .L33
.L12:
    addi s6, s6, -2
    andi a5, s6, -2
    addi s2, zero, 0
    sub s1, s11, a5
    addi a3, s4, 0
    addi a5, s5, 0
    addi s0, s2, 0
    addi s5, s10, 0
    addi s8, s9, 0
    addi s10, s3, 0
.L13:
    addi s4, s11, -1
    beq s11, s1, .L32
    addi s11, s11, -2
    andi a4, s11, -2
    sub a1, s4, a4
    addi a6, a3, 0
    addi a4, s8, 0
    addi a2, a5, 0
    addi s9, zero, 0
    addi a5, s5, 0
    addi s8, s10, 0
    addi s5, s11, 0
    addi a3, s1, 0
    addi s11, s6, 0
.L14:
    addi s3, s4, -1
    beq s4, a1, .L31
    addi s4, s4, -2
    andi s10, s4, -2
    addi t3, a6, 0
    addi t1, a5, 0
    addi a6, s11, 0
    sub s10, s3, s10
    addi s11, s9, 0
    addi s6, zero, 0
    addi s9, s8, 0
    addi a7, s5, 0
    addi s2, s3, 0
    addi a5, s4, 0
.L15:
    addi s4, s2, -1
    beq s2, s10, .L30
    addi s2, s2, -2
    andi s8, s2, -2
    sub s8, s4, s8
    addi s5, zero, 0
    addi t6, s8, 0
.L16:
    addi t5, s4, -1
    beq s4, t6, .L27
    addi t4, s4, -3
    addi s4, s4, -2
    andi a0, s4, -2
    sub a0, t4, a0
    sw a0, 4(sp)
    addi s1, zero, 0
.L17:
    lw a0, 4(sp)
    addi s3, t5, -1
    beq a0, t4, .L28
    andi a0, t4, -2
    sub a0, s3, a0
    addi t2, s10, 0
    sw a0, 0(sp)
    addi s10, s4, 0
    addi s8, zero, 0
    addi s4, s2, 0
    addi s2, s1, 0
    addi s1, s0, 0
.L18:
    lw a0, 0(sp)
    addi t0, s3, -1
    beq s3, a0, .L29
    addi s0, zero, 0
.L19:
    addi a0, t0, -1
    sw a2, 60(sp)
    sw t4, 56(sp)
    sw t6, 52(sp)
    sw t2, 48(sp)
    sw a1, 44(sp)
    sw a3, 40(sp)
    sw a4, 36(sp)
    sw t1, 32(sp)
    sw a7, 28(sp)
    sw a6, 24(sp)
    sw a5, 20(sp)
    sw t5, 16(sp)
    sw t3, 12(sp)
    sw t0, 8(sp)
    jal ra, fibonacci
    lw t0, 8(sp)
    lw t3, 12(sp)
    lw t5, 16(sp)
    addi t0, t0, -2
    lw a5, 20(sp)
    lw a6, 24(sp)
    lw a7, 28(sp)
    lw t1, 32(sp)
    lw a4, 36(sp)
    lw a3, 40(sp)
    lw a1, 44(sp)
    lw t2, 48(sp)
    lw t6, 52(sp)
    lw t4, 56(sp)
    lw a2, 60(sp)
    add s0, s0, a0
    bltu s7, t0, .L19
    addi a0, s3, -3
    andi a0, a0, 1
    add a0, a0, s8
    addi s3, s3, -2
    add s8, a0, s0
    bltu s7, s3, .L18
    addi s0, s1, 0
    add s8, s3, s8
    addi s1, s2, 0
    addi s2, s4, 0
    addi s4, s10, 0
    addi s10, t2, 0
.L20:
    addi t5, t5, -2
    add s1, s1, s8
    addi t4, t4, -2
    bltu s7, t5, .L17
    add s1, t5, s1
.L21:
    add s5, s5, s1
    bltu s7, s4, .L16
    add s5, s5, s4
.L22:
    add s6, s6, s5
    bltu s7, s2, .L15
    addi s8, s9, 0
    addi s4, a5, 0
    addi s9, s11, 0
    addi s5, a7, 0
    addi s11, a6, 0
    addi a5, t1, 0
    addi a6, t3, 0
    add s6, s6, s2
.L23:
    add s9, s9, s6
    bltu s7, s4, .L14
    addi s10, s8, 0
    addi s6, s11, 0
    addi s1, a3, 0
    addi s11, s5, 0
    addi s8, a4, 0
    addi s5, a5, 0
    addi a3, a6, 0
    addi a5, a2, 0
    add s9, s9, s4
.L24:
    add s0, s0, s9
    bltu s7, s11, .L13
    addi s3, s10, 0
    add s2, s0, s11
    addi s10, s5, 0
    addi s4, a3, 0
    addi s9, s8, 0
    addi s5, a5, 0
    add s3, s3, s2
    bltu s7, s6, .L11
.L25:
    add s3, s3, s6
    add s4, s4, s3
    bltu s7, s5, .L34
.L26:
    add s3, s5, s4
    jal zero, .L36
.L27:
    add s5, t5, s5
    jal zero, .L22
.L28:
    add s1, s3, s1
    jal zero, .L21
.L29:
    addi s0, s1, 0
    add s8, t0, s8
    addi s1, s2, 0
    addi s2, s4, 0
    addi s4, s10, 0
    addi s10, t2, 0
    jal zero, .L20
.L30:
    addi s1, s4, 0
    addi s8, s9, 0
    addi s4, a5, 0
    addi s9, s11, 0
    addi s5, a7, 0
    addi s11, a6, 0
    addi a5, t1, 0
    addi a6, t3, 0
    add s6, s1, s6
    jal zero, .L23
.L31:
    addi s10, s8, 0
    addi s6, s11, 0
    addi s1, a3, 0
    addi s11, s5, 0
    addi s8, a4, 0
    addi s5, a5, 0
    addi a3, a6, 0
    addi a5, a2, 0
    add s9, s3, s9
    jal zero, .L24
.L32:
    addi s2, s0, 0
    addi s0, s4, 0
    addi s3, s10, 0
    add s2, s0, s2
    addi s10, s5, 0
    addi s4, a3, 0
    addi s9, s8, 0
    addi s5, a5, 0
    add s3, s3, s2
    bgeu s7, s6, .L25
    addi s11, s6, -1
    bne s6, s9, .L12
.L33:
    add s3, s11, s3
    add s4, s4, s3
    bgeu s7, s5, .L26
.L34:
    addi a5, s5, -1
    addi s6, a5, 0
    bne s5, s10, .L10
.L35:
    add s3, a5, s4
.L36:
    lw ra, 124(sp)
    lw s0, 120(sp)
    lw s1, 116(sp)
    lw s2, 112(sp)
    lw s4, 104(sp)
    lw s5, 100(sp)
    lw s6, 96(sp)
    lw s7, 92(sp)
    lw s8, 88(sp)
    lw s9, 84(sp)
    lw s10, 80(sp)
    lw s11, 76(sp)
    addi a0, s3, 0
    lw s3, 108(sp)
    addi sp, sp, 128
    jalr zero, 0(ra)
    .type check_calls, @function
    .size check_calls, 288
check_calls:
    addi sp, sp, -32
    sw s0, 24(sp)
    sw s1, 20(sp)
    sw s2, 16(sp)
    sw ra, 28(sp)
    sw s3, 12(sp)
    addi s0, zero, 14
    addi s2, zero, 0
    addi s1, zero, 0
.L37:
    addi a0, s0, 0
    jal ra, fibonacci
    addi s0, s0, -2
    add s1, s1, a0
    bne s2, s0, .L37
    addi s1, s1, 1
    addi a5, zero, 610
    addi a0, zero, 30
    bne s1, a5, .L42
    lui s1, 0x1
    addi s0, zero, 0
    addi s2, zero, 0
    addi s1, s1, -496
    addi s3, zero, 3
.L38:
    slli a5, s0, 2
    add a5, s1, a5
    lw a5, 12(a5)
    addi a0, zero, 12
    addi s0, s0, 1
    jalr ra, 0(a5)
    add s2, s2, a0
    bne s0, s3, .L38
    addi a5, zero, 312
    addi a0, zero, 31
    bne s2, a5, .L42
    addi a3, zero, 0
    addi a5, zero, 0
    addi a1, zero, 7
    addi a2, zero, 9
.L39:
    slli a4, a5, 2
    add a4, s1, a4
    bltu a1, a5, .L40
    lw a4, 24(a4)
    add a3, a3, a4
.L40:
    addi a5, a5, 1
    bne a5, a2, .L39
    addi a5, zero, 1217
    addi a0, zero, 32
    bne a3, a5, .L42
    lui a4, 0x1
    addi a4, a4, -520
    addi a3, zero, 97
    addi a5, zero, 0
.L41:
    slli a2, a5, 5
    srli a5, a5, 27
    or a5, a5, a2
    addi a4, a4, 1
    xor a5, a3, a5
    lbu a3, 0(a4)
    bne a3, zero, .L41
    lui a4, 0xcc996
    addi a4, a4, -607
    sub a0, a5, a4
    sltu a0, zero, a0
    sub a0, zero, a0
    andi a0, a0, 33
.L42:
    lw ra, 28(sp)
    lw s0, 24(sp)
    lw s1, 20(sp)
    lw s2, 16(sp)
    lw s3, 12(sp)
    addi sp, sp, 32
    jalr zero, 0(ra)
    .globl main
    .type main, @function
    .size main, 132
main:
    lui a5, 0x1
    addi a5, a5, -496
    lw a1, 56(a5)
    lw a2, 60(a5)
    lw a3, 64(a5)
    lw a4, 68(a5)
    lw a5, 72(a5)
    addi sp, sp, -48
    sw s0, 40(sp)
    sw s1, 36(sp)
    sw ra, 44(sp)
    sw a1, 12(sp)
    sw a2, 16(sp)
    sw a3, 20(sp)
    sw a4, 24(sp)
    sw a5, 28(sp)
    addi s0, sp, 12
    addi s1, sp, 32
.L43:
    lw a5, 0(s0)
    addi s0, s0, 4
    jalr ra, 0(a5)
    bne a0, zero, .L45
    bne s0, s1, .L43
    csrwi proc2mngr, 1
    addi a0, zero, 0
.L44:
    lw ra, 44(sp)
    lw s0, 40(sp)
    lw s1, 36(sp)
    addi sp, sp, 48
    jalr zero, 0(ra)
.L45:
    csrw proc2mngr, a0
    addi a0, zero, 1
    jal zero, .L44
    .globl __udivdi3
    .type __udivdi3, @function
    .size __udivdi3, 1072
__udivdi3:
    addi a7, a0, 0
    addi t1, a1, 0
    addi a4, a2, 0
    addi a6, a0, 0
    addi a5, a1, 0
    bne a3, zero, .L62
    auipc a1, 0x0
    addi a1, a1, 1156
    bgeu t1, a2, .L53
    lui a3, 0x10
    bgeu a2, a3, .L52
    sltiu a3, a2, 256
    xori a3, a3, 1
    slli a3, a3, 3
.L46:
    srl a0, a2, a3
    add a1, a1, a0
    lbu a1, 0(a1)
    addi a0, zero, 32
    add a3, a1, a3
    sub a1, a0, a3
    beq a0, a3, .L47
    sll a5, t1, a1
    srl a3, a7, a3
    sll a4, a2, a1
    or a5, a3, a5
    sll a6, a7, a1
.L47:
    srli a1, a4, 16
    divu t1, a5, a1
    slli a2, a4, 16
    srli a2, a2, 16
    remu a5, a5, a1
    addi a0, t1, 0
    mul a7, a2, t1
    slli a3, a5, 16
    srli a5, a6, 16
    or a5, a5, a3
    bgeu a5, a7, .L48
    add a5, a4, a5
    addi a0, t1, -1
    bltu a5, a4, .L48
    bgeu a5, a7, .L48
    addi a0, t1, -2
    add a5, a5, a4
.L48:
    sub a5, a5, a7
    divu a7, a5, a1
    slli a6, a6, 16
    srli a6, a6, 16
    remu a5, a5, a1
    mul a3, a2, a7
    slli a5, a5, 16
    or a6, a6, a5
    addi a5, a7, 0
    bgeu a6, a3, .L49
    add a6, a4, a6
    addi a5, a7, -1
    bltu a6, a4, .L49
    bgeu a6, a3, .L49
    addi a5, a7, -2
.L49:
    slli a0, a0, 16
    or a0, a0, a5
.L50:
    addi a1, zero, 0
.L51:
    jalr zero, 0(ra)
.L52:
    lui a0, 0x1000
    addi a3, zero, 16
    bltu a2, a0, .L46
    addi a3, zero, 24
    jal zero, .L46
.L53:
    addi a3, zero, 0
    beq a2, zero, .L54
    lui a5, 0x10
    bgeu a2, a5, .L58
    sltiu a3, a2, 256
    xori a3, a3, 1
    slli a3, a3, 3
.L54:
    srl a5, a2, a3
    add a1, a1, a5
    lbu a5, 0(a1)
    add a5, a5, a3
    addi a3, zero, 32
    sub a1, a3, a5
    bne a3, a5, .L59
    sub a5, t1, a2
    addi a1, zero, 1
.L55:
    srli a7, a4, 16
    divu t3, a5, a7
    slli a2, a4, 16
    srli a2, a2, 16
    srli a3, a6, 16
    remu a5, a5, a7
    addi a0, t3, 0
    mul t1, a2, t3
    slli a5, a5, 16
    or a5, a3, a5
    bgeu a5, t1, .L56
    add a5, a4, a5
    addi a0, t3, -1
    bltu a5, a4, .L56
    bgeu a5, t1, .L56
    addi a0, t3, -2
    add a5, a5, a4
.L56:
    sub a5, a5, t1
    divu t1, a5, a7
    slli a6, a6, 16
    srli a6, a6, 16
    remu a5, a5, a7
    mul a3, a2, t1
    slli a5, a5, 16
    or a6, a6, a5
    addi a5, t1, 0
    bgeu a6, a3, .L57
    add a6, a4, a6
    addi a5, t1, -1
    bltu a6, a4, .L57
    bgeu a6, a3, .L57
    addi a5, t1, -2
.L57:
    slli a0, a0, 16
    or a0, a0, a5
    jalr zero, 0(ra)
.L58:
    lui a5, 0x1000
    addi a3, zero, 16
    bltu a2, a5, .L54
    addi a3, zero, 24
    jal zero, .L54
.L59:
    sll a4, a2, a1
    srl a3, t1, a5
    srli a0, a4, 16
    sll t1, t1, a1
    srl a5, a7, a5
    or a5, a5, t1
    divu t1, a3, a0
    slli a2, a4, 16
    srli a2, a2, 16
    sll a6, a7, a1
    remu a3, a3, a0
    mul a7, a2, t1
    slli a1, a3, 16
    srli a3, a5, 16
    or a3, a3, a1
    addi a1, t1, 0
    bgeu a3, a7, .L60
    add a3, a4, a3
    addi a1, t1, -1
    bltu a3, a4, .L60
    bgeu a3, a7, .L60
    addi a1, t1, -2
    add a3, a3, a4
.L60:
    sub a3, a3, a7
    divu a7, a3, a0
    slli a5, a5, 16
    srli a5, a5, 16
    remu a3, a3, a0
    mul a2, a2, a7
    slli a3, a3, 16
    or a5, a5, a3
    addi a3, a7, 0
    bgeu a5, a2, .L61
    add a5, a4, a5
    addi a3, a7, -1
    bltu a5, a4, .L61
    bgeu a5, a2, .L61
    addi a3, a7, -2
    add a5, a5, a4
.L61:
    slli a1, a1, 16
    sub a5, a5, a2
    or a1, a1, a3
    jal zero, .L55
.L62:
    bltu a1, a3, .L70
    lui a5, 0x10
    bgeu a3, a5, .L64
    sltiu a4, a3, 256
    xori a4, a4, 1
    slli a4, a4, 3
.L63:
    srl a1, a3, a4
    auipc a5, 0x0
    addi a5, a5, 488
    add a5, a5, a1
    lbu a5, 0(a5)
    add a5, a5, a4
    addi a4, zero, 32
    sub a1, a4, a5
    bne a4, a5, .L65
    addi a0, zero, 1
    bltu a3, t1, .L51
    sltu a0, a7, a2
    xori a0, a0, 1
    jalr zero, 0(ra)
.L64:
    lui a5, 0x1000
    addi a4, zero, 16
    bltu a3, a5, .L63
    addi a4, zero, 24
    jal zero, .L63
.L65:
    srl a4, a2, a5
    sll a3, a3, a1
    or a3, a4, a3
    srl a4, t1, a5
    sll t1, t1, a1
    srl a5, a7, a5
    or a5, a5, t1
    srli t1, a3, 16
    divu t4, a4, t1
    slli a6, a3, 16
    srli a6, a6, 16
    sll a2, a2, a1
    remu a4, a4, t1
    mul t3, a6, t4
    slli a0, a4, 16
    srli a4, a5, 16
    or a4, a4, a0
    addi a0, t4, 0
    bgeu a4, t3, .L66
    add a4, a3, a4
    addi a0, t4, -1
    bltu a4, a3, .L66
    bgeu a4, t3, .L66
    addi a0, t4, -2
    add a4, a4, a3
.L66:
    sub a4, a4, t3
    divu t3, a4, t1
    slli a5, a5, 16
    srli a5, a5, 16
    remu a4, a4, t1
    mul a6, a6, t3
    slli a4, a4, 16
    or a5, a5, a4
    addi a4, t3, 0
    bgeu a5, a6, .L67
    add a5, a3, a5
    addi a4, t3, -1
    bltu a5, a3, .L67
    bgeu a5, a6, .L67
    addi a4, t3, -2
    add a5, a5, a3
.L67:
    slli a0, a0, 16
    lui t3, 0x10
    or a0, a0, a4
    addi a3, t3, -1
    and a4, a0, a3
    sub a5, a5, a6
    and a3, a2, a3
    srli a6, a0, 16
    srli a2, a2, 16
    mul t1, a4, a3
    mul a3, a6, a3
    mul a4, a4, a2
    mul a6, a6, a2
    add a2, a4, a3
    srli a4, t1, 16
    add a4, a4, a2
    bgeu a4, a3, .L68
    add a6, a6, t3
.L68:
    srli a3, a4, 16
    add a3, a3, a6
    bltu a5, a3, .L69
    bne a5, a3, .L50
    lui a5, 0x10
    addi a5, a5, -1
    and a4, a4, a5
    slli a4, a4, 16
    and t1, t1, a5
    sll a7, a7, a1
    add a4, a4, t1
    addi a1, zero, 0
    bgeu a7, a4, .L51
.L69:
    addi a0, a0, -1
    jal zero, .L50
.L70:
    addi a1, zero, 0
    addi a0, zero, 0
    jalr zero, 0(ra)
    .data
    .org 0xdf8
    .word 0x65636361, 0x6172656c, 0x00726f74, 0x00000000, 0x9abcdef0, 0x12345678, 0x00010000, 0x80007fff
    .word 0x0000ffff, 0x00000218, 0x00000220, 0x00000420, 0x00000011, 0x00000004, 0x00000063, 0x000003e8
    .word 0x00000003, 0x0000004d, 0x0000000c, 0x00000005, 0x000002f0, 0x00000228, 0x00000230, 0x00000820
    .word 0x000002b8, 0x7f00ff80
    .org 0xe60
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
    .bss
    .org 0xf60
