"""``rsaxcel crypt`` against the package ``cryptography``: what it writes, says, and refuses."""

import json
import random
from functools import cache
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding
from cryptography.hazmat.primitives.hashes import SHA1, SHA256

import eval.crypt
from eval.crypt import signed_digest
from fl.keys import Key, seeded_key
from fl.pkcs1 import BlockType, pad
from sim.batch import SimulationTimeout
from sim.bus import BusRun
from tests.eval.crypt_keys import (
    OAEP,
    PRIVATE,
    PSS,
    PUBLIC,
    one_padding_pem,
    pem,
    private_key,
    private_pem,
    public_pem,
    theirs,
)
from tests.harness import built_once

NBITS = 512
NBYTES = NBITS // 8
PKCS1 = padding.PKCS1v15()
FAST = ("--design", "ssmm_r2l")
PLAIN = ("--design", "mm_r2l")
"""A design without parameters."""
FL = (*FAST, "--level", "fl")
CIRCUIT, CIRCUIT_NBITS = "mulrem_r2l", 96
KINDS = (*PRIVATE, *PUBLIC)


@pytest.fixture
def crypt(rsaxcel, tmp_path):
    """Call the command on contents of files; gives what it did, and what is in OUT then."""

    def call(action, key: bytes, given: bytes, signature: bytes | None = None, options=FL):
        for name, content in (("key.pem", key), ("in", given), ("out", signature)):
            if content is not None:
                (tmp_path / name).write_bytes(content)
        out = tmp_path / "out"
        done = rsaxcel(
            "crypt", action, "--key", tmp_path / "key.pem", *options, tmp_path / "in", out
        )
        return done, out.read_bytes() if out.exists() else None

    return call


