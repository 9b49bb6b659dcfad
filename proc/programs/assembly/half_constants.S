/* Written by tools/programs.py from prepare.c, half_constants.c, words.c; source 57264cd5160880ea53a8 */
    .ident "GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
    .text
    .org 0xc0000
    .globl prepare
    .type prepare, @function
    .size prepare, 496
prepare:
    addi sp, sp, -48
    sw s5, 20(sp)
    lui s5, 0xc3
    addi s5, s5, -1548
    lw a5, 0(s5)
    sw s0, 40(sp)
    sw ra, 44(sp)
    sw s1, 36(sp)
    sw s2, 32(sp)
    sw s3, 28(sp)
    sw s4, 24(sp)
    sw s6, 16(sp)
    sw s7, 12(sp)
    sw s8, 8(sp)
    addi s0, a0, 0
    beq a5, zero, .L12
    csrr a0, xcel7
    beq a0, zero, .L11
    lw a5, 0(s5)
    beq a5, zero, .L12
    lui a5, 0x80000
    lw a5, 32(a5)
    lw a4, 8(s5)
    slli s3, a5, 16
    srli s3, s3, 16
    beq a4, zero, .L0
    lw a4, 4(s5)
    srli a5, a5, 16
    sub a5, a5, a4
    bgeu s3, a5, .L0
    addi s3, a5, 0
.L0:
    addi s3, s3, 31
    srli s3, s3, 5
    addi a5, zero, 128
    bltu a5, s3, .L13
.L1:
    lw s4, 28(s5)
    addi a5, s3, 1
    lw s2, 20(s5)
    bltu s4, a5, .L14
.L2:
    lw s1, 24(s5)
    lw s6, 16(s5)
    mul s1, s4, s1
    addi a0, s6, 0
    addi a1, s1, 0
    jal ra, clear
    addi a1, s3, 0
    addi a0, s0, 0
    jal ra, choose_modulus
    beq a0, zero, .L9
    lw a4, 32(s5)
    lui s3, 0xc3
    addi s7, s3, -1512
    slli a5, a4, 3
    sub a5, a5, a4
    slli a5, a5, 2
    add a5, s7, a5
    bgeu s7, a5, .L9
    slli s8, s4, 2
    addi s3, s3, -1512
.L3:
    lw a7, 0(s3)
    bne a7, zero, .L17
    lw a5, 8(s3)
    lw t1, 4(s3)
    lw a1, 20(a5)
    lw a4, 24(a5)
    beq a1, zero, .L7
    srli a0, t1, 5
    addi a3, s6, 0
    addi a6, zero, 0
    addi a5, zero, 0
.L4:
    lw a2, 0(a4)
    bgeu a5, s4, .L15
    bltu a5, a0, .L5
    beq a5, a0, .L16
    or a6, a6, a2
.L5:
    sw a2, 0(a3)
.L6:
    addi a5, a5, 1
    addi a4, a4, 4
    addi a3, a3, 4
    bne a5, a1, .L4
    bne a6, zero, .L10
.L7:
    add s6, s6, s8
.L8:
    lw a4, 32(s5)
    addi s3, s3, 28
    slli a5, a4, 3
    sub a5, a5, a4
    slli a5, a5, 2
    add a5, s7, a5
    bltu s3, a5, .L3
.L9:
    addi a7, s1, 0
.L10:
    lw a5, 20(s5)
    sw a7, 0(s2)
    lw a0, 0(a5)
.L11:
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
    addi sp, sp, 48
    jalr zero, 0(ra)
.L12:
    csrr s3, xcel1
    addi a5, zero, 128
    bgeu a5, s3, .L1
.L13:
    lw a5, 20(s5)
    lw a0, 0(a5)
    jal zero, .L11
.L14:
    addi s4, a5, 0
    jal zero, .L2
.L15:
    or a6, a6, a2
    jal zero, .L6
.L16:
    srl t3, a2, t1
    or a6, a6, t3
    jal zero, .L5
.L17:
    addi a1, s0, 0
    addi a0, s3, 0
    jal ra, result_of
    sw a0, 20(s3)
    sw a1, 24(s3)
    jal zero, .L8
    .type shift_steps, @function
    .size shift_steps, 92
shift_steps:
    addi a5, zero, 1
    bgeu a5, a2, .L19
    slli a7, a2, 2
    addi a6, a0, 0
    addi a4, a1, 4
    add a7, a1, a7
.L18:
    lw a5, -4(a4)
    lw a3, 0(a4)
    addi a4, a4, 4
    srli a5, a5, 30
    slli a3, a3, 2
    or a5, a5, a3
    sw a5, 0(a6)
    addi a6, a6, 4
    bne a7, a4, .L18
