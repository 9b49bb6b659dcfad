"""Stall profiles draw what they promise."""

import pytest

from rsaxcel.sim.stalls import StallProfile


def test_delays_fill_their_ranges():
    source, sink = StallProfile("x", source=(2, 4), sink=(0, 1), seed=3).delays(500)
    assert set(source) == {2, 3, 4}
    assert set(sink) == {0, 1}


def test_draw_depends_on_the_seed_alone_and_not_on_the_count():
    profile = StallProfile("x", source=(0, 99), sink=(0, 99), seed=1)
    source, sink = profile.delays(50)
    assert profile.delays(10) == (source[:10], sink[:10])
    assert source != sink
    assert StallProfile("y", source=(0, 99), sink=(0, 99), seed=2).delays(50)[0] != source


@pytest.mark.parametrize("sides", [{"source": (3, 2)}, {"sink": (-1, 4)}])
def test_impossible_range_is_refused(sides):
    (side,) = sides
    with pytest.raises(ValueError, match=f"stall profile x: {side}="):
        StallProfile("x", **sides)
