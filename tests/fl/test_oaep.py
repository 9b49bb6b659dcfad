"""OAEP padding: published blocks, faults of a block, and lengths."""

import hashlib

import pytest

from rsaxcel.fl.oaep import HASHES, Oaep
from rsaxcel.fl.status import InputRuleError, Status
from tests.cli.pkcs1_files import examples

NBYTES = 128
SEED = bytes(range(1, 33))
MESSAGE = b"\0\1meet me at noon\0"
PUBLISHED = "pkcs-1v2-1d2-vec", "oaep-vect.txt"


def flipped(block: bytes, place: int, mask: int = 1) -> bytes:
    return block[:place] + bytes((block[place] ^ mask,)) + block[place + 1 :]


def data_block(oaep: Oaep, data: bytes, first: bytes = b"\0") -> bytes:
    """Block with any data block, masked by MGF1 as RFC 8017 (B.2.1) writes it."""

    def mgf1(seed, nbytes):
        name = oaep.mask_hash_name or oaep.hash_name
        hashes = (hashlib.new(name, seed + bytes((0, 0, 0, c))).digest() for c in range(20))
        return int.from_bytes(b"".join(hashes)[:nbytes], "big")

    masked = (int.from_bytes(data, "big") ^ mgf1(SEED, len(data))).to_bytes(len(data), "big")
    seed = int.from_bytes(SEED, "big") ^ mgf1(masked, len(SEED))
    return first + seed.to_bytes(len(SEED), "big") + masked


def refused(oaep: Oaep, block: bytes) -> InputRuleError:
    with pytest.raises(InputRuleError) as caught:
        oaep.unpad(block)
    return caught.value


def test_published_blocks():
    """The published seeds give the blocks whose powers are the published ciphertexts."""
    oaep, count = Oaep("sha1"), 0
    for key, values in examples(*PUBLISHED):
        block = oaep.pad(values["Message"], key.nbytes, values["Seed"])
        power = pow(int.from_bytes(block, "big"), key.e, key.n)
        assert power.to_bytes(key.nbytes, "big") == values["Encryption"]
        assert oaep.unpad(block) == values["Message"]
        count += 1
    assert count == 60


@pytest.mark.parametrize("mask_hash_name", ["", "sha1", "sha512_256"])
def test_padding_by_the_definition(mask_hash_name):
    oaep = Oaep("sha256", mask_hash_name, b"label")
    data = hashlib.sha256(b"label").digest() + bytes(NBYTES - 66 - len(MESSAGE)) + b"\1" + MESSAGE
    assert oaep.pad(MESSAGE, NBYTES, SEED) == data_block(oaep, data)


@pytest.mark.parametrize("name", HASHES)
@pytest.mark.parametrize("nbytes", [0, 1, 2, -1])
def test_lengths(name, nbytes):
    """Messages from none to the longest one, and the block without room for any byte."""
    oaep = Oaep(name)
    seed = bytes(oaep.seed_nbytes)
    block_nbytes = oaep.overhead_nbytes + 2
    message = b"\0" * (nbytes % 3)
    assert oaep.unpad(oaep.pad(message, block_nbytes, seed)) == message
    assert oaep.unpad(oaep.pad(b"", oaep.overhead_nbytes, seed)) == b""
    with pytest.raises(InputRuleError, match="3 bytes, 2 fit") as caught:
        oaep.pad(bytes(3), block_nbytes, seed)
    assert caught.value.status is Status.MESSAGE_TOO_LONG
    for use in (lambda n: oaep.pad(b"", n, seed), lambda n: oaep.unpad(bytes(n))):
        with pytest.raises(InputRuleError) as caught:
            use(oaep.overhead_nbytes - 1)
        assert caught.value.status is Status.KEY_TOO_SHORT


def test_one_error_for_all_faults():
    """Every byte of a block and of its data block is checked, and the errors are the same."""
    oaep = Oaep()
    block = oaep.pad(MESSAGE, NBYTES, SEED)
    hashed, zeros = hashlib.sha256().digest(), bytes(NBYTES - 66 - len(MESSAGE))
    room = NBYTES - 65
    faults = [
        *(flipped(block, place, 1 << place % 8) for place in range(1 + 32 + 32)),
        data_block(oaep, hashed + zeros + b"\1" + MESSAGE, b"\1"),
        data_block(oaep, hashed + zeros + b"\2" + MESSAGE),
        data_block(oaep, hashed + b"\x80" + zeros[1:] + b"\1" + MESSAGE),
        data_block(oaep, hashed + b"\xff" * room),
        data_block(oaep, hashed + bytes(room)),
        data_block(oaep, flipped(hashed, 31) + zeros + b"\1" + MESSAGE),
        bytes(NBYTES),
        Oaep(label=b"x").pad(MESSAGE, NBYTES, SEED),
        Oaep(mask_hash_name="sha1").pad(MESSAGE, NBYTES, SEED),
    ]
    errors = {(refused(oaep, x).status, str(refused(oaep, x))) for x in faults}
    assert len(errors) == 1
    assert next(iter(errors))[0] is Status.PADDING_WRONG


def test_one_at_once_and_at_the_end():
    """0x01 may follow the hash at once, and end the block; further ones are the message's."""
    oaep, hashed, room = Oaep(), hashlib.sha256().digest(), NBYTES - 65
    assert oaep.unpad(data_block(oaep, hashed + b"\1" * room)) == b"\1" * (room - 1)
    assert oaep.unpad(data_block(oaep, hashed + bytes(room - 1) + b"\1")) == b""


def test_bad_parameters():
    with pytest.raises(ValueError, match="hash 'md5': sha1, "):
        Oaep("md5")
    with pytest.raises(ValueError, match="hash 'md5'"):
        Oaep(mask_hash_name="md5")
    with pytest.raises(ValueError, match="seed of 20 bytes: 32 needed"):
        Oaep().pad(b"", NBYTES, bytes(20))
