"""Subject for a multiplier: its circuit, and products as its workload."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

from rsaxcel.circuit import ProductCircuit
from rsaxcel.flow import products
from rsaxcel.flow.answers import NetlistAnswer
from rsaxcel.flow.gates.level import GateLevel
from rsaxcel.flow.gates.streams import GateSimulator
from rsaxcel.flow.gates.timed import Sample
from rsaxcel.flow.power.activity import Simulated
from rsaxcel.flow.subjects.exponentiator import CircuitSubject, simulated_at_rtl
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.translate import VerilogModule
from rsaxcel.store.code import code_digest
from rsaxcel.store.folders import cache_root, keep_json, key_of

_NAME = "product"


class MultiplierSubject(CircuitSubject):
    configuration: ProductCircuit
    sign = " * "

    def work(self, exponents: Mapping[str, int]) -> Any:
        """Digest of the workload: the requests, responses and cycles of all products.

        Without a cycle model, the operands: see ``ExponentiatorSubject.work``.
        """
        if self.is_measured:
            return [self.name, products.drawn(self.configuration)]

        def evaluate() -> str:
            runs = products.products(self.configuration)
            return key_of(
                [[(repr(x), self.configuration.request(*x.operands)) for x in run] for run in runs]
            )

        # The digest is stored: at large widths, the cycle model takes longer to compute it than all
        # other parts of a record's key take.
        sources = code_digest([*self.sources, Path(str(products.__file__)), Path(__file__)])
        key = key_of(self.params, sources)
        return keep_json(cache_root(), f"work-{self.name}-{key}", evaluate)

    def operations(self, exponents: Mapping[str, int]) -> list[str]:
        return [_NAME]

    def simulate(
        self, level: GateLevel, interface: VerilogModule, exponents: Mapping[str, int]
    ) -> Iterator[Simulated]:
        """Run series of products side by side, and check results and cycles.

        The first product of each does not count: products normally follow others, not a reset.
        """
        wanted = _products(self.configuration)
        slowest = max(x.cycles for run in wanted for x in run)
        around = self.configuration.load_cycles + self.configuration.clear_cycles
        simulator = GateSimulator(level.netlist, level.slews)
        # A combinational circuit answers in the cycle of the request: 0 cycles count as 1.
        cycles = [max(1, x.cycles) for run in wanted for x in run[1:]]

        def run(sample: Sample) -> Simulated:
            most = around + slowest + 1
            done = self.simulated(
                simulator, interface, wanted, uncounted=1, most_cycles=most, sample=sample
            )
            return Simulated(_NAME, done.activity, done.counted, {"cycles": fmean(cycles)})

        yield level.measured(_NAME, sum(cycles) / len(wanted), run)

    def faults(self, exponents: Mapping[str, int]) -> list[str]:
        return [x.fault for run in _products(self.configuration) for x in run if x.fault]

    def answers(self, rows: Sequence[Operands]) -> list[NetlistAnswer]:
        with simulated_at_rtl():
            return products.product_answers(self.configuration, rows, may_hang=True)


@cache
def _products(configuration: ProductCircuit) -> list[list[NetlistAnswer]]:
    with simulated_at_rtl():
        return products.products(configuration)
