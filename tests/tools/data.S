    .data
    .org 0x100
    .globl first
    .size first, 7
first:
    .word 0x01020304
    .byte 5, 6, 7
    .bss
    .org 0x200
    .globl second
second:
