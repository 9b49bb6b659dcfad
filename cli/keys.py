"""RSA keys in files (PEM, DER and OpenSSH), and the circuits and operations that they fit.

A file without a key, or with a wrong one, is refused with the reason; a circuit that does not fit
a key, with what to change.
"""

import base64
import json
import re
import shlex
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import lcm
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from warnings import catch_warnings

import click
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat import asn1
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
    load_pem_public_key,
    load_ssh_private_key,
    load_ssh_public_key,
)
from rsa.prime import is_prime

from rsaxcel import catalog
from rsaxcel.catalog import Configuration
from rsaxcel.catalog.choices import WidthError, allowed_widths
from rsaxcel.catalog.configuration import Exponentiator
from rsaxcel.catalog.multipliers import design_widths
from rsaxcel.circuit import Halves
from rsaxcel.cli.options.common import refused_option
from rsaxcel.diagnosis.error import silent
from rsaxcel.fl.blinded_key import UNVARIED, Variation
from rsaxcel.fl.pkcs1 import BlockType
from rsaxcel.fl.status import Status
from rsaxcel.plan.domains import HALF_NBITS
from rsaxcel.plan.measures import MEASURES
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.schedules import EXPONENT_NBITS
from rsaxcel.sim.operations import fits, prime_too_wide
from rsaxcel.sim.vectors import NO_PRIMES, PRIVATE_ONLY
from rsaxcel.store.errors import UserError
from rsaxcel.store.whole_files import read_whole

_MOST_NBYTES = 1 << 20


class RsaKey(NamedTuple):
    """Numbers of an RSA key; a public key has no ``d`` and no primes (None)."""

    n: int
    e: int
    d: int | None
    primes: tuple[int, int] | None = None

    @property
    def nbits(self) -> int:
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


class _KeyFaultError(UserError):
    """The one cause for which a file has no RSA key that can be used."""


def read_key(path: Path) -> RsaKey:
    """Read an RSA key from a file in PEM, in DER or in a format of OpenSSH.

    A private exponent that is wider than the modulus is reduced. Standard error says so, and warns
    of a private key that others can read.
    """
    try:
        key = _key_of(read_whole(path, _MOST_NBYTES), path)
    except _KeyFaultError as error:
        raise UserError(f"{path}: {error}") from error
    if key.d is None:
        return key
    mode = path.stat().st_mode
    if stat.S_ISREG(mode) and mode & (stat.S_IRGRP | stat.S_IROTH):
        _tell(path, f"others can read this private key; chmod 600 {shlex.quote(str(path))}")
    if key.primes and key.d.bit_length() > key.nbits:
        p, q = key.primes
        _tell(path, "its d is wider than its modulus: d mod lcm(p - 1, q - 1) is used")
        return key._replace(d=key.d % lcm(p - 1, q - 1))
    return key


def _tell(path: Path, line: str) -> None:
    click.echo(f"rsaxcel: {path}: {line}", err=True)


#: Identifier of an RSA algorithm in DER, up to its last number.
_RSA = bytes.fromhex("06092a864886f70d0101")

#: The only padding that an algorithm allows, by its identifier (RFC 8017, appendix C).
_PADDINGS = {_RSA + b"\x07": "OAEP (id-RSAES-OAEP)", _RSA + b"\x0a": "PSS (id-RSASSA-PSS)"}


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


_PRIVATE, _RSA_PRIVATE, _ENCRYPTED = "PRIVATE KEY", "RSA PRIVATE KEY", "ENCRYPTED PRIVATE KEY"
_PUBLIC, _RSA_PUBLIC, _CERTIFICATE = "PUBLIC KEY", "RSA PUBLIC KEY", "CERTIFICATE"
_PKCS12 = "PKCS12"

#: Structure of a block's content, and what it is, by the block's label.
_STRUCTURES: dict[str, tuple[type[Any], str]] = {
    _PRIVATE: (_PrivateKeyInfo, "a private key in PKCS#8"),
    _RSA_PRIVATE: (_PrivateNumbers, "a private key in PKCS#1"),
    _ENCRYPTED: (_Encrypted, "an encrypted private key in PKCS#8"),
    _PUBLIC: (_PublicKeyInfo, "a public key (SubjectPublicKeyInfo)"),
    _RSA_PUBLIC: (_PublicNumbers, "a public key in PKCS#1"),
    _CERTIFICATE: (_Certificate, "a certificate"),
    _PKCS12: (_Pfx, "a store of keys (PKCS#12)"),
}

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


