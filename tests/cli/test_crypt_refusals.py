"""Inputs that ``rsaxcel crypt`` refuses, and its messages."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.hashes import SHA256

from rsaxcel.fl.keys import seeded_key
from tests.cli.crypt_calls import FL, NBITS, NBYTES, PKCS1, raw, the_line
from tests.cli.crypt_keys import one_padding_pem, pem, private_pem, public_pem, theirs, write_key


@pytest.mark.parametrize(
    "design", [("ssmm_r2l",), ("crt_window", "--param", "half_nbits=272")], ids=lambda x: x[0]
)
def test_a_number_of_the_modulus_or_more_is_refused(crypt, design):
    """s + n is not a signature, and c + n not a ciphertext, also if the circuit reduces them."""
    key, n = theirs(NBITS), seeded_key(NBITS).n
    signed = ((text, key.sign(text, PKCS1, SHA256())) for text in (b"a", b"b", b"c", b"d"))
    text, number = next(
        (text, number)
        for text, signature in signed
        if (number := int.from_bytes(signature, "big") + n) < 1 << NBITS
    )
    options, block = ("--design", *design, "--level", "fl"), number.to_bytes(NBYTES, "big")
    done, _ = crypt("verify", pem(key, "pkcs8"), text, block, options=options)
    assert done.status == 1
    assert "no signature of that file" in done.err
    done, _ = crypt("decrypt", pem(key, "pkcs8"), block, options=options)
    assert "base_too_large" in the_line(done)


def test_made_keys_are_read(crypt):
    """A key that is refused for its algorithm is accepted with the common algorithm."""
    for kind in ("pkcs8", "spki"):
        done, ciphertext = crypt("encrypt", one_padding_pem(theirs(NBITS), 1, kind), b"hello")
        assert (done.status, theirs(NBITS).decrypt(ciphertext, PKCS1)) == (0, b"hello")


def test_keys_that_a_circuit_is_not_for(crypt):
    """The message names a parameter with which the command works."""
    narrow, key = ("--design", "systolic_l2r_always", "--level", "fl", "--param"), theirs(NBITS)
    exponents = {"encrypt": ("public", 65537), "sign": ("private", key.private_numbers().d)}
    for action, (name, exponent) in exponents.items():
        needed = exponent.bit_length()
        few, enough = f"exponent_nbits={needed - 1}", f"exponent_nbits={needed}"
        line = the_line(crypt(action, private_pem(key), b"hello", options=(*narrow, few))[0])
        assert f"key.pem: operand_too_wide: its {name} exponent has {needed} bits, {few};" in line
        assert line.endswith(f"--param {enough} takes it")
        assert crypt(action, private_pem(key), b"hello", options=(*narrow, enough))[0].status == 0
    counted = ("--design", "ssmm_r2l", "--level", "fl", "--param", "schedule=repeated")
    counted = (*counted, "--param", "lanes=1")
    line = the_line(crypt("encrypt", public_pem(key), b"hello", options=counted)[0])
    assert line.endswith("exponent_nbits=8; --param exponent_nbits=17 takes it")
    line = the_line(crypt("sign", private_pem(key), b"hello", options=counted)[0])
    assert "exponent_nbits=8; 1 to 17 allowed for ssmm_r2l_512_schedule_repeated" in line
    only, key = ("--design", "dm_r2l", "--level", "fl"), theirs(96)
    done, _ = crypt("encrypt", public_pem(key), b"", options=only)
    assert done.status == 2
    *_, line = done.err.splitlines()
    assert "key.pem: modulus_other: dm_r2l is for one modulus" in line
    (param,) = (word for word in line.split() if word.startswith("modulus=0x"))
    assert crypt("encrypt", public_pem(key), b"", options=(*only, "--param", param))[0].status == 0


def test_a_number_wider_than_the_key(crypt):
    """A number of whole bytes may be wider than the modulus: bad input, or a wrong signature."""
    key, number = theirs(500), b"\xff" * 63
    line = the_line(crypt("decrypt", private_pem(key), number)[0])
    assert "in: operand_too_wide: as a number it is not below the key's modulus" in line
    done, _ = crypt("verify", public_pem(key), b"text", number)
    assert (done.status, "no signature of that file" in done.err) == (1, True)


def test_short_keys(crypt):
    """Keys up to 64 bits use no padding; up to 80 bits are too short; signatures need 489 bits."""
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
            write_key(path, private_pem(theirs(NBITS)))
    action, out = "verify", names["signature"]
    if missing == "folder":
        action, out = "sign", tmp_path / "none" / "sig"
    line = the_line(rsaxcel("crypt", action, "--key", names["key"], *FL, names["in"], out))
    assert str(names.get(missing, out)) in line


@pytest.mark.parametrize("name", ["key.pem", "in", "link", "-", "full"])
def test_what_out_may_not_be(rsaxcel, here, name):
    """OUT never replaces the key or the message, under any name."""
    key = private_pem(theirs(NBITS))
    write_key(Path("key.pem"), key)
    Path("in").write_bytes(b"text")
    Path("link").symlink_to("key.pem")
    Path("full").symlink_to("/dev/full")
    line = the_line(rsaxcel("crypt", "encrypt", "--key", "./key.pem", *FL, "in", name))
    assert line.startswith(f"{name}: ")
    assert (Path("key.pem").read_bytes(), Path("in").read_bytes()) == (key, b"text")
    assert not Path("-").exists()
