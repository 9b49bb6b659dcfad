"""Cause for which a key file has no RSA key, found in the key's structure or numbers."""

from math import lcm
from typing import Annotated, Any

from cryptography.hazmat import asn1
from rsa.prime import is_prime

_RSA = bytes.fromhex("06092a864886f70d0101")
"""Identifier of an RSA algorithm in DER, up to its last number."""

_PADDINGS = {_RSA + b"\x07": "OAEP (id-RSAES-OAEP)", _RSA + b"\x0a": "PSS (id-RSASSA-PSS)"}
"""The only padding that an algorithm allows, by its identifier (RFC 8017, appendix C)."""


@asn1.sequence
class _PrivateNumbers:
    version: int
    n: int
    e: int
    d: int
    p: int
    q: int
    dp: int
    dq: int
    iqmp: int
    more_primes: list[asn1.TLV] | None


@asn1.sequence
class _PublicNumbers:
    n: int
    e: int


@asn1.sequence
class _PrivateKeyInfo:
    version: int
    algorithm: asn1.TLV
    key: bytes
    attributes: Annotated[asn1.SetOf[asn1.TLV] | None, asn1.Implicit(0)]


@asn1.sequence
class _PublicKeyInfo:
    algorithm: asn1.TLV
    key: asn1.BitString


@asn1.sequence
class _Encrypted:
    algorithm: asn1.TLV
    data: bytes


@asn1.sequence
class _Certificate:
    body: asn1.TLV
    algorithm: asn1.TLV
    signature: asn1.BitString


@asn1.sequence
class _Pfx:
    version: int
    content: asn1.TLV
    mac: asn1.TLV


PRIVATE, RSA_PRIVATE, ENCRYPTED = "PRIVATE KEY", "RSA PRIVATE KEY", "ENCRYPTED PRIVATE KEY"
PUBLIC, RSA_PUBLIC, CERTIFICATE = "PUBLIC KEY", "RSA PUBLIC KEY", "CERTIFICATE"
PKCS12 = "PKCS12"

_STRUCTURES: dict[str, tuple[type[Any], str]] = {
    PRIVATE: (_PrivateKeyInfo, "a private key in PKCS#8"),
    RSA_PRIVATE: (_PrivateNumbers, "a private key in PKCS#1"),
    ENCRYPTED: (_Encrypted, "an encrypted private key in PKCS#8"),
    PUBLIC: (_PublicKeyInfo, "a public key (SubjectPublicKeyInfo)"),
    RSA_PUBLIC: (_PublicNumbers, "a public key in PKCS#1"),
    CERTIFICATE: (_Certificate, "a certificate"),
    PKCS12: (_Pfx, "a store of keys (PKCS#12)"),
}
"""Structure of a block's content, and what it is, by the block's label."""

_DAMAGES = {
    "ExtraData": "it has more in it than an RSA key has",
    "ShortData": "it lacks numbers of an RSA key",
    "InvalidValue": "a number in it does not have its shortest form",
}


def _decoded(structure: type[Any], der: bytes) -> Any:
    """Decode a structure; None if the bytes are another structure."""
    try:
        return asn1.decode_der(structure, der)
    except ValueError:
        return None


def only_padding(der: bytes) -> str:
    """Name the only padding that the algorithm of an RSA key allows; empty if it allows any."""
    info = _decoded(_PrivateKeyInfo, der) or _decoded(_PublicKeyInfo, der)
    return _PADDINGS.get(bytes(info.algorithm.data[: len(_RSA) + 1]), "") if info else ""


def label_of(der: bytes) -> str:
    """Label that a block with this content has in PEM; empty for unknown content."""
    return next((label for label, (kind, _) in _STRUCTURES.items() if _decoded(kind, der)), "")


def content_fault(label: str, der: bytes) -> str:
    """Say why the content of a block with this label, which cannot be loaded, is no RSA key."""
    try:
        asn1.decode_der(asn1.TLV, der)
    except ValueError as error:
        if "ExtraData" in str(error):
            return "bytes follow the end of the key"
        return "the key is cut off" if "ShortData" in str(error) else "the key's DER is damaged"
    found = label_of(der)
    if found and found != label:
        return f"it holds {_STRUCTURES[found][1]}, whose label is {found}"
    structure = _STRUCTURES.get(label, (None, ""))[0]
    try:
        content = asn1.decode_der(structure, der) if structure else None
    except ValueError as error:
        return next(
            (x for kind, x in _DAMAGES.items() if kind in str(error)), "no RSA key is in it"
        )
    if isinstance(content, _PrivateKeyInfo | _PublicKeyInfo):
        if not bytes(content.algorithm.data).startswith(_RSA):
            return "its algorithm is not RSA"
        if isinstance(content, _PublicKeyInfo):
            return content_fault(RSA_PUBLIC, content.key.as_bytes())
        return _version_fault(content.version) or content_fault(RSA_PRIVATE, content.key)
    if isinstance(content, _PublicNumbers):
        return public_fault(content.n, content.e)
    if not isinstance(content, _PrivateNumbers):
        return "no RSA key is in it"
    if content.more_primes or content.version == 1:
        return "it has more than two primes"
    return _version_fault(content.version) or _private_fault(content)


def _version_fault(version: int) -> str:
    return f"its version is {version}; 0 is allowed" if version else ""


def public_fault(n: int, e: int) -> str:
    """Say what is wrong with a modulus and its public exponent; empty if nothing is."""
    for name, number in (("modulus", n), ("public exponent", e)):
        if number < 0:
            return f"its {name} is negative"
        if number % 2 == 0:
            return f"its {name} is even"
        if number == 1:
            return f"its {name} is 1"
    return "" if e < n else "its public exponent is not below its modulus"


def _private_fault(key: Any) -> str:
    """Say which number of a private key is wrong, given that all others are right."""
    if fault := public_fault(key.n, key.e):
        return fault
    p, q, d = key.p, key.q, key.d
    for name in ("d", "p", "q", "dp", "dq", "iqmp"):
        if (number := getattr(key, name)) < 1:
            return f"its {name} is {'negative' if number else 0}"
    if p * q != key.n:
        # A right prime divides n, and the quotient is the other prime.
        wrong = "p" if key.n % q == 0 else "q" if key.n % p == 0 else "modulus"
        return f"its {wrong} is wrong: p q is not the modulus"
    for name, prime in (("p", p), ("q", q)):
        if not is_prime(prime):
            return f"its {name} is not a prime"
    if p == q:
        return "its p and q are equal"
    if key.e * d % lcm(p - 1, q - 1) != 1:
        wrong = "public exponent" if (d - key.dp) % (p - 1) == (d - key.dq) % (q - 1) == 0 else "d"
        return f"its {wrong} is wrong: e d is not 1 modulo lcm(p - 1, q - 1)"
    if key.dp != d % (p - 1):
        return "its dp is wrong: it is not d mod (p - 1)"
    if key.dq != d % (q - 1):
        return "its dq is wrong: it is not d mod (q - 1)"
    if key.iqmp != pow(q, -1, p):
        return "its iqmp is wrong: it is not 1/q mod p"
    return "its numbers do not belong together"
