"""A Liberty file of a few cells of NanGate's, to be changed by tests."""

from __future__ import annotations

import re

from tests.flow.flow_circuits import KIT

CELLS = ("BUF_X1", "DFF_X1", "INV_X1", "INV_X2", "LOGIC0_X1", "LOGIC1_X1", "NAND2_X1")
_HEAD, _, _TEXT = KIT.liberty.read_text().partition("  cell (")
_PARTS = {x.partition(")")[0]: x for x in _TEXT.split("  cell (")}


def liberty(
    cell: str = "", pattern: str = "", text: str = "", cells: tuple[str, ...] = CELLS
) -> str:
    """Liberty file of a few cells; in one of them, what the pattern finds is replaced."""
    parts = {name: _PARTS[name][: _PARTS[name].rindex("}\n") + 2] for name in cells}
    if cell:
        parts[cell], count = re.subn(pattern, text, parts[cell], flags=re.S)
        assert count
    return "".join((_HEAD, *(f"  cell ({x}" for x in parts.values()), "}\n"))


def scaled(text: str, factor: float) -> str:
    """Liberty file in which all delays take a factor."""
    tables = re.compile(r"(cell_(?:rise|fall)\s*\([^)]*\)\s*{[^}]*?values\s*\()([^)]*)", re.S)

    def changed(match: re.Match[str]) -> str:
        numbers = re.sub(r"[-\d.e]+", lambda x: f"{float(x[0]) * factor:.6g}", match[2])
        return match[1] + numbers

    return tables.sub(changed, text)
