"""Conditions on design points: selected rows, and refused texts."""

import re

import pandas as pd
import pytest

from rsaxcel.eval.facts.points import matching
from tests.shared.tables import each_row

POINTS = pd.DataFrame(
    {
        "subject": ["mont_r2l", "mont_r2l_shared", "ssmm_r2l", "systolic"],
        "area_um2": [5000.0, 3000.0, 1e3, None],
        "lanes": pd.array([2, 1, 2, None], dtype="Int64"),
        "choices": ["", "schedule=window,lanes=1", "", ""],
        "store": ["registers", "registers", "registers", None],
    }
)


@each_row(__file__, "found", "condition", "rows")
def test_rows_that_are_found(condition, rows):
    assert list(matching(POINTS, condition).index) == rows


@each_row(__file__, "conditions", "condition", "message")
def test_what_is_no_condition(condition, message):
    with pytest.raises(ValueError, match=re.escape(message)) as raised:
        matching(POINTS, condition)
    assert "\n" not in str(raised.value)
