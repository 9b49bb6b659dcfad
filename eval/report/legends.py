"""Writes legends of tables: they explain words in the labels, and why cells have a dash."""

from __future__ import annotations

from rsaxcel.eval.report.tables import ShownRow, ShownTable

_TERMS = {
    "normalized": "Normalized: without what the dummy takes, a function that computes nothing; "
    "not normalized: with it.",
    "of it ": "Of it time, of it power: the ratio of the energies is the product of both.",
}
_SPEEDUP = "A speed-up over a program: its cycles, or its time, divided by those of the column."


def legend(table: ShownTable) -> list[str]:
    """Sentences that explain words in the labels of a table, and its dashes."""
    labels = "\n".join(row.label.lower() for row in table.rows)
    found = [_SPEEDUP] if any(row.row.mode == "speedup" for row in table.rows) else []
    found += [text for term, text in _TERMS.items() if term in labels]
    modes = {x.key: x.mode for x in table.table.columns}
    dashes = dict.fromkeys(
        _why_none(row, name, modes.get(name) or row.row.mode)
        for row in table.rows
        for name in _dashes(row, table)
    )
    if dashes:
        found.append(f"A dash: {', or '.join(dashes)}.")
    return found


def _dashes(row: ShownRow, table: ShownTable) -> list[str]:
    """Columns in which a row shows a dash."""
    measured = table.measured_columns
    return [x for x in table.columns if x in measured and row.cells[x].measured is None]


def _why_none(row: ShownRow, column: str, mode: str) -> str:
    if row.row.base == column:
        return "the column would be compared with itself"
    if mode in ("deviation", "over_printed"):
        return "the document prints nothing to compare with"
    return "not measured"
