"""Vassoler's tables 5 and 7 to 18, cell by cell as printed."""

from pathlib import Path

SIX = ("DM (M)", "DM (PM)", "CM (M)", "CM (PM)", "MM (M)", "MM (PM)")
"""Columns of tables 7 to 9 and 13 to 15: direct, by compression, Montgomery's, each modulo M or
modulo the pseudo-modulus (PM). Tables 10 to 12 and 16 to 18 have the last four columns."""
TESTS = (16, 32, 64, 128, 256, 512)
"""Numbers of the tests, one for each row: half of the width in bits."""

_PRINTED = {
    int(number): lines.strip()
    for table in Path(__file__).with_name("vassoler_tables.txt").read_text("utf-8").split("Table ")
    for number, _, lines in [table.partition("\n")]
    if number
}
TABLE_5 = _PRINTED.pop(5)
"""Table 5: modulus, delay, area, product of delay and area."""
TABLES = _PRINTED


def rows(text: str) -> list[list[str]]:
    """Cells of a table, row by row."""
    return [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]


def columns(number: int) -> tuple[str, ...]:
    """Names of a table's columns."""
    return SIX[-len(rows(TABLES[number])[0]) :]


def cells(number: int) -> dict[tuple[int, str], str]:
    """Cells of one of tables 7 to 18 by width in bits and column."""
    return {
        (2 * test, column): cell
        for test, line in zip(TESTS, rows(TABLES[number]), strict=True)
        for column, cell in zip(columns(number), line, strict=True)
    }