def _only_padding(der: bytes) -> str:
    """Name the only padding that the algorithm of an RSA key allows; empty if it allows any."""
    info = _decoded(_PrivateKeyInfo, der) or _decoded(_PublicKeyInfo, der)
    return _PADDINGS.get(bytes(info.algorithm.data[: len(_RSA) + 1]), "") if info else ""


def _label_of_der(der: bytes) -> str:
    """Label that a block with this content has in PEM; empty for unknown content."""
    return next((label for label, (kind, _) in _STRUCTURES.items() if _decoded(kind, der)), "")


def _content_fault(label: str, der: bytes) -> str:
    """Say why the content of a block with this label, which cannot be loaded, is no RSA key."""
    try:
        asn1.decode_der(asn1.TLV, der)
    except ValueError as error:
        if "ExtraData" in str(error):
            return "bytes follow the end of the key"
        return "the key is cut off" if "ShortData" in str(error) else "the key's DER is damaged"
    found = _label_of_der(der)
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
            return _content_fault(_RSA_PUBLIC, content.key.as_bytes())
        return _version_fault(content.version) or _content_fault(_RSA_PRIVATE, content.key)
    if isinstance(content, _PublicNumbers):
        return _public_fault(content.n, content.e)
    if not isinstance(content, _PrivateNumbers):
        return "no RSA key is in it"
    if content.more_primes or content.version == 1:
        return "it has more than two primes"
    return _version_fault(content.version) or _private_fault(content)


def _version_fault(version: int) -> str:
    return f"its version is {version}; 0 is allowed" if version else ""


def _public_fault(n: int, e: int) -> str:
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
    if fault := _public_fault(key.n, key.e):
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


_OPENSSH = "OPENSSH PRIVATE KEY"
_LABELS = (_PRIVATE, _RSA_PRIVATE, _PUBLIC, _RSA_PUBLIC, _ENCRYPTED, _OPENSSH)
_ALLOWED = (
    f"RSA keys are read in PEM, from {', '.join((_PRIVATE, _RSA_PRIVATE, _PUBLIC, _RSA_PUBLIC))}; "
    "in DER; and in the formats of OpenSSH"
)
# wide enough for a key of 16384 bits; checks of far wider ones would not end
_MOST_BLOCK_NBYTES = 1 << 15
_BEGIN, _END, _DASHES = b"-----BEGIN ", b"-----END ", b"-----"
_CAPITALS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 "
_BLOCK = b"-----BEGIN %b-----\n%b-----END %b-----\n"
#: line of OpenSSH: kind, then base64 of a length and the key
_SSH_LINE = re.compile(rb"([a-z][\w.@-]*) AAAA\S*")
_DER = re.compile(rb"0[\x81\x82]")  #: begin of DER: a sequence of more than 127 bytes
#: Commands that get the key out of a file, by what is in the file.
_CONVERTED = {
    _CERTIFICATE: "openssl x509 -in {} -noout -pubkey writes its key",
    _PKCS12: "openssl pkcs12 -in {} -nocerts -noenc -out PLAIN writes its key",
    "a key of PuTTY": "puttygen {} -O private-openssh -o PLAIN converts it",
    "a key in the format of RFC 4716": "ssh-keygen -i -f {} converts it",
}

#: Formats that are not read, by a text in them.
_FOREIGN = {
    b"PuTTY-User-Key-File": "a key of PuTTY",
    b"---- BEGIN SSH2 PUBLIC KEY": "a key in the format of RFC 4716",
    b'"kty"': "a JSON Web Key",
    b"<RSAKeyValue": "a key in XML",
}

#: A first line with other dashes or letters, without the key that may follow on the same line.
_ALMOST = re.compile(rb"(?i)[^\w\s]{0,9} ?begin [a-z0-9 ]{0,20}key[^\w\s]{0,9}")
_SYMBOL = re.compile(r"Invalid symbol (\d+)")


