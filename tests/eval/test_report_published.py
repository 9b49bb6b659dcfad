"""The data file of printed figures: as in the document, and every figure with its place."""

import pytest

from eval.report import derived
from eval.report.published import published
from eval.report.results import by_hardware
from tests.eval import study_records
from tests.eval.report_records import content, results

# Typed from the document: encryption and decryption of its four systems, in its order.
SYSTEMS = ("software_naive", "software_montgomery", "proc_mulrem_r2l", "proc_mont_r2l")
PRINTED = {
    "cycles": ("Table 1", (3532, 3590, 1071, 178), (8157, 5144, 1849, 243)),
    "cycles_normalized": ("Table 1", (3523, 3581, 1062, 169), (8148, 5135, 1840, 234)),
    "speedup_naive": ("Table 1", (None, 0.98, 3.32, 20.85), (None, 1.59, 4.43, 34.82)),
    "speedup_montgomery": ("Table 1", (1.02, None, 3.37, 21.19), (0.63, None, 2.79, 21.94)),
    "power": ("Table 3", (3.46, 5.33, 4.55, 6.93), (3.38, 5.71, 4.20, 7.08)),
    "energy": ("Table 3", (40.28, 62.87, 19.31, 10.85), (86.17, 94.03, 27.63, 12.47)),
    "energy_dummy": ("Table 3", (4.78, 4.78, 7.78, 7.99), (4.81, 4.81, 7.80, 8.01)),
    "energy_normalized": ("Table 3", (35.50, 58.09, 11.53, 2.86), (81.37, 89.22, 19.82, 4.46)),
}


@pytest.mark.parametrize("quantity", PRINTED)
def test_figures_of_operations_are_those_of_the_document(quantity):
    table, *operations = PRINTED[quantity]
    for operation, values in zip(("encrypt", "decrypt"), operations, strict=True):
        for system, value in zip(SYSTEMS, values, strict=True):
            figure = published().get(system, operation, quantity)
            assert (figure and figure.value) == value
            if figure:
                assert figure.where.startswith(table)
                assert figure.section == {"Table 1": "5.1", "Table 3": "5.4"}[table]


def test_printed_speedups_are_those_of_the_printed_cycles():
    for quantity, base in (("speedup_naive", SYSTEMS[0]), ("speedup_montgomery", SYSTEMS[1])):
        for system in SYSTEMS:
            for x in ("encrypt", "decrypt"):
                cycles = [published().value(y, x, "cycles_normalized") for y in (base, system)]
                speedup = published().value(system, x, quantity)
                assert speedup is None or round(cycles[0] / cycles[1], 2) == speedup


def test_areas_and_exponents_are_those_of_the_document():
    values = {name: figure.value for name, figure in published().figures.items()}
    assert values["mulrem_r2l.area"] == 17512.376
    assert values["mont_r2l.area"] == 75283.586
    assert values["mulrem_r2l.multiplier_area"] == 7776.377
    assert values["mont_r2l.multiplier_area"] == 13846.736
    assert (values["mulrem_r2l.multipliers"], values["mont_r2l.multipliers"]) == (2, 5)
    assert values["area_ratio"] == round(75283.586 / 17512.376, 2) == 4.30
    assert values["proc_null.area"] == 21434.812
    assert values["proc_mulrem_r2l.area"] == 38658.046
    assert values["proc_mont_r2l.area"] == 96137.986
    assert values["proc_mulrem_r2l.area_ratio"] == round(38658.046 / 21434.812, 1)
    assert values["proc_mont_r2l.area_ratio"] == round(96137.986 / 21434.812, 2)
    assert values["clock"] == 3.0
    assert (values["e"], values["d"]) == (0x10001, 0x3A48D459)
    assert (values["d"].bit_length(), values["d"].bit_count()) == (30, 14)


def test_programs_around_the_printed_calls_are_equally_long():
    """Energy over power and period is 344 cycles more than the call, within what is rounded."""
    assert round(derived.around_cycles(published())) == 344
    for system in SYSTEMS:
        for x in ("encrypt", "decrypt"):
            names = ("energy", "power", "cycles")
            energy, power, call = (published().value(system, x, name) for name in names)
            least = 1e3 * (energy - 0.005) / (power + 0.005) / 3.0 - call
            most = 1e3 * (energy + 0.005) / (power - 0.005) / 3.0 - call
            assert least < 344 < most


def test_derived_powers_by_hand():
    power = derived.normalized_power(published(), "proc_mont_r2l", "decrypt")
    assert power.value == pytest.approx(1e3 * 4.46 / (234 * 3.0))
    assert power.scope == derived.SCOPE
    power = derived.dummy_power(published(), "proc_mulrem_r2l", "encrypt")
    assert power.value == pytest.approx(1e3 * 7.78 / (353 * 3.0), rel=1e-3)
    assert derived.normalized_power(published(), "proc_mont_r2l_shared", "decrypt") is None


def test_every_figure_has_its_place_and_meaning():
    assert published().figures
    for figure in published().figures.values():
        assert figure.document in published().documents
        assert figure.scope in published().scopes
        assert figure.section[0] in "12345I"
        assert figure.where.startswith(("Table ", "Figure ", "text"))
        assert figure.unit in (
            "cycles",
            "um2",
            "units",
            "ratio",
            "mw",
            "nj",
            "ns",
            "ms",
            "mhz",
            "alms",
            "registers",
            "slices",
            "slices ms",
            "luts",
            "dsps",
            "elements",
            "products",
            "integer",
            "text",
        )


