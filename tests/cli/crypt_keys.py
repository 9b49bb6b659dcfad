"""Keys of any width in PEM files of other programs, for the tests of ``rsaxcel crypt``."""

import base64
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from rsaxcel.fl.keys import seeded_key

OAEP, PSS = 7, 10
"""Last number of an algorithm's identifier, by padding (RFC 8017, appendix C); 1: any padding."""
PRIVATE = {"pkcs1": PrivateFormat.TraditionalOpenSSL, "pkcs8": PrivateFormat.PKCS8}
PUBLIC = {"public-pkcs1": PublicFormat.PKCS1, "spki": PublicFormat.SubjectPublicKeyInfo}


@cache
def theirs(nbits: int, seed: int = 0) -> rsa.RSAPrivateKey:
    """Key as an object of the package ``cryptography``, which makes no keys below 1024 bits."""
    return private_key(seeded_key(nbits, seed))


def private_key(key) -> rsa.RSAPrivateKey:
    p, q = rsa.rsa_recover_prime_factors(key.n, key.e, key.d)
    crt = rsa.rsa_crt_dmp1(key.d, p), rsa.rsa_crt_dmq1(key.d, q), rsa.rsa_crt_iqmp(p, q)
    public = rsa.RSAPublicNumbers(key.e, key.n)
    return rsa.RSAPrivateNumbers(p, q, key.d, *crt, public).private_key()


def private_pem(key, kind: str = "pkcs8", password: bytes = b"") -> bytes:
    hidden = BestAvailableEncryption(password) if password else NoEncryption()
    return key.private_bytes(Encoding.PEM, PRIVATE[kind], hidden)


def public_pem(key, kind: str = "spki") -> bytes:
    return key.public_key().public_bytes(Encoding.PEM, PUBLIC[kind])


def numbers_pem(modulus: int, e: int) -> bytes:
    """PEM of a public key with any numbers."""
    key = rsa.RSAPublicNumbers(e, modulus).public_key()
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def write_key(path: Path, content: bytes) -> Path:
    """Write a key file that nobody else can read, and return its path."""
    path.write_bytes(content)
    path.chmod(0o600)
    return path


def pem(key, kind: str) -> bytes:
    """PEM of a key in one of the four formats."""
    return private_pem(key, kind) if kind in PRIVATE else public_pem(key, kind)


def der(tag: int, *parts: bytes) -> bytes:
    content = b"".join(parts)
    nbytes = (len(content).bit_length() + 7) // 8
    length = (
        [len(content)] if len(content) < 128 else [128 + nbytes, *len(content).to_bytes(nbytes)]
    )
    return bytes((tag, *length)) + content


def one_padding_pem(key, algorithm: int, kind: str) -> bytes:
    """PEM (PKCS#8 or SubjectPublicKeyInfo) of a key that is restricted to one padding."""
    name = der(0x30, der(6, bytes.fromhex("2a864886f70d0101"), bytes((algorithm,))))
    if kind == "pkcs8":
        inner = key.private_bytes(Encoding.DER, PRIVATE["pkcs1"], NoEncryption())
        label, content = "PRIVATE", der(0x30, der(2, b"\0"), name, der(4, inner))
    else:
        inner = key.public_key().public_bytes(Encoding.DER, PUBLIC["public-pkcs1"])
        label, content = "PUBLIC", der(0x30, name, der(3, b"\0", inner))
    text = base64.encodebytes(content).decode()
    return f"-----BEGIN {label} KEY-----\n{text}-----END {label} KEY-----\n".encode()