.L19:
    slli a2, a2, 2
    addi a2, a2, -4
    add a1, a1, a2
    lw a5, 0(a1)
    add a0, a0, a2
    srai a5, a5, 30
    sw a5, 0(a0)
    jalr zero, 0(ra)
    .type choose_half, @function
    .size choose_half, 228
choose_half:
    addi sp, sp, -16
    sw s1, 4(sp)
    lui s1, 0xc3
    addi s1, s1, -1548
    lw a4, 8(s1)
    sw s0, 8(sp)
    addi s0, a0, 1540
    mul a5, a4, a1
    addi a1, a4, 0
    sw ra, 12(sp)
    sw s2, 0(sp)
    lui s2, 0xc2
    slli a5, a5, 2
    add s0, s0, a5
    addi a0, s0, 0
    jal ra, used_words
    lw a1, 8(s1)
    addi a5, a0, 0
    addi a0, s0, 0
    sw a5, 1512(s2)
    jal ra, bit_length
    lw a2, 1512(s2)
    lui a5, 0xc1
    addi a4, a0, 0
    addi a1, s0, 0
    addi a0, a5, 920
    addi s0, a5, 920
    lui a5, 0xc2
    sw a4, 1508(a5)
    jal ra, copy
    lw a0, 1512(s2)
    addi a1, zero, 2
    slli a0, a0, 2
    add a0, s0, a0
    jal ra, clear
    lw a4, 0(s0)
    addi a3, zero, 2
    lw ra, 12(sp)
    slli a5, a4, 1
    add a5, a5, a4
    xori a5, a5, 2
    mul a2, a4, a5
    lw s0, 8(sp)
    lw s1, 4(sp)
    lw s2, 0(sp)
    sub a2, a3, a2
    mul a5, a5, a2
    mul a2, a4, a5
    sub a2, a3, a2
    mul a5, a5, a2
    mul a4, a4, a5
    sub a4, a4, a3
    mul a4, a4, a5
    lui a5, 0xc2
    sw a4, 1504(a5)
    addi sp, sp, 16
    jalr zero, 0(ra)
    .type divide_word, @function
    .size divide_word, 132
divide_word:
    lui a5, 0xc2
    lw a4, 0(a1)
    lw a5, 1504(a5)
    addi sp, sp, -16
    sw s0, 8(sp)
    addi s0, a2, 0
    mul a2, a4, a5
    sw s2, 0(sp)
    addi s2, a1, 0
    lui a1, 0xc1
    sw s1, 4(sp)
    addi a3, s0, 0
    addi s1, a0, 0
    addi a1, a1, 920
    addi a0, s2, 0
    sw ra, 12(sp)
    jal ra, add_multiple
    addi a2, s0, -1
    slli s0, s0, 2
    addi a1, s2, 4
    addi a0, s1, 0
    addi s0, s0, -8
    jal ra, copy
    add s1, s1, s0
    lw a5, 0(s1)
    lw ra, 12(sp)
    lw s0, 8(sp)
    srai a5, a5, 31
    sw a5, 4(s1)
    lw s2, 0(sp)
    lw s1, 4(sp)
    addi sp, sp, 16
    jalr zero, 0(ra)
    .type combine, @function
    .size combine, 252
combine:
    addi sp, sp, -32
    sw s3, 12(sp)
    addi s3, a1, 0
    addi a1, a5, 0
    sw ra, 28(sp)
    sw s0, 24(sp)
    sw s1, 20(sp)
    addi s0, a4, 0
    addi s1, a2, 0
    sw s2, 16(sp)
    sw s4, 8(sp)
    addi s2, a0, 0
    addi s4, a3, 0
    sw s5, 4(sp)
    addi s5, a5, 0
    jal ra, clear
    addi a3, s5, 0
    addi a2, s3, 0
    addi a1, s1, 0
    addi a0, s2, 0
    jal ra, add_multiple
    addi a3, s5, 0
    addi a2, s4, 0
    addi a1, s0, 0
    addi a0, s2, 0
    jal ra, add_multiple
    addi a5, zero, 1
    bgeu a5, s5, .L21
    slli s5, s5, 2
    addi t1, s2, 4
    srai a1, s3, 31
    srai a3, s4, 31
    addi a2, s1, 0
    addi a4, s0, 0
    add s2, s2, s5
    addi a7, zero, 0
.L20:
    lw t4, 0(a2)
    lw a5, 0(a4)
    lw t3, 0(t1)
    and t4, a1, t4
    and a5, a3, a5
    add a5, t4, a5
    sub a6, t3, a5
    sub a7, a6, a7
    sltu t3, t3, a6
    sltu a5, a5, t4
    sw a7, 0(t1)
    add a5, a5, t3
    sltu a6, a6, a7
    addi t1, t1, 4
    add a7, a5, a6
    addi a2, a2, 4
    addi a4, a4, 4
    bne s2, t1, .L20
