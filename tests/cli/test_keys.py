"""Keys as other programs and people leave them: read, or refused with the one cause."""

import base64
import json
from functools import cache
from importlib.resources import files

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
)
from cryptography.hazmat.primitives.serialization.pkcs12 import serialize_key_and_certificates

from rsaxcel.cli.keys import RsaKey, read_key
from rsaxcel.store.errors import UserError
from tests.cli.crypt_keys import (
    OAEP,
    PSS,
    der,
    one_padding_pem,
    private_pem,
    public_pem,
    theirs,
    write_key,
)

NBITS = 512
KEY = theirs(NBITS)
PAIR = KEY.private_numbers()
N, E = PAIR.public_numbers.n, PAIR.public_numbers.e
READ = RsaKey(N, E, PAIR.d, (PAIR.p, PAIR.q))
NUMBERS = {"version": 0, "n": N, "e": E, "d": PAIR.d, "p": PAIR.p, "q": PAIR.q}
NUMBERS |= {"dp": PAIR.dmp1, "dq": PAIR.dmq1, "iqmp": PAIR.iqmp}
ORDER = (PAIR.p - 1) * (PAIR.q - 1)
ALGORITHM = der(0x30, der(6, bytes.fromhex("2a864886f70d010101")), der(5))


def integer(value: int) -> bytes:
    """DER of a number, which may be negative."""
    return der(2, value.to_bytes(value.bit_length() // 8 + 1, signed=True))


def pkcs1(*behind: bytes, **other: int) -> bytes:
    """DER of a private key with other numbers in it."""
    return der(0x30, *map(integer, {**NUMBERS, **other}.values()), *behind)


def pkcs8(inner: bytes, version: int = 0) -> bytes:
    return der(0x30, integer(version), ALGORITHM, der(4, inner))


def spki(n: int = N, e: int = E, behind: bytes = b"") -> bytes:
    return der(0x30, ALGORITHM, der(3, b"\0", der(0x30, integer(n), integer(e)), behind))


def block(label: str, content: bytes) -> bytes:
    text = base64.encodebytes(content).decode()
    return f"-----BEGIN {label}-----\n{text}-----END {label}-----\n".encode()


def rsa(*behind: bytes, **other: int) -> bytes:
    return block("RSA PRIVATE KEY", pkcs1(*behind, **other))


def public(**other: int) -> bytes:
    return block("PUBLIC KEY", spki(**other))


def openssh(key=KEY) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())


def openssh_with(**other: int) -> bytes:
    """Private key of OpenSSH with other numbers in it."""
    return openssh(load_der_private_key(pkcs1(**other), None, unsafe_skip_rsa_key_validation=True))


def vector(name: str) -> bytes:
    return (files("cryptography_vectors") / "asymmetric" / name).read_bytes()


@cache
def readable() -> dict[str, bytes]:
    good, line = (
        private_pem(KEY),
        KEY.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH),
    )
    begin, *text, end = good.splitlines()
    return {
        "PKCS#8": good,
        "PKCS#1": private_pem(KEY, "pkcs1"),
        "SubjectPublicKeyInfo": public_pem(KEY),
        "public, PKCS#1": public_pem(KEY, "public-pkcs1"),
        "SubjectPublicKeyInfo as PKCS#1": block("RSA PUBLIC KEY", spki()),
        "byte-order mark": b"\xef\xbb\xbf" + good,
        "UTF-16": good.decode().encode("utf-16"),
        "UTF-16, no byte-order mark": good.decode().encode("utf-16-le"),
        "UTF-32": good.decode().encode("utf-32"),
        "indented": b"    " + good.replace(b"\n", b"\n    "),
        "tabs": good.replace(b"\n", b"\n\t"),
        "carriage returns": good.replace(b"\n", b"\r\n"),
        "carriage returns only": good.replace(b"\n", b"\r"),
        "one line": good.replace(b"\n", b""),
        "one line with spaces": good.replace(b"\n", b" "),
        "one line of base64": b"\n".join((begin, b"".join(text), end)),
        "no line end": good.rstrip(),
        "empty lines": good.replace(b"\n", b"\n\n"),
        "spaces at line ends": good.replace(b"\n", b"  \n"),
        "text before": b"Bag Attributes\n    friendlyName: me\nKey Attributes: <none>\n" + good,
        "text behind": good + b"issuer=me\n\nof: mine\n",
        "behind a certificate": block("CERTIFICATE", b"any") + good,
        "a header": good.replace(b"\n", b"\nComment: mine\n\n", 1),
        "attributes": block(
            "PRIVATE KEY", der(0x30, integer(0), ALGORITHM, der(4, pkcs1()), der(0xA0))
        ),
        "p below q": rsa(
            p=PAIR.q, q=PAIR.p, dp=PAIR.dmq1, dq=PAIR.dmp1, iqmp=pow(PAIR.p, -1, PAIR.q)
        ),
        "DER, PKCS#8": pkcs8(pkcs1()),
        "DER, PKCS#1": pkcs1(),
        "DER, public": spki(),
        "OpenSSH": openssh(),
        "OpenSSH, indented": b"  " + openssh().replace(b"\n", b"\r\n  "),
        "OpenSSH, public": line,
        "OpenSSH, public, with options": b"# mine\nno-pty " + line + b" me@here\n",
    }


