"""Formulas of descriptions have the values of Python's, and lines of keys are found."""

import pytest

from rsaxcel.cores.formulas import FormulaError, most_nbits, value
from rsaxcel.cores.table import lines_of


@pytest.mark.parametrize("n", [3, 201, (1 << 61) - 1])
@pytest.mark.parametrize("nbits", [8, 33])
def test_values(n, nbits):
    assert value("2**(2*nbits) % n", n=n, nbits=nbits) == 2 ** (2 * nbits) % n
    assert value("-n**-1 mod 2**nbits", n=n, nbits=nbits) == -pow(n, -1, 2**nbits) % 2**nbits
    assert value("2**(4*nbits) // n", n=n, nbits=nbits) == 2 ** (4 * nbits) // n
    assert value("10 - 3 - nbits // 3 * 2", nbits=nbits) == 10 - 3 - nbits // 3 * 2
    assert value("2**3**2 + 0x1_0", nbits=nbits) == 2**3**2 + 16


@pytest.mark.parametrize("formula", ["2**(2*nbits) % n", "-n**-1 mod 2**32", "2**(2*nbits) // n"])
def test_constants_fit_the_width_that_is_told(formula):
    widest = most_nbits(formula, 8)
    assert all(value(formula, n=n, nbits=8).bit_length() <= widest for n in range(3, 256, 2))


@pytest.mark.parametrize(
    "formula", ["n**-1 mod 2**8", "2**(2**70) mod n", "2**-1", "nbits // (n - n)"]
)
def test_no_value(formula):
    with pytest.raises(FormulaError):
        value(formula, n=6, nbits=8)


def test_lines():
    text = 'a = """\n]\n"""\n[t] # [no]\nb.c = [ # {\n  1,\n  { d = "}", e = 2 },\n]\n'
    text += "[[u]]\n[[u]]\nf = 1\n"
    found = lines_of(text)
    places = ("a",), ("t",), ("t", "b", "c"), ("t", "b", "c", 0), ("t", "b", "c", 1, "e")
    assert [found[x] for x in places] == [1, 4, 5, 6, 7]
    assert (found["u", 0], found["u", 1, "f"]) == (9, 11)
