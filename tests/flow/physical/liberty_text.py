"""Tables of NanGate45's Liberty file, found in its text and interpolated by hand."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from tests.flow.physical.netlists import KIT


@cache
def _cell(name: str) -> str:
    """Text of a cell, without comments and line ends within lists."""
    text = KIT.liberty.read_text().partition(f"cell ({name}) {{")[2].partition("\n  cell (")[0]
    return re.sub(r"/\*.*?\*/|\\\n", "", text, flags=re.DOTALL)


def _group(text: str, head: str) -> str:
    """Content of the first group with some head, up to its closing bracket."""
    start = re.search(rf"{head}\s*\{{", text)
    assert start is not None, head
    depth, at = 1, start.end()
    while depth:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return text[start.end() : at - 1]


@cache
def pin(cell: str, name: str) -> str:
    """Text of a cell's pin."""
    return _group(_cell(cell), rf"pin \({name}\)")


def capacitance_ff(cell: str, name: str) -> float:
    """Larger one of a pin's two capacitances."""
    found = re.findall(r"(?:rise|fall)_capacitance\s*:\s*([\d.]+)", pin(cell, name))
    return max(map(float, found))


def look(text: str, table: str, first: float, second: float) -> float:
    """Value of a table in a group, between four of its points."""
    content = _group(text, rf"{table}\s*\(\w+\)")

    def numbers(key: str) -> list[list[float]]:
        (inside,) = re.findall(rf"{key}\s*\(([^)]*)\)", content)
        return [[float(x) for x in row.split(",")] for row in re.findall(r'"([^"]*)"', inside)]

    (rows,), (columns,), values = numbers("index_1"), numbers("index_2"), numbers("values")
    i = int(np.clip(np.searchsorted(rows, first) - 1, 0, len(rows) - 2))
    j = int(np.clip(np.searchsorted(columns, second) - 1, 0, len(columns) - 2))
    u = (first - rows[i]) / (rows[i + 1] - rows[i])
    v = (second - columns[j]) / (columns[j + 1] - columns[j])
    upper = values[i][j] * (1 - v) + values[i][j + 1] * v
    lower = values[i + 1][j] * (1 - v) + values[i + 1][j + 1] * v
    return upper * (1 - u) + lower * u


def constraint(cell: str, data: str, kind: str, edge: str, slew: float, clock_slew: float) -> float:
    """Setup or hold time in ns: ``kind`` is ``setup_rising`` or ``hold_rising``."""
    groups = re.split(r"timing \(\)", pin(cell, data))
    (own,) = (x for x in groups if re.search(rf"timing_type\s*:\s*{kind}", x))
    return look(own, f"{edge}_constraint", slew, clock_slew)
