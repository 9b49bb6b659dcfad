"""Tables of cases: a file in TOML beside the tests that read it, of the same name."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest


@cache
def tables(place: str) -> dict[str, Any]:
    """Tables beside a Python file."""
    return tomllib.loads(Path(place).with_suffix(".toml").read_text("utf-8"))


def each_row(place: str, name: str, *columns: str) -> pytest.MarkDecorator:
    """Parameters of a test, one set for each row of a table.

    A column that a row lacks is an empty text; a row with ``slow`` runs in ``make test-all`` only.
    The names of rows, where they have names, are the ids of the cases.
    """
    rows = tables(place)[name]
    named = rows.items() if isinstance(rows, dict) else ((None, row) for row in rows)
    cases = []
    for case, row in named:
        unknown = row.keys() - {*columns, "slow"}
        assert not unknown, f"{place}, {name}: no test reads {unknown}"
        marks = [pytest.mark.slow] if row.get("slow") else []
        values = (row.get(column, "") for column in columns)
        cases.append(pytest.param(*values, id=case, marks=marks))
    return pytest.mark.parametrize(columns, cases)
