    .option norelax
    .globl _start
    .globl secret
_start:
    la a2, secret
    lw a3, 0(a2)
    {leak}
done:
{send}
    ecall
    .data
secret: .word 0
table: .word 5, 6, 7, 8
