"""A flow for tests whose period is a made-up function of the clock constraint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from rsaxcel.flow.errors import NoRoom
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.layout import PLACED, Layout
from rsaxcel.flow.outline import OUTLINE
from rsaxcel.flow.record import Record
from rsaxcel.flow.requests import default_exponents
from tests.eval.made_up_records import operation, record
from tests.eval.test_placed_facts import PHYSICAL

PLACED_LAYOUT = Layout(PLACED, utilisation=0.7)
SYNTHESIZED_NS = 1.9


def saturated(limit_ns: float, far: float = 0.1, used: float = 0.97) -> Callable[[float], float]:
    """Period of a tool that reaches ``limit_ns``.

    Under a larger constraint, it takes area back until the period is ``used`` of the constraint, or
    1.2 limits. Under a smaller one, it does worse than the limit, by ``far`` at half of the limit.
    """

    def period_of(clock_ns: float) -> float:
        if clock_ns >= limit_ns:
            return max(limit_ns, min(used * clock_ns, 1.2 * limit_ns))
        return limit_ns * (1 + far * (limit_ns / clock_ns - 1))

    return period_of


class MadeUpFlow:
    """Takes the place of the flow, with a store.

    Parameters
    ----------
    period_of
        Period by constraint; infinite: the circuit has no room.
    layout
        Layout of the records.
    """

    def __init__(self, period_of: Callable[[float], float], layout: Layout = PLACED_LAYOUT) -> None:
        self.period_of, self.layout = period_of, layout
        self.store: dict[float, Record] = {}
        self.made: list[float] = []
        self.estimate: SimpleNamespace | None = None

    def use(
        self, monkeypatch: Any, module: str = "rsaxcel.eval.curve", name: str = "run"
    ) -> MadeUpFlow:
        """Put a function of this flow in the place of the one that a module calls."""
        monkeypatch.setattr(f"{module}.{name}", getattr(self, name))
        return self

    def run(self, job: FlowJob, goal: Any, progress: Any = None, *, lookup: bool = False) -> Any:
        """Find or make the estimate, or a record."""
        if goal is not OUTLINE:
            if lookup:
                return self.store.get(job.clock_ns)
            return self.run_flow(None, "", job.clock_ns, progress=progress)
        if not lookup:
            self.estimate = SimpleNamespace(min_period_ns=SYNTHESIZED_NS)
        return self.estimate

    def run_flow(
        self, _target: Any, _library: str, clock_ns: float, *asked: Any, progress: Any, **how: Any
    ) -> Record:
        """Find a stored record, or make one: its area falls as the period grows."""
        if clock_ns not in self.store:
            progress("place")
            self.made.append(clock_ns)
            self.store[clock_ns] = self._record(clock_ns)
        return self.store[clock_ns]

    def _record(self, clock_ns: float) -> Record:
        period_ns = self.period_of(clock_ns)
        if period_ns == float("inf"):
            raise NoRoom("the cells do not fit into the core")
        used_ns = max(clock_ns, period_ns)
        area = 1000.0 + 200.0 / used_ns**3
        cycles = {"encrypt": 50, "decrypt": 90}
        work = {
            name: operation(exponent, cycles[name], used_ns, 1.0 / used_ns)
            for name, exponent in default_exponents(8).items()
        }
        found = record("mulrem_r2l", 8, clock_ns, period_ns, {"": area}, work)
        found = replace(found, hash=f"at {clock_ns:g}", stage=self.layout.stage)
        if not self.layout.placed:
            return found
        return replace(found, core_area_um2=area / 0.7, utilisation=0.7, physical=PHYSICAL)
