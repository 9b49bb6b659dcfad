"""What the period of a placed circuit is worth: how its clock constraint lies to it."""

import pytest

from rsaxcel.flow.layout import (
    LOOSE,
    OUT_OF_REACH,
    PLACED,
    ROUTED,
    SYNTHESIZED,
    TIGHT,
    constraint_of,
    judge,
)


@pytest.mark.parametrize(
    ("clock_ns", "period_ns", "judged"),
    [
        (2.0, 2.0, TIGHT),
        (2.06, 2.0, TIGHT),
        (1.94, 2.0, TIGHT),
        (2.07, 2.0, LOOSE),
        (1.93, 2.0, OUT_OF_REACH),
    ],
)
def test_a_period_is_published_within_3_percent(clock_ns, period_ns, judged):
    assert judge(clock_ns, period_ns) == judged
    assert constraint_of(PLACED, clock_ns, period_ns) == judged
    assert constraint_of(ROUTED, clock_ns, period_ns) == judged
    assert constraint_of(SYNTHESIZED, clock_ns, period_ns) == constraint_of("", 1.0, 2.0) == ""


def test_the_fraction_can_be_chosen():
    assert judge(1.8, 2.0, within=0.11) == TIGHT
    assert judge(1.99, 2.0, within=0.001) == OUT_OF_REACH