.L21:
    lw ra, 28(sp)
    lw s0, 24(sp)
    lw s1, 20(sp)
    lw s2, 16(sp)
    lw s3, 12(sp)
    lw s4, 8(sp)
    lw s5, 4(sp)
    addi sp, sp, 32
    jalr zero, 0(ra)
    .type montgomery_reduce.constprop.0, @function
    .size montgomery_reduce.constprop.0, 296
montgomery_reduce.constprop.0:
    addi sp, sp, -48
    sw s2, 32(sp)
    sw s3, 28(sp)
    sw s5, 20(sp)
    lui s3, 0xc2
    sw ra, 44(sp)
    sw s0, 40(sp)
    sw s1, 36(sp)
    sw s4, 24(sp)
    sw s6, 16(sp)
    sw s7, 12(sp)
    sw s8, 8(sp)
    lw a3, 1512(s3)
    addi s2, a1, 0
    addi s5, a0, 0
    beq a1, zero, .L24
    lui s4, 0xc1
    addi s1, s4, 920
    addi s1, s1, 520
    addi s7, s1, 0
    addi s0, zero, 0
    addi s6, zero, 0
    lui s8, 0xc2
.L22:
    lw a2, 0(s7)
    lw a5, 1504(s8)
    addi a0, s7, 0
    addi a1, s4, 920
    mul a2, a2, a5
    addi s7, s7, 4
    jal ra, add_multiple
    lw a3, 1512(s3)
    add a5, a3, s6
    slli a5, a5, 2
    add a5, s1, a5
    lw a4, 0(a5)
    addi s6, s6, 1
    add a0, a4, a0
    add s0, a0, s0
    sltu a4, a0, a4
    sw s0, 0(a5)
    sltu a0, s0, a0
    add s0, a0, a4
    bne s6, s2, .L22
.L23:
    slli s2, s2, 2
    add s1, s1, s2
    addi a2, a3, 0
    addi a1, s4, 920
    addi a0, s1, 0
    jal ra, subtract
    lw a3, 1512(s3)
    sub a2, a0, s0
    addi a1, s4, 920
    addi a0, s1, 0
    jal ra, add_multiple
    lw s0, 40(sp)
    lw a2, 1512(s3)
    lw ra, 44(sp)
    lw s2, 32(sp)
    lw s3, 28(sp)
    lw s4, 24(sp)
    lw s6, 16(sp)
    lw s7, 12(sp)
    lw s8, 8(sp)
    addi a1, s1, 0
    addi a0, s5, 0
    lw s1, 36(sp)
    lw s5, 20(sp)
    addi sp, sp, 48
    jal zero, copy
.L24:
    lui s1, 0xc1
    addi s0, zero, 0
    lui s4, 0xc1
    addi s1, s1, 1440
    jal zero, .L23
    .type power_of_two, @function
    .size power_of_two, 396
power_of_two:
    addi sp, sp, -64
    sw s0, 56(sp)
    sw s4, 40(sp)
    sw ra, 60(sp)
    sw s1, 52(sp)
    sw s2, 48(sp)
    sw s3, 44(sp)
    sw s5, 36(sp)
    sw s6, 32(sp)
    sw s7, 28(sp)
    addi a5, zero, 16
    addi s4, a1, 0
    addi s0, a0, 0
    bgeu a5, a1, .L31
    addi s1, zero, 0
    addi a4, zero, 16
.L25:
    addi s1, s1, 1
    srl a5, s4, s1
    bltu a4, a5, .L25
.L26:
    lui s3, 0xc2
    lui s5, 0xc2
    lw a1, 1512(s3)
    lw a4, 1508(s5)
    addi a0, s0, 0
    slli s2, a1, 5
    sub s2, s2, a4
    addi s2, s2, 1
    add s2, s2, a5
    jal ra, clear
    lw a4, 1508(s5)
    addi a3, zero, 1
    lui s5, 0xc1
    addi a4, a4, -1
    srli a5, a4, 5
    slli a5, a5, 2
    add a5, s0, a5
    sll a4, a3, a4
    sw a4, 0(a5)
    lui s7, 0xc1
    addi s5, s5, 1440
.L27:
    lw a3, 1512(s3)
    addi a2, s0, 0
    addi a1, s0, 0
    addi a0, s5, 0
    bne s2, zero, .L29
.L28:
    beq s1, zero, .L30
    jal ra, multiply
    lw a1, 1512(s3)
    addi s1, s1, -1
    addi a0, s0, 0
    srl s2, s4, s1
    jal ra, montgomery_reduce.constprop.0
    andi s2, s2, 1
    lw a3, 1512(s3)
    addi a2, s0, 0
    addi a1, s0, 0
    addi a0, s5, 0
    beq s2, zero, .L28
