"""Keys of any width in the PEM files that others write, for the tests of ``rsaxcel crypt``."""

from functools import cache

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from eval.pem import RsaKey
from fl.keys import seeded_key

PRIVATE = {"pkcs1": PrivateFormat.TraditionalOpenSSL, "pkcs8": PrivateFormat.PKCS8}
PUBLIC = {"public-pkcs1": PublicFormat.PKCS1, "spki": PublicFormat.SubjectPublicKeyInfo}


@cache
def theirs(nbits: int, seed: int = 0) -> rsa.RSAPrivateKey:
    """Key of the package ``cryptography``, which itself makes none below 1024 bits."""
    return private_key(seeded_key(nbits, seed))


def private_key(key) -> rsa.RSAPrivateKey:
    p, q = rsa.rsa_recover_prime_factors(key.n, key.e, key.d)
    crt = rsa.rsa_crt_dmp1(key.d, p), rsa.rsa_crt_dmq1(key.d, q), rsa.rsa_crt_iqmp(p, q)
    public = rsa.RSAPublicNumbers(key.e, key.n)
    return rsa.RSAPrivateNumbers(p, q, key.d, *crt, public).private_key()


def ours(nbits: int) -> RsaKey:
    key = seeded_key(nbits)
    return RsaKey(key.n, key.e, key.d)


def private_pem(key, kind: str = "pkcs8", password: bytes = b"") -> bytes:
    hidden = BestAvailableEncryption(password) if password else NoEncryption()
    return key.private_bytes(Encoding.PEM, PRIVATE[kind], hidden)


def public_pem(key, kind: str = "spki") -> bytes:
    return key.public_key().public_bytes(Encoding.PEM, PUBLIC[kind])


def pem(key, kind: str) -> bytes:
    """PEM of any of the four kinds."""
    return private_pem(key, kind) if kind in PRIVATE else public_pem(key, kind)