def _key_of(data: bytes, path: Path) -> RsaKey:
    encoding = json.detect_encoding(data)
    if not encoding.startswith("utf-8"):
        data = data.decode(encoding, "replace").encode()
    label, block = _block_of(data, path)
    try:
        with catch_warnings(action="ignore"):  # warnings about algorithms that are not RSA
            key: object = _load(label, block)
    except TypeError as error:
        raise _KeyFaultError(_encrypted(label, path)) from error
    except (UnsupportedAlgorithm, NotImplementedError) as error:
        padding = _padding_fault(label, block)
        raise _KeyFaultError(
            padding or "the kind of key is unknown; RSA keys are allowed"
        ) from error
    except ValueError as error:
        if b",ENCRYPTED" in block:  # a header of PKCS#1; the block may be damaged, too
            raise _KeyFaultError(_encrypted(label, path)) from error
        raise _KeyFaultError(f"{label}: {_block_fault(label, block, str(error))}") from error
    if not isinstance(key, RSAPrivateKey | RSAPublicKey):
        kind = re.sub(r"(Private|Public)Key$", "", type(key).__name__)
        raise _KeyFaultError(f"a key of kind {kind}; RSA keys are allowed")
    if fault := _padding_fault(label, block):
        raise _KeyFaultError(fault)
    if isinstance(key, RSAPrivateKey):
        private = key.private_numbers()
        public = private.public_numbers
        found = RsaKey(public.n, public.e, private.d, (private.p, private.q))
    else:
        public = key.public_numbers()
        found = RsaKey(public.n, public.e, None)
    if fault := _public_fault(found.n, found.e):  # cryptography allows some wrong public exponents
        raise _KeyFaultError(f"{label}: {fault}")
    return found


def _load(label: str, block: bytes, *, unchecked: bool = False) -> object:
    if not block.startswith(_BEGIN):
        return load_ssh_public_key(block)
    if label in (_PUBLIC, _RSA_PUBLIC):
        return load_pem_public_key(block)
    load = load_ssh_private_key if label == _OPENSSH else load_pem_private_key
    return load(block, None, unsafe_skip_rsa_key_validation=unchecked)


def _block_of(data: bytes, path: Path) -> tuple[str, bytes]:
    """Return label and text of the only block with a key; content in DER becomes a block."""
    blocks = [(_leading_label(text), _BEGIN + text) for text in data.split(_BEGIN)[1:]]
    if not blocks and (label := _label_of_der(data)):
        text = _BLOCK % (label.encode(), base64.encodebytes(data), label.encode())
        blocks = [(label, text)]
    elif not blocks and _DER.match(data):
        raise _KeyFaultError(f"DER: {_content_fault('', data)}")
    keys = [(label, block) for label, block in blocks if label.endswith("KEY")]
    if not blocks:
        keys = [(line[1].decode(), line[0]) for line in _SSH_LINE.finditer(data)]
    labels = ", ".join(label for label, _ in keys or blocks)
    if len(keys) > 1:
        raise _KeyFaultError(f"{len(keys)} keys in a file ({labels}); one is allowed")
    if not keys or (keys[0][0] not in _LABELS and keys[0][1].startswith(_BEGIN)):
        found = labels or next((name for text, name in _FOREIGN.items() if text in data), "")
        if not found and (line := _ALMOST.search(data)):
            shown = line[0].decode("ascii", "backslashreplace")
            raise _KeyFaultError(f"{shown!r} is no line such as -----BEGIN PRIVATE KEY-----")
        hint = (
            _CONVERTED[found].format(shlex.quote(str(path))) + "; " if found in _CONVERTED else ""
        )
        raise _KeyFaultError(f"{found or 'no PEM block'} is there; {hint}{_ALLOWED}")
    label, block = keys[0]
    block = _tidied(block) if block.startswith(_BEGIN) else block
    if len(block) > _MOST_BLOCK_NBYTES:
        raise _KeyFaultError(f"{label}: {len(block):,} bytes; {_MOST_BLOCK_NBYTES:,} are allowed")
    return label, block


def _leading_label(text: bytes) -> str:
    """Label at the beginning of a text; the line with it may be damaged."""
    return text[: len(text) - len(text.lstrip(_CAPITALS))].decode()


def _tidied(block: bytes) -> bytes:
    """Remove empty lines, and text after the end. Headers need the empty line behind them."""
    text, end, rest = block.partition(_END)
    last, dashes, _ = rest.partition(_DASHES)
    if b":" not in text:
        text = b"".join(line + b"\n" for line in text.splitlines() if line.strip())
    return text + end + last + dashes


def _content(block: bytes) -> bytes:
    """Decode the base64 text of a block, in which ``cryptography`` has found no fault."""
    lines = block.split(_DASHES)[2].splitlines()
    return base64.b64decode(b"".join(line for line in lines if b":" not in line))


def _padding_fault(label: str, block: bytes) -> str:
    """Say which padding a key names as its only one; empty if it names none."""
    named = (_PRIVATE, _PUBLIC, _RSA_PUBLIC)
    if label not in named or not (only := _only_padding(_content(block))):
        return ""
    return f"the key is restricted to {only}; RSA keys for any padding are allowed"


def _encrypted(label: str, path: Path) -> str:
    """Say that a key has a password, and which command removes it."""
    command = f"openssl pkey -in {shlex.quote(str(path))} -out PLAIN decrypts it"
    if label == _OPENSSH:
        command = "ssh-keygen -p -N '' -f COPY decrypts a copy of it"
    return f"the key is encrypted; {command}"


