"""Third-party vectors, where a folder of them exists; skipped elsewhere."""

import pytest

import designs
from tests.harness import built_once, configure
from tests.vectors import check_powers, check_products, operands, records

NBITS = 128
WIDE = ("ssmm_r2l", "montmul_r2l", "systolic_l2r_always")
"""Designs that run the wide vectors; a circuit takes seconds to build and tens of them to run."""


def powers(file: str, keys: tuple[str, ...] = ("base", "exp", "n")):
    """Operands and published results of the exponentiations in a file."""
    found = [record for record in records(file) if record["op"] in ("modexp", "rsadp")]
    return [operands(record, keys) for record in found], [record["expect"] for record in found]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=built_once(name, NBITS)) for name in designs.DESIGNS]
)
@pytest.mark.parametrize("file", ["open_modexp_odd.jsonl", "open_badinput.jsonl"])
def test_exponentiations(name, file):
    """Every record ends in its result, or in the status that the input rules give."""
    right = check_powers(configure(name, NBITS), *powers(file))
    assert right or file == "open_badinput.jsonl"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=built_once(name, NBITS)) for name in designs.multipliers()]
)
def test_products(name):
    """Records inside the multiplier's contract."""
    rows, published = [], []
    for record in records("open_modmul_odd.jsonl"):
        a, b, m = operands(record, ("a", "b", "n"))
        if m.bit_length() <= NBITS and max(a, b) < m:
            rows.append((a, b, m))
            published.append(int(record["expect"], 16))
    assert len(rows) > 20
    check_products(configure(name, NBITS), rows, published)


@pytest.mark.parametrize(
    ("name", "nbits"),
    [
        *(pytest.param(name, 1024, marks=built_once(name, 1024)) for name in WIDE),
        *(pytest.param(name, 2048, marks=pytest.mark.slow) for name in WIDE),
    ],
)
@pytest.mark.parametrize("file", ["open_modexp_odd.jsonl", "open_badinput.jsonl"])
def test_exponentiations_of_any_length(name, nbits, file):
    """Moduli from 2 bits to the full width, in one circuit; wider operands are refused."""
    right = check_powers(configure(name, nbits), *powers(file))
    assert right or file == "open_badinput.jsonl"


@pytest.mark.slow
@pytest.mark.parametrize("name", WIDE)
def test_exponentiations_at_their_own_width(name):
    """Every width that occurs, up to 4096 bits."""
    by_width: dict[int, tuple[list, list]] = {}
    for row, expect in zip(*powers("open_modexp_odd.jsonl"), strict=True):
        nbits = max(8, *(x.bit_length() for x in row))
        if nbits <= 4096:
            rows, published = by_width.setdefault(nbits, ([], []))
            rows.append(row)
            published.append(expect)
    assert len(by_width) > 8
    for nbits, (rows, published) in by_width.items():
        check_powers(configure(name, nbits), rows, published)


@pytest.mark.parametrize(
    ("nbits", "most"),
    [
        (1024, 40),
        pytest.param(2048, 20, marks=pytest.mark.slow),
        pytest.param(3072, 8, marks=pytest.mark.slow),
        pytest.param(4096, 4, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("name", WIDE)
def test_rsa_decryptions_and_signatures(name, nbits, most):
    """c^d mod n; ``most`` of those in range, and every one that is out of range."""
    rows, published = [], []
    for row, expect in zip(*powers("open_rsadp.jsonl", ("c", "d", "n")), strict=True):
        c, _, n = row
        if n.bit_length() != nbits:
            continue
        if c >= n or most:
            rows.append(row)
            published.append(expect)
            most -= c < n
    assert check_powers(configure(name, nbits), rows, published) >= 3


@pytest.mark.parametrize(
    ("name", "nbits"),
    [
        ("ssmm", 1024),
        ("mont_mul", 1024),
        ("mont_mul_csa", 1024),
        ("systolic", 1024),
        pytest.param("ssmm", 1483, marks=pytest.mark.slow),
        pytest.param("mont_mul", 1483, marks=pytest.mark.slow),
        pytest.param("mont_mul_csa", 1483, marks=pytest.mark.slow),
        pytest.param("systolic", 1483, marks=pytest.mark.slow),
    ],
)
def test_wide_products(name, nbits):
    """Products of 40 to ``nbits`` bits in one circuit."""
    rows, published = [], []
    for record in records("open_modmul_odd.jsonl"):
        a, b, m = operands(record, ("a", "b", "n"))
        if max(a, b, m).bit_length() <= nbits:
            rows.append((a % m, b % m, m))
            published.append(int(record["expect"], 16))
    assert len(rows) > 100
    check_products(configure(name, nbits), rows, published)
