"""``rsaxcel crypt`` compared with the package ``cryptography``: files, output, refusals."""

import json
from functools import cache
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.hashes import SHA1, SHA256

import rsaxcel.cli.crypt
from rsaxcel.cli.crypt import signed_digest
from rsaxcel.fl.keys import Key, seeded_key
from rsaxcel.fl.pkcs1 import BlockType, pad
from rsaxcel.sim.batch import SimulationTimeout
from rsaxcel.sim.bus import BusRun
from rsaxcel.sim.vectors import PRIVATE_ONLY
from tests.cli.crypt_calls import FAST, FL, NBITS, NBYTES, PKCS1, check_private, raw, the_line
from tests.cli.crypt_keys import (
    PRIVATE,
    PUBLIC,
    pem,
    private_key,
    private_pem,
    public_pem,
    theirs,
    write_key,
)
from tests.shared.harness import built_once

PLAIN = ("--design", "mm_r2l")
"""Design without parameters."""
CIRCUIT, CIRCUIT_NBITS = "mulrem_r2l", 96
KINDS = (*PRIVATE, *PUBLIC)


@pytest.mark.parametrize("kind", KINDS)
def test_messages_both_ways(crypt, kind):
    key, message = theirs(NBITS), b"\0meet me at noon\n"
    done, ciphertext = crypt("encrypt", pem(key, kind), message)
    assert (done.status, done.err) == (0, "")
    assert key.decrypt(ciphertext, PKCS1) == message
    # each encryption has another padding, without zero bytes
    again = crypt("encrypt", pem(key, kind), message)[1]
    blocks = [raw(text, seeded_key(NBITS).d) for text in (ciphertext, again)]
    assert blocks[0] != blocks[1]
    assert all(block[2 : -len(message) - 1].count(0) == 0 for block in blocks)
    if kind in PRIVATE:
        for text in (message, b"", bytes(NBYTES - 11)):
            done, opened = crypt("decrypt", pem(key, kind), key.public_key().encrypt(text, PKCS1))
            assert (done.status, opened) == (0, text)


@pytest.mark.parametrize("kind", KINDS)
def test_signatures_both_ways(crypt, kind):
    key, text = theirs(NBITS), b"a file of any length" * 1000
    signature = key.sign(text, PKCS1, SHA256())
    if kind in PRIVATE:
        done, made = crypt("sign", pem(key, kind), text)
        assert (done.status, made) == (0, signature)
        key.public_key().verify(made, text, PKCS1, SHA256())
    done, kept = crypt("verify", pem(key, kind), text, signature)
    assert (done.status, done.err, kept) == (0, "", signature)
    assert "signature    good" in done.out.splitlines()


@cache
def wrong_signatures() -> dict[str, bytes]:
    """Wrong signatures of ``b"text"``; all but two are powers of a block."""
    key, d = theirs(NBITS), seeded_key(NBITS).d
    good, named = key.sign(b"text", PKCS1, SHA256()), signed_digest(b"text")
    short = b"\0\1" + b"\xff" * 8 + b"\0" + named
    blocks = {
        "garbage behind the digest": short.ljust(NBYTES, b"\7"),
        "padding of 7 bytes": short.replace(b"\xff" * 8, b"\xff" * 7).ljust(NBYTES, b"\7"),
        "no name": pad(named[19:], NBYTES, BlockType.SIGNATURE),
        "block type 2": pad(named, NBYTES, entropy=b"\7" * NBYTES),
        "byte of the padding": pad(named, NBYTES, BlockType.SIGNATURE).replace(
            b"\1\xff", b"\1\xfe"
        ),
    }
    return {
        "of another text": key.sign(b"Text", PKCS1, SHA256()),
        "of another digest": key.sign(b"text", PKCS1, SHA1()),
        "a bit": good[:-1] + bytes((good[-1] ^ 1,)),
        "by another key": theirs(NBITS, 1).sign(b"text", PKCS1, SHA256()),
        "short": good[:-1],
        "long": good + b"\0",
        "not below the modulus": b"\xff" * NBYTES,
        "empty": b"",
        **{name: raw(block, d) for name, block in blocks.items()},
    }


