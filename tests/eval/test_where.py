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


@pytest.mark.parametrize(
    ("condition", "rows"),
    [
        ("area_um2<5000", [1, 2]),
        ("area_um2 <= 5e3", [0, 1, 2]),
        ("area_um2 != 3000", [0, 2]),
        ("1000 == 1000", None),
        ("lanes=2", [0, 2]),
        ("lanes!=2", [1]),
        ("subject=mont*", [0, 1]),
        ("subject==mont_r2l", [0]),
        ("subject != 'mont*'", [2, 3]),
        ('choices="*schedule=window*"', [1]),
        ("choices=*schedule=window*", [1]),
        ("subject=mont* and area_um2>4000", [0]),
        ("subject=systolic or lanes=2 and area_um2<2000", [2, 3]),
        ("(subject=systolic or lanes=2) and area_um2<2000", [2]),
        ("not lanes=2", [1, 3]),
        ("not (lanes=2 or lanes=1)", [3]),
        ("store=registers", [0, 1, 2]),
        ("store!=words", [0, 1, 2]),
    ],
)
def test_rows_that_are_found(condition, rows):
    if rows is None:
        with pytest.raises(ValueError, match="is not a condition"):
            matching(POINTS, condition)
    else:
        assert list(matching(POINTS, condition).index) == rows


@each_row(__file__, "conditions", "condition", "message")
def test_what_is_no_condition(condition, message):
    with pytest.raises(ValueError, match=re.escape(message)) as raised:
        matching(POINTS, condition)
    assert "\n" not in str(raised.value)
