"""Routed wires beside the estimate."""

import os
import shutil

import numpy as np
import pytest

from rsaxcel.flow.physical.openroad.script import RULES
from tools.routed_wires import errors, main


def test_errors_are_relative_to_the_extraction_and_leave_out_wires_of_no_length():
    found = errors({"a": 11.0, "b": 9.0, "c": 0.01}, {"a": 10.0, "b": 12.0, "c": 5.0})
    assert np.allclose(sorted(found), [-0.25, 0.1])


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("openroad") is None or not os.environ.get(RULES),
    reason="OpenROAD or its rules of extraction are missing",
)
def test_a_design_is_routed_without_violations(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["montmul_r2l_shared:8:1.5:0.6"]) == 0
    said = capsys.readouterr().out
    assert "violations 0" in said
    estimated, extracted = (float(x) for x in _numbers(said, "capacitance"))
    assert extracted == pytest.approx(estimated, rel=0.2)


def _numbers(text, word):
    line = next(line for line in text.splitlines() if word in line).split()
    return line[1], line[4]
