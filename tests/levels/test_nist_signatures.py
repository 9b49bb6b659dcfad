"""NIST's signatures s = EM^d mod n, from the wheel ``cryptography-vectors``."""

import hashlib
from functools import cache
from importlib.resources import files

import pytest
from rsa.pkcs1 import HASH_ASN1

from tests.shared.harness import built_once, configure, simulate

SIGNATURES = "asymmetric/RSA/FIPS_186-2/SigVer15_186-3.rsp"


def encoded(message: bytes, algorithm: str, nbits: int) -> int:
    """EMSA-PKCS1-v1_5 encoding of a message: 00 01 ff .. ff 00, the digest's name, the digest."""
    named = HASH_ASN1[f"SHA-{algorithm.removeprefix('SHA')}"]
    named += hashlib.new(algorithm, message).digest()
    padding = b"\xff" * (nbits // 8 - 3 - len(named))
    return int.from_bytes(b"\0\1" + padding + b"\0" + named, "big")


@cache
def signatures(nbits: int) -> list[tuple[int, int, int, int]]:
    """Encoded message, private exponent, modulus and signature of all valid records of a size."""
    return [(em, x["d"], x["n"], x["S"]) for em, x in signed_records(nbits)]


def signed_records(nbits: int) -> list[tuple[int, dict[str, int]]]:
    """Encoded message, signature and key (d, n, p, q) of all valid records of a size."""
    found, record, size = [], {}, 0
    for line in (files("cryptography_vectors") / SIGNATURES).read_text().splitlines():
        key, separator, value = line.strip(" []").partition(" = ")
        if not separator:
            continue
        if key == "mod":
            size = int(value)
        record[key] = value
        if key == "Result" and value == "P" and size == nbits:
            em = encoded(bytes.fromhex(record["Msg"]), record["SHAAlg"], nbits)
            found.append((em, {name: int(record[name], 16) for name in ("d", "n", "p", "q", "S")}))
    return found


@built_once("{name}", "{nbits}")
@pytest.mark.quick_cases("*-1024-5")
@pytest.mark.parametrize(
    ("name", "nbits", "count"),
    [
        *((name, 1024, count) for name in ("ssmm_r2l", "montmul_r2l") for count in (5, 15)),
        ("systolic_l2r_always", 1024, 15),
        *(("digit_serial_r2l", 1024, count) for count in (1, 3)),
        ("ssmm_r2l", 2048, 15),
        ("montmul_r2l", 2048, 15),
        ("ssmm_r2l", 3072, 5),
        ("ssmm_r2l", 4096, 3),
    ],
)
def test_signatures(name, nbits, count):
    """The circuit computes NIST's signatures."""
    rows = signatures(nbits)[:count]
    assert len(rows) == count
    batch = simulate(configure(name, nbits), "rtl", "native", [row[:3] for row in rows])
    assert batch.responses == [(row[3], 0) for row in rows]