.L29:
    addi a2, zero, 1
    addi a1, s0, 0
    addi a0, s0, 0
    jal ra, add_multiple
    lw a2, 1512(s3)
    addi s6, a0, 0
    addi a1, s7, 920
    addi a0, s0, 0
    jal ra, subtract
    lw a3, 1512(s3)
    sub a2, a0, s6
    addi a1, s7, 920
    addi a0, s0, 0
    jal ra, add_multiple
    addi s2, s2, -1
    jal zero, .L27
.L30:
    addi a2, a3, 0
    jal ra, copy
    lw a1, 1512(s3)
    slli a0, a1, 2
    add a0, s5, a0
    jal ra, clear
    lw a1, 1512(s3)
    addi a0, s0, 0
    jal ra, montgomery_reduce.constprop.0
    lw ra, 60(sp)
    addi a1, s0, 0
    lw s0, 56(sp)
    lw a0, 1512(s3)
    lw s1, 52(sp)
    lw s2, 48(sp)
    lw s3, 44(sp)
    lw s4, 40(sp)
    lw s5, 36(sp)
    lw s6, 32(sp)
    lw s7, 28(sp)
    addi sp, sp, 64
    jalr zero, 0(ra)
.L31:
    addi a5, a1, 0
    addi s1, zero, 0
    jal zero, .L26
    .globl choose_modulus
    .type choose_modulus, @function
    .size choose_modulus, 216
choose_modulus:
    addi sp, sp, -48
    sw s2, 32(sp)
    lui s2, 0xc3
    addi s2, s2, -1548
    sw s1, 36(sp)
    lw s1, 8(s2)
    sw s6, 16(sp)
    addi s6, a0, 1540
    sw s0, 40(sp)
    addi s0, s6, 0
    sw s3, 28(sp)
    addi a1, s1, 0
    addi s3, a0, 0
    addi a0, s0, 0
    sw s4, 24(sp)
    sw s5, 20(sp)
    sw s7, 12(sp)
    sw ra, 44(sp)
    addi s4, zero, 1
    slli s7, s1, 2
    addi s5, zero, 2
    jal ra, bit_length
    bgeu s4, a0, .L33
.L32:
    lw a5, 12(s2)
    bltu a5, a0, .L33
    lw a5, 0(s0)
    add s0, s0, s7
    andi a5, a5, 1
    beq a5, zero, .L33
    beq s5, s4, .L34
    addi a0, s0, 0
    addi a1, s1, 0
    addi s5, a5, 0
    jal ra, bit_length
    bltu s4, a0, .L32
.L33:
    addi a0, zero, 0
    jal zero, .L35
.L34:
    lw a1, 0(s3)
    addi a0, s6, 0
    slli s1, s1, 1
    jal ra, used_words
    sltu a0, s1, a0
    xori a0, a0, 1
.L35:
    lw ra, 44(sp)
    lw s0, 40(sp)
    lw s1, 36(sp)
    lw s2, 32(sp)
    lw s3, 28(sp)
    lw s4, 24(sp)
    lw s5, 20(sp)
    lw s6, 16(sp)
    lw s7, 12(sp)
    addi sp, sp, 48
    jalr zero, 0(ra)
    .globl result_of
    .type result_of, @function
    .size result_of, 1256
result_of:
    lw a3, 4(a0)
    lw a5, 0(a0)
    addi sp, sp, -128
    sw s0, 120(sp)
    sw s2, 112(sp)
    sw ra, 124(sp)
    sw s1, 116(sp)
    sw s3, 108(sp)
    sw s4, 104(sp)
    sw s5, 100(sp)
    sw s6, 96(sp)
    sw s7, 92(sp)
    sw s8, 88(sp)
    sw s9, 84(sp)
    sw s10, 80(sp)
    sw s11, 76(sp)
    addi s2, zero, 1
    sw a3, 32(sp)
    addi s0, a0, 0
    beq a5, s2, .L37
    addi a4, zero, 6
    addi s1, a1, 0
    bne a5, a4, .L38
    addi a1, a3, 0
    addi a0, s1, 0
    jal ra, choose_half
    lw a4, 20(s0)
    lw a5, 24(s0)
    sw a4, 56(sp)
    sw a5, 60(sp)
.L36:
    lw ra, 124(sp)
    lw s0, 120(sp)
    lw a0, 56(sp)
    lw a1, 60(sp)
    lw s1, 116(sp)
    lw s2, 112(sp)
    lw s3, 108(sp)
    lw s4, 104(sp)
    lw s5, 100(sp)
    lw s6, 96(sp)
    lw s7, 92(sp)
    lw s8, 88(sp)
    lw s9, 84(sp)
    lw s10, 80(sp)
    lw s11, 76(sp)
    addi sp, sp, 128
    jalr zero, 0(ra)
