"""Plans of compressor trees: results by Python's arithmetic, bounds, estimates, bad input."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsaxcel.plan.compressors import (
    TREES,
    Plan,
    own_columns,
    plan_product,
    plan_residue,
    plan_square,
    product_bits,
)
from rsaxcel.plan.compressors.modular_sum import brent_kung_estimate
from rsaxcel.plan.compressors.netlist import COMPRESSOR_5_3, FULL_ADDER, HALF_ADDER
from rsaxcel.plan.compressors.weights import Weights

REWEIGHTED = ("products", "rows")
MODULI = st.integers(2, 40).flatmap(lambda n: st.integers(max(2, 1 << n - 1), (1 << n) - 1))
FORMS = st.tuples(
    st.integers(2, 40), st.sampled_from([0, 1, -1, 3, -3, 5, -5, 21, -21, 85, -85])
).map(lambda form: max(2, 2 ** form[0] + form[1]))


def check(plan: Plan, operands: tuple[int, ...], value: int) -> None:
    """Check a result, and that the sum of the two rows is within the final adder's bound."""
    final = plan.modular_sum
    rows = plan.compress(*operands)
    assert (sum(rows) + final.correction - value) % plan.modulus == 0
    if not final.truncates:
        assert sum(rows) + final.correction <= final.bound
    assert plan.execute(*operands) == value % plan.modulus


def corners(limit: int, draw: random.Random) -> list[int]:
    """Corners and random operands below a limit."""
    return [0, 1, limit - 1, limit // 2, *(draw.randrange(limit) for _ in range(4))]


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    modulus=MODULI | FORMS,
    tree=st.sampled_from([*TREES, "best"]),
    reweighted=st.sampled_from(REWEIGHTED),
    extra=st.integers(-5, 45),
    seed=st.integers(0, 2**32),
)
def test_drawn_moduli(modulus, tree, reweighted, extra, seed):
    draw = random.Random(seed)
    product = plan_product(modulus, tree, reweighted)
    square = plan_square(modulus, tree, reweighted)
    nbits = max(1, modulus.bit_length() + extra)
    residue = plan_residue(modulus, nbits, tree, reweighted)
    for a in corners(modulus, draw):
        check(square, (a,), a * a)
        for b in corners(modulus, draw):
            check(product, (a, b), a * b)
    for x in corners(1 << nbits, draw):
        check(residue, (x,), x)


@pytest.mark.parametrize("reweighted", REWEIGHTED)
@pytest.mark.parametrize("tree", TREES)
def test_every_operand_of_small_moduli(tree, reweighted):
    for modulus in range(2, 12):
        product = plan_product(modulus, tree, reweighted)
        square = plan_square(modulus, tree, reweighted)
        for a in range(modulus):
            check(square, (a,), a * a)
            for b in range(modulus):
                check(product, (a, b), a * b)
        residue = plan_residue(modulus, 8, tree, reweighted)
        for x in range(256):
            check(residue, (x,), x)


def test_weights_of_the_document():
    """Modulo 43, figure 5(b): 21 and -22 have three ones each; the weights after it have one."""
    weights = Weights(43, 6)
    assert weights.of(5) == ((5,), 0)
    assert weights.of(6) == ((0, 2, 4), 0)
    assert [weights.of(w) for w in (7, 8, 9, 10)] == [((i,), 2**i) for i in range(4)]


@pytest.mark.parametrize(("offset", "adders"), [(0, 1), (-1, 2), (1, 2)])
def test_adders_of_the_efficient_forms(offset, adders):
    """Final adders: one modulo 2^n, two modulo 2^n - 1 and 2^n + 1."""
    for n in (4, 5, 8, 16, 33):
        assert len(plan_product(2**n + offset).modular_sum.constants) == adders


def test_end_around_carries_keep_the_matrix_square():
    """Modulo 2^n - 1, full adders reduce n bits per column to two in Dadda's number of levels."""
    for n, levels in ((3, 1), (4, 2), (6, 3), (9, 4), (13, 5), (19, 6), (28, 7), (42, 8), (63, 9)):
        plan = plan_product(2**n - 1, "full_adders")
        cells = sum(bank.count for bank in plan.banks if bank.cell is FULL_ADDER)
        assert (plan.bits, plan.levels, cells) == (n * n, levels, n * (n - 2))


