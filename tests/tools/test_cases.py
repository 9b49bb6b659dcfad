"""Layouts for the tools that compare them: one that the flow refuses is compared, too."""

from dataclasses import replace

import pytest

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.layout import EMBEDDED
from tools import cases
from tools.cases import Case

CASE = Case("montmul_r2l_shared", 8, 1.5, 0.6)


@pytest.mark.slow  # places a circuit
def test_a_layout_that_breaks_a_limit_is_given_with_the_complaint(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kept = CASE.lay_out(EMBEDDED, 1)
    assert not kept.complaint

    def refuse(*arguments, **options):
        raise FlowError("slew at pin a/Z is 0.3 ns")

    monkeypatch.setattr(cases, "run", refuse)
    refused = CASE.lay_out(EMBEDDED, 1)
    assert refused.complaint == "slew at pin a/Z is 0.3 ns"
    assert refused.job == kept.job
    assert refused.wires() == kept.wires()
    assert refused.timing().min_period_ns == kept.timing().min_period_ns
    with pytest.raises(FlowError, match="slew at pin"):
        replace(CASE, utilisation=0.61).lay_out(EMBEDDED, 1)  # no layout was made
