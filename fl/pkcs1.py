"""Golden model of PKCS#1 v1.5 padding, for encryption (block type 2) and signatures (type 1).

A block is as long as the modulus in bytes: 0x00, block type, at least 8 bytes of padding (random
and not zero, or 0xff for type 1), 0x00, message; most significant byte first (RFC 8017, sections
7.2 and 9.2; block types: RFC 2313).
"""

from collections.abc import Iterable, Iterator
from enum import IntEnum
from itertools import islice

from rsaxcel.fl.status import InputRuleError, Status

OVERHEAD_NBYTES = 11  #: least number of bytes of a block besides the message
PADDING_NBYTES = 8  #: least number of bytes of the padding itself
UNPADDED_NBYTES = 8  #: longest block without padding: keys of up to 64 bits (Vassoler, section 4.4)


class BlockType(IntEnum):
    """Block type, the second byte of a block."""

    SIGNATURE = 1
    ENCRYPTION = 2


def check_message_length(message_nbytes: int, block_nbytes: int) -> None:
    """Raise ``key_too_short`` or ``message_too_long`` unless padding and message fit a block."""
    if block_nbytes < OVERHEAD_NBYTES:
        raise InputRuleError(
            Status.KEY_TOO_SHORT,
            f"a block of {block_nbytes} bytes has no room for a padding of {OVERHEAD_NBYTES}",
        )
    most = block_nbytes - OVERHEAD_NBYTES
    if message_nbytes > most:
        raise InputRuleError(
            Status.MESSAGE_TOO_LONG, f"{message_nbytes} bytes, {most} fit a block of {block_nbytes}"
        )


def nonzero(source: Iterable[int]) -> Iterator[int]:
    """Pass on random bytes that are not 0; the result of uniform bytes is uniform."""
    return (byte for byte in source if byte)


def pad(
    message: bytes,
    block_nbytes: int,
    block_type: BlockType = BlockType.ENCRYPTION,
    entropy: Iterable[int] = (),
) -> bytes:
    """Return the block with a message and its padding.

    Padding of encryption takes random bytes from ``entropy``, skipping zeros. ``InputRuleError`` as
    ``check_message_length``; ``ValueError`` if ``entropy`` ends.
    """
    check_message_length(len(message), block_nbytes)
    count = block_nbytes - len(message) - 3
    if block_type == BlockType.SIGNATURE:
        padding = b"\xff" * count
    else:
        padding = bytes(islice(nonzero(entropy), count))
        if len(padding) < count:
            raise ValueError(f"the source of random bytes ended after {len(padding)} of {count}")
    return bytes((0, block_type)) + padding + b"\0" + message


def unpad(block: bytes, block_type: BlockType = BlockType.ENCRYPTION) -> bytes:
    """Return the message of a block; ``InputRuleError``: ``key_too_short`` or ``padding_wrong``.

    The error does not name the fault, which would help an attacker (Bleichenbacher 1998).
    """
    check_message_length(0, len(block))
    padding, zero, message = block[2:].partition(b"\0")
    good = block[:2] == bytes((0, block_type)) and zero and len(padding) >= PADDING_NBYTES
    if block_type == BlockType.SIGNATURE:
        good = good and not padding.strip(b"\xff")
    if not good:
        raise InputRuleError(Status.PADDING_WRONG, f"no block of type {block_type:d}")
    return message
