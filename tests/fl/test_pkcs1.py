"""PKCS#1 v1.5 blocks against ``cryptography``, published vectors and a regular expression."""

import random
import re
from collections import Counter
from functools import cache
from importlib.resources import files
from itertools import repeat

import pytest
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from hypothesis import example, given
from hypothesis import strategies as st

from rsaxcel.fl.pkcs1 import BlockType, pad, unpad
from rsaxcel.fl.status import InputRuleError, Status

VECTORS = "asymmetric/RSA/pkcs1v15crypt-vectors.txt"
PATTERNS = {
    BlockType.ENCRYPTION: re.compile(rb"\x00\x02[^\x00]{8,}?\x00(.*)", re.DOTALL),
    BlockType.SIGNATURE: re.compile(rb"\x00\x01\xff{8,}\x00(.*)", re.DOTALL),
}
TYPES = st.sampled_from(BlockType)


@cache
def private_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 1024)


def raw(block: bytes, exponent: int) -> bytes:
    modulus = private_key().private_numbers().public_numbers.n
    return pow(int.from_bytes(block, "big"), exponent, modulus).to_bytes(len(block), "big")


def random_bytes(seed: int):
    draw = random.Random(seed)
    return iter(lambda: draw.randrange(256), None)


def refusal(function, *args) -> Status:
    with pytest.raises(InputRuleError) as caught:
        function(*args)
    return caught.value.status


@pytest.mark.parametrize("length", range(118))
def test_encryption_both_ways(length):
    """Messages of all lengths at 1024 bits: we decrypt their blocks, they decrypt ours."""
    key, message = private_key(), random.Random(length).randbytes(length)
    theirs = key.public_key().encrypt(message, padding.PKCS1v15())
    assert unpad(raw(theirs, key.private_numbers().d)) == message
    ours = pad(message, 128, entropy=random_bytes(length))
    assert key.decrypt(raw(ours, 65537), padding.PKCS1v15()) == message


def test_signature_both_ways():
    """Both sides accept each other's signatures of a SHA-256 digest."""
    key, message = private_key(), b"a message of any length"
    signature = key.sign(message, padding.PKCS1v15(), SHA256())
    digest_info = unpad(raw(signature, 65537), BlockType.SIGNATURE)
    ours = raw(pad(digest_info, 128, BlockType.SIGNATURE), key.private_numbers().d)
    assert ours == signature


def published() -> list[tuple[int, bytes, bytes]]:
    """Length of the modulus in bytes, message and padding of each published example."""
    text = (files("cryptography_vectors") / VECTORS).read_text()
    found, nbytes = [], 0
    for name, value in re.findall(r"# ([\w ]+?):? *\n((?:[0-9a-f]{2} *\n?)+)", text):
        values = bytes.fromhex(value)
        if name == "Modulus":
            nbytes = len(values)
        elif name == "Message":
            message = values
        elif name == "Seed":
            found.append((nbytes, message, values))
    return found


def test_published_blocks():
    """Padding uses exactly the given random bytes, in order (300 published blocks)."""
    rows = published()
    assert len(rows) == 300
    for nbytes, message, seed in rows:
        block = pad(message, nbytes, entropy=iter(seed))
        assert block == b"\0\2" + seed + b"\0" + message
        assert unpad(block) == message


@st.composite
def damaged(draw) -> bytes:
    """Draw a good block with some bytes replaced."""
    nbytes = draw(st.integers(11, 40))
    message = draw(st.binary(max_size=nbytes - 11))
    block = bytearray(pad(message, nbytes, draw(TYPES), random_bytes(draw(st.integers(0)))))
    for _ in range(draw(st.integers(0, 3))):
        index = draw(st.one_of(st.integers(0, 11), st.integers(0, nbytes - 1)))
        block[min(index, nbytes - 1)] = draw(st.sampled_from((0, 0, 1, 2, 254, 255)))
    return bytes(block)


@given(damaged(), TYPES)
@example(b"\0\2" + b"7" * 8 + b"\0", BlockType.ENCRYPTION)
@example(b"\0\2" + b"7" * 9, BlockType.ENCRYPTION)
@example(b"\0\2" + b"7" * 7 + b"\0" + b"m", BlockType.ENCRYPTION)
@example(b"\0\1" + b"\xff" * 7 + b"\xfe\0", BlockType.SIGNATURE)
def test_damaged_blocks(block, block_type):
    matched = PATTERNS[block_type].fullmatch(block)
    if matched:
        assert unpad(block, block_type) == matched[1]
    else:
        assert refusal(unpad, block, block_type) is Status.PADDING_WRONG


@pytest.mark.parametrize("block_type", BlockType)
def test_lengths(block_type):
    """The longest message fits, one byte more does not; keys below 11 bytes are too short."""
    assert len(pad(b"m" * 5, 16, block_type, random_bytes(0))) == 16
    assert refusal(pad, b"m" * 6, 16, block_type) is Status.MESSAGE_TOO_LONG
    assert refusal(pad, b"", 10, block_type) is Status.KEY_TOO_SHORT
    assert refusal(unpad, b"\0\2" + b"7" * 7 + b"\0", block_type) is Status.KEY_TOO_SHORT


def test_padding_is_uniform_and_never_zero():
    """Chi-square test of a million bytes, 254 degrees of freedom: above 373 once in a million."""
    nbytes, source = 100_003, random_bytes(1)
    drawn = b"".join(pad(b"", nbytes, entropy=source)[2:-1] for _ in range(10))
    count, expected = Counter(drawn), len(drawn) / 255
    assert len(drawn) == 1_000_000
    assert set(count) == set(range(1, 256))
    assert sum((n - expected) ** 2 / expected for n in count.values()) < 373


def test_zeros_alone_are_no_entropy():
    with pytest.raises(ValueError, match="ended after 0 of 13"):
        pad(b"", 16, entropy=repeat(0, 1000))