@cache
def refused() -> dict[str, tuple[bytes, str]]:
    """Files that are refused, each with its message."""
    good, curve = private_pem(KEY), ec.generate_private_key(ec.SECP256R1())
    begin, *text, end = good.splitlines()
    allowed = "from PRIVATE KEY, RSA PRIVATE KEY, PUBLIC KEY, RSA PUBLIC KEY; in DER; and in"
    padded = der(2, b"\0\0" + N.to_bytes(NBITS // 8))
    others = [integer(x) for x in list(NUMBERS.values())[2:]]
    return {
        "empty": (b"", f"no PEM block is there; RSA keys are read in PEM, {allowed}"),
        "binary": (bytes(range(256)), "no PEM block is there"),
        "no frame": (b"".join(text), "no PEM block is there"),
        "certificate": (
            block("CERTIFICATE", der(0x30, der(0x30), der(0x30), der(3, b"\0"))),
            "CERTIFICATE is there; openssl x509 -in",
        ),
        "request": (block("CERTIFICATE REQUEST", b"any"), "CERTIFICATE REQUEST is there; RSA"),
        "small letters": (
            good.replace(b"BEGIN P", b"Begin P"),
            "'-----Begin PRIVATE KEY-----' is no line such as -----BEGIN PRIVATE KEY-----",
        ),
        "typographic dashes": (
            good.replace(b"-----", "\u2014\u2014-".encode()),
            "-BEGIN PRIVATE KEY\\\\xe2",
        ),
        "four dashes, one line": (
            good.replace(b"-----", b"----").replace(b"\n", b" "),
            "my key.pem: '----BEGIN PRIVATE KEY----' is no line such as",
        ),
        "four dashes": (good.replace(b"-----", b"----"), "'----BEGIN PRIVATE KEY----' is no line"),
        "JWK": (b'{"kty": "RSA", "n": "AQ", "e": "Aw"}', "a JSON Web Key is there; RSA keys are"),
        "XML": (b"<RSAKeyValue><Modulus>AQ</Modulus>", "a key in XML is there"),
        "PuTTY": (b"PuTTY-User-Key-File-3: ssh-rsa\n", "a key of PuTTY is there; puttygen '"),
        "RFC 4716": (
            b"---- BEGIN SSH2 PUBLIC KEY ----\n",
            "a key in the format of RFC 4716 is there; ssh-keygen -i -f '",
        ),
        "PKCS#12": (
            serialize_key_and_certificates(b"me", KEY, None, None, BestAvailableEncryption(b"x")),
            "PKCS12 is there; openssl pkcs12 -in '",
        ),
        "dashes of the first line": (
            good.replace(b"KEY-----\nM", b"KEY----\nM"),
            "PRIVATE KEY: its first line is not -----BEGIN PRIVATE KEY-----",
        ),
        "no last line": (good[:-26], "PRIVATE KEY: no line -----END PRIVATE KEY----- follows"),
        "half a last line": (good[:-9], "no line -----END PRIVATE KEY----- follows"),
        "other last line": (
            good.replace(b"END ", b"END RSA "),
            "no line -----END PRIVATE KEY----- follows",
        ),
        "half a key": (good[: len(good) // 2], "no line -----END PRIVATE KEY----- follows"),
        "a character": (good.replace(b"\nMII", b"\nM!I"), "the character '!' is not in the alph"),
        "a letter with accent": (good.replace(b"\nMII", "\nMéI".encode()), "the character '\\xc3'"),
        "quoted": (good.replace(b"\n", b"\n> ", 3), "the character '>' is not in the alphabet of"),
        "line ends as escapes": (good.replace(b"\n", b"\\n"), "the character '\\\\' is not in the"),
        "base64 for addresses": (
            b"\n".join((begin, b"_" + text[0][1:], *text[1:], end)),
            "the character '_' is not in the alphabet of base64",
        ),
        "a character lost": (good.replace(b"\nMII", b"\nMI"), "its base64 text lacks characters"),
        "no =": (good.replace(b"=", b""), "its base64 text lacks characters"),
        "a line lost": (b"\n".join((begin, *text[:2], *text[3:], end)), "the key is cut off"),
        "a line twice": (
            b"\n".join((begin, *text[:3], *text[2:], end)),
            "bytes follow the end of the key",
        ),
        "empty line behind no header": (
            good.replace(b"\n", b"\nmine: \n", 1).replace(text[1], b"\n" + text[1]),
            "an empty line is in it, but no header",
        ),
        "PKCS#8 as PKCS#1": (
            block("RSA PRIVATE KEY", pkcs8(pkcs1())),
            "it holds a private key in PKCS#8, whose label is PRIVATE ",
        ),
        "PKCS#1 as PKCS#8": (
            block("PRIVATE KEY", pkcs1()),
            "it holds a private key in PKCS#1, whose label is RSA PRIVATE ",
        ),
        "public as private": (
            block("PRIVATE KEY", spki()),
            "it holds a public key (SubjectPublicKeyInfo), whose label is PUBLIC KEY",
        ),
        "private as public": (
            block("PUBLIC KEY", pkcs8(pkcs1())),
            "it holds a private key in PKCS#8, whose label is PRIVATE KEY",
        ),
        "PKCS#1 as public": (
            block("PUBLIC KEY", der(0x30, integer(N), integer(E))),
            "it holds a public key in PKCS#1, whose label is RSA PUBLIC KEY",
        ),
        "plain as encrypted": (
            block("ENCRYPTED PRIVATE KEY", pkcs8(pkcs1())),
            "it holds a private key in PKCS#8",
        ),
        "encrypted as plain": (
            private_pem(KEY, password=b"x").replace(b"ENCRYPTED ", b""),
            "it holds an encrypted private key in PKCS#8, whose label is ENCRYPTED PRIVATE KEY",
        ),
        "certificate as private": (
            good.replace(b"PRIVATE KEY", b"CERTIFICATE"),
            "CERTIFICATE is there; openssl x509",
        ),
        "EC": (private_pem(curve), "a key of kind EC; RSA keys are allowed"),
        "EC, by its own label": (private_pem(curve, "pkcs1"), "EC PRIVATE KEY is there"),
        "EC, DER": (
            curve.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()),
            "a key of kind EC; RSA keys are allowed",
        ),
        "EC, OpenSSH": (vector("OpenSSH/ecdsa-nopsw.key.pub"), "a key of kind EC; RSA keys are"),
        "DSA, OpenSSH": (vector("OpenSSH/dsa-nopsw.key.pub"), "a key of kind DSA; RSA keys are"),
        "EC, public": (public_pem(curve), "a key of kind EC; RSA keys are allowed"),
        "Ed25519": (private_pem(ed25519.Ed25519PrivateKey.generate()), "kind Ed25519; RSA keys"),
        "Ed25519, OpenSSH": (openssh(ed25519.Ed25519PrivateKey.generate()), "kind Ed25519; RSA"),
        "DSA": (vector("PKCS8/unenc-dsa-pkcs8.pem"), "a key of kind DSA; RSA keys are allowed"),
        "DSA, by its own label": (block("DSA PRIVATE KEY", b"any"), "DSA PRIVATE KEY is there"),
        "unknown algorithm": (
            block("PUBLIC KEY", der(0x30, der(0x30, der(6, b"\x2a\x03")), der(3, b"\0"))),
            "the kind of key is unknown",
        ),
        "encrypted, OpenSSH": (
            vector("OpenSSH/rsa-psw.key"),
            "the key is encrypted; ssh-keygen -p -N '' -f COPY decrypts a copy of it",
        ),
        "encrypted, PKCS#8": (
            private_pem(KEY, password=b"x"),
            "the key is encrypted; openssl pkey -in",
        ),
        "encrypted, PKCS#1": (private_pem(KEY, "pkcs1", b"x"), "the key is encrypted; openssl"),
        "encrypted, one line": (
            private_pem(KEY, "pkcs1", b"x").replace(b"\n", b" "),
            "the key is encrypted; openssl",
        ),
        "PSS": (one_padding_pem(KEY, PSS, "pkcs8"), "restricted to PSS (id-RSASSA-PSS);"),
        "PSS, public": (one_padding_pem(KEY, PSS, "spki"), "restricted to PSS (id-RSASSA-PSS);"),
        "OAEP": (one_padding_pem(KEY, OAEP, "pkcs8"), "restricted to OAEP (id-RSAES-OAEP);"),
        "OAEP, public": (one_padding_pem(KEY, OAEP, "spki"), "restricted to OAEP (id-RSAES-OAEP)"),
        "two keys": (good + public_pem(KEY), "2 keys in a file (PRIVATE KEY, PUBLIC KEY); one is"),
        "two, one of EC": (private_pem(curve, "pkcs1") + good, "(EC PRIVATE KEY, PRIVATE KEY)"),
        "bytes behind": (block("PRIVATE KEY", pkcs8(pkcs1()) + b"\0"), "bytes follow the end of"),
        "bytes behind, inside": (
            block("PRIVATE KEY", pkcs8(pkcs1() + b"\0")),
            "PRIVATE KEY: bytes follow the end of the key",
        ),
        "bytes behind, public": (block("PUBLIC KEY", spki() + b"ab"), "bytes follow the end of"),
        "bytes behind, DER": (pkcs1() + b"\n", "DER: bytes follow the end of the key"),
        "cut off, DER": (pkcs8(pkcs1())[:-9], "DER: the key is cut off"),
        "cut off": (block("RSA PRIVATE KEY", pkcs1()[:-5]), "RSA PRIVATE KEY: the key is cut off"),
        "one number more": (rsa(integer(7)), "it has more in it than an RSA key has"),
        "numbers missing": (
            block("RSA PRIVATE KEY", der(0x30, *map(integer, (0, N, E, PAIR.d)))),
            "it lacks numbers of an RSA key",
        ),
        "zeros before a number": (
            block("RSA PRIVATE KEY", der(0x30, integer(0), padded, *others)),
            "a number in it does not have its shortest form",
        ),
        "length of DER": (good.replace(b"\nMII", b"\nMIA"), "the key's DER is damaged"),
        "far too wide": (public(n=(1 << 200_000) - 1), "bytes; 32,768 are allowed"),
        "text": (block("PRIVATE KEY", der(0x30, der(12, b"text"))), "no RSA key is in it"),
        "version": (rsa(version=5), "its version is 5; 0 is allowed"),
        "version of PKCS#8": (block("PRIVATE KEY", pkcs8(pkcs1(), 1)), "its version is 1; 0 is"),
        "three primes": (
            rsa(der(0x30, der(0x30, *map(integer, (3, 1, 1)))), version=1),
            "it has more than two primes",
        ),
        "p": (rsa(p=PAIR.p + 2), "its p is wrong: p q is not the modulus"),
        "q": (rsa(q=PAIR.q - 2), "its q is wrong: p q is not the modulus"),
        "n": (rsa(n=N + 2), "its modulus is wrong: p q is not the modulus"),
        "d": (rsa(d=PAIR.d + 2), "its d is wrong: e d is not 1 modulo lcm(p - 1, q - 1)"),
        "d is 0": (rsa(d=0), "its d is 0"),
        "e": (rsa(e=3), "its public exponent is wrong: e d is not 1"),
        "dp": (rsa(dp=PAIR.dmp1 + 2), "its dp is wrong: it is not d mod (p - 1)"),
        "dp, not reduced": (rsa(dp=PAIR.dmp1 + PAIR.p - 1), "its dp is wrong"),
        "dq": (rsa(dq=1), "its dq is wrong: it is not d mod (q - 1)"),
        "iqmp": (rsa(iqmp=PAIR.iqmp + 1), "its iqmp is wrong: it is not 1/q mod p"),
        "iqmp of the other prime": (
            block("PRIVATE KEY", pkcs8(pkcs1(iqmp=pow(PAIR.p, -1, PAIR.q)))),
            "PRIVATE KEY: its iqmp is wrong: it is not 1/q mod p",
        ),
        "iqmp, OpenSSH": (
            openssh_with(iqmp=PAIR.iqmp - 1),
            "OPENSSH PRIVATE KEY: its iqmp is wrong: it is not 1/q mod p",
        ),
        "p is no prime": (rsa(p=N, q=1), "its p is not a prime"),
        "no primes": (rsa(p=0, q=0, dp=0, dq=0, iqmp=0), "its p is 0"),
        "e is even": (rsa(e=65536), "its public exponent is even"),
        "e is 1": (rsa(e=1), "its public exponent is 1"),
        "e is 0": (rsa(e=0), "its public exponent is even"),
        "e beyond n": (rsa(e=E + ORDER * 3), "its public exponent is not below its modulus"),
        "public, e is even": (public(e=4), "PUBLIC KEY: its public exponent is even"),
        "public, e is 1": (public(e=1), "its public exponent is 1"),
        "public, e beyond n": (public(e=N + 2), "its public exponent is not below its modulus"),
        "public, e is vast": (public(e=1 << 5000 | 1), "its public exponent is not below its mod"),
        "public, n is even": (public(n=N + 1), "PUBLIC KEY: its modulus is even"),
        "n is even": (rsa(n=N + 1), "its modulus is even"),
        "n is 1": (public(n=1), "its modulus is 1"),
        "n is negative": (rsa(n=-N), "its modulus is negative"),
        "public, n is negative": (public(n=-N), "its modulus is negative"),
        "e is negative": (rsa(e=-E), "its public exponent is negative"),
        "d is negative": (rsa(d=-PAIR.d), "its d is negative"),
        "dq is negative": (rsa(dq=-PAIR.dmq1), "its dq is negative"),
    }


@pytest.fixture
def read(tmp_path):
    def call(content: bytes) -> RsaKey:
        return read_key(write_key(tmp_path / "my key.pem", content))

    return call


@pytest.mark.parametrize("name", readable())
def test_read(read, capsys, name):
    content = readable()[name]
    public = any(x in name for x in ("public", "Public"))
    swapped = READ._replace(primes=(PAIR.q, PAIR.p))
    expected = swapped if name == "p below q" else RsaKey(N, E, None) if public else READ
    assert read(content) == expected
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", refused())
def test_refused(read, name):
    content, message = refused()[name]
    with pytest.raises(UserError) as caught:
        read(content)
    told = str(caught.value)
    assert "my key.pem: " in told
    assert message in told
    assert "\n" not in told
    assert len(told) < 400 + len(name)


def test_a_wide_private_exponent_is_reduced(rsaxcel, tmp_path):
    """Any d with e d = 1 modulo lcm(p - 1, q - 1) is a private exponent, one above n, too."""
    path = write_key(tmp_path / "wide.pem", rsa(d=PAIR.d + 3 * ORDER))
    options = ("--nbits", NBITS, "--level", "fl", "--random", 3, "--json")
    done = rsaxcel("sim", "ssmm_r2l", "--key", path, *options)
    told = "its d is wider than its modulus: d mod lcm(p - 1, q - 1) is used"
    assert (done.status, done.err) == (0, f"rsaxcel: {path}: {told}\n")
    for record in map(json.loads, done.out.splitlines()):
        base, result = (int(record[name], 16) for name in ("base", "result"))
        assert pow(result, E, N) == base
