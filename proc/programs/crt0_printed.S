# Start-up of the programs as printed: global pointer, stack of this core, .bss cleared, arguments of
# main (there are none), then main; its result is the exit status. Another processor of the same
# memory would get a stack of its own, 16 KiB below.

    .section .text.start, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, __stack_top
    lui t0, 4
    .option push
    .option arch, +zicsr
    csrr t1, 0xf14
    .option pop
    mul t0, t0, t1
    sub sp, sp, t0
    la t0, __bss_start
    la t1, __bss_end
    bgeu t0, t1, 2f
1:  sw zero, 0(t0)
    addi t0, t0, 4
    bltu t0, t1, 1b
2:  li a0, 0
    li a1, 0
    call main
    ecall
