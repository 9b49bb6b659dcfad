    .globl _start
    .type _start, @function
_start:
same:
    nop
.Lhidden:
    nop
inner:
    nop
    .size _start, . - _start
    nop
    .type helper, @function
helper:
    nop
    nop
    .size helper, 8
    nop
    .data
value: .word 1
