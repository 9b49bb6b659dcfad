"""Operands of the exponentiation programs: written into the memory before a program starts.

The programs have a variable ``rsaxcel_operands`` (``struct operands`` in ``programs/modexp.h``):
the length of the operands in words, then the expected result, base, exponent and modulus, each of
the greatest length, least significant word first. The dummy program alone reads the expected one.
Constants of the modulus, for which some accelerators ask, are no operands: the driver is built to
compute them (``proc.programs.build``).
"""

from collections.abc import Sequence

from proc.elf import Image, ProgramError

SYMBOL = "rsaxcel_operands"
EXIT_NO_OPERANDS = 1
EXIT_REFUSED = 16
"""Exit status of a program that refuses its operands, less the status code."""
EXIT_NO_ACCELERATOR = 32
_ARRAYS = 4
_WORD_NBYTES = 4


def takes_operands(image: Image) -> bool:
    """Tell whether a program reads operands."""
    return SYMBOL in image.symbols


def max_words(image: Image) -> int:
    """Greatest length of an operand in words of 32 bits."""
    words = image.symbols[SYMBOL].nbytes // _WORD_NBYTES
    return (words - 1) // _ARRAYS


def write_operands(
    image: Image,
    base: int,
    exponent: int,
    modulus: int,
    expect: int | None = None,
) -> None:
    """Write the operands of one exponentiation into a program's memory.

    Parameters
    ----------
    image : Image
        Program; changed in place.
    base, exponent, modulus : int
        Operands; the longest decides the length of all in words.
    expect : int, optional
        What the dummy program answers; computed where it isn't given and the modulus isn't 0.

    Raises
    ------
    ProgramError
        If the program has no place for operands.
    ValueError
        If an operand is negative or too long.
    """
    if not takes_operands(image):
        raise ProgramError(f"{image.name}: reads no operands (it has no variable {SYMBOL})")
    capacity = max_words(image)
    if expect is None:
        expect = pow(base, exponent, modulus) if modulus else 0
    values = {"base": base, "exponent": exponent, "modulus": modulus, "expected result": expect}
    for name, value in values.items():
        if value < 0:
            raise ValueError(f"{name} {value}: 0 or more is allowed")
        if value.bit_length() > 32 * capacity:
            bits = f"{value.bit_length()} bits: up to {32 * capacity} are allowed"
            raise ValueError(f"{name} of {bits}")
    words = max(1, *((value.bit_length() + 31) // 32 for value in (base, exponent, modulus)))
    nbytes = capacity * _WORD_NBYTES
    data = words.to_bytes(_WORD_NBYTES, "little")
    data += b"".join(
        value.to_bytes(nbytes, "little") for value in (expect, base, exponent, modulus)
    )
    start = image.symbols[SYMBOL].address
    image.memory[start : start + len(data)] = data


def join_words(messages: Sequence[int]) -> int:
    """Put the result of a program together from its messages, least significant word first."""
    return sum(word << 32 * i for i, word in enumerate(messages))
