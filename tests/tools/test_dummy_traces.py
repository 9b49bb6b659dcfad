"""What dummies look like in traces (``tools.dummy_traces``)."""

import re

import pytest
from click.testing import CliRunner

from rsaxcel import catalog
from rsaxcel.flow.requests import workload_operands
from tools.dummy_traces import Walk, table


def test_steps_with_their_cycles():
    """All dummies, squares and products of the loop are found, one behind the other."""
    configuration = catalog.get("crt_window").configure(64, dummies="squares")
    (row,) = workload_operands(configuration, 65537, 1)
    walk = Walk(configuration, row, 100)
    kinds = [kind for kind, *_ in walk.spans]
    counts = {kind: kinds.count(kind) for kind in set(kinds)}
    assert counts == {"dummy": 16, "square": 30, "product": 16}
    assert {end - begin for _, begin, end in walk.spans} == {18}
    gaps = {b - a for (_, _, a), (_, b, _) in zip(walk.spans, walk.spans[1:], strict=False)}
    assert gaps <= {0, 5, 10}  # the first digit has two steps without products
    assert 100 < walk.spans[0][1] < walk.spans[-1][2] < 100 + configuration.cycles(*row)
    assert 20 < walk.ones < 100


@pytest.mark.slow  # synthesizes two circuits
def test_dummies_look_like_squares(tmp_path, monkeypatch):
    """The mean energies of dummies, squares and products differ by a few per cent."""
    monkeypatch.chdir(tmp_path)
    options = ("--nbits", "16", "--traces", "256", "--clock-ns", "3")
    shown = CliRunner().invoke(table, options, catch_exceptions=False).output
    plain, hidden = shown.split("crt_window_16")[1:]
    assert "dummy" not in plain
    means = {x: float(y) for x, y in re.findall(r"(\w+): ([\d.]+) pJ", hidden)}
    assert means.keys() == {"dummy", "square", "product"}
    assert max(means.values()) < 1.1 * min(means.values())
