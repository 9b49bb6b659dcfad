"""Recomputes the statements of docs/records/errata.md on figures of Vassoler's document."""

from fractions import Fraction
from itertools import pairwise
from math import ceil
from statistics import mean

import pytest

from rsaxcel.fl.pseudo_modulus import family_member
from tests.eval import vassoler_tables
from tests.eval.printed_figures import LI_CHU
from tests.eval.vassoler_tables import TABLE_5, cells, rows

WIDTHS = [2 * test for test in vassoler_tables.TESTS]
CM, CM_PM, MM, MM_PM = "CM (M)", "CM (PM)", "MM (M)", "MM (PM)"
DM, DM_PM = "DM (M)", "DM (PM)"
NS = {"ps": Fraction(1, 1000), "ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "MHz": 1, "": 1}
DEVICE_LOGIC_ELEMENTS = 77_000
"""Logic elements of the document's Cyclone V GX, 5CGXFC5C6F27C7N, by the maker's tables."""


def interval(cell: str) -> tuple[Fraction, Fraction]:
    """Least and greatest value that rounds to a cell, in ns, MHz, or without a unit.

    Whole numbers without a unit are exact.
    """
    number, _, unit = cell.partition(" ")
    digits = len(number.partition(".")[2])
    half = Fraction(1, 2 * 10**digits) if digits or unit else 0
    value, scale = Fraction(number), Fraction(NS[unit])
    return (value - half) * scale, (value + half) * scale


def value(cell: str) -> Fraction:
    return sum(interval(cell)) / 2


def values(table: int, *names: str) -> list[list[Fraction]]:
    """Columns of a table, in ns, MHz or without a unit."""
    found = cells(table)
    return [[value(found[nbits, name]) for nbits in WIDTHS] for name in names]


def fits(cell: str, least: Fraction, most: Fraction) -> bool:
    low, high = interval(cell)
    return low <= most and least <= high


def ratios(above: list[Fraction], below: list[Fraction]) -> list[float]:
    return [float(a / b) for a, b in zip(above, below, strict=True)]


def test_products_of_table_5():
    wrong = []
    for modulus, delay, area, product in rows(TABLE_5):
        ps, um = int(delay.split()[0]), int(area.split()[0])
        printed = float(product.split()[0]) * 1e6
        if abs(ps * um - printed) > 1e3:
            wrong.append((modulus, ps * um))
    assert wrong == [("2^4 + 5", 407 * 15965)] == [("2^4 + 5", 6_497_755)]


def test_tables_9_and_15_are_products_of_those_before():
    """All but two figures are logic elements times seconds, within rounding."""
    wrong = []
    for product, area, delay in ((9, 7, 8), (15, 13, 14)):
        for place, cell in cells(product).items():
            elements = int(cells(area)[place])
            ends = [elements * x / 10**9 for x in interval(cells(delay)[place])]
            if not fits(cell, *ends):
                wrong.append((product, *place, round(float(sum(ends) / 2), 5)))
    assert wrong == [(9, 256, DM_PM, 1.05858), (15, 32, DM_PM, 0.00083)]


def test_times_are_steps_by_table_8s_delays():
    """Table 10 counts 17 steps; table 11 n steps, by compression over a pseudo-modulus n + 1."""
    wrong = []
    for name in (CM, CM_PM, MM, MM_PM):
        for nbits in WIDTHS:
            least, most = interval(cells(8)[nbits, name])
            bits = nbits + (name == CM_PM)
            for table, steps in ((10, 17), (11, bits)):
                if not fits(cells(table)[nbits, name], steps * least, steps * most):
                    wrong.append((table, nbits, name))
    assert wrong == [(10, 32, CM), (11, 256, MM_PM)]
    assert fits(cells(11)[256, MM_PM], *[2 * 256 * value(cells(8)[256, MM_PM])] * 2)
    # 17 steps of 98 ns: cut off, not rounded
    assert (17 * 98, cells(10)[32, CM]) == (1666, "1.6 us")


def test_times_of_encryption_leave_out_the_correction():
    """With an 18th step of table 8's delay, five of the six figures would differ."""
    for steps, number in ((17, 6), (18, 1)):
        ends = [[steps * x for x in interval(cells(8)[nbits, CM_PM])] for nbits in WIDTHS]
        printed = [cells(10)[nbits, CM_PM] for nbits in WIDTHS]
        assert sum(fits(x, *both) for x, both in zip(printed, ends, strict=True)) == number


def test_table_12_has_other_clocks():
    """Compression: ratio of clock period and delay of a step; Montgomery: cycles of a step."""
    for name, least, most in ((CM, 1.28, 31.8), (CM_PM, 1.10, 21.7)):
        (clocks,), (delays,) = values(12, name), values(8, name)
        found = [float(1000 / mhz / ns) for mhz, ns in zip(clocks, delays, strict=True)]
        assert found == sorted(found, key=float)
        assert (found[0], found[-1]) == pytest.approx((least, most), rel=0.005)
    for name in (MM, MM_PM):
        (clocks,), (delays,) = values(12, name), values(8, name)
        for nbits, mhz, ns in zip(WIDTHS, clocks, delays, strict=True):
            assert 0.999 * nbits <= mhz * ns / 1000 <= 1.09 * nbits
    # Times of an encryption with 1024 bits at these clocks in us; printed are 3.8 us and 1.8 us
    at_clock = [float(17 / Fraction("0.141")), float(18 / Fraction("0.426"))]
    assert at_clock == pytest.approx([120.6, 42.3], abs=0.05)
    clock, clock_pm, step, step_pm = (
        values(*x)[0][-1] for x in ((12, CM), (12, CM_PM), (8, MM), (8, MM_PM))
    )
    assert [float(clock * step / 1000), float(clock_pm * step_pm / 1000)] == pytest.approx(
        [656, 2160], rel=1e-3
    )


def test_table_13_is_half_of_table_7():
    others = []
    for name in (DM, DM_PM, CM, CM_PM):
        for nbits in WIDTHS:
            both, one = (int(cells(x)[nbits, name]) for x in (7, 13))
            if one != ceil(both / 2):
                others.append((nbits, name, one, both // 2))
    assert others == [(1024, DM_PM, 147_025, 147_047)]


def test_table_14_is_half_of_table_8():
    """All but one figure are half of table 8's, cut off or rounded to the printed digits."""
    others = []
    for name in (DM, DM_PM, CM, CM_PM):
        for nbits in WIDTHS:
            cell, half = cells(14)[nbits, name], value(cells(8)[nbits, name]) / 2
            digits = len(cell.split()[0].partition(".")[2])
            if not -1 < (value(cell) - half) * 10**digits / 1000 <= Fraction(1, 2):
                others.append((nbits, name, cell, float(half)))
    assert others == [(512, DM_PM, "15.2 us", 15147.0)]


def test_montgomerys_columns_stand_twice():
    for first, second in ((7, 13), (8, 14), (9, 15), (10, 16), (11, 17), (12, 18)):
        differ = [
            (nbits, name)
            for name in (MM, MM_PM)
            for nbits in WIDTHS
            if value(cells(first)[nbits, name]) != value(cells(second)[nbits, name])
        ]
        # table 17 prints 0.15 ms, table 11 153.6 us
        assert differ == ([(32, MM)] if second == 17 else [])


def test_delays_by_compression_grow_by_the_same_with_each_doubling():
    for name, growth in ((CM, 25), (CM_PM, 12)):
        (delays,) = values(8, name)
        assert {b - a for a, b in pairwise(delays)} == {growth}


def test_logic_elements_per_partial_product():
    """Logic elements for each of a multiplier's n * n bits; 2 multipliers in table 7, 1 in 13."""
    for table, multipliers in ((7, 2), (13, 1)):
        for name, ends in ((CM, (5.88, 0.143)), (CM_PM, (3.33, 0.113))):
            (counts,) = values(table, name)
            each = [float(x / multipliers) / n**2 for x, n in zip(counts, WIDTHS, strict=True)]
            assert (each[0], each[-1]) == pytest.approx(ends, rel=0.005)
            assert min(each) == each[-1]


def test_wide_designs_exceed_the_device():
    least = {
        (table, name): min(
            nbits for nbits in WIDTHS if int(cells(table)[nbits, name]) > DEVICE_LOGIC_ELEMENTS
        )
        for table in (7, 13)
        for name in (CM, CM_PM)
    }
    assert least == {(7, CM): 128, (7, CM_PM): 256, (13, CM): 512, (13, CM_PM): 512}


def test_advantages_over_montgomery():
    """Ratios over pseudo-moduli at 1024 bits, and over all widths; none comes near 10^7."""
    times = ratios(*values(17, MM, CM_PM))
    assert [round(x) for x in times] == [150, 400, 1343, 4675, 16564, 57831]
    for mm, cm, ends in ((MM, CM, (49, 20850)), (MM_PM, CM_PM, (108, 46944))):
        slower = ratios(*values(8, mm, cm))
        assert (round(slower[0]), round(slower[-1])) == ends
    found = {x: values(x, MM_PM)[0][-1] / values(x, CM_PM)[0][-1] for x in (8, 10, 11, 14, 16, 17)}
    assert {x: float(f"{float(ratio):.1e}") for x, ratio in found.items()} == {
        8: 4.7e4,
        10: 4.8e4,
        11: 4.7e4,
        14: 1.0e5,
        16: 8.6e4,
        17: 6.3e4,
    }
    every = [
        max(ratios(*values(x, mm, cm))) for x in found for mm, cm in ((MM, CM), (MM_PM, CM_PM))
    ]
    assert max(every) < 1.1e5


def test_ratios_of_section_5_4():
    plain, pseudo, direct, direct_pseudo = values(8, CM, CM_PM, DM, DM_PM)
    for base, saved in ((plain, 51.4), (direct, 96.8), (direct_pseudo, 96.6)):
        assert round(100 * (1 - mean(ratios(pseudo, base))), 1) == pytest.approx(saved, abs=0.05001)
    assert round(100 * (1 - ratios(pseudo, direct)[4]), 1) == 99.8
    for name, base, ratio in ((MM, CM, 21025), (MM_PM, CM_PM, 46974)):
        ours, theirs = values(11, name, base)  # table 11 is decryption, table 10 encryption
        assert round(ours[-1] / theirs[-1]) == ratio
    elements = ratios(*values(7, CM_PM, CM))
    assert (min(elements), max(elements)) == pytest.approx((0.54, 0.80), abs=0.006)
    for table, least, most in ((12, 1.67, 2.75), (18, 2.77, 5.06)):
        clocks = ratios(*values(table, CM_PM, MM))
        assert (min(clocks), max(clocks)) == pytest.approx((least, most), abs=0.005)
    for second, first, least, most in ((16, 10, 42, 47), (17, 11, 23, 37)):
        saved = [
            100 * (1 - ratio)
            for name in (CM, CM_PM)
            for ratio in ratios(values(second, name)[0], values(first, name)[0])
        ]
        assert (round(min(saved)), round(max(saved))) == (least, most)


def test_time_of_a_decryption_on_one_multiplier():
    """n squares and n / 2 products of half the delay take a quarter less time, not 45 % less."""
    for name in (CM, CM_PM):
        for nbits in WIDTHS[1:]:
            steps = value(cells(17)[nbits, name]) / (value(cells(8)[nbits, name]) / 2)
            assert 1.45 < steps / nbits < 1.57


def test_clocks_beside_li_and_chu():
    """Clocks of Li and Chu's algorithm 4 on the same family of devices."""
    (clocks,) = values(12, MM)
    slower = {
        nbits: LI_CHU["montmul_r2l", nbits][1] / float(mhz)
        for nbits, mhz in zip(WIDTHS[1:], clocks[1:], strict=True)
    }
    assert (round(slower[64]), round(slower[1024])) == (30, 99)


def test_direct_multiplication_is_extrapolated():
    """60 of 72 figures of direct multiplication are for widths above 32 bits."""
    tables = [x for x in vassoler_tables.TABLES if DM in vassoler_tables.columns(x)]
    places = [p for x in tables for p in cells(x) if p[1] in (DM, DM_PM)]
    assert (len(places), sum(nbits > 32 for nbits, _ in places)) == (72, 60)


def test_labels_and_registers():
    """Test k is a pseudo-modulus of 2k bits; a ciphertext of 1024 bits fills 32 words."""
    assert family_member(32) == 2**30 + 357913941  # test 16
    assert 2**4 + 5 == family_member(2 * 3)
    assert (ceil(117 / 4), 1024 // 32) == (30, 32)