@pytest.mark.parametrize("modulus", [3, 21, 85, 341, 2**9 + 3, 1000, 8191])
def test_all_numbers_of_columns(modulus):
    draw = random.Random(modulus)
    width = (modulus - 1).bit_length()
    for columns in range(max(1, width - 1), width + 4):
        plan = plan_product(modulus, "full_adders", columns=columns)
        assert plan.columns == columns
        for a in corners(modulus, draw):
            for b in corners(modulus, draw):
                check(plan, (a, b), a * b)


def test_a_column_more_makes_the_family_efficient():
    """In (2^n - 1) / 3 with n columns, carries come back as one bit: Vassoler, equation 23."""
    for n in (8, 16, 32):
        modulus = (2**n - 1) // 3
        own, wider = (plan_product(modulus, "full_adders", columns=c) for c in (n - 1, n))
        assert wider.bits == (n - 1) ** 2 < own.bits
        assert wider.levels < own.levels


def test_trees_use_what_their_names_say():
    used = {
        tree: {b.cell for b in plan_product(2**16 + 85, tree).banks if len(b.cell.weights) > 1}
        for tree in TREES
    }
    assert used["full_adders"] == {FULL_ADDER}
    assert used["compressors"] == {FULL_ADDER, COMPRESSOR_5_3}
    assert used["all"] == {FULL_ADDER, COMPRESSOR_5_3, HALF_ADDER}


def test_best_has_the_least_delay_times_area():
    for modulus in (2**8 - 1, 2**9 + 5, 2**10, 1001):
        plans = [plan_product(modulus, tree) for tree in TREES]
        least = min(plan.estimate.area * plan.estimate.delay for plan in plans)
        best = plan_product(modulus).estimate
        assert best.area * best.delay == least


def test_squares_have_half_the_bits():
    """A square has n (n - 1) / 2 bits of products and n single bits."""
    for n in (4, 8, 31):
        assert plan_square(2**n - 1).bits == n * (n + 1) // 2


def test_estimate_of_four_bits_by_hand():
    """Four half adders, four prefix operators in three steps, four XORs."""
    assert brent_kung_estimate(4) == (4 * 3 + 4 * 3 + 4 * 2, 2 + 3 * 2 + 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: plan_product(1), "modulus=1: 2 or more"),
        (lambda: plan_square(0), "modulus=0: 2 or more"),
        (lambda: plan_residue(7, 0), "nbits=0: 1 or more"),
        (
            lambda: plan_product(7, "dadda"),
            "tree='dadda': one of full_adders, compressors, all, best",
        ),
        (lambda: plan_product(7, columns=7), "columns=7: 2 to 6"),
        (lambda: plan_product(8, columns=4), "columns=4: 3 to 3"),
        (lambda: plan_product(7, "all", "late"), "reweighted='late': products or rows"),
        (lambda: plan_product(7).execute(7, 0), r"product operand 7 is not in 0 \.\. 6"),
        (lambda: plan_product(7).execute(3), "product: 1 operands, not 2"),
        (lambda: plan_residue(7, 4).execute(16), r"residue operand 16 is not in 0 \.\. 15"),
        (
            lambda: plan_product(random.Random(1).getrandbits(160) | 1 << 159 | 1),
            r"modulus=0x\w+: the matrix of its product has \d+ bits, at most 400000 are planned",
        ),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        call()


@pytest.mark.parametrize(("nbits", "bits"), [(128, 128**2), (256, 256**2), (512, 512**2)])
def test_counts_of_wide_trees(nbits, bits):
    """Modulo 2^n - 1 each partial product stays one bit, and full adders take n (n - 2) of them."""
    plan = plan_product(2**nbits - 1, "full_adders")
    cells = sum(bank.count for bank in plan.banks if bank.cell is FULL_ADDER)
    assert (plan.bits, cells) == (bits, nbits * (nbits - 2))


@pytest.mark.parametrize("modulus", [2, 3, 21, 341, 2**16 - 1, 2**16 + 85, 2**20])
@pytest.mark.parametrize("reweighted", REWEIGHTED)
def test_bits_are_counted_without_a_plan(modulus, reweighted):
    own = own_columns(modulus)
    plan = plan_product(modulus, "full_adders", reweighted, own)
    assert product_bits(modulus, reweighted, own) == plan.bits


def test_more_bits_are_planned_if_the_caller_allows_them():
    modulus = 2**20 - 3
    with pytest.raises(ValueError, match="at most 100 are planned"):
        plan_product(modulus, max_bits=100)
    assert plan_product(modulus, max_bits=1000) == plan_product(modulus)
