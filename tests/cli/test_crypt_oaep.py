"""``rsaxcel crypt --padding oaep``: other programs' ciphertexts, published vectors, refusals."""

import json
import shutil
import subprocess

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding

import rsaxcel.cli.crypt
from rsaxcel.cli.crypt import run_action
from rsaxcel.cli.keys import ACTIONS, RsaKey
from rsaxcel.fl.keys import seeded_key
from rsaxcel.fl.oaep import Oaep
from rsaxcel.fl.status import Status
from tests.cli.crypt_calls import FL
from tests.cli.crypt_keys import private_pem, public_pem, theirs, write_key
from tests.cli.pkcs1_files import FOLDER, examples
from tests.shared.harness import built_once, configure
from tests.shared.vectors import records

NBITS = 1024
NBYTES = NBITS // 8
OAEP = ("--padding", "oaep")
MESSAGE = b"\0meet me at noon\n"
GOLDEN, CIRCUIT = "ssmm_r2l", "mm_r2l"
SMALL = 344
"""Least width in bits whose block, of 43 bytes, has room for a byte beside OAEP with SHA-1."""


def their_padding(name="sha256", mask="", label=b""):
    own, of_mask = (getattr(hashes, x.upper())() for x in (name, mask or name))
    return padding.OAEP(mgf=padding.MGF1(of_mask), algorithm=own, label=label or None)


def run(key: RsaKey, action: str, given: bytes, oaep: Oaep):
    """Response of the accelerator's golden model."""
    configuration = configure(GOLDEN, key.nbits)
    return run_action(configuration, "fl", key, ACTIONS[action], given, oaep=oaep)


@pytest.mark.parametrize(
    ("options", "parameters"),
    [
        ((), {}),
        (("--hash", "sha1"), {"name": "sha1"}),
        (("--hash", "sha1", "--mgf-hash", "sha512"), {"name": "sha1", "mask": "sha512"}),
        (
            ("--hash", "sha384", "--label", "für dich"),
            {"name": "sha384", "label": "für dich".encode()},
        ),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, tuple) else "",
)
def test_messages_both_ways(crypt, options, parameters):
    key, oaep = theirs(NBITS), their_padding(**parameters)
    options = (*FL, *OAEP, *options)
    done, ciphertext = crypt("encrypt", public_pem(key), MESSAGE, options=options)
    assert (done.status, done.err) == (0, "")
    assert key.decrypt(ciphertext, oaep) == MESSAGE
    # each encryption has another seed
    assert crypt("encrypt", public_pem(key), MESSAGE, options=options)[1] != ciphertext
    most = NBYTES - Oaep(parameters.get("name", "sha256")).overhead_nbytes
    for text in (MESSAGE, b"", bytes(most)):
        ciphertext = key.public_key().encrypt(text, oaep)
        done, opened = crypt("decrypt", private_pem(key), ciphertext, options=options)
        assert (done.status, opened) == (0, text)


@pytest.mark.parametrize(
    ("given", "label"),
    [
        (("--label", "Schlüssel"), "Schlüssel".encode()),
        (("--label", "\udcc3\udcbc"), "ü".encode()),  # ü, where Python takes it for ASCII
        (("--label", "\udcff"), b"\xff"),
        (("--label-hex", "00FFc3"), b"\0\xff\xc3"),
        (("--label-hex", "00 ff"), b"\0\xff"),
        (("--label-hex", ""), b""),
    ],
    ids=("text", "C-locale", "no-UTF-8", "bytes", "spaces", "empty"),
)
def test_labels(crypt, given, label):
    key, options = theirs(NBITS), (*FL, *OAEP, *given)
    ciphertext = crypt("encrypt", public_pem(key), MESSAGE, options=options)[1]
    assert key.decrypt(ciphertext, their_padding(label=label)) == MESSAGE
    assert crypt("decrypt", private_pem(key), ciphertext, options=options)[1] == MESSAGE


def openssl(*args) -> bytes:
    return subprocess.run(["openssl", *map(str, args)], check=True, capture_output=True).stdout


@pytest.mark.skipif(shutil.which("openssl") is None, reason="OpenSSL is not installed")
def test_openssl_both_ways(rsaxcel, tmp_path):
    key, text, enc, out = (tmp_path / name for name in ("me.pem", "text", "enc", "out"))
    write_key(key, private_pem(theirs(NBITS)))
    text.write_bytes(MESSAGE)
    modes = ("padding_mode:oaep", "oaep_md:sha256", "mgf1_md:sha1", f"oaep_label:{b'l'.hex()}")
    settings = [x for mode in modes for x in ("-pkeyopt", f"rsa_{mode}")]
    ours = ("--key", key, *FL, *OAEP, "--mgf-hash", "sha1", "--label", "l")
    assert rsaxcel("crypt", "encrypt", *ours, text, enc).status == 0
    assert openssl("pkeyutl", "-decrypt", "-inkey", key, "-in", enc, *settings) == MESSAGE
    enc.write_bytes(openssl("pkeyutl", "-encrypt", "-inkey", key, "-in", text, *settings))
    assert rsaxcel("crypt", "decrypt", *ours, enc, out).status == 0
    assert out.read_bytes() == MESSAGE


