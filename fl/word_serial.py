"""Golden models of registers into which operands are written word by word."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

WORD_NBITS = 32


def words_per_operand(nbits: int) -> int:
    return -(-nbits // WORD_NBITS)


def words_per_constant(nbits: int, widths: Iterable[int]) -> int:
    """Return the number of words of each constant: at least one more than an operand has.

    `nbits` is the widest of base, result and modulus; all constants have as many words as the
    widest.
    """
    return max([words_per_operand(nbits) + 1, *map(words_per_operand, widths)])


def constant_words(nbits: int, widths: Iterable[int], constants: Sequence[int]) -> list[int]:
    """Split the host's constants into words, in the order in which the host writes them."""
    count = words_per_constant(nbits, widths)
    mask = (1 << WORD_NBITS) - 1
    return [value >> WORD_NBITS * i & mask for value in constants for i in range(count)]


class OperandWords:
    """An operand that is written word by word, the least significant word first.

    The first word after a rewind sets all others to zero; an operand without a word keeps its
    value.
    """

    def __init__(self, nbits: int):
        self._words = words_per_operand(nbits)
        self._position = 0  #: words written since the rewind
        self.value = 0  #: value, which exceeds the operand's width after a word that does not fit

    @property
    def begun(self) -> bool:
        """Whether a word was written since the last rewind."""
        return self._position > 0

    def rewind(self) -> None:
        self._position = 0

    def write(self, data: int) -> None:
        kept = self.value if self._position else 0
        # Words past the end are combined (OR) in the first position past the end: the value only
        # has to show whether one of these words is not zero.
        self.value = kept | data << WORD_NBITS * self._position
        self._position = min(self._position + 1, self._words)


class ConstantWords:
    """Constants of the modulus, one after the other, each padded to ``words_each`` words."""

    def __init__(self, words_each: int, widths: Sequence[int]):
        self._each = words_each
        self._widths = list(widths)
        self._words = [0] * (words_each * len(self._widths))
        self._position = 0
        self._filled = False

    @property
    def count(self) -> int:
        return len(self._words)

    @property
    def values(self) -> list[int]:
        return [
            sum(word << WORD_NBITS * k for k, word in enumerate(self._words[i : i + self._each]))
            for i in range(0, self.count, self._each)
        ]

    @property
    def missing(self) -> bool:
        """Whether constants are missing, or a constant is wider than declared."""
        wide = any(v >> width for v, width in zip(self.values, self._widths, strict=True))
        return self.count > 0 and (wide or not self._filled)

    def rewind(self) -> None:
        self._position = 0

    def drop(self) -> None:
        """Mark the constants as missing: they belong to an earlier modulus."""
        self._filled = False
        self._position = 0

    def write(self, data: int) -> None:
        if self._position == 0:
            self._words = [0] * self.count
        if self._position < self.count:
            self._words[self._position] = data
        self._filled = self._position + 1 == self.count
        self._position = min(self._position + 1, self.count)


class OperandFile:
    """Operands and constants of the modulus, written word by word, each at an address of its own.

    The first word of a modulus marks the constants as missing.
    """

    def __init__(self, configuration: Any, widths: Mapping[int, int], modulus: int, constants: int):
        self._operands = {address: OperandWords(nbits) for address, nbits in widths.items()}
        self._modulus, self._constants = modulus, constants
        constant_nbits = [constant.nbits for constant in configuration.host_constants]
        each = words_per_constant(configuration.operand_nbits, constant_nbits)
        self.constants = ConstantWords(each, constant_nbits)

    def __contains__(self, address: int) -> bool:
        return address in self._operands or address == self._constants

    def __getitem__(self, address: int) -> int:
        return self._operands[address].value

    @property
    def values(self) -> list[int]:
        """All operands, in the order of ``widths``."""
        return [operand.value for operand in self._operands.values()]

    def rewind(self) -> None:
        """Let the next word of every operand, and of the constants, be the first one."""
        for operand in self._operands.values():
            operand.rewind()
        self.constants.rewind()

    def write(self, address: int, data: int) -> None:
        """Write ``data`` as the next word of the operand (or of the constants) at ``address``."""
        if address == self._constants:
            self.constants.write(data)
            return
        if address == self._modulus and not self._operands[address].begun:
            self.constants.drop()
        self._operands[address].write(data)
