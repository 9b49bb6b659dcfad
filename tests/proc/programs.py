"""Bare-metal programs of the tests, built as any user would: by gcc with plain flags."""

import shutil
import subprocess

import pytest

from rsaxcel.store.tools import RISCV_GCC
from tools.programs import compile_program, compiler, kept

COMPILER = RISCV_GCC.name
PLAIN_FLAGS = ("-march=rv32im", "-mabi=ilp32", "-nostdlib", "-nostartfiles")

SEND = """
    .option push
    .option arch, +zicsr
    csrw 0x7c0, a1
    .option pop
"""

HELLO = f"""
    .option norelax
    .globl _start
_start:
    lui sp, 0x80
    la a2, value
    lw a1, 0(a2)
{SEND}
    addi a1, a1, 1
    sw a1, 0(a2)
    lw a1, zeros + 4
    addi a1, a1, 3
{SEND}
    li a0, 0x105
    ecall
    .data
value: .word 41
    .bss
zeros: .space 64
"""


def compile_plain(path, text, *flags, suffix=".S"):
    """Build an ELF file from assembly or C text; skips the test where there is no compiler."""
    skip_without_compiler()
    source = path.with_suffix(suffix)
    source.write_text(text)
    command = [COMPILER, *PLAIN_FLAGS, *flags, str(source), "-o", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    return path


def compile_own(path, *sources):
    """Build an ELF file as rsaxcel's own are; skips the test where there is no compiler."""
    skip_without_compiler()
    compile_program(path, sources)
    return path


def skip_without_compiler():
    if shutil.which(COMPILER) is None:
        pytest.skip(f"no {COMPILER}")


def is_the_programs_compiler():
    """Whether the compiler is the one that made the assembly of rsaxcel's own programs."""
    return compiler() == kept("naive")[1]