# Typed from Table 1 of Li and Chu: cycles, F, T, ALMs, Regs.
LI_CHU = {
    ("montred_r2l", 64): (4413, 42.32, 0.104, 1391, 1043),
    ("montmul_r2l", 64): (4413, 103.52, 0.043, 1018, 1112),
    ("ssmm_r2l", 64): (4076, 103.98, 0.039, 564, 874),
    ("montred_r2l", 128): (17286, 27.66, 0.625, 4982, 1354),
    ("montmul_r2l", 128): (17286, 81.31, 0.213, 1952, 1646),
    ("ssmm_r2l", 128): (16752, 81.82, 0.205, 1084, 1334),
    ("montred_r2l", 256): (67334, None, None, 71884, 2619),
    ("montmul_r2l", 256): (67334, 58.35, 1.154, 3812, 3242),
    ("ssmm_r2l", 256): (66226, 59.30, 1.117, 2130, 2667),
    ("montred_r2l", 512): (264442, None, None, None, None),
    ("montmul_r2l", 512): (264442, 37.55, 7.042, 7071, 6420),
    ("ssmm_r2l", 512): (261996, 35.82, 7.314, 4195, 5118),
    ("montred_r2l", 1024): (1053178, None, None, None, None),
    ("montmul_r2l", 1024): (1053178, 23.40, 45.008, 16237, 12772),
    ("ssmm_r2l", 1024): (1048412, 23.38, 44.842, 8863, 10809),
    ("montred_r2l", 2048): (4204630, None, None, None, None),
    ("montmul_r2l", 2048): (4204630, None, None, 27312, 24630),
    ("ssmm_r2l", 2048): (4206448, None, None, 16397, 18450),
}


def test_figures_of_li_and_chu_are_those_of_table_1():
    quantities = ("cycles", "frequency", "time", "alms", "registers")
    for (name, nbits), values in LI_CHU.items():
        figures = [published().get(name, str(nbits), quantity) for quantity in quantities]
        assert tuple(figure and figure.value for figure in figures) == values
        for figure in filter(None, figures):
            assert figure.document == "li_chu"
            assert f"{nbits} bits" in figure.where


# Typed from Morales-Romero et al.: LUTs, registers, slices, DSPs of Tables 1, 2, 3 and 5.
MORALES_ROMERO = {
    ("systolic", 512): (3098, 2670, 1471, 34),
    ("systolic", 1024): (6736, 5337, 3429, 66),
    ("systolic", 2048): (12854, 10648, 5132, 130),
    ("systolic_l2r_always", 1024): (7587, 9499, 4253, 66),
}
# MHz, cycles, LUTs, registers, slices, DSPs of Table 4.
TABLE_4 = {
    "perin_virtex4": (110, 384, None, None, 7012, 130),
    "perin_virtex5": (130, 384, None, None, 6642, 130),
    "wang_virtex5": (120, 199, 14440, 7826, None, 66),
    "mcivor_virtex2": (104, 199, None, None, 5709, 131),
    "mrabet_artix7": (65, 66, 5242, 4208, 2072, 161),
    "mrabet_virtex5": (65, 66, 5824, 6072, None, None),
    "systolic": (100, 194, 6736, 5337, 3429, 66),
}


def test_figures_of_morales_romero_are_those_of_the_document():
    resources = ("luts", "registers", "slices", "dsps")
    for (name, nbits), values in MORALES_ROMERO.items():
        assert tuple(published().value(name, str(nbits), x) for x in resources) == values
    for name, values in TABLE_4.items():
        quantities = ("frequency", "product_cycles", *resources)
        assert tuple(published().value(name, "1024", x) for x in quantities) == values
        device = published().value(name, "1024", "device").lower().replace("-", "")
        assert name == "systolic" or name.endswith(device)
    values = [published().value("systolic", str(n), "product_cycles") for n in (512, 1024, 2048)]
    assert values == [98, 194, 386]
    text = ("systolic_l2r_always.1024.products", "systolic_l2r_always.1024.products_cycles")
    text += ("mcivor_wang.1024.products_cycles",)
    assert [published().value(name) for name in text] == [2050, 397700, 407950]
    # 32, 64 and 128 elements and two multipliers of block CU
    for nbits in (512, 1024, 2048):
        elements, dsps = (
            published().value("systolic", str(nbits), x) for x in ("elements", "dsps")
        )
        assert elements == nbits // 16 == dsps - 2


def test_derived_percentage_by_hand():
    get = published().get
    parts = [get("ssmm_r2l", "1024", x) for x in ("alms", "time")]
    wholes = [get("montmul_r2l", "1024", x) for x in ("alms", "time")]
    figure = derived.percent(parts, wholes, "area_time")
    assert figure.value == pytest.approx(100 * 8863 * 44.842 / 16237 / 45.008)
    assert (figure.scope, figure.unit) == (derived.SCOPE, "percent")
    assert derived.percent([*parts, None], wholes, "area_time") is None


def test_the_file_holds_what_the_report_shows_and_nothing_else(tmp_path):
    shown = {
        cell.printed.id
        for tables in (
            content(tmp_path).tables,
            study_records.section(tmp_path).tables,
            study_records.digit_serial(tmp_path).tables,
            study_records.systolic(tmp_path).tables,
        )
        for table in tables
        for row in table.rows
        for cell in row.cells.values()
        if cell.printed and cell.printed.scope != derived.SCOPE
    }
    elsewhere = {"e", "d", "clock", "area_ratio"}
    elsewhere |= {name for name in published().figures if name.endswith(".critical_path")}
    assert {x.removesuffix(".critical_path") for x in elsewhere} & set(by_hardware(results()))
    assert shown | elsewhere == set(published().figures)