@pytest.mark.parametrize("name", wrong_signatures())
def test_wrong_signatures(crypt, name):
    key, signature = theirs(NBITS), wrong_signatures()[name]
    with pytest.raises(InvalidSignature):
        key.public_key().verify(signature, b"text", PKCS1, SHA256())
    done, _ = crypt("verify", public_pem(key), b"text", signature, (*FL, "--json"))
    assert done.status == 1
    assert json.loads(done.out)["good"] is False
    (line,) = done.err.splitlines()
    assert "no signature of that file" in line


@pytest.mark.parametrize(
    "block",
    [
        b"\0\2" + b"\7" * 7 + b"\0" + b"m" * (NBYTES - 10),
        b"\0\2" + b"\7" * (NBYTES - 2),
        b"\0\1" + b"\xff" * (NBYTES - 4) + b"\0m",
        b"\0\0" + b"\7" * (NBYTES - 4) + b"\0m",
        b"\1\2" + b"\7" * (NBYTES - 4) + b"\0m",
        bytes(NBYTES),
    ],
    ids=["7 bytes", "no end", "type 1", "type 0", "first byte", "zeros"],
)
def test_wrong_paddings(crypt, block):
    """A wrong padding gives status 1, shows nothing of the block, and OUT is not written."""
    ciphertext = raw(block, seeded_key(NBITS).e)
    done, out = crypt("decrypt", private_pem(theirs(NBITS)), ciphertext)
    assert (done.status, out) == (1, None)
    assert "status       padding_wrong" in done.out.splitlines()
    (line,) = done.err.splitlines()
    assert line.endswith("padding is refused")


def test_record_of_the_golden_model(crypt):
    done, _ = crypt("encrypt", public_pem(theirs(NBITS)), b"hello", options=(*FL, "--json"))
    assert json.loads(done.out) == {
        "action": "encrypt",
        "design": "ssmm_r2l",
        "nbits": NBITS,
        "params": {"bits_per_cycle": 1, "recurrence": "signed"},
        "level": "fl",
        "padding": "pkcs1",
        "status": "ok",
        "good": True,
        "input_nbytes": 5,
        "output_nbytes": NBYTES,
        "cycles": None,
        "total_cycles": None,
    }


def test_by_the_primes(crypt):
    """A design by the primes signs and decrypts like others; a public key has no primes."""
    key, text = theirs(NBITS), b"text"
    pair = seeded_key(NBITS)
    wide = max(pair.p, pair.q).bit_length()
    options = ("--design", "crt_window", "--level", "fl")
    assert wide > NBITS // 2
    line = the_line(crypt("sign", pem(key, "pkcs8"), text, options=options)[0])
    assert line.endswith(
        f"operand_too_wide: a prime has {wide} bits, half_nbits={NBITS // 2}; "
        f"--param half_nbits={wide} takes it"
    )
    options = (*options, "--param", f"half_nbits={wide}")
    check_private(crypt, key, text, options)
    signature = key.sign(text, PKCS1, SHA256())
    done, _ = crypt("verify", pem(key, "pkcs1"), text, signature, options=options)
    assert done.status == 0
    line = the_line(crypt("verify", pem(key, "spki"), text, signature, options=options)[0])
    assert line.endswith("a public key; a design by the primes needs a private one")


def test_a_checked_result(crypt):
    """A design that checks its result takes the key's public exponent, and no public operation."""
    key, text, pair = theirs(NBITS), b"text", seeded_key(NBITS)
    half = f"half_nbits={max(pair.p, pair.q).bit_length()}"
    options = ("--design", "crt_window", "--level", "fl", "--param", half)
    options += ("--param", "check=public_exponent")
    check_private(crypt, key, text, options)
    line = the_line(crypt("encrypt", pem(key, "pkcs8"), text, options=options)[0])
    assert line.endswith(PRIVATE_ONLY)
    short = (*options, "--param", "public_nbits=16")
    line = the_line(crypt("sign", pem(key, "pkcs8"), text, options=short)[0])
    assert line.endswith(
        "its public exponent has 17 bits, public_nbits=16; --param public_nbits=17 takes it"
    )


