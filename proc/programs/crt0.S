# Start-up: stack at the top of the memory, then main; its result is the exit status. The loader has
# written .data and cleared .bss.

    .section .text.start, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, __stack_top
    call main
    ecall
