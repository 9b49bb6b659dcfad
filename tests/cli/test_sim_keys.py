"""``rsaxcel sim --key``: vectors with the key of a file."""

import json

import pytest

from tests.cli.crypt_keys import PRIVATE, PUBLIC, numbers_pem, pem, theirs, write_key

NBITS = 64
SIM = ("sim", "montmul_r2l", "--nbits", NBITS, "--level", "cl")


@pytest.fixture
def key_file(tmp_path):
    def write(kind: str, nbits: int = NBITS):
        return write_key(tmp_path / f"{kind}-{nbits}.pem", pem(theirs(nbits), kind))

    return write


@pytest.mark.parametrize("kind", [*PRIVATE, *PUBLIC])
def test_bases_of_a_key(objects, key_file, kind):
    """Vectors use the private exponent if the key has it, unless --operation says otherwise."""
    numbers = theirs(NBITS).private_numbers()
    public = numbers.public_numbers
    for operation in ((), ("--operation", "encrypt")):
        records = objects(*SIM, "--key", key_file(kind), *operation, "--random", 5)
        private = kind in PRIVATE and not operation
        exponent = numbers.d if private else public.e
        bases = [int(record["base"], 16) for record in records]
        assert bases[:2] == [0, public.n - 1]
        assert len(set(bases)) == 5
        for base, record in zip(bases, records, strict=True):
            assert (int(record["exp"], 16), int(record["n"], 16)) == (exponent, public.n)
            assert int(record["result"], 16) == pow(base, exponent, public.n)


def test_lines_need_a_base_alone(objects, key_file, tmp_path):
    key, vectors = theirs(NBITS).private_numbers(), tmp_path / "vectors.jsonl"
    modulus = key.public_numbers.n
    result = pow(7, key.d, modulus)
    records = [{"base": "7", "expect": f"{result:x}"}, {"base": "7", "n": f"{modulus:x}"}]
    vectors.write_text("\n".join(map(json.dumps, records)))
    found = objects(*SIM, "--key", key_file("pkcs8"), "--vectors", vectors)
    assert [x["result"] for x in found] == [f"{result:x}"] * 2


@pytest.mark.parametrize(
    ("nbits", "params", "message"),
    [
        (64, "multiplier=compressor_tree", "is for one modulus; --param"),
        (
            128,
            "multiplier=compressor_tree",
            "a key of 128 bits; give --nbits 128 --param modulus=0x",
        ),
        (
            128,
            "multiplier=direct --param domain=pseudo_modulus",
            "a key of 128 bits; domain=pseudo_modulus: modulus of 128 bits: no multiple of it is",
        ),
    ],
)
def test_circuits_for_another_modulus(rsaxcel, key_file, nbits, params, message):
    """Lines before the message name choices that follow from others."""
    key = key_file("spki", nbits)
    done = rsaxcel(*SIM, "--key", key, "--random", 1, "--param", *params.split())
    assert (done.status, done.out) == (2, "")
    assert message in done.err


def test_advice_is_taken(rsaxcel, tmp_path):
    """No width is named that the design, or the program, refuses."""
    wide, vector = numbers_pem((1 << 8191) + 1, 65537), tmp_path / "vector"
    path = write_key(tmp_path / "wide.pem", wide)
    vector.write_text('{"base": "7"}')
    own = ("--design", "ssmm_r2l", vector, tmp_path / "out")
    for call, told in (
        (SIM, "a key of 8192 bits; 8 to 4096 bits allowed for montmul_r2l"),
        (("crypt", "encrypt", *own), "a key of 8192 bits; 8 to 4096 bits allowed for ssmm_r2l"),
        (("circuit",), "a key of 8192 bits; 8 to 4096 bits allowed for systolic_l2r_always"),
        (
            ("run", "naive", "--system", "proc_null", "--data", vector),
            "a key of 8192 bits; up to 4096 are allowed",
        ),
        (
            ("run", "xcel", "--system", "proc_ssmm_r2l", "--data", vector),
            "a key of 8192 bits; 8 to 4096 bits allowed for ssmm_r2l",
        ),
    ):
        done = rsaxcel(*call, *(() if call == ("circuit",) else ("--key",)), path)
        assert (done.status, done.out) == (2, "")
        assert done.err == f"rsaxcel: error: {path}: {told}\n"
