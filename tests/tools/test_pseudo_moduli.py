"""The tables of docs/explanation/pseudo-moduli.md, as printed, checked independently."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tools.pseudo_moduli import NAMED, command, key_exponents, moduli_with_one

DOCUMENT = Path(__file__).parents[2] / "docs/explanation/pseudo-moduli.md"


def test_the_page_shows_what_the_command_prints():
    result = CliRunner().invoke(command, [])
    assert result.exit_code == 0
    tables = result.output.strip().split("\n\n")
    assert len(tables) == 3
    assert [x for x in tables if x not in DOCUMENT.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize(("nbits", "growth"), [(8, 0), (8, 16), (11, 5), (12, 8)])
def test_moduli_are_counted_as_by_trying_each(nbits, growth):
    exponents = range(nbits + growth + 1)
    wanted = {
        m
        for m in range((1 << nbits - 1) + 1, 1 << nbits, 2)
        if any(pow(2, t, m) in (1, m - 1) for t in exponents[1:])
    }
    assert set(moduli_with_one(nbits, growth)) == wanted


def test_no_more_moduli_than_the_page_proves():
    for nbits in (8, 32, 257):
        for growth in (0, 3, 9):
            found = set(moduli_with_one(nbits, growth))
            assert len(found) <= 2 ** (growth + 1) + 2 * growth + 4
            assert {m.bit_length() for m in found} == {nbits}


def test_exponents_of_keys():
    """Exponents for keys of 16 bits equal those found by trying every t."""
    assert key_exponents(16, 20, 0) == key_exponents(16, 20, 0) != key_exponents(16, 20, 1)
    for m, order, t in key_exponents(16, 20, 0):
        powers = [pow(2, x, m) for x in range(1, order + 1)]
        assert m.bit_length() == 16
        assert powers.index(1) + 1 == order
        assert next(x for x, power in enumerate(powers, 1) if power in (1, m - 1)) == t


def test_named_moduli_are_what_their_names_say():
    assert NAMED["the document's key, 62639 * 53987"] == 62639 * 53987
    assert NAMED["the key of McNay's figure 1, 27277 * 95443"] == 27277 * 95443
    assert NAMED["P-256"] == int(f"{'f' * 8}{'0' * 7}1{'0' * 24}{'f' * 24}", 16)
    assert NAMED["secp256k1"] == int(f"{'f' * 55}efffffc2f", 16)
