"""Golden model of PKCS#1 v1.5 padding, for encryption (block type 2) and signatures (type 1).

A block is as long as the modulus in bytes: 0x00, the block type, at least 8 bytes of padding, 0x00,
and the message; most significant byte first (RFC 8017, sections 7.2 and 9.2; the block types are
from RFC 2313). The padding consists of random bytes that are not zero (type 2) or of 0xff (type 1).
"""

from collections.abc import Iterable, Iterator
from enum import IntEnum
from itertools import islice

from rsaxcel.fl.status import InputRuleError, Status

OVERHEAD_NBYTES = 11
"""Least number of bytes of a block that do not belong to the message."""
PADDING_NBYTES = 8
"""Least number of bytes of the padding itself."""
UNPADDED_NBYTES = 8
"""Longest block in bytes that has no padding: keys of up to 64 bits (Vassoler, section 4.4)."""


class BlockType(IntEnum):
    """Block type, the second byte of a block."""

    SIGNATURE = 1
    ENCRYPTION = 2


def check_message_length(message_nbytes: int, block_nbytes: int) -> None:
    """Raise unless a block has room for a padding and for a message of this length.

    Raises
    ------
    InputRuleError
        With status ``key_too_short`` if the block has no room for a padding, or with status
        ``message_too_long`` if the message does not fit beside the padding.
    """
    if block_nbytes < OVERHEAD_NBYTES:
        raise InputRuleError(
            Status.KEY_TOO_SHORT,
            f"a block of {block_nbytes} bytes has no room for a padding of {OVERHEAD_NBYTES}",
        )
    most = block_nbytes - OVERHEAD_NBYTES
    if message_nbytes > most:
        raise InputRuleError(
            Status.MESSAGE_TOO_LONG,
            f"{message_nbytes} bytes, {most} fit a block of {block_nbytes}",
        )


def nonzero(source: Iterable[int]) -> Iterator[int]:
    """Pass on random bytes that are not 0; from uniform bytes, they are uniform over 1 .. 255."""
    return (byte for byte in source if byte)


def pad(
    message: bytes,
    block_nbytes: int,
    block_type: BlockType = BlockType.ENCRYPTION,
    entropy: Iterable[int] = (),
) -> bytes:
    """Give the block that contains a message and its padding.

    Parameters
    ----------
    message : bytes
        At most ``block_nbytes - 11`` bytes.
    block_nbytes : int
        Length of the modulus in bytes.
    block_type : BlockType
        Block type of the padding.
    entropy : iterable of int
        Random bytes; zeros are skipped. The first random byte follows the block type in the block.
        A signature takes no random bytes.

    Raises
    ------
    InputRuleError
        With status ``key_too_short`` or ``message_too_long`` (see ``check_message_length``).
    ValueError
        If the random bytes end too early.
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
    """Give the message of a block, without the padding.

    Raises
    ------
    InputRuleError
        With status ``key_too_short`` or ``padding_wrong``. The error does not tell what is wrong
        with the padding, because that would help an attacker (Bleichenbacher 1998).
    """
    check_message_length(0, len(block))
    padding, zero, message = block[2:].partition(b"\0")
    good = block[:2] == bytes((0, block_type)) and zero and len(padding) >= PADDING_NBYTES
    if block_type == BlockType.SIGNATURE:
        good = good and not padding.strip(b"\xff")
    if not good:
        raise InputRuleError(Status.PADDING_WRONG, f"no block of type {block_type:d}")
    return message
