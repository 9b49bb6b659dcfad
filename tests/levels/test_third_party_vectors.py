"""Third-party vectors; skipped if there is no folder of them."""

import pytest

from rsaxcel.fl.status import Status
from tests.shared.harness import ANY_MODULUS, built_once, configure
from tests.shared.vectors import check_powers, check_products, operands, records

NBITS = 128
WIDE = ("ssmm_r2l", "montmul_r2l", "systolic_l2r_always", "digit_serial_r2l")
"""Designs that run the wide vectors; a circuit is compiled in seconds, and runs tens of seconds."""
PARAMS = {"digit_serial_r2l": {"S": 256}}
"""Parameters with which the wide vectors take least time."""
SLOWEST = "digit_serial_r2l"
PRODUCTS = ("ssmm", "mont_mul", "mont_mul_csa", "systolic", "digit_serial")


def wide(nbits: int, *names: str, quick: bool = True):
    """Test parameters: name and width. Only quick designs are not marked as slow."""
    return [
        pytest.param(
            name,
            nbits,
            marks=[built_once(name, nbits)]
            + ([] if quick and name != SLOWEST else [pytest.mark.slow]),
        )
        for name in names
    ]


def circuit(name: str, nbits: int):
    """Configuration with the parameters of the wide vectors."""
    return configure(name, nbits, **PARAMS.get(name, {}))


def powers(file: str, keys: tuple[str, ...] = ("base", "exp", "n")):
    """Operands and published results of the exponentiations in a file."""
    found = [record for record in records(file) if record["op"] in ("modexp", "rsadp")]
    return [operands(record, keys) for record in found], [record["expect"] for record in found]


@pytest.mark.slow_cases("*-mont_r2l", "*-mont_mac_r2l*")
@built_once("{name}", NBITS)
@pytest.mark.parametrize("name", ANY_MODULUS)
@pytest.mark.parametrize("file", ["open_modexp_odd.jsonl", "open_badinput.jsonl"])
def test_exponentiations(name, file):
    """Every record gives its result, or the status of the input rules."""
    right = check_powers(configure(name, NBITS), *powers(file))
    assert right or file == "open_badinput.jsonl"


@pytest.mark.slow_cases("*-systolic_l2r_always-1024", "*-montmul_r2l-1024")
@pytest.mark.parametrize(("name", "nbits"), [*wide(1024, *WIDE), *wide(2048, *WIDE, quick=False)])
@pytest.mark.parametrize("file", ["open_modexp_odd.jsonl", "open_badinput.jsonl"])
def test_exponentiations_of_any_length(name, nbits, file):
    """One circuit takes moduli from 2 bits to its width, and refuses wider operands."""
    right = check_powers(circuit(name, nbits), *powers(file))
    assert right or file == "open_badinput.jsonl"


@pytest.mark.slow
@pytest.mark.parametrize("name", WIDE)
def test_exponentiations_at_their_own_width(name):
    """Every width in the vectors, up to 4096 bits."""
    by_width: dict[int, tuple[list, list]] = {}
    for row, expect in zip(*powers("open_modexp_odd.jsonl"), strict=True):
        nbits = max(8, *(x.bit_length() for x in row))
        if nbits <= 4096:
            rows, published = by_width.setdefault(nbits, ([], []))
            rows.append(row)
            published.append(expect)
    assert len(by_width) > 8
    for nbits, (rows, published) in by_width.items():
        check_powers(circuit(name, nbits), rows, published)


@pytest.mark.slow_cases("montmul_r2l-1024")
@pytest.mark.parametrize(
    ("name", "nbits"),
    [*wide(1024, *WIDE), *(x for n in (2048, 3072, 4096) for x in wide(n, *WIDE, quick=False))],
)
def test_rsa_decryptions_and_signatures(name, nbits):
    """c^d mod n: some of the records in range, and all that are out of range."""
    most = {1024: 40, 2048: 20, 3072: 8, 4096: 4}[nbits]
    if name == SLOWEST:
        most = min(most, 20 * 1024**3 // nbits**3 + 1)
    wanted = min(3, most)
    rows, published = [], []
    for row, expect in zip(*powers("open_rsadp.jsonl", ("c", "d", "n")), strict=True):
        c, _, n = row
        if n.bit_length() != nbits:
            continue
        if c >= n or most:
            rows.append(row)
            published.append(expect)
            most -= c < n
    configuration = circuit(name, nbits)
    assert check_powers(configuration, rows, published) >= wanted


@pytest.mark.parametrize(
    ("name", "nbits"), [*wide(1024, *PRODUCTS), *wide(1483, *PRODUCTS, quick=False)]
)
def test_wide_products(name, nbits):
    """One circuit forms products of 40 to ``nbits`` bits."""
    rows, published = [], []
    for record in records("open_modmul_odd.jsonl"):
        a, b, m = operands(record, ("a", "b", "n"))
        if max(a, b, m).bit_length() <= nbits:
            rows.append((a % m, b % m, m))
            published.append(int(record["expect"], 16))
    assert len(rows) > 100
    check_products(configure(name, nbits), rows, published)


@pytest.mark.parametrize(("name", "nbits"), wide(1024, "ssmm", "mul_rem", "mont_mul"))
def test_products_that_a_rule_may_forbid(name, nbits):
    """Even moduli give the right product or a status; a multiplier's circuit has no status."""
    configuration = configure(name, nbits)
    rows, published = [], []
    for record in records("open_badinput.jsonl"):
        if record["op"] != "modmul":
            continue
        a, b, m = row = operands(record, ("a", "b", "n"))
        status = configuration.outcome(*row)[1]
        if max(row).bit_length() > nbits:
            assert status == Status.OPERAND_TOO_WIDE
        elif configuration.golden.odd_modulus and m % 2 == 0:
            assert status == Status.MODULUS_EVEN
        elif max(a, b) >= m:
            assert status == Status.BASE_TOO_LARGE
        else:
            assert status == Status.OK
            rows.append(row)
            published.append(int(record["expect"], 16))
    assert bool(rows) != configuration.golden.odd_modulus
    if rows:
        check_products(configuration, rows, published)
