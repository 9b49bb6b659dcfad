"""Input rules and their messages, published results, and keys."""

import pytest

from rsaxcel.course.testing.cases import PUBLISHED
from rsaxcel.fl.keys import random_key, seeded_key
from rsaxcel.fl.status import InputRuleError, InputRules, Status
from rsaxcel.plan.programs import Program
from rsaxcel.plan.scan import Scan
from rsaxcel.plan.steps import Product


def test_order_of_rules():
    """``operand_too_wide`` comes first: hardware cannot compare an operand that it cannot store."""
    rules = InputRules(8, odd_modulus=True)
    assert rules.status(300, 1, 0) is Status.OPERAND_TOO_WIDE
    assert rules.status(9, 1, 0) is Status.MODULUS_TOO_SMALL
    assert rules.status(9, 1, 8) is Status.MODULUS_EVEN
    assert rules.status(9, 1, 9) is Status.BASE_TOO_LARGE
    assert rules.status(8, 1, 9) is Status.OK
    with pytest.raises(
        InputRuleError, match=r"^base_too_large: base 9 is not in 0 \.\. modulus - 1 = 8$"
    ):
        rules.check(9, 1, 9)
    with pytest.raises(ValueError, match="-1"):
        rules.check(-1, 1, 7)


@pytest.mark.parametrize(("name", "base", "exponent", "modulus", "result"), PUBLISHED)
def test_published_examples(name, base, exponent, modulus, result):
    """The printed results are right."""
    assert pow(base, exponent, modulus) == result


@pytest.mark.parametrize("nbits", [8, 16, 32, 64, 128, 512])
def test_keys(nbits):
    """Seeded keys repeat and have the requested width; decryption undoes encryption."""
    key = seeded_key(nbits, 3)
    assert key == seeded_key(nbits, 3)
    assert key.n.bit_length() == nbits
    for message in (0, 1, 2, key.n - 1):
        assert key.decrypt(key.encrypt(message)) == message
    if nbits >= 16:
        fresh = random_key(nbits)
        assert fresh.decrypt(fresh.encrypt(2)) == 2


@pytest.mark.parametrize("nbits", [8, 64, 512])
def test_keys_with_random_exponent(nbits):
    """Both exponents have nearly full width; decryption undoes encryption."""
    keys = [seeded_key(nbits, seed, random_exponent=True) for seed in range(8)]
    assert keys[0] == seeded_key(nbits, 0, random_exponent=True)
    assert len({key.e for key in keys}) > 1
    for key in keys:
        assert key.n == seeded_key(nbits, keys.index(key)).n
        assert max(key.e, key.d) < key.n
        for message in (2, key.n - 1):
            assert key.decrypt(key.encrypt(message)) == message
    assert max(key.e for key in keys).bit_length() > nbits - 6


def test_key_too_narrow():
    """The message is one line with the allowed widths."""
    with pytest.raises(ValueError, match="nbits=7: an RSA key needs at least 8 bits"):
        seeded_key(7)


def test_program_of_unknown_residues():
    """A program with an unknown residue is refused when it is made."""
    with pytest.raises(ValueError, match=r"program p: .*names no residue"):
        Program("p", ("r",), ("m",), ("r",), 1, Scan(8), loop=((Product("r", "r", "x"),),))
