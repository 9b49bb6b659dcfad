"""The native engine's own operations that move bits of wide values."""

import ctypes
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from rsaxcel.sim.native.build import build_library
from rsaxcel.sim.translate import VerilogModule
from rsaxcel.store.foreign import ForeignLibrary

pytestmark = pytest.mark.parametrize("nbits", [65, 96, 97, 128, 545, 576, 1000])

_GUARD = 0x5A5A5A5A
_DRIVER = Path(__file__).with_name("wide_moves.cpp").read_text("utf-8")
_WORDS, _WORD = ctypes.POINTER(ctypes.c_uint32), ctypes.c_uint32
_CONCAT = (_WORDS, ctypes.c_int, _WORDS)
#: Types of the arguments after the result and its width.
_ARGUMENTS = {
    "replicate": (_WORD, _WORD),
    **dict.fromkeys(("shift_left", "shift_right"), (_WORDS, _WORD)),
    "select": (ctypes.c_int, _WORDS, _WORD, _WORD),
    **dict.fromkeys(("concat_word", "concat_two", "concat_wide"), _CONCAT),
}
Moves = Callable[..., int]


def words(nbits: int) -> int:
    return -(-nbits // 32)


def array(value: int, nbits: int) -> ctypes.Array:
    return (ctypes.c_uint32 * words(nbits))(
        *(value >> 32 * i & 0xFFFFFFFF for i in range(words(nbits)))
    )


@pytest.fixture(scope="module")
def moved(gcd: VerilogModule) -> Moves:
    """Return a function that calls an operation, and checks that it writes only its result."""
    library = ForeignLibrary(build_library(gcd.text, gcd.top, _DRIVER))
    for name, arguments in _ARGUMENTS.items():
        library.declare(f"wide_{name}", None, _WORDS, ctypes.c_int, *arguments)

    def call(name: str, nbits: int, *arguments: object) -> int:
        size = words(nbits)
        to = (ctypes.c_uint32 * (size + 1))(*[_GUARD] * (size + 1))
        getattr(library, f"wide_{name}")(to, *arguments)
        assert to[size] == _GUARD
        return sum(word << 32 * i for i, word in enumerate(to[:size]))

    return call


def values(nbits: int) -> list[int]:
    draw = random.Random(nbits)
    return [(1 << nbits) - 1, draw.getrandbits(nbits) | 1 << nbits - 1, draw.getrandbits(nbits)]


def test_repeated_parts(moved, nbits):
    for bit in (0, 1):
        assert moved("replicate", nbits, 1, bit, nbits) == -bit % (1 << nbits)
    assert moved("replicate", 3 * nbits, 3, 5, nbits) == int("101" * nbits, 2)


def test_shifts(moved, nbits):
    """Shifts by every distance, also beyond the width."""
    for value in values(nbits):
        source = array(value, nbits)
        for by in (*range(nbits + 2), 2**31, 2**32 - 1):
            distance = min(by, nbits)
            left = value << distance & (1 << nbits) - 1
            assert moved("shift_left", nbits, nbits, source, by) == left
            assert moved("shift_right", nbits, nbits, source, by) == value >> distance


def test_parts(moved, nbits):
    """Parts of any length from every bit; bits above are not compared; ones past the end."""
    value, draw = values(nbits)[1], random.Random(nbits)
    source = array(value, nbits)
    for low in range(nbits):
        for width in {nbits - low, draw.randint(1, nbits - low)}:
            mask = (1 << width) - 1
            assert (
                moved("select", width, width, nbits, source, low, width) & mask
                == value >> low & mask
            )
    assert moved("select", nbits, nbits, nbits, source, 2, nbits) == (1 << nbits) - 1


@pytest.mark.parametrize(
    ("name", "rights"),
    [
        ("concat_word", range(1, 33)),
        ("concat_two", range(33, 65)),
        ("concat_wide", [*range(65, 100), 128, 600, 640]),
    ],
)
def test_concatenations(moved, nbits, name, rights):
    for left in values(nbits):
        for right_nbits in rights:
            right = values(right_nbits)[1]
            operands = (nbits, array(left, nbits), right_nbits, array(right, right_nbits))
            got = moved(name, nbits + right_nbits, *operands)
            assert got == left << right_nbits | right
