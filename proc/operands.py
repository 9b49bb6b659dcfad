"""Operands of the exponentiation programs: written into the memory before a program starts.

The programs have a variable ``rsaxcel_operands`` (``struct operands`` in ``programs/modexp.h``):
the length of the operands in words, then the expected result, base, exponent and modulus, each of
the greatest length, least significant word first. The dummy program alone reads the expected one.
Constants of the modulus, for which some accelerators ask, are no operands: the driver is built to
compute them (``proc.programs.build``).

Software whose exponent and modulus carry two halves has a variable ``rsaxcel_q_inverse`` as well,
for 1 / q mod p, which comes with a key. The length is even then, and each half has half of it.
"""

from collections.abc import Sequence
from math import gcd

from plan.halves import Halves
from proc.elf import Image, ProgramError

SYMBOL = "rsaxcel_operands"
Q_INVERSE = "rsaxcel_q_inverse"
EXIT_NO_OPERANDS = 1
EXIT_REFUSED = 16
"""Exit status of a program that refuses its operands, less the status code."""
EXIT_NO_ACCELERATOR = 32
_ARRAYS = 4
_WORD_NBYTES = 4
_WORD_NBITS = 8 * _WORD_NBYTES


def takes_operands(image: Image) -> bool:
    """Tell whether a program reads operands."""
    return SYMBOL in image.symbols


def max_words(image: Image) -> int:
    """Greatest length of an operand in words of 32 bits."""
    words = image.symbols[SYMBOL].nbytes // _WORD_NBYTES
    return (words - 1) // _ARRAYS


def halves_of(image: Image) -> Halves | None:
    """Widest halves that software has room for; None where it takes one modulus."""
    if Q_INVERSE not in image.symbols:
        return None
    return Halves(_WORD_NBITS * max_words(image) // 2)


def write_operands(
    image: Image,
    base: int,
    exponent: int,
    modulus: int,
    expect: int | None = None,
    halves: Halves | None = None,
) -> None:
    """Write the operands of one exponentiation into a program's memory.

    Parameters
    ----------
    image : Image
        Program; changed in place.
    base, exponent, modulus : int
        Operands; the longest decides the length of all in words.
    expect : int, optional
        What the dummy program answers; computed where it isn't given and there is a result.
    halves : Halves, optional
        How exponent and modulus carry two: any for software that takes halves, which then gets them
        in as many words as they need; else those of the accelerator.

    Raises
    ------
    ProgramError
        If the program has no place for operands, or takes halves and there are none.
    ValueError
        If an operand is negative or too long, or software would have to divide by a q that shares a
        factor with p.
    """
    if not takes_operands(image):
        raise ProgramError(f"{image.name}: reads no operands (it has no variable {SYMBOL})")
    capacity, room = max_words(image), halves_of(image)
    nbits = _WORD_NBITS * capacity
    if room is None:
        _check(nbits, base=base, exponent=exponent, modulus=modulus)
        words = max(map(_words, (base, exponent, modulus)))
    elif halves is None:
        raise ProgramError(f"{image.name}: takes p, q, dp and dq, not one modulus")
    else:
        (p, q), (dp, dq) = halves.split(modulus), halves.split(exponent)
        _check(nbits, base=base)
        _check(room.nbits, p=p, q=q, dp=dp, dq=dq)
        words = 2 * max(-(-_words(base) // 2), *map(_words, (p, q, dp, dq)))
        _write_inverse(image, p, q)
        halves = Halves(_WORD_NBITS * words // 2)
        exponent, modulus = halves.joined(dp, dq), halves.joined(p, q)
    if expect is None and halves:
        expect = halves.reference_power(base, exponent, modulus)
    elif expect is None:
        expect = pow(base, exponent, modulus) if modulus else 0
    _check(nbits, **{"expected result": expect})
    nbytes = capacity * _WORD_NBYTES
    data = words.to_bytes(_WORD_NBYTES, "little")
    data += b"".join(
        value.to_bytes(nbytes, "little") for value in (expect, base, exponent, modulus)
    )
    _write(image, SYMBOL, data)


def _check(nbits: int, **values: int) -> None:
    """Refuse what is negative or has more bits."""
    for name, value in values.items():
        if value < 0:
            raise ValueError(f"{name} {value}: 0 or more is allowed")
        if value.bit_length() > nbits:
            raise ValueError(f"{name} of {value.bit_length()} bits: up to {nbits} are allowed")


def _are_coprime(p: int, q: int) -> bool:
    return p > 0 and q > 0 and gcd(p, q) == 1


def _write_inverse(image: Image, p: int, q: int) -> None:
    """Write 1 / q mod p for software, which refuses a p or q that is even or below 3."""
    if _are_coprime(p, q):
        nbytes = image.symbols[Q_INVERSE].nbytes
        _write(image, Q_INVERSE, pow(q, -1, p).to_bytes(nbytes, "little"))
    elif p & q & 1:
        raise ValueError(f"p and q share a factor, {gcd(p, q):#x}")


def _words(value: int) -> int:
    return -(-value.bit_length() // _WORD_NBITS) or 1


def _write(image: Image, symbol: str, data: bytes) -> None:
    start = image.symbols[symbol].address
    image.memory[start : start + len(data)] = data


def join_words(messages: Sequence[int]) -> int:
    """Put the result of a program together from its messages, least significant word first."""
    return sum(word << 32 * i for i, word in enumerate(messages))
