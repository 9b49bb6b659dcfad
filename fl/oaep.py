"""Golden model of OAEP padding for encryption (RFC 8017, sections 7.1 and B.2.1).

A block is as long as the modulus in bytes: 0x00, the masked seed, and the masked data block (hash
of the label, zeros, 0x01, message), most significant byte first. The padding of every block is
removed with the same operations, with one error for all faults, so that neither time nor message
helps an attacker (Manger 2001). Python itself promises no constant time.
"""

import hashlib
import hmac
from dataclasses import dataclass

from rsaxcel.fl.status import InputRuleError, Status

HASHES = ("sha1", "sha224", "sha256", "sha384", "sha512", "sha512_224", "sha512_256")


@dataclass(frozen=True)
class Oaep:
    """OAEP with its parameters; both sides have to use the same parameters."""

    hash_name: str = "sha256"  #: name of the label's hash, one of HASHES
    mask_hash_name: str = ""  #: name of the masks' hash (MGF1); empty: `hash_name`
    label: bytes = b""  #: label, which is no part of the message

    def __post_init__(self) -> None:
        for name in (self.hash_name, self._mask_hash_name):
            if name not in HASHES:
                raise ValueError(f"hash {name!r}: {', '.join(HASHES)} allowed")

    @property
    def seed_nbytes(self) -> int:
        """Length of the seed in bytes, which is the length of a hash."""
        return hashlib.new(self.hash_name).digest_size

    @property
    def overhead_nbytes(self) -> int:
        """Bytes of a block that do not belong to the longest message."""
        return 2 * self.seed_nbytes + 2

    def check_message_length(self, message_nbytes: int, block_nbytes: int) -> None:
        """Raise ``key_too_short`` or ``message_too_long`` unless the message fits a block."""
        most = block_nbytes - self.overhead_nbytes
        if most < 0:
            raise InputRuleError(
                Status.KEY_TOO_SHORT,
                f"a block of {block_nbytes} bytes has no room for a padding of "
                f"{self.overhead_nbytes}",
            )
        if message_nbytes > most:
            raise InputRuleError(
                Status.MESSAGE_TOO_LONG,
                f"{message_nbytes} bytes, {most} fit a block of {block_nbytes}",
            )

    def pad(self, message: bytes, block_nbytes: int, seed: bytes) -> bytes:
        """Return the block with a message and its padding, from ``seed_nbytes`` random bytes.

        ``InputRuleError``: ``key_too_short`` or ``message_too_long``.
        """
        self.check_message_length(len(message), block_nbytes)
        if len(seed) != self.seed_nbytes:
            raise ValueError(f"seed of {len(seed)} bytes: {self.seed_nbytes} needed")
        zeros = bytes(block_nbytes - self.overhead_nbytes - len(message))
        data = self._label_hash + zeros + b"\1" + message
        masked_data = _xor(data, self._mask(seed, len(data)))
        masked_seed = _xor(seed, self._mask(masked_data, len(seed)))
        return b"\0" + masked_seed + masked_data

    def unpad(self, block: bytes) -> bytes:
        """Return a block's message; ``InputRuleError``: ``key_too_short`` or ``padding_wrong``.

        First byte, hash, zeros and 0x01 are all checked before an error.
        """
        self.check_message_length(0, len(block))
        nbytes = self.seed_nbytes
        masked_seed, masked_data = block[1 : 1 + nbytes], block[1 + nbytes :]
        seed = _xor(masked_seed, self._mask(masked_data, nbytes))
        data = _xor(masked_data, self._mask(seed, len(masked_data)))
        first = hmac.compare_digest(block[:1], b"\0")
        label = hmac.compare_digest(data[:nbytes], self._label_hash)
        # Each byte after the hash is looked at. `before` is 1 up to the first byte that is not 0,
        # which has to be 1; the message begins behind this byte.
        before, right, start = 1, 0, nbytes
        for byte in data[nbytes:]:
            is_zero, is_one = (byte - 1) >> 8 & 1, ((byte ^ 1) - 1) >> 8 & 1
            right |= before & is_one
            before &= is_zero
            start += before
        if not first & label & right:
            raise InputRuleError(Status.PADDING_WRONG, "no block of OAEP with these parameters")
        return data[start + 1 :]

    @property
    def _mask_hash_name(self) -> str:
        return self.mask_hash_name or self.hash_name

    @property
    def _label_hash(self) -> bytes:
        return hashlib.new(self.hash_name, self.label).digest()

    def _mask(self, seed: bytes, nbytes: int) -> bytes:
        """MGF1: hashes of seed and counter, one behind the other, as many bytes as needed."""
        made = bytearray()
        counter = 0
        while len(made) < nbytes:
            made += hashlib.new(self._mask_hash_name, seed + counter.to_bytes(4, "big")).digest()
            counter += 1
        return bytes(made[:nbytes])


def _xor(left: bytes, right: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(left, right, strict=True))