.L37:
    lw s0, 120(sp)
    lw a1, 32(sp)
    lw ra, 124(sp)
    lw s1, 116(sp)
    lw s2, 112(sp)
    lw s3, 108(sp)
    lw s4, 104(sp)
    lw s5, 100(sp)
    lw s6, 96(sp)
    lw s7, 92(sp)
    lw s8, 88(sp)
    lw s9, 84(sp)
    lw s10, 80(sp)
    lw s11, 76(sp)
    lw a0, 16(a0)
    addi sp, sp, 128
    jal zero, power_of_two
.L38:
    lui a5, 0xc3
    lw s3, -1540(a5)
    lw a5, 16(s0)
    addi a0, s1, 0
    addi a1, zero, 0
    sw a5, 36(sp)
    jal ra, choose_half
    slli a5, s3, 2
    addi s0, s1, 1540
    add s0, s0, a5
    addi a1, s3, 0
    addi a0, s0, 0
    jal ra, used_words
    lui s5, 0xc1
    lui s11, 0xc2
    addi s10, s5, 920
    addi a1, s0, 0
    lw s0, 1512(s11)
    addi s1, s10, 520
    addi a2, a0, 0
    addi s4, a0, 0
    sw a0, 44(sp)
    addi a0, s1, 0
    sw s0, 40(sp)
    jal ra, copy
    lw a1, 1512(s11)
    slli a0, s4, 2
    add a0, s1, a0
    jal ra, clear
    addi s0, s0, 2
    addi s3, s10, 1560
    addi a1, s0, 0
    addi a0, s3, 0
    jal ra, clear
    lui s8, 0xc2
    addi s8, s8, 920
    addi a1, s4, 0
    addi a0, s3, 0
    jal ra, montgomery_reduce.constprop.0
    addi s6, s8, -2016
    addi a2, s0, 0
    addi a1, s5, 920
    addi a0, s6, 0
    jal ra, copy
    addi s4, s8, -1496
    addi a1, s0, 0
    addi a0, s4, 0
    jal ra, clear
    addi s5, s8, -976
    addi a1, s0, 0
    addi a0, s5, 0
    jal ra, clear
    lui a5, 0xc2
    lw a4, 1508(a5)
    addi s9, zero, 30
    sw s2, -976(s8)
    slli a5, a4, 1
    add a5, a5, a4
    slli a5, a5, 4
    add a5, a5, a4
    addi a5, a5, 80
    addi a4, zero, 17
    divu a5, a5, a4
    addi a4, zero, 29
    addi a5, a5, 29
    divu s9, a5, s9
    beq a5, a4, .L41
    lui s2, 0xc2
    addi s7, zero, 0
    addi t1, zero, 1
    addi s2, s2, 464
.L39:
    lw a2, -2016(s8)
    lw a4, 1560(s10)
    addi a1, zero, 30
    addi a7, zero, 1
    addi t4, zero, 0
    addi a6, zero, 0
    addi t3, zero, 1
.L40:
    andi a3, a4, 1
    slt a5, zero, t1
    sub a3, zero, a3
    sub a5, zero, a5
    and a5, a5, a3
    xor t6, a4, a2
    and t6, t6, a5
    xor t5, t3, a6
    xor a0, t4, a7
    xor a4, a5, a4
    and a0, a0, a5
    and t5, t5, a5
    xor a6, a5, a6
    xor a7, a5, a7
    xor a4, a4, t6
    xor a2, a2, t6
    xor t4, a0, t4
    xor t3, t5, t3
    xor t1, t1, a5
    sub a4, a4, a5
    xor a7, a7, a0
    and t6, a3, a2
    xor a6, a6, t5
    sub t1, t1, a5
    sub a6, a6, a5
    and a0, a3, t3
    sub a7, a7, a5
    add a4, a4, t6
    and a5, a3, t4
    addi a1, a1, -1
    addi t1, t1, 1
    srli a4, a4, 1
    add a6, a0, a6
    add a7, a5, a7
    slli t3, t3, 1
    slli t4, t4, 1
    bne a1, zero, .L40
    addi a3, t4, 0
    addi a1, t3, 0
    addi a5, s0, 0
    addi a4, s3, 0
    addi a2, s6, 0
    addi a0, s1, 0
    sw t1, 28(sp)
    sw t4, 20(sp)
    sw t3, 16(sp)
    sw a6, 24(sp)
    sw a7, 8(sp)
    jal ra, combine
    lw a7, 8(sp)
    lw a6, 24(sp)
    addi a5, s0, 0
    addi a3, a7, 0
    addi a1, a6, 0
    addi a4, s3, 0
    addi a2, s6, 0
    addi a0, s2, 0
    sw a7, 12(sp)
    sw a6, 8(sp)
    jal ra, combine
    addi a2, s0, 0
    addi a1, s1, 0
    addi a0, s6, 0
    jal ra, shift_steps
    addi a2, s0, 0
    addi a1, s2, 0
    addi a0, s3, 0
    jal ra, shift_steps
    lw t4, 20(sp)
    lw t3, 16(sp)
    addi a5, s0, 0
    addi a3, t4, 0
    addi a1, t3, 0
    addi a4, s5, 0
    addi a2, s4, 0
    addi a0, s1, 0
    jal ra, combine
    lw a7, 12(sp)
    lw a6, 8(sp)
    addi a5, s0, 0
    addi a4, s5, 0
    addi a1, a6, 0
    addi a3, a7, 0
    addi a2, s4, 0
    addi a0, s2, 0
    jal ra, combine
    addi a2, s0, 0
    addi a1, s1, 0
    addi a0, s4, 0
    jal ra, divide_word
    addi a2, s0, 0
    addi a1, s2, 0
    addi a0, s5, 0
    jal ra, divide_word
    addi s7, s7, 1
    lw t1, 28(sp)
    bltu s7, s9, .L39
