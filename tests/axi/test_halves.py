"""Keys by their primes behind the registers on the bus."""

import random

import pytest

from rsaxcel.fl.keys import Key, seeded_key
from rsaxcel.fl.register_map import (
    CONSTANT_WORDS,
    CONSTANTS,
    CONTROL,
    INPUT_LENGTH,
    MODE,
    MODULUS,
    REWIND,
    UNPADDED,
    WIDTHS,
)
from tests.axi.bench import NATIVE, WORD, Script, power, run
from tests.shared.harness import built_once, configure

NBITS, HALF_NBITS = 132, 70

_P, _Q = (1 << 31) - 1, (1 << 61) - 1
UNEQUAL = Key(_P * _Q, 65537, pow(65537, -1, (_P - 1) * (_Q - 1)), _P, _Q)
"""Key of two Mersenne primes of unequal length."""


def whole(**params):
    """An accelerator whose two halves together have more words than a message."""
    return configure("crt_window", NBITS, half_nbits=HALF_NBITS, **params)


def with_primes(script: Script, key: Key) -> None:
    """Load a key with its primes and exponents joined, as a design by the primes needs it."""
    configuration = whole()
    joined = configuration.rules.halves.joined
    p, q, *public = key.halves(key.e)
    private = key.halves(key.d)[2:]
    modulus = joined(p, q)
    constants = configuration.constant_words(modulus)
    script.load_key(modulus, joined(*public), joined(*private), constants)


@pytest.mark.parametrize(("level", "engine"), NATIVE)
@built_once("axi-halves", NBITS)
def test_lengths(level, engine):
    """A block has the bytes of both halves together, but no more than the longest message."""
    rng = random.Random(1)
    joined = whole().rules.halves.joined
    script = Script()
    script.read(WIDTHS, NBITS | 192 << 16)
    script.read(CONSTANT_WORDS, 3 * 7)
    script.write(MODE, 1 << UNPADDED.lsb)
    script.write(INPUT_LENGTH, WORD)
    script.read(INPUT_LENGTH, 0)  # no modulus since the reset
    lengths = [(0, 0), (70, 70), (67, 65), (1, 0), (0, 33), (32, 32), (33, 31), (64, 5), (31, 60)]
    lengths += [(rng.randrange(71), rng.randrange(71)) for _ in range(20)]
    for lows, highs in lengths:
        low, high = (rng.getrandbits(n) | 1 << n >> 1 for n in (lows, highs))
        script.write(CONTROL, 1 << REWIND.lsb)
        script.load(MODULUS, joined(low, high))
        script.write(INPUT_LENGTH, WORD)
        script.read(INPUT_LENGTH, -(-min(lows + highs, NBITS) // 8))
    run(whole(), level, engine, script)


@pytest.mark.slow_cases("*doubled*")
@pytest.mark.parametrize("states", ["single", "doubled"])
@pytest.mark.parametrize(("level", "engine"), NATIVE)
@built_once("axi-halves", NBITS)
def test_keys(level, engine, states):
    """Signatures and plain blocks with primes of equal and of unequal length, by Python's pow."""
    keys = [seeded_key(NBITS), seeded_key(128, 3), UNEQUAL]
    script = Script()
    _interrupted_by_rewind(script, seeded_key(NBITS))
    for key in keys:
        nbytes = -(-key.n.bit_length() // 8)
        with_primes(script, key)
        if nbytes > 11 + len(b"hello"):
            script.write(MODE, 2)  # signature
            block = b"\0\1" + b"\xff" * (nbytes - 8) + b"\0hello"
            signed = power(block, key.d, key)
            script.operate(b"hello", signed, nbytes, decrypt=True)
            script.operate(signed, b"hello", nbytes)
        script.write(MODE, 1 << UNPADDED.lsb)
        for message in (
            bytes(nbytes),
            b"\x0f" + b"\xff" * (nbytes - 1),
            key.p.to_bytes(nbytes, "big"),
        ):
            script.operate(message, power(message, key.e, key), nbytes)
    run(whole(states=states), level, engine, script)


def _interrupted_by_rewind(script: Script, key: Key) -> None:
    """Write constants in part; after a REWIND all of them, without the modulus; and encrypt."""
    halves = whole().rules.halves
    p, q, *public = key.halves(key.e)
    modulus = halves.joined(p, q)
    script.load_key(modulus, halves.joined(*public), 1, [1, 2, 3])
    script.write(CONTROL, 1 << REWIND.lsb)
    for word in whole().constant_words(modulus):
        script.write(CONSTANTS, word)
    script.write(MODE, 1 << UNPADDED.lsb)
    nbytes = -(-key.n.bit_length() // 8)
    message = bytes([0, *range(1, nbytes)])
    script.operate(message, power(message, key.e, key), nbytes)
