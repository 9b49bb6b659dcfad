"""The reference number theory against Python's own arithmetic, and messages of input rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rsaxcel.course.testing.cases import PUBLISHED
from rsaxcel.fl.keys import random_key, seeded_key
from rsaxcel.fl.status import InputRuleError, InputRules, Status
from rsaxcel.plan.programs import Program
from rsaxcel.plan.scan import Scan
from rsaxcel.plan.steps import Product
from tests.shared.arithmetic import Montgomery, modular_product


@given(nbits=st.integers(2, 200), data=st.data())
def test_montgomery(nbits, data):
    """R * R^-1 - N * N' = 1, REDC, residues and back."""
    n = data.draw(st.integers(3, (1 << nbits) - 1)) | 1
    mont = Montgomery(n, nbits)
    r = 1 << nbits
    inverse = pow(r, -1, n)
    assert r * inverse - n * mont.n_prime == 1
    assert mont.r_squared == pow(2, 2 * nbits, n)
    t = data.draw(st.integers(0, r * n - 1))
    assert mont.redc(t) == t * inverse % n
    x, y = data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, n - 1))
    assert mont.value(mont.residue(x)) == x
    assert mont.product(x, y) == x * y * inverse % n
    assert mont.value(mont.product(mont.residue(x), mont.residue(y))) == modular_product(x, y, n)


@pytest.mark.parametrize(
    ("modulus", "nbits", "status"),
    [(8, 4, "modulus_even"), (1, 4, "modulus_too_small"), (16, 4, "operand_too_wide")],
)
def test_montgomery_rules(modulus, nbits, status):
    """The message names the rule and the value."""
    with pytest.raises(ValueError, match=rf"{status}: modulus ({modulus}|{modulus:#x}) "):
        Montgomery(modulus, nbits)


def test_operand_rules():
    """Operands must be below the modulus, T below R * N, and nothing is negative."""
    mont = Montgomery(7, 3)
    for call in (
        lambda: mont.product(7, 1),
        lambda: mont.product(1, -1),
        lambda: mont.redc(8 * 7),
        lambda: mont.value(7),
        lambda: modular_product(5, 1, 5),
        lambda: modular_product(0, 0, 1),
        lambda: InputRules(8, False).check(-1, 1, 7),
    ):
        with pytest.raises(ValueError, match=r"-?\d"):
            call()


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