.L41:
    lw a5, 40(sp)
    lw s2, -2016(s8)
    addi a5, a5, 1
    slli a5, a5, 2
    add a5, s8, a5
    lw a1, -2016(a5)
    addi a5, zero, 1
    srai a1, a1, 31
    xor s2, a1, s2
    sub s2, s2, a1
    xori s2, s2, 1
    bgeu a5, s0, .L43
    lw a5, 40(sp)
    addi a3, s8, -2008
    slli a4, a5, 2
    add a3, a3, a4
    addi a5, s8, -2012
.L42:
    lw a4, 0(a5)
    addi a5, a5, 4
    xor a4, a1, a4
    or s2, s2, a4
    bne a3, a5, .L42
.L43:
    lui a4, 0xc1
    addi a5, s0, 0
    addi a3, zero, 2
    addi a2, s4, 0
    addi a4, a4, 920
    ori a1, a1, 1
    addi a0, s3, 0
    jal ra, combine
    lw a5, 1512(s11)
    lw a4, 44(sp)
    addi s0, s8, 64
    addi a5, a5, 1
    slli a1, a4, 5
    slli a5, a5, 4
    lw a4, 32(sp)
    add a5, a5, s9
    slli a5, a5, 1
    add a5, a5, a4
    sub a1, a5, a1
    addi a0, s0, 0
    jal ra, power_of_two
    lw a3, 1512(s11)
    addi a2, s0, 0
    addi a1, s3, 0
    slli a5, a3, 2
    add s8, s8, a5
    addi a3, a3, 1
    addi a0, s1, 0
    sw zero, 64(s8)
    jal ra, multiply
    lw a1, 1512(s11)
    lw s0, 36(sp)
    addi a1, a1, 1
    addi a0, s0, 0
    jal ra, montgomery_reduce.constprop.0
    lw a1, 1512(s11)
    beq a1, zero, .L45
    sub a3, zero, s2
    or a3, a3, s2
    srli a3, a3, 31
    slli a2, a1, 2
    addi a3, a3, -1
    addi a5, s0, 0
    add a2, a2, s0
.L44:
    lw a4, 0(a5)
    addi a5, a5, 4
    and a4, a4, a3
    sw a4, -4(a5)
    bne a2, a5, .L44
.L45:
    lw a5, 36(sp)
    sw a1, 56(sp)
    sw a5, 60(sp)
    jal zero, .L36
    .globl copy
    .type copy, @function
    .size copy, 36
copy:
    beq a2, zero, .L47
    slli a2, a2, 2
    add a4, a1, a2
.L46:
    lw a5, 0(a1)
    addi a1, a1, 4
    addi a0, a0, 4
    sw a5, -4(a0)
    bne a1, a4, .L46
.L47:
    jalr zero, 0(ra)
    .globl clear
    .type clear, @function
    .size clear, 28
clear:
    beq a1, zero, .L49
    slli a1, a1, 2
    add a5, a0, a1
.L48:
    sw zero, 0(a0)
    addi a0, a0, 4
    bne a0, a5, .L48
.L49:
    jalr zero, 0(ra)
    .globl used_words
    .type used_words, @function
    .size used_words, 52
used_words:
    beq a1, zero, .L52
    slli a5, a1, 2
    add a5, a0, a5
    addi a0, a1, 0
    jal zero, .L51
.L50:
    addi a0, a0, -1
    beq a0, zero, .L53
.L51:
    lw a4, -4(a5)
    addi a5, a5, -4
    beq a4, zero, .L50
    jalr zero, 0(ra)
.L52:
    addi a0, zero, 0
.L53:
    jalr zero, 0(ra)
    .globl bit_length
    .type bit_length, @function
    .size bit_length, 116
bit_length:
    beq a1, zero, .L58
    slli a5, a1, 2
    add a5, a0, a5
    jal zero, .L55
