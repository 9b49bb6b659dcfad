"""Published PKCS#1 v1.5 vectors on the accelerator on a bus, driven as by ``rsaxcel crypt``."""

import hashlib
from functools import cache
from typing import NamedTuple

import pytest

import rsaxcel.cli.crypt
from rsaxcel.cli.crypt import DESIGN, run_action, signed_digest
from rsaxcel.cli.keys import ACTIONS, RsaKey
from rsaxcel.fl.status import Status
from tests.cli.pkcs1_files import FOLDER, examples
from tests.shared.harness import built_once, configure
from tests.shared.vectors import records

ENCRYPTIONS = "pkcs1v15crypt-vectors.txt"
SIGNATURES = "FIPS_186-2", "SigVer15_186-3.rsp"
GOLDEN = "ssmm_r2l"
"""Design with a quick functional model."""
BAD_PADDING = "InvalidPkcs1Padding"
TOLD = (Status.LENGTH_WRONG, Status.MESSAGE_TOO_LONG, Status.BASE_TOO_LARGE)
"""Statuses of inputs that are not a ciphertext of the key."""


class Example(NamedTuple):
    """A published operation; ``seed`` is the padding of an encryption."""

    key: RsaKey
    message: bytes
    seed: bytes
    output: bytes
    valid: bool = True


def golden(key: RsaKey, action: str, given: bytes):
    """Response of the accelerator's golden model."""
    return run_action(configure(GOLDEN, key.nbits), "fl", key, ACTIONS[action], given)


@cache
def encryptions() -> list[Example]:
    return [
        Example(key, values["Message"], values["Seed"], values["Encryption"])
        for key, values in examples(ENCRYPTIONS)
    ]


@cache
def signatures() -> list[Example]:
    """Published signatures with SHA-256, good and wrong ones."""
    found, record = [], {}
    for line in FOLDER.joinpath(*SIGNATURES).read_text().splitlines():
        name, separator, value = line.partition(" = ")
        if not separator:
            continue
        record[name] = value
        if name == "Result" and record["SHAAlg"] == "SHA256":
            key = RsaKey(*(int(record[x], 16) for x in ("n", "e", "d")))
            message, signature = bytes.fromhex(record["Msg"]), bytes.fromhex(record["S"])
            found.append(Example(key, message, b"", signature, value.startswith("P")))
    return found


def test_vectors_are_read():
    assert len(encryptions()) == 300
    assert {1024, 1031, 1536, 2048} <= {x.key.nbits for x in encryptions()}
    assert [sum(x.valid is good for x in signatures()) for good in (True, False)] == [15, 75]


@pytest.mark.parametrize(
    ("nbits", "count"),
    [(1024, 10), (1029, 2), (2048, 2), pytest.param(0, 300, marks=pytest.mark.slow, id="all")],
)
def test_encryptions(nbits, count, monkeypatch):
    """Published messages and paddings give the ciphertexts, which decrypt to the messages."""
    rows = [x for x in encryptions() if nbits in (0, x.key.nbits)][:count]
    assert len(rows) == count
    for key, message, seed, ciphertext, _ in rows:
        # the accelerator skips zeros between the random bytes
        source = (b"%c" % byte for random in seed for byte in (0, random))
        monkeypatch.setattr(
            rsaxcel.cli.crypt.secrets, "token_bytes", lambda _, source=source: next(source)
        )
        assert golden(key, "encrypt", message)[:2] == (Status.OK, ciphertext)
        assert golden(key, "decrypt", ciphertext)[:2] == (Status.OK, message)


@pytest.mark.parametrize(
    "nbits", [1024, 2048, *(pytest.param(n, marks=pytest.mark.slow) for n in (1536, 3072, 4096))]
)
def test_signatures(nbits):
    """Good signatures are made and accepted, wrong ones are refused."""
    rows = [x for x in signatures() if x.key.nbits == nbits]
    assert len(rows) == 18
    for key, message, _, signature, valid in rows:
        named = signed_digest(message)
        assert named.endswith(hashlib.sha256(message).digest())
        assert (golden(key, "verify", signature).output == named) == valid
        if valid:
            assert golden(key, "sign", named).output == signature


def decryptions(nbits: int) -> list[tuple[Example, list[str]]]:
    """Published decryptions of a width, with their flags."""
    found = []
    for record in records("open_pkcs1_dec.jsonl"):
        if record["n_bits"] == nbits:
            key = RsaKey(*(int(record[name], 16) for name in ("n", "e", "d")))
            message = bytes.fromhex(record["expect"]) if record["valid"] else b""
            example = Example(key, message, b"", bytes.fromhex(record["ct"]), record["valid"])
            found.append((example, record["flags"]))
    return found


@pytest.mark.parametrize(
    "nbits", [2048, *(pytest.param(n, marks=pytest.mark.slow) for n in (3072, 4096))]
)
def test_malformed_paddings(nbits):
    """Malformed paddings are refused, good ones are removed."""
    refused = 0
    for (key, message, _, ciphertext, valid), flags in decryptions(nbits):
        status, output = golden(key, "decrypt", ciphertext)[:2]
        assert (status, output) == (Status.OK, message) if valid else output == b""
        if BAD_PADDING in flags:
            assert status is Status.PADDING_WRONG
            refused += 1
        elif not valid:
            assert status in TOLD
    assert refused >= 11


@pytest.mark.slow
@pytest.mark.parametrize(
    ("nbits", "count"),
    [
        pytest.param(n, count, marks=built_once(f"crypt-{DESIGN}-words", n), id=str(n))
        for n, count in ((2048, 11), (3072, 3), (4096, 3))
    ],
)
def test_malformed_paddings_on_the_circuit(nbits, count):
    """Only the status tells a malformed padding: good ones take the same cycles.

    The design is the command's default with words of 30 bits, which simulates fastest: half the
    cycles, and sums that fit 64 bits.
    """
    configuration = configure(DESIGN, nbits, radix_nbits=30)
    rows = decryptions(nbits)
    good = next(x for x, _ in rows if x.valid and x.message)
    wrong = [x for x, flags in rows if BAD_PADDING in flags][:count]
    others = [x for x, flags in rows if not x.valid and BAD_PADDING not in flags]
    assert (len(wrong), len(others) >= 4) == (count, True)
    cycles = set()
    for key, message, _, ciphertext, valid in (good, *wrong):
        outcome = run_action(configuration, "rtl", key, ACTIONS["decrypt"], ciphertext)
        expected = (Status.OK, message) if valid else (Status.PADDING_WRONG, b"")
        assert (outcome.status, outcome.output) == expected
        cycles.add(outcome.cycles)
    assert len(cycles) == 1
    for key, _, _, ciphertext, _ in others:
        outcome = run_action(configuration, "rtl", key, ACTIONS["decrypt"], ciphertext)
        assert (outcome.status in TOLD, outcome.output) == (True, b"")
