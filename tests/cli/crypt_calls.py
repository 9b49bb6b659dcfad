"""Calls of `rsaxcel crypt`: width of the key, options, and checks of the output."""

from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.hashes import SHA256

from rsaxcel.fl.keys import seeded_key
from tests.cli.crypt_keys import private_pem

NBITS = 512
NBYTES = NBITS // 8
PKCS1 = padding.PKCS1v15()
FAST = ("--design", "ssmm_r2l")
FL = (*FAST, "--level", "fl")


def raw(number: int | bytes, exponent: int, nbits: int = NBITS) -> bytes:
    """Power of a block modulo the tests' key, as bytes."""
    base = number if isinstance(number, int) else int.from_bytes(number, "big")
    return pow(base, exponent, seeded_key(nbits).n).to_bytes(nbits // 8, "big")


def check_private(crypt, key, text: bytes, options) -> None:
    """Sign and decrypt a text: results are those of the package ``cryptography``."""
    done, signature = crypt("sign", private_pem(key), text, options=options)
    assert (done.status, signature) == (0, key.sign(text, PKCS1, SHA256()))
    ciphertext = key.public_key().encrypt(text, PKCS1)
    done, opened = crypt("decrypt", private_pem(key), ciphertext, options=options)
    assert (done.status, opened) == (0, text)


def the_line(done) -> str:
    """The only line of output of a command that refused its input."""
    assert done.status == 2
    assert done.out == ""
    (line,) = done.err.splitlines()
    return line.removeprefix("rsaxcel: error: ")
