"""Operands of the exponentiation programs: written into the memory before a program starts.

The variable ``rsaxcel_operands`` (``struct operands`` in ``programs/modexp.h``) has the length in
words, then expected result (which only ``dummy`` reads and returns), base, exponent and modulus,
each with space for the greatest length, least significant word first. The driver computes constants
of the modulus.

Software modulo two primes p and q takes modulus and exponent of two halves each, with half of the
words, and 1 / q mod p, a part of the key, in ``rsaxcel_q_inverse``.
"""

from collections.abc import Sequence
from math import gcd

from rsaxcel.circuit import Halves, expected_power
from rsaxcel.proc.elf import Image, ProgramError

SYMBOL = "rsaxcel_operands"
Q_INVERSE = "rsaxcel_q_inverse"
EXIT_NO_OPERANDS = 1
#: base of exit statuses: a program that refuses its operands ends with this plus the status code
EXIT_REFUSED = 16
EXIT_NO_ACCELERATOR = 32
_ARRAYS = 4
_WORD_NBYTES = 4
_WORD_NBITS = 8 * _WORD_NBYTES


def takes_operands(image: Image) -> bool:
    return SYMBOL in image.symbols


def max_words(image: Image) -> int:
    """Return the number of words for which a program has space in each operand."""
    words = image.symbols[SYMBOL].nbytes // _WORD_NBYTES
    return (words - 1) // _ARRAYS


def halves_of(image: Image) -> Halves | None:
    """Widest layout of two halves for which a program has space in its modulus."""
    # A program for one modulus has no layout.
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

    The longest operand decides the length of all. ``expect``: result that ``dummy`` returns,
    computed by default (0 for modulus 0). ``halves`` is the accelerator's layout, or any for
    software. ``ProgramError`` if the program lacks the variable, or takes halves; ``ValueError``
    for operands that do not fit, or primes with a common factor.
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
        (p, q), (dp, dq) = halves.split(modulus), halves.split_exponents(exponent).private
        _check(nbits, base=base)
        _check(room.nbits, p=p, q=q, dp=dp, dq=dq)
        words = 2 * max(-(-_words(base) // 2), *map(_words, (p, q, dp, dq)))
        _write_inverse(image, p, q)
        halves = Halves(_WORD_NBITS * words // 2)
        exponent, modulus = halves.joined(dp, dq), halves.joined(p, q)
    if expect is None:
        expect = expected_power(base, exponent, modulus, halves) if modulus else 0
    _check(nbits, **{"expected result": expect})
    nbytes = capacity * _WORD_NBYTES
    data = words.to_bytes(_WORD_NBYTES, "little")
    data += b"".join(
        value.to_bytes(nbytes, "little") for value in (expect, base, exponent, modulus)
    )
    image.write(SYMBOL, data)


def _check(nbits: int, **values: int) -> None:
    """Refuse negative values and values of more than ``nbits`` bits."""
    for name, value in values.items():
        if value < 0:
            raise ValueError(f"{name} {value}: 0 or more is allowed")
        if value.bit_length() > nbits:
            raise ValueError(f"{name} of {value.bit_length()} bits: up to {nbits} are allowed")


def _are_coprime(p: int, q: int) -> bool:
    return p > 0 and q > 0 and gcd(p, q) == 1


def _write_inverse(image: Image, p: int, q: int) -> None:
    """Write 1 / q mod p for software; ``ValueError`` if odd p and q have a common factor.

    Software refuses even moduli itself.
    """
    if _are_coprime(p, q):
        nbytes = image.symbols[Q_INVERSE].nbytes
        image.write(Q_INVERSE, pow(q, -1, p).to_bytes(nbytes, "little"))
    elif p & q & 1:
        raise ValueError(f"p and q share a factor, {gcd(p, q):#x}")


def _words(value: int) -> int:
    return -(-value.bit_length() // _WORD_NBITS) or 1


def join_words(messages: Sequence[int]) -> int:
    return sum(word << 32 * i for i, word in enumerate(messages))
