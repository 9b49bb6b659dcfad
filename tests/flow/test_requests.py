"""The default workload."""

import json
from pathlib import Path

from catalog import find
from fl.keys import seeded_key
from flow.requests import bases, default_exponents, default_key, describe_workload

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
    assert bases(find("mulrem_r2l").configure(64), key.e, 3)[0] == key.n


def test_the_workload_is_said():
    assert describe_workload(32, default_exponents(32)) == (
        "encrypt 65537, decrypt 977851481; 32 random bases each; modulus 2148676643 of the key "
        "whose exponents McNay (text below table 1) prints"
    )
    assert describe_workload(64, default_exponents(64)).endswith(
        "of the standard 64-bit key (seed 0)"
    )
    assert "encrypt 3 (exponents as asked); 32" in describe_workload(64, {"encrypt": 3})