def raw(number: int | bytes, exponent: int, nbits: int = NBITS) -> bytes:
    """Power modulo the tests' key."""
    base = number if isinstance(number, int) else int.from_bytes(number, "big")
    return pow(base, exponent, seeded_key(nbits).n).to_bytes(nbits // 8, "big")


def the_line(done) -> str:
    """The only line of a command that did nothing."""
    assert done.status == 2
    assert done.out == ""
    (line,) = done.err.splitlines()
    return line.removeprefix("rsaxcel: error: ")


@pytest.mark.parametrize("kind", KINDS)
def test_messages_both_ways(crypt, kind):
    key, message = theirs(NBITS), b"\0meet me at noon\n"
    done, ciphertext = crypt("encrypt", pem(key, kind), message)
    assert (done.status, done.err) == (0, "")
    assert key.decrypt(ciphertext, PKCS1) == message
    # another padding each time, and none of it is zero
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
    """Signatures that are none of ``b"text"``; all but two are powers of a block."""
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
    """Status 1, nothing of the block to be seen, and OUT is not made."""
    ciphertext = raw(block, seeded_key(NBITS).e)
    done, out = crypt("decrypt", private_pem(theirs(NBITS)), ciphertext)
    assert (done.status, out) == (1, None)
    assert "status       padding_wrong" in done.out.splitlines()
    (line,) = done.err.splitlines()
    assert line.endswith("padding is refused")


@pytest.mark.parametrize(
    ("action", "kind", "nbytes", "words"),
    [
        ("encrypt", "spki", NBYTES - 10, ["message_too_long", "54 bytes", "up to 53"]),
        ("encrypt", "spki", 10**6, ["message_too_long", "1000000 bytes", "up to 53"]),
        ("decrypt", "pkcs8", NBYTES - 1, ["length_wrong", "63 bytes", "has 64"]),
        ("decrypt", "pkcs8", NBYTES + 9, ["message_too_long", "73 bytes", "up to 64"]),
        ("decrypt", "pkcs8", NBYTES, ["base_too_large", "not below"]),
        ("decrypt", "spki", NBYTES, ["key.pem: a public key; decrypt takes a private one"]),
        ("sign", "public-pkcs1", 0, ["key.pem: a public key; sign takes a private one"]),
    ],
)
def test_bad_input(crypt, action, kind, nbytes, words):
    done, out = crypt(action, pem(theirs(NBITS), kind), b"\xff" * nbytes)
    line = the_line(done)
    assert out is None
    for word in words:
        assert word in line


@cache
def bad_keys() -> dict[str, tuple[bytes, str]]:
    """Files that are no RSA key, with what is said of them."""
    key, curve = theirs(NBITS), ec.generate_private_key(ec.SECP256R1())
    good, labels = private_pem(key), "from PRIVATE KEY, RSA PRIVATE KEY, PUBLIC KEY, RSA PUBLIC KEY"
    return {
        "EC, PKCS#8": (private_pem(curve), "a key of EC; RSA only"),
        "EC, by its own name": (private_pem(curve, "pkcs1"), "EC PRIVATE KEY is there"),
        "EC, public": (public_pem(curve), "a key of EC; RSA only"),
        "Ed25519": (public_pem(ed25519.Ed25519PrivateKey.generate()), "Ed25519; RSA only"),
        "encrypted, PKCS#8": (private_pem(key, password=b"x"), "the key is encrypted"),
        "encrypted, PKCS#1": (private_pem(key, "pkcs1", b"x"), "the key is encrypted"),
        "cut off": (good[: len(good) // 2], "damaged, cut off"),
        "a letter": (good.replace(b"\nMII", b"\nMIA"), "damaged, cut off"),
        "public, cut off": (public_pem(key)[:60], "damaged, cut off"),
        "no PEM": (bytes(range(256)), f"no PEM block is there; RSA keys are read in PEM, {labels}"),
        "empty": (b"", "no PEM block is there"),
        "PSS, PKCS#8": (one_padding_pem(key, PSS, "pkcs8"), "for PSS (id-RSASSA-PSS) alone"),
        "PSS, public": (one_padding_pem(key, PSS, "spki"), "for PSS (id-RSASSA-PSS) alone"),
        "OAEP, PKCS#8": (one_padding_pem(key, OAEP, "pkcs8"), "for OAEP (id-RSAES-OAEP) alone"),
        "OAEP, public": (one_padding_pem(key, OAEP, "spki"), "for OAEP (id-RSAES-OAEP) alone"),
        "two": (good + public_pem(key), "2 keys are there (PRIVATE KEY, PUBLIC KEY); give one"),
        "two, one of EC": (private_pem(curve, "pkcs1") + good, "(EC PRIVATE KEY, PRIVATE KEY)"),
        "a certificate's name": (good.replace(b"PRIVATE KEY", b"CERTIFICATE"), "CERTIFICATE is"),
    }


@pytest.mark.parametrize("name", bad_keys())
def test_bad_keys(crypt, name):
    content, words = bad_keys()[name]
    done, out = crypt("decrypt", content, bytes(NBYTES))
    line = the_line(done)
    assert "key.pem: " in line
    assert words in line
    assert out is None


def test_made_keys_are_read(crypt):
    """What is refused for its algorithm is taken when that is the common one."""
    for kind in ("pkcs8", "spki"):
        done, ciphertext = crypt("encrypt", one_padding_pem(theirs(NBITS), 1, kind), b"hello")
        assert (done.status, theirs(NBITS).decrypt(ciphertext, PKCS1)) == (0, b"hello")


def test_keys_that_a_circuit_is_not_for(crypt):
    """The line names what to set, and so it works."""
    narrow, key = ("--design", "systolic_l2r_always", "--level", "fl", "--param"), theirs(NBITS)
    exponents = {"encrypt": ("public", 65537), "sign": ("private", key.private_numbers().d)}
    for action, (name, exponent) in exponents.items():
        needed = exponent.bit_length()
        few, enough = f"exponent_nbits={needed - 1}", f"exponent_nbits={needed}"
        line = the_line(crypt(action, private_pem(key), b"hello", options=(*narrow, few))[0])
        assert f"key.pem: operand_too_wide: its {name} exponent has {needed} bits, {few};" in line
        assert line.endswith(f"--param {enough} takes it")
        assert crypt(action, private_pem(key), b"hello", options=(*narrow, enough))[0].status == 0
    only, key = ("--design", "dm_r2l", "--level", "fl"), theirs(96)
    done, _ = crypt("encrypt", public_pem(key), b"", options=only)
    assert done.status == 2
    *_, line = done.err.splitlines()
    assert "key.pem: modulus_other: dm_r2l is for one modulus" in line
    (param,) = (word for word in line.split() if word.startswith("modulus=0x"))
    assert crypt("encrypt", public_pem(key), b"", options=(*only, "--param", param))[0].status == 0


def test_a_number_wider_than_the_key(crypt):
    """Where bytes are wider than the modulus, it does not fit; a signature is wrong, no less."""
    key, number = theirs(500), b"\xff" * 63
    line = the_line(crypt("decrypt", private_pem(key), number)[0])
    assert "in: operand_too_wide: as a number it is not below the key's modulus" in line
    done, _ = crypt("verify", public_pem(key), b"text", number)
    assert (done.status, "no signature of that file" in done.err) == (1, True)


def test_short_keys(crypt):
    """Up to 64 bits there is no padding; up to 80 there is no room for one; signatures need 489."""
    key, message = theirs(64), b"\0hello"
    done, ciphertext = crypt("encrypt", public_pem(key), message)
    assert done.status == 0
    assert "no padding" in done.err
    assert ciphertext == raw(message, seeded_key(64).e, 64)
    assert crypt("decrypt", private_pem(key), ciphertext)[1] == message.rjust(8, b"\0")
    assert "base_too_large" in crypt("encrypt", public_pem(key), b"\xff" * 8)[0].err
    assert "key_too_short: 72 bits" in the_line(crypt("encrypt", public_pem(theirs(72)), b"")[0])
    for action in ("sign", "verify"):
        done, _ = crypt(action, private_pem(theirs(488)), b"text", bytes(61))
        assert "488 bits have no room for a SHA-256 signature, which takes 489" in the_line(done)


@pytest.mark.parametrize("missing", ["key", "in", "signature", "folder"])
def test_missing_files(rsaxcel, tmp_path, missing):
    names = {"key": tmp_path / "key.pem", "in": tmp_path / "in", "signature": tmp_path / "sig"}
    for name, path in names.items():
        if name != missing:
            path.write_bytes(private_pem(theirs(NBITS)))
    action, out = "verify", names["signature"]
    if missing == "folder":
        action, out = "sign", tmp_path / "none" / "sig"
    line = the_line(rsaxcel("crypt", action, "--key", names["key"], *FL, names["in"], out))
    assert str(names.get(missing, out)) in line


@pytest.mark.parametrize("name", ["key.pem", "in", "link", "-", "full"])
def test_what_out_may_not_be(rsaxcel, tmp_path, monkeypatch, name):
    """OUT replaces neither the key nor the message, under whatever name."""
    monkeypatch.chdir(tmp_path)
    key = private_pem(theirs(NBITS))
    Path("key.pem").write_bytes(key)
    Path("in").write_bytes(b"text")
    Path("link").symlink_to("key.pem")
    Path("full").symlink_to("/dev/full")
    line = the_line(rsaxcel("crypt", "encrypt", "--key", "./key.pem", *FL, "in", name))
    assert line.startswith("OUT" if name == "-" else f"{name}: ")
    assert (Path("key.pem").read_bytes(), Path("in").read_bytes()) == (key, b"text")
    assert not Path("-").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--design", "ssmm"), "design 'ssmm' is unknown"),
        ((*FL, "--param", "nbits=8"), "nbits=8"),
        (("--design", "mont_r2l"), "nbits=512"),
        ((*FL, "--param", "lanes=7"), "lanes=7"),
        (("--level", "gates"), "gates"),
    ],
)
def test_bad_designs(crypt, arguments, words):
    done, out = crypt("encrypt", public_pem(theirs(NBITS)), b"", options=arguments)
    assert words in the_line(done)
    assert out is None


def test_record_of_the_golden_model(crypt):
    done, _ = crypt("encrypt", public_pem(theirs(NBITS)), b"hello", options=(*FL, "--json"))
    assert json.loads(done.out) == {
        "action": "encrypt",
        "design": "ssmm_r2l",
        "nbits": NBITS,
        "params": {"bits_per_cycle": 1},
        "level": "fl",
        "status": "ok",
        "good": True,
        "input_nbytes": 5,
        "output_nbytes": NBYTES,
        "cycles": None,
        "total_cycles": None,
    }


@built_once(f"crypt-{CIRCUIT}", CIRCUIT_NBITS)
def test_circuit(crypt):
    """Both ways and a refused padding at RTL; the cycle level takes as many cycles."""
    pair = seeded_key(CIRCUIT_NBITS)
    # exchanged, because the cycle level is slow where the private exponent is long
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


@pytest.mark.slow
@built_once("crypt-ssmm_r2l", 1024)
def test_all_lengths_on_a_circuit(crypt):
    """Each length that fits 1024 bits, once each way."""
    key, rtl = theirs(1024), (*FAST, "--level", "rtl")
    for length in range(118):
        message = random.Random(length).randbytes(length)
        done, ciphertext = crypt("encrypt", public_pem(key), message, options=rtl)
        assert (done.status, key.decrypt(ciphertext, PKCS1)) == (0, message)
        ciphertext = key.public_key().encrypt(message, PKCS1)
        done, opened = crypt("decrypt", private_pem(key), ciphertext, options=rtl)
        assert (done.status, opened) == (0, message)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (None, "not those of the golden model"),
        (SimulationTimeout("BusHost", 7, 7, 1, 0, 2), "no handshake"),
    ],
)
def test_a_circuit_that_is_wrong(crypt, monkeypatch, error, words):
    opened = eval.crypt.open_bus

    def open_bus(configuration, level):
        golden = opened(configuration, "fl")

        def run(script, *_):
            if error:
                raise error
            answers = golden(script).answers
            *others, (kind, _, data) = answers
            return BusRun([*others, (kind, 0, data ^ 1)], list(range(len(answers))), 1)

        return golden if level == "fl" else run

    monkeypatch.setattr(eval.crypt, "open_bus", open_bus)
    done, out = crypt("encrypt", public_pem(theirs(NBITS)), b"", options=FAST)
    assert (done.status, done.out, out) == (1, "", None)
    assert words in done.err.splitlines()[-1]