def test_published_encryptions(monkeypatch):
    """The published seeds give the published ciphertexts, which decrypt to the messages."""
    count = 0
    for key, values in examples("pkcs-1v2-1d2-vec", "oaep-vect.txt"):
        monkeypatch.setattr(rsaxcel.cli.crypt.secrets, "token_bytes", lambda _, v=values: v["Seed"])
        status, output = run(key, "encrypt", values["Message"], Oaep("sha1"))[:2]
        assert (status, output) == (Status.OK, values["Encryption"])
        status, output = run(key, "decrypt", output, Oaep("sha1"))[:2]
        assert (status, output) == (Status.OK, values["Message"])
        count += 1
    assert count == 60


@pytest.mark.quick_cases("oaep-sha256-sha512.txt")
@pytest.mark.parametrize("name", [x.name for x in (FOLDER / "oaep-custom").iterdir()])
def test_published_decryptions_with_two_hashes(name):
    """In the names of the files, the hash of the masks comes first."""
    _, mask, label_hash = name.removesuffix(".txt").split("-")
    count = 0
    for key, values in examples("oaep-custom", name):
        status, output = run(key, "decrypt", values["Encryption"], Oaep(label_hash, mask))[:2]
        assert (status, output) == (Status.OK, values["Message"])
        count += 1
    assert count > 5


def published(nbits: int) -> list[dict]:
    return [x for x in records("open_oaep_dec.jsonl") if x["n_bits"] == nbits]


@pytest.mark.parametrize(
    "nbits",
    [
        1024,
        *(pytest.param(n, marks=pytest.mark.slow) for n in (1536, 2048, 2688, 3072, 3104, 4096)),
    ],
)
def test_third_party_decryptions(nbits):
    """Good ciphertexts are opened; all others have one status and no output."""
    refused = 0
    for record in published(nbits):
        key = RsaKey(*(int(record[name], 16) for name in ("n", "e", "d")))
        names = (record[x].lower().replace("-", "").replace("/", "_") for x in ("hash", "mgf_hash"))
        oaep = Oaep(*names, bytes.fromhex(record["label"]))
        status, output = run(key, "decrypt", bytes.fromhex(record["ct"]), oaep)[:2]
        if record["valid"]:
            assert (status, output) == (Status.OK, bytes.fromhex(record["expect"]))
        else:
            assert (status, output) == (Status.PADDING_WRONG, b""), record["comment"]
            refused += 1
    assert refused > 50 or nbits not in (2048, 3072)


def wrong_ciphertexts() -> dict[str, bytes]:
    key, n = theirs(NBITS), seeded_key(NBITS).n
    good = key.public_key().encrypt(MESSAGE, their_padding())
    return {
        "a bit": good[:-1] + bytes((good[-1] ^ 1,)),
        "PKCS#1": key.public_key().encrypt(MESSAGE, padding.PKCS1v15()),
        "other hash": key.public_key().encrypt(MESSAGE, their_padding("sha1")),
        "other label": key.public_key().encrypt(MESSAGE, their_padding(label=b"x")),
        "short": good[:-1],
        "long": b"\0" + good,
        "empty": b"",
        "modulus": n.to_bytes(NBYTES, "big"),
        "not below the modulus": b"\xff" * NBYTES,
        "zero": bytes(NBYTES),
    }


@pytest.mark.parametrize("name", wrong_ciphertexts())
def test_one_refusal(crypt, name):
    """All faults of a ciphertext have the same output, and OUT is not written."""
    options, key = (*FL, *OAEP), private_pem(theirs(NBITS))
    done, out = crypt("decrypt", key, wrong_ciphertexts()[name], options=options)
    assert (done.status, out) == (1, None)
    assert done.out.splitlines()[1:] == ["level        fl", "status       padding_wrong"]
    assert done.err.endswith("in: its padding is refused\n")


def test_by_the_primes(crypt):
    key, pair = theirs(NBITS), seeded_key(NBITS)
    wide = max(pair.p, pair.q).bit_length()
    design = ("--design", "crt_window", "--param", f"half_nbits={wide}", "--level", "fl")
    ciphertext = key.public_key().encrypt(MESSAGE, their_padding())
    done, opened = crypt("decrypt", private_pem(key), ciphertext, options=(*design, *OAEP))
    assert (done.status, opened) == (0, MESSAGE)


@built_once("crypt-mm_r2l", SMALL)
def test_circuit(crypt):
    """The circuit exponentiates a block without padding it; a refusal takes the same cycles."""
    key = theirs(SMALL)
    sha1 = ("--design", CIRCUIT, *OAEP, "--hash", "sha1", "--json")
    done, ciphertext = crypt("encrypt", public_pem(key), b"m", options=sha1)
    assert (done.status, key.decrypt(ciphertext, their_padding("sha1"))) == (0, b"m")
    record = json.loads(done.out)
    assert (record["padding"], record["status"], record["output_nbytes"]) == ("oaep", "ok", 43)
    good = json.loads(crypt("decrypt", private_pem(key), ciphertext, options=sha1)[0].out)
    wrong = ciphertext[:-1] + bytes((ciphertext[-1] ^ 1,))
    done, _ = crypt("decrypt", private_pem(key), wrong, options=sha1)
    refused = json.loads(done.out)
    assert (good["status"], refused["status"], done.status) == ("ok", "padding_wrong", 1)
    assert good["cycles"] == refused["cycles"] > 0