def _block_fault(label: str, block: bytes, error: str) -> str:
    """Say why a block cannot be loaded, given the message of ``cryptography``."""
    if not block.startswith(_BEGIN):
        return "its base64 text is damaged"
    begin, end = (x % label.encode() for x in (b"-----BEGIN %b-----", b"-----END %b-----"))
    if not block.startswith(begin):
        return f"its first line is not {begin.decode()}"
    if not block.endswith(end):
        return f"no line {end.decode()} follows"
    if label == _OPENSSH:
        return _openssh_fault(block)
    if "InvalidHeader" in error:
        return "an empty line is in it, but no header"
    if (found := _SYMBOL.search(error)) and (symbol := int(found[1])) != ord("="):
        return f"the character {chr(symbol)!a} is not in the alphabet of base64"
    if "InvalidData" in error:
        return "its base64 text lacks characters"
    if "Unable to load PEM" in error:
        return "its text is not in UTF-8" if "NotUtf8" in error else "its text is damaged"
    return _content_fault(label, _content(block))


def _openssh_fault(block: bytes) -> str:
    """Say why a private key in OpenSSH's own format cannot be loaded."""
    try:
        key = _load(_OPENSSH, block, unchecked=True)
        assert isinstance(key, RSAPrivateKey)
        own = key.private_bytes(Encoding.DER, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    except (ValueError, AssertionError):
        return "its content is damaged"
    return _content_fault(_RSA_PRIVATE, own)


_NO_SIGNATURE = (
    Status.PADDING_WRONG,
    Status.LENGTH_WRONG,
    Status.MESSAGE_TOO_LONG,
    Status.BASE_TOO_LARGE,
    Status.OPERAND_TOO_WIDE,
)


@dataclass(frozen=True)
class Action:
    """An operation with an RSA key: encrypt, decrypt, sign or verify."""

    name: str  #: name on the command line
    private: bool  #: whether the operation uses the private exponent
    signature: bool  #: whether the padding is that of signatures (block type 1)
    #: statuses that mean a wrong signature or ciphertext, rather than bad input
    refuses: tuple[Status, ...] = ()

    @property
    def pads(self) -> bool:
        """Whether a padding is added to the input; otherwise, the output loses its padding."""
        return self.private == self.signature

    @property
    def block_type(self) -> BlockType:
        """Block type of the padding by PKCS#1 v1.5."""
        return BlockType.SIGNATURE if self.signature else BlockType.ENCRYPTION


ACTIONS = {
    action.name: action
    for action in (
        Action("encrypt", private=False, signature=False),
        Action("decrypt", private=True, signature=False, refuses=(Status.PADDING_WRONG,)),
        Action("sign", private=True, signature=True),
        Action("verify", private=False, signature=True, refuses=_NO_SIGNATURE),
    )
}


class CryptOutcome(NamedTuple):
    """Response of the accelerator to an action."""

    status: Status
    output: bytes  #: output of the accelerator; empty if it refuses the input
    #: length in bytes of the longest input that the accelerator accepts with this key
    most_nbytes: int
    #: cycles from the acceptance of the write that starts the operation to the interrupt; None
    #: without a simulation
    cycles: int | None
    #: cycles of all bus accesses, including those that load the key and the message and read the
    #: output; None without a simulation
    total_cycles: int | None


def configure_for_key(
    design: str, params: Mapping[str, str], key: RsaKey, name: str, variation: Variation = UNVARIED
) -> Exponentiator:
    """Configure a design as wide as a key and its variation; ``name``: the key file's name."""
    nbits = variation.widened(key.nbits)
    try:
        with silent():
            return catalog.find_design(design).configure(nbits, **params)
    except WidthError as error:
        told = f"{_key_width(key, variation)}; {error.allowed}{_others(nbits)}"
        raise UserError(f"{name}: {told}") from error


def _key_width(key: RsaKey, variation: Variation = UNVARIED) -> str:
    """Text on the width of a key, and on the variation that makes its moduli wider."""
    more = variation.factor_nbits
    return f"a key of {key.nbits} bits" + (f" and two random primes of {more}" if more else "")


def _others(nbits: int) -> str:
    """Name the designs that take any key of a width; empty if there are none."""
    rules = {x: y.default.rules for x, y in catalog.DESIGNS.items() if nbits in y.widths}
    names = [x for x, y in rules.items() if not y.halves and not y.constant_modulus]
    return f"; --design with one of {', '.join(names)} takes it" if names else ""


def check_fit(
    configuration: Exponentiator,
    key: RsaKey,
    action: Action,
    name: str,
    variation: Variation = UNVARIED,
) -> None:
    """Check that a configuration can use a key; ``name`` is the name of the key's file.

    ``variation`` tells how the moduli vary.
    """
    halves = configuration.rules.halves
    needed = variation.widened(key.nbits)
    if needed > configuration.nbits:
        widths = _widths(configuration)
        told = allowed_widths(widths, configuration.design_name)
        if needed in widths:
            told = f"give --nbits {needed}"
            if configuration.constant_modulus not in (0, key.n):
                told = _own_modulus(
                    configuration, key, f"{told} --param modulus={key.n:#x}", needed
                )
        raise UserError(f"{name}: {_key_width(key, variation)}; {told}")
    if told := variation.refusal(halves):
        raise UserError(f"{refused_option(variation)}: {told}")
    if halves:
        _check_primes(configuration, halves, key, action, name, variation.factor_nbits)
        return
    kind, exponent = ("private", key.d or 0) if action.private else ("public", key.e)
    needed, wide = exponent.bit_length(), configuration.exponent_nbits
    if needed > wide:
        raise UserError(
            f"{name}: {Status.OPERAND_TOO_WIDE}: its {kind} exponent has {needed} bits, "
            f"exponent_nbits={wide}; {_wider(configuration, EXPONENT_NBITS, needed)}"
        )
    if configuration.constant_modulus not in (0, key.n):
        told = f"--param modulus={key.n:#x} makes it the key's modulus"
        told = _own_modulus(configuration, key, told, configuration.nbits)
        one = f"{configuration.design_name} is for one modulus"
        raise UserError(f"{name}: {Status.MODULUS_OTHER}: {one}; {told}")


def _widths(configuration: Exponentiator) -> Sequence[int]:
    if isinstance(configuration, Configuration):
        return design_widths(configuration.multiplier.classes.fl)
    return catalog.find_design(configuration.design_name).widths


def _check_primes(
    configuration: Exponentiator,
    halves: Halves,
    key: RsaKey,
    action: Action,
    name: str,
    blind_nbits: int,
) -> None:
    if key.primes is None:
        raise UserError(f"{name}: {NO_PRIMES}")
    if not fits(key.primes, halves, blind_nbits):
        needed = max(key.primes).bit_length() + blind_nbits
        told = prime_too_wide(key.primes, halves, blind_nbits)
        raise UserError(f"{name}: {told}; {_wider(configuration, HALF_NBITS, needed)}")
    exponent, more = (key.d or 0, blind_nbits) if action.private else (key.e, 0)
    needed = max(exponent % (prime - 1) for prime in key.primes).bit_length() + more
    wide = configuration.rules.exponent_nbits
    if needed > wide:
        raise UserError(
            f"{name}: {Status.OPERAND_TOO_WIDE}: an exponent of a prime has {needed} bits, "
            f"exponent_nbits={wide}; {_wider(configuration, EXPONENT_NBITS, needed)}"
        )
    if halves.public is None:
        return
    if not action.private:
        raise UserError(f"{name}: {PRIVATE_ONLY}")
    needed, most = key.e.bit_length(), halves.public_nbits
    if needed > most:
        parameters = (parameter for measure in MEASURES for parameter in measure.all_parameters)
        width = next(x for x in parameters if x.name == halves.public.width)
        raise UserError(
            f"{name}: {Status.OPERAND_TOO_WIDE}: its public exponent has {needed} bits, "
            f"{width.name}={most}; {_wider(configuration, width, needed)}"
        )


def _own_modulus(configuration: Exponentiator, key: RsaKey, advice: str, nbits: int) -> str:
    """Return advice to configure a design for a key's modulus, or why that is not possible."""
    try:
        catalog.find_design(configuration.design_name).configure(
            nbits, **{**configuration.changed, "modulus": key.n}
        )
    except ValueError as error:
        return str(error)
    return advice


def _wider(configuration: Exponentiator, parameter: Parameter, needed: int) -> str:
    """Text on the value of a parameter that a number needs, or on the allowed values."""
    try:
        wider = {**configuration.params, parameter.name: needed}
        catalog.find_design(configuration.design_name).configure(configuration.nbits, **wider)
    except ValueError:
        assert isinstance(configuration, Configuration)  # no other has such a parameter
        own = next(p for p in configuration.parameters if p.name == parameter.name)
        allowed = own.describe_allowed(configuration.nbits)
        return f"{allowed} allowed for {configuration.name}"
    return f"--param {parameter.name}={needed} takes it"