.L54:
    addi a1, a1, -1
    beq a1, zero, .L58
.L55:
    lw a4, -4(a5)
    addi a5, a5, -4
    beq a4, zero, .L54
    slli a5, a1, 2
    add a0, a0, a5
    lw a2, -4(a0)
    slli a1, a1, 5
    addi a3, zero, 5
    addi a0, zero, 0
    addi a5, zero, 16
    addi a6, zero, 32
.L56:
    sub a4, a6, a5
    srl a4, a2, a4
    addi a3, a3, -1
    bne a4, zero, .L57
    sll a2, a2, a5
    add a0, a0, a5
.L57:
    srli a5, a5, 1
    bne a3, zero, .L56
    sub a0, a1, a0
    jalr zero, 0(ra)
.L58:
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
.L59:
    beq a2, a3, .L60
    lw a4, -4(a0)
    lw a5, -4(a1)
    addi a2, a2, -1
    addi a0, a0, -4
    addi a1, a1, -4
    beq a4, a5, .L59
    addi a0, zero, 1
    bgeu a4, a5, .L61
    addi a0, zero, -1
    jalr zero, 0(ra)
.L60:
    addi a0, zero, 0
.L61:
    jalr zero, 0(ra)
    .globl subtract
    .type subtract, @function
    .size subtract, 84
subtract:
    beq a2, zero, .L63
    slli a2, a2, 2
    addi a3, a0, 0
    add a2, a0, a2
    addi a0, zero, 0
.L62:
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
    bne a2, a3, .L62
    jalr zero, 0(ra)
.L63:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .globl add_multiple
    .type add_multiple, @function
    .size add_multiple, 88
add_multiple:
    beq a3, zero, .L65
    slli a3, a3, 2
    addi a6, a0, 0
    add a7, a0, a3
    addi a0, zero, 0
.L64:
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
    bne a7, a6, .L64
    jalr zero, 0(ra)
.L65:
    addi a0, zero, 0
    jalr zero, 0(ra)
    .globl multiply
    .type multiply, @function
    .size multiply, 136
multiply:
    slli t6, a3, 2
    add a4, t6, a0
    addi a5, a0, 0
    beq a3, zero, .L69
.L66:
    sw zero, 0(a5)
    addi a5, a5, 4
    bne a4, a5, .L66
    add t4, a2, t6
    addi t5, zero, 0
.L67:
    add a5, a1, t5
    lw t3, 0(a5)
    add t1, a0, t5
    addi a7, a2, 0
    addi a3, zero, 0
.L68:
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
    bne t4, a7, .L68
    add a5, t6, t5
    add a5, a0, a5
    sw a3, 0(a5)
    addi t5, t5, 4
    bne t6, t5, .L67
.L69:
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
.L70:
    sub a6, t3, a4
    srl a6, t1, a6
    addi a5, a5, -1
    bne a6, zero, .L71
    sll t1, t1, a4
    add a3, a3, a4
.L71:
    srli a4, a4, 1
    bne a5, zero, .L70
    sw a3, 4(a0)
    beq a2, zero, .L74
    addi a6, a7, 4
    addi a7, zero, 32
    addi a0, a0, 8
    add a6, a1, a6
    sub a7, a7, a3
.L72:
    lw a2, 0(a1)
    addi a1, a1, 4
    sll a4, a2, a3
    or a5, a4, a5
    sw a5, 0(a0)
    addi a5, zero, 0
    beq a3, zero, .L73
    srl a5, a2, a7
.L73:
    addi a0, a0, 4
    bne a6, a1, .L72
.L74:
    jalr zero, 0(ra)
    .globl reduce
    .type reduce, @function
    .size reduce, 700
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
    beq a2, zero, .L96
    lui s0, 0xc2
    slli t3, a2, 2
    addi t1, zero, 32
    addi a5, a1, 0
    addi t4, s0, 1516
    addi a3, s0, 1516
    add a0, a1, t3
    addi a2, zero, 0
    sub t1, t1, a6
.L75:
    lw a1, 0(a5)
    addi a5, a5, 4
    sll a4, a1, a6
    or a4, a4, a2
    sw a4, 0(a3)
    addi a2, zero, 0
    beq a6, zero, .L76
    srl a2, a1, t1
.L76:
    addi a3, a3, 4
    bne a5, a0, .L75
.L77:
    addi a5, a7, 1
    add a6, t4, t3
    sub a5, a5, t6
    sw a2, 0(a6)
    addi a7, a5, -1
    beq a5, zero, .L90
    lui s4, 0x10
    slli s2, t6, 2
    slli a7, a7, 2
    addi s4, s4, -1
    addi s6, s2, -4
    srli t2, t0, 16
    add a7, t4, a7
    and s3, t0, s4
    addi t3, s1, 8