def test_what_is_shown(crypt, tmp_path):
    done, _ = crypt("encrypt", public_pem(theirs(NBITS)), b"", options=("--level", "fl", *FAST))
    assert done.out.splitlines() == [
        "design       ssmm_r2l, 512 bits, bits_per_cycle=1",
        "level        fl",
        "status       ok",
        f"written      {tmp_path / 'out'}, 64 bytes",
    ]
    done, _ = crypt("encrypt", public_pem(theirs(NBITS)), b"", options=("--level", "fl", *PLAIN))
    assert done.out.splitlines()[0] == "design       mm_r2l, 512 bits"


def test_standard_input(rsaxcel, tmp_path, monkeypatch):
    key = tmp_path / "key.pem"
    key.write_bytes(private_pem(theirs(NBITS)))
    given = tmp_path / "given"
    given.write_bytes(b"piped")
    with given.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        done = rsaxcel("crypt", "encrypt", "--key", key, *FL, "-", tmp_path / "out")
    assert done.status == 0
    assert theirs(NBITS).decrypt(Path(tmp_path / "out").read_bytes(), PKCS1) == b"piped"


def test_help_teaches(rsaxcel):
    shown = rsaxcel("crypt", "--help").out
    for words in ("openssl genrsa", "rsaxcel crypt encrypt --key me.pub", "golden model", "PKCS#8"):
        assert words in shown
