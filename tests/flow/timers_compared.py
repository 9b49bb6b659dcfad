"""The embedded timer beside OpenSTA, on one netlist: all that the flow takes from a timer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rsaxcel.flow.opensta import OpenSta
from rsaxcel.flow.physical.embedded.static_timing import EmbeddedTimer
from rsaxcel.flow.power.slews import Slews
from rsaxcel.flow.timer import StaticTiming, Timer

_HIDDEN = ("IQ", "IQN")  # pins of a clock gate's latch, which the embedded timer does not have


def beside_opensta(analyse: Callable[[Timer, Path], StaticTiming], folder: Path) -> StaticTiming:
    """Compare what ``analyse`` finds with each timer; the path is the file of the slews.

    OpenSTA writes delays of wires and slacks in steps of 0.1 and 0.01 ps. Both search effective
    capacitances with a tolerance of 1 %, which single precision there can end one step apart.
    """
    files = {timer: folder / f"{timer.name}.txt" for timer in (EmbeddedTimer(), OpenSta())}
    ours, theirs = (analyse(*x) for x in files.items())
    assert ours.min_period_ns == pytest.approx(theirs.min_period_ns, rel=1e-4, abs=1e-4)
    assert ours.launch_ns == pytest.approx(theirs.launch_ns, abs=1e-4)
    for name in ("ends", "least_ns", "bar_ns"):
        own, other = (x.ends["slacks"][name] for x in (ours, theirs))
        assert own == pytest.approx(other, rel=1e-3, abs=2e-4)
    for mine, other in zip(ours.ends["path"], theirs.ends["path"], strict=True):
        assert [mine[x] for x in ("cell", "edge")] == [other[x] for x in ("cell", "edge")]
        # Of some loads behind resistances, OpenSTA shows a part only.
        assert mine["load_ff"] >= other["load_ff"] - 2e-3
        for name in ("delay_ns", "slew_ns", "time_ns"):
            assert mine[name] == pytest.approx(other[name], rel=1e-3, abs=3e-4), mine["pin"]
    slews, expected = (Slews.from_file(x).by_pin_s for x in files.values())
    assert set(expected) - set(slews) <= {x for x in expected if x[1] in _HIDDEN}
    for pin, found in slews.items():
        assert found == pytest.approx(expected[pin], rel=2e-3, abs=1e-12), pin
    if theirs.placed:
        _compare_placed(ours, theirs)
    return ours


def _compare_placed(ours: StaticTiming, theirs: StaticTiming) -> None:
    own, other = ours.placed, theirs.placed
    assert own is not None
    assert other is not None
    assert own.hold_slack_ns == pytest.approx(other.hold_slack_ns, abs=2e-5)
    assert own.skew_ns == pytest.approx(other.skew_ns, abs=2e-5)
    assert own.slow_pins.keys() == other.slow_pins.keys()
    for pin, found in own.slow_pins.items():
        assert found == pytest.approx(other.slow_pins[pin], abs=1e-4), pin
    for pin in own.arrivals_ns.keys() | other.arrivals_ns.keys():
        delays = (x.arrivals_ns.get(pin, (0.0, 0.0)) for x in (own, other))
        assert next(delays) == pytest.approx(next(delays), abs=3e-4), pin
