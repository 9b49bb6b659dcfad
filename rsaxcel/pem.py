"""RSA keys in PEM files."""

import base64
import re
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey
from cryptography.hazmat.primitives.serialization import (
    load_pem_private_key,
    load_pem_public_key,
)

from store.errors import UserError

_BLOCK = re.compile(rb"^-----BEGIN ([A-Z0-9 ]+)-----\s*$", re.MULTILINE)
_PRIVATE = ("PRIVATE KEY", "RSA PRIVATE KEY")
_PUBLIC = ("PUBLIC KEY", "RSA PUBLIC KEY")
_ENCRYPTED = "ENCRYPTED PRIVATE KEY"

# Matches the beginning of a key in DER, if the identifier of its algorithm allows only one padding
# (RFC 8017, appendix C). In PKCS#8, a version stands before the identifier.
_LENGTH = rb"(?:[\x00-\x7f]|\x81.|\x82..)"
_ONE_PADDING = re.compile(
    rb"\x30%b(?:\x02\x01.)?\x30%b\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01([\x07\x0a])"
    % (_LENGTH, _LENGTH),
    re.DOTALL,
)
_PADDINGS = {b"\x07": "OAEP (id-RSAES-OAEP)", b"\x0a": "PSS (id-RSASSA-PSS)"}


class RsaKey(NamedTuple):
    """Numbers of an RSA key; a public key has no ``d`` and no primes (None)."""

    n: int
    e: int
    d: int | None
    primes: tuple[int, int] | None = None

    @property
    def nbits(self) -> int:
        """Width of the modulus in bits."""
        return self.n.bit_length()

    @property
    def nbytes(self) -> int:
        """Length of the modulus in bytes; a block has the same length."""
        return -(-self.nbits // 8)

    def halves(self, exponent: int) -> tuple[int, int, int, int] | None:
        """Return p, q, ``exponent`` mod (p - 1) and mod (q - 1); None if the key has no primes."""
        if self.primes is None:
            return None
        p, q = self.primes
        return p, q, exponent % (p - 1), exponent % (q - 1)


def read_key(path: Path) -> RsaKey:
    """Read an RSA key from a PEM file: private in PKCS#1 or PKCS#8, public in PKCS#1 or SPKI.

    Raises
    ------
    UserError
        If the file has no RSA key, a damaged one, several keys, a key with a password, or a key
        that names its only padding.
    OSError
        If the file cannot be read.
    """
    data = path.read_bytes()
    labels = [label.decode() for label in _BLOCK.findall(data)]
    keys = [label for label in labels if label.endswith("KEY")]
    if len(keys) > 1:
        raise UserError(f"{path}: {len(keys)} keys in a file ({', '.join(keys)}); one is allowed")
    label = next((label for label in labels if label in (*_PRIVATE, *_PUBLIC, _ENCRYPTED)), None)
    if label is None:
        found = f"{', '.join(labels)} is" if labels else "no PEM block is"
        allowed = ", ".join((*_PRIVATE, *_PUBLIC))
        raise UserError(f"{path}: {found} there; RSA keys are read in PEM, from {allowed}")
    if padding := _only_padding(data):
        raise UserError(
            f"{path}: the key is restricted to {padding}; RSA keys for any padding are allowed"
        )
    key: object
    try:
        if label in _PUBLIC:
            key = load_pem_public_key(data)
        else:
            key = load_pem_private_key(data, None)
    except TypeError as error:  # it has a password
        plain = f"openssl pkey -in {path} -out PLAIN"
        raise UserError(f"{path}: the key is encrypted; {plain} decrypts it") from error
    except UnsupportedAlgorithm as error:
        raise UserError(f"{path}: the kind of key is unknown; RSA keys are allowed") from error
    except ValueError as error:
        raise UserError(
            f"{path}: {label} is damaged, cut off, not of RSA, or of more than two primes"
        ) from error
    if isinstance(key, RSAPrivateKey):
        private = key.private_numbers()
        n, e = private.public_numbers.n, private.public_numbers.e
        return RsaKey(n, e, private.d, (private.p, private.q))
    if isinstance(key, RSAPublicKey):
        public = key.public_numbers()
        return RsaKey(public.n, public.e, None)
    kind = re.sub(r"(Private|Public)Key$", "", type(key).__name__)
    raise UserError(f"{path}: a key of kind {kind}; RSA keys are allowed")


def _only_padding(data: bytes) -> str:
    """Name of the only padding that a key's algorithm allows; empty if it allows any."""
    for block in _BLOCK.finditer(data):
        try:
            der = base64.b64decode(data[block.end() :].partition(b"-----")[0])
        except ValueError:  # not base64; read_key reports that
            continue
        if found := _ONE_PADDING.match(der):
            return _PADDINGS[found[1]]
    return ""