@built_once(f"crypt-{CIRCUIT}", CIRCUIT_NBITS)
def test_circuit(crypt):
    """Encryption, decryption and a refused padding at RTL; CL takes the same cycles."""
    pair = seeded_key(CIRCUIT_NBITS)
    # exponents are exchanged, because CL is slow with a long private exponent
    key = private_key(Key(pair.n, pair.d, pair.e))
    rtl, cl = (("--design", CIRCUIT, "--json", "--level", level) for level in ("rtl", "cl"))
    done, ciphertext = crypt("encrypt", public_pem(key), b"", options=rtl)
    assert (done.status, key.decrypt(ciphertext, PKCS1)) == (0, b"")
    ciphertext = key.public_key().encrypt(b"\0", PKCS1)
    records = []
    for options in (rtl, cl):
        done, message = crypt("decrypt", private_pem(key), ciphertext, options=options)
        assert (done.status, message) == (0, b"\0")
        records.append(json.loads(done.out))
    assert records[0] == {**records[1], "level": "rtl"}
    assert 0 < records[0]["cycles"] < records[0]["total_cycles"] < records[0]["cycles"] + 100
    block = b"\0\2" + b"\7" * 7 + b"\0mm"
    done, _ = crypt("decrypt", private_pem(key), raw(block, pair.d, CIRCUIT_NBITS), options=rtl)
    assert (done.status, json.loads(done.out)["status"]) == (1, "padding_wrong")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (None, "differ from the golden model's"),
        (SimulationTimeout("BusHost", 7, 7, 1, 0, 2), "no handshake"),
    ],
)
def test_a_circuit_that_is_wrong(crypt, monkeypatch, error, words):
    opened = rsaxcel.cli.crypt.open_bus

    def open_bus(configuration, level):
        golden = opened(configuration, "fl")

        def run(script, *_):
            if error:
                raise error
            answers = golden(script).answers
            *others, (kind, _, data) = answers
            return BusRun([*others, (kind, 0, data ^ 1)], list(range(len(answers))), 1)

        return golden if level == "fl" else run

    monkeypatch.setattr(rsaxcel.cli.crypt, "open_bus", open_bus)
    done, out = crypt("encrypt", public_pem(theirs(NBITS)), b"", options=FAST)
    assert (done.status, done.out, out) == (1, "", None)
    assert words in done.err.splitlines()[-1]


def test_what_is_shown(crypt, tmp_path):
    done, _ = crypt("encrypt", public_pem(theirs(NBITS)), b"", options=("--level", "fl", *FAST))
    assert done.out.splitlines() == [
        "design       ssmm_r2l, 512 bits, bits_per_cycle=1 recurrence=signed",
        "level        fl",
        "status       ok",
        f"written      {tmp_path / 'out'}, 64 bytes",
    ]
    done, _ = crypt("encrypt", public_pem(theirs(NBITS)), b"", options=("--level", "fl", *PLAIN))
    assert done.out.splitlines()[0] == "design       mm_r2l, 512 bits"


def test_standard_input(rsaxcel, tmp_path, monkeypatch):
    key = tmp_path / "key.pem"
    write_key(key, private_pem(theirs(NBITS)))
    given = tmp_path / "given"
    given.write_bytes(b"piped")
    with given.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        done = rsaxcel("crypt", "encrypt", "--key", key, *FL, "-", tmp_path / "out")
    assert done.status == 0
    assert theirs(NBITS).decrypt(Path(tmp_path / "out").read_bytes(), PKCS1) == b"piped"
