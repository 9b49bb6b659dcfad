"""The data file of printed figures: as in the document, and every figure with its place."""

import pytest

from eval.report.comparison import tables
from eval.report.published import published
from tests.eval.report_records import results

# Typed from the document: encryption and decryption of the naive and the Montgomery accelerator.
PRINTED = {
    "cycles": ("5.1", "Table 1", (1071, 1849), (178, 243)),
    "cycles_normalized": ("5.1", "Table 1", (1062, 1840), (169, 234)),
    "power": ("5.4", "Table 3", (4.55, 4.20), (6.93, 7.08)),
    "energy": ("5.4", "Table 3", (19.31, 27.63), (10.85, 12.47)),
    "energy_normalized": ("5.4", "Table 3", (11.53, 19.82), (2.86, 4.46)),
}


@pytest.mark.parametrize("quantity", PRINTED)
def test_figures_of_operations_are_those_of_the_document(quantity):
    section, table, *designs = PRINTED[quantity]
    for design, values in zip(("mulrem_r2l", "mont_r2l"), designs, strict=True):
        for operation, value in zip(("encrypt", "decrypt"), values, strict=True):
            figure = published().get(design, operation, quantity)
            assert figure.value == value
            assert figure.section == section
            assert figure.where.startswith(table)
            assert figure.scope.startswith("system")


def test_areas_and_exponents_are_those_of_the_document():
    values = {name: figure.value for name, figure in published().figures.items()}
    assert values["mulrem_r2l.area"] == 17512.376
    assert values["mont_r2l.area"] == 75283.586
    assert values["mulrem_r2l.multiplier_area"] == 7776.377
    assert values["mont_r2l.multiplier_area"] == 13846.736
    assert (values["mulrem_r2l.multipliers"], values["mont_r2l.multipliers"]) == (2, 5)
    assert values["area_ratio"] == round(75283.586 / 17512.376, 2) == 4.30
    assert values["clock"] == 3.0
    assert (values["e"], values["d"]) == (0x10001, 0x3A48D459)
    assert (values["d"].bit_length(), values["d"].bit_count()) == (30, 14)


def test_every_figure_has_its_place_and_meaning():
    assert published().figures
    for figure in published().figures.values():
        assert figure.document in published().documents
        assert figure.scope in published().scopes
        assert figure.section[0] in "12345"
        assert figure.where.startswith(("Table ", "text"))
        assert figure.unit in (
            "cycles",
            "um2",
            "units",
            "ratio",
            "mw",
            "nj",
            "ns",
            "integer",
            "text",
        )


def test_the_file_holds_what_the_report_shows_and_nothing_else():
    shown = {
        figure.id
        for table in tables(results(), published())
        for row in table.rows
        for cell in row.cells.values()
        for figure in (cell.printed, cell.normalized)
        if figure
    }
    elsewhere = {"e", "d", "clock", "area_ratio"}
    elsewhere |= {f"{name}.critical_path" for name in results()}
    assert shown | elsewhere == set(published().figures)
