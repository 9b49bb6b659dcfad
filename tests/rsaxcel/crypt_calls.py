"""Calls of `rsaxcel crypt`: their key's width, options, and what is looked for in what they say."""

from cryptography.hazmat.primitives.asymmetric import padding

from fl.keys import seeded_key

NBITS = 512
NBYTES = NBITS // 8
PKCS1 = padding.PKCS1v15()
FAST = ("--design", "ssmm_r2l")
FL = (*FAST, "--level", "fl")


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
