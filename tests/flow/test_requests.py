"""The default workload."""

import json
from pathlib import Path

import pytest
import rsa.prime

from rsaxcel.catalog import find
from rsaxcel.fl.keys import seeded_key
from rsaxcel.flow.requests import (
    default_exponents,
    default_key,
    describe_workload,
    workload_operands,
)

ROOT = Path(__file__).parents[2]


def test_at_32_bits_the_exponents_are_those_that_the_document_prints():
    figures = json.loads((ROOT / "eval/data/printed.json").read_text())["figures"]
    printed = {x["operation"]: x["value"] for x in figures if x["quantity"] == "exponent"}
    assert default_exponents(32) == printed


def test_the_printed_exponents_belong_to_the_modulus():
    key = default_key(32)
    assert key.n.bit_length() == 32
    for message in (0, 1, 2, 65537, 123456789, key.n - 1):
        assert pow(pow(message, key.e, key.n), key.d, key.n) == message


def test_at_other_widths_they_are_those_of_the_standard_key():
    key = seeded_key(64)
    assert default_exponents(64) == {"encrypt": key.e, "decrypt": key.d}
    rows = workload_operands(find("mulrem_r2l").configure(64), key.e, 3)
    assert {row[1:] for row in rows} == {(key.e, key.n)}


@pytest.mark.parametrize(("nbits", "half_nbits"), [(32, 16), (33, 17), (64, 40), (256, 128)])
def test_primes_of_equal_length(nbits, half_nbits):
    configuration = find("crt_window").configure(nbits, half_nbits=half_nbits)
    exponent = seeded_key(nbits).d
    (base, exponents, moduli), _ = workload_operands(configuration, exponent, 2)
    p, q = configuration.halves.split(moduli)
    assert (p.bit_length(), q.bit_length()) == (nbits - nbits // 2, nbits // 2)
    assert rsa.prime.is_prime(p)
    assert rsa.prime.is_prime(q)
    assert configuration.halves.split(exponents) == (exponent % (p - 1), exponent % (q - 1))
    assert (p * q).bit_length() == nbits
    assert base < p * q


def test_the_workload_is_said():
    assert describe_workload(32, default_exponents(32)) == (
        "encrypt 65537, decrypt 977851481; 32 random bases each; modulus 2148676643 of the key "
        "whose exponents McNay (text below table 1) prints"
    )
    assert describe_workload(64, default_exponents(64)).endswith(
        "of the standard 64-bit key (seed 0)"
    )
    assert "encrypt 3 (exponents as asked); 32" in describe_workload(64, {"encrypt": 3})
