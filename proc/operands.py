"""Operands of the exponentiation programs: written into the memory before a program starts.

The programs have a variable ``rsaxcel_operands`` (``struct operands`` in ``programs/modexp.h``):
the length of the operands in words, then the expected result, base, exponent and modulus, each of
the greatest length, least significant word first. The dummy program alone reads the expected one.
What an accelerator asks of its host follows: the number of its constants, and for each of them what
computes it from the modulus. The values are the program's business.
"""

from collections.abc import Sequence

from fl.modulus_constants import Formula, ModulusConstant, NegatedInverse, PowerOfTwo
from proc.elf import Image, ProgramError

SYMBOL = "rsaxcel_operands"
EXIT_NO_OPERANDS = 1
EXIT_REFUSED = 16
"""Exit status of a program that refuses its operands, less the status code."""
EXIT_NO_ACCELERATOR = 32
_ARRAYS = 4
_WORD_NBYTES = 4
_MAX_CONSTANTS = 3
_KINDS: dict[type[Formula], tuple[int, range]] = {
    PowerOfTwo: (1, range(1 << 32)),
    NegatedInverse: (2, range(1, 33)),
}
"""Constants that the programs can compute: their code there, and for which numbers of bits."""


def takes_operands(image: Image) -> bool:
    """Tell whether a program reads operands."""
    return SYMBOL in image.symbols


def max_words(image: Image) -> int:
    """Greatest length of an operand in words of 32 bits."""
    counts = 2
    words = image.symbols[SYMBOL].nbytes // _WORD_NBYTES
    return (words - counts - 2 * _MAX_CONSTANTS) // _ARRAYS


def write_operands(
    image: Image,
    base: int,
    exponent: int,
    modulus: int,
    expect: int | None = None,
    constants: Sequence[ModulusConstant] = (),
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
    constants : sequence of ModulusConstant
        What the accelerator asks of its host, as ``catalog.Configuration.host_constants`` tells.

    Raises
    ------
    ProgramError
        If the program has no place for operands.
    ValueError
        If an operand is negative or too long, or there are too many constants or one that the
        programs cannot compute.
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
    described = _describe(image, constants)
    words = max(1, *((value.bit_length() + 31) // 32 for value in (base, exponent, modulus)))
    nbytes = capacity * _WORD_NBYTES
    data = words.to_bytes(_WORD_NBYTES, "little")
    data += b"".join(
        value.to_bytes(nbytes, "little") for value in (expect, base, exponent, modulus)
    )
    for word in described:
        data += word.to_bytes(_WORD_NBYTES, "little")
    start = image.symbols[SYMBOL].address
    image.memory[start : start + len(data)] = data


def _describe(image: Image, constants: Sequence[ModulusConstant]) -> list[int]:
    """Words that tell a program how many constants there are, and kind and bits of each."""
    if len(constants) > _MAX_CONSTANTS:
        raise ValueError(f"{len(constants)} constants: {image.name} has space for {_MAX_CONSTANTS}")
    words = [len(constants)]
    for constant in constants:
        formula = constant.formula
        code, computable = _KINDS.get(type(formula), (0, range(0)))
        nbits = formula.exponent if isinstance(formula, PowerOfTwo) else constant.nbits
        if nbits not in computable:
            raise ValueError(f"{constant}: {image.name} cannot compute it")
        words += (code, nbits)
    return words


def join_words(messages: Sequence[int]) -> int:
    """Put the result of a program together from its messages, least significant word first."""
    return sum(word << 32 * i for i, word in enumerate(messages))