.L78:
    add a5, a7, s2
    lw t1, 0(a5)
    addi a1, zero, -1
    bgeu t1, t0, .L82
    add a5, s6, a7
    lw a2, 0(a5)
    divu a4, t1, t2
    srli a1, a2, 16
    mul a5, t2, a4
    mul a3, a4, s3
    sub a5, t1, a5
    slli a5, a5, 16
    or a5, a5, a1
    bgeu a5, a3, .L79
    add a5, t0, a5
    addi a1, a4, -1
    bltu a5, t0, .L89
    bgeu a5, a3, .L89
    addi a4, a4, -2
    add a5, a5, t0
.L79:
    sub a5, a5, a3
    divu a3, a5, t2
    and a2, a2, s4
    mul a0, a3, t2
    mul a1, a3, s3
    sub a5, a5, a0
    slli a5, a5, 16
    or a5, a5, a2
    bgeu a5, a1, .L81
    add a5, t0, a5
    addi a2, a3, -1
    bltu a5, t0, .L80
    addi a3, a3, -2
    bltu a5, a1, .L81
.L80:
    addi a3, a2, 0
.L81:
    slli a4, a4, 16
    or a1, a4, a3
.L82:
    beq t6, zero, .L95
    addi a2, s1, 8
    addi a4, a7, 0
    addi a0, zero, 0
.L83:
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
    bne a6, a4, .L83
.L84:
    beq t1, a0, .L87
    beq t6, zero, .L88
.L85:
    addi a1, t3, 0
    addi a3, a7, 0
    addi a4, zero, 0
.L86:
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
    bne a6, a3, .L86
    sub a0, a0, a4
    bne t1, a0, .L85
.L87:
    addi a5, a7, -4
    addi a6, a6, -4
    beq t4, a7, .L90
    addi a7, a5, 0
    jal zero, .L78
.L88:
    beq t1, a0, .L87
    bne t1, a0, .L88
    jal zero, .L87
.L89:
    addi a4, a1, 0
    jal zero, .L79
.L90:
    lw a2, 4(s1)
    beq t6, zero, .L94
    addi a0, zero, 32
    add t4, t4, s5
    add t5, t5, s5
    addi s0, s0, 1516
    addi a4, zero, 0
    sub a0, a0, a2
    jal zero, .L92
.L91:
    addi t4, a1, 0
.L92:
    lw a3, 0(t4)
    addi a1, t4, -4
    srl a5, a3, a2
    or a5, a5, a4
    sw a5, 0(t5)
    addi a4, zero, 0
    beq a2, zero, .L93
    sll a4, a3, a0
.L93:
    addi t5, t5, -4
    bne t4, s0, .L91
.L94:
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
.L95:
    addi a0, zero, 0
    jal zero, .L84
.L96:
    lui s0, 0xc2
    addi a2, zero, 0
    addi t4, s0, 1516
    addi t3, zero, 0
    jal zero, .L77
    .globl check_rules
    .type check_rules, @function
    .size check_rules, 200
check_rules:
    lw a3, 0(a0)
    addi a5, a0, 0
    beq a3, zero, .L105
    slli a6, a3, 2
    add a4, a0, a6
    addi a2, a3, 0
    jal zero, .L98
.L97:
    addi a2, a2, -1
    beq a2, zero, .L105
.L98:
    lw a0, 1536(a4)
    addi a4, a4, -4
    beq a0, zero, .L97
    addi a4, zero, 1
    beq a2, a4, .L105
    bne a1, zero, .L100
    addi a4, a3, -1
    add a0, a5, a6
    addi a2, zero, -1
.L99:
    beq a4, a2, .L103
    lw a5, 512(a0)
    lw a3, 1536(a0)
    addi a4, a4, -1
    addi a0, a0, -4
    beq a5, a3, .L99
    sltu a0, a5, a3
    addi a0, a0, -1
    andi a0, a0, 3
    jalr zero, 0(ra)
.L100:
    lw a4, 1540(a5)
.L101:
    andi a4, a4, 1
    addi a0, zero, 2
    beq a4, zero, .L104
    slli a6, a3, 2
.L102:
    addi a4, a3, -1
    add a0, a5, a6
    addi a2, zero, -1
    jal zero, .L99
.L103:
    addi a0, zero, 3
.L104:
    jalr zero, 0(ra)
.L105:
    lw a4, 1540(a5)
    beq a1, zero, .L106
    addi a2, zero, 2
    addi a0, zero, 1
    bltu a2, a4, .L101
    jalr zero, 0(ra)
.L106:
    addi a2, zero, 1
    addi a0, zero, 1
    bgeu a2, a4, .L104
    slli a6, a3, 2
    jal zero, .L102
    .bss
    .org 0xc1398
    .org 0xc29f4
    .globl formulas
formulas:
