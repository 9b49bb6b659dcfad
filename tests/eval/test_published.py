"""A published period: a constraint close to the period that it leads to, in few runs."""

import random

import pytest

from rsaxcel import catalog
from rsaxcel.eval.measure.flows import (
    FIRST,
    MOST_RUNS,
    _run,
    at_layout,
    find_published,
    flow,
    published,
)
from rsaxcel.flow.errors import FlowError, NoRoom
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import LOOSE, TIGHT, judge
from rsaxcel.store.errors import SetupError
from tests.eval.made_up_flow import PLACED_LAYOUT, SYNTHESIZED_NS, MadeUpFlow, saturated


def asked_of(period_of):
    """Find a published period of a made-up flow; give the flow, the record, lines of progress."""
    made = MadeUpFlow(period_of)
    lines = []

    def run(clock_ns):
        return made.run_flow("", "", clock_ns, progress=lines.append)

    return made, published(SYNTHESIZED_NS, run, lines.append), lines


@pytest.mark.parametrize("limit_ns", [1.2, 1.9, 2.05, 2.6, 4.0])
@pytest.mark.parametrize("far", [0.0, 0.1, 0.4])
def test_a_period_is_published(limit_ns, far):
    made, record, _ = asked_of(saturated(limit_ns, far, 0.98))
    assert judge(record.clock_ns, record.min_period_ns) == TIGHT
    assert made.made[0] == pytest.approx(FIRST * SYNTHESIZED_NS)
    assert len(made.made) <= MOST_RUNS
    assert record.min_period_ns <= max(1.25 * limit_ns, 1.03 * FIRST * SYNTHESIZED_NS)


def test_the_stored_record_is_found():
    made, record, _ = asked_of(saturated(2.6))
    assert len(made.made) > 1
    assert find_published(SYNTHESIZED_NS, made.store.get) == record
    last = made.store.pop(made.made[-1])
    assert find_published(SYNTHESIZED_NS, made.store.get) is None
    assert last == record


def test_the_closest_period_where_none_is_close():
    draw = random.Random(3)
    made, record, _ = asked_of(lambda clock_ns: clock_ns * draw.choice([0.7, 1.3, 0.9]))
    assert len(made.made) == MOST_RUNS
    assert judge(record.clock_ns, record.min_period_ns) == LOOSE
    assert record.clock_ns / record.min_period_ns == pytest.approx(1 / 0.9)


def test_another_constraint_after_a_failure():
    plain = saturated(2.0)

    def period_of(clock_ns):
        if clock_ns < 2.15:
            raise FlowError("hold time of x is not kept")
        return plain(clock_ns)

    _, record, lines = asked_of(period_of)
    assert record.clock_ns == pytest.approx(2.194, rel=0.01)
    assert any(line.startswith("failed at 2.09 ns: hold time") for line in lines)


@pytest.mark.parametrize("error", [NoRoom("full"), SetupError("sta: not found")])
def test_errors_that_no_constraint_mends(error):
    made = []

    def run(clock_ns):
        made.append(clock_ns)
        raise error

    with pytest.raises(type(error)):
        published(SYNTHESIZED_NS, run, lambda line: None)
    assert len(made) == 1


def test_a_flow_without_a_clock_has_a_published_period(monkeypatch):
    made = MadeUpFlow(saturated(2.0))
    made.use(monkeypatch, "rsaxcel.eval.measure.flows")
    job = at_layout(flow("mulrem_r2l", 8, None), PLACED_LAYOUT).job
    assert "at a published period, placed by embedded" in job.name
    target, library = catalog.get("mulrem_r2l").configure(8), DEFAULT_LIBRARY
    assert (job.function, job.arguments[:3]) == (_run, (target, library, None))
    assert _run(*job.arguments) is None
    monkeypatch.setattr("rsaxcel.eval.measure.flows.keep_json", lambda *asked: None)
    lines = []
    record = _run(*job.arguments, progress=lines.append)
    assert judge(record.clock_ns, record.min_period_ns) == TIGHT
    assert f"place at {made.made[0]:g} ns" in lines
    assert _run(*job.arguments) == record
