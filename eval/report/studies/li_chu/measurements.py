"""What is measured for Table 1, and access to it by design and width."""

from collections.abc import Iterable, Iterator
from typing import Any

import catalog
from catalog import Configuration
from cl.exponentiator import STROBE
from eval.report.results import OPERATIONS
from eval.report.studies.cycles import call_cycles, key_cycles
from eval.report.studies.grid import product
from eval.report.studies.study import Findings, Job, flow_job, fpga_job, record_of
from proc.systems import NULL_SYSTEM

DOCUMENT = "li_chu"
NAMES = (
    "montred_r2l",
    "montmul_r2l",
    "montmul_csa_r2l",
    "ssmm_r2l",
    "montmul_r2l_shared",
    "ssmm_r2l_shared",
)
PRINTED = ("montred_r2l", "montmul_r2l", "ssmm_r2l")
"""Those of the document: algorithms 2, 4 and 6."""

BASE = "montmul_r2l"
"""The document's algorithm 4, against which it sets its algorithm 6."""

WIDTHS = (64, 128, 256, 512, 1024, 2048)
KEYS = 20
CALL_NBITS = 1024
CALLS = {
    "software_naive": (NULL_SYSTEM, "naive"),
    "software_montgomery": (NULL_SYSTEM, "montgomery"),
    "proc_montmul_r2l": ("proc_montmul_r2l", "xcel"),
    "proc_ssmm_r2l": ("proc_ssmm_r2l", "xcel"),
}
"""System and program by column."""

_FAMILY = "cyclonev"
_MOST_FLOW_NBITS = 1024
# Combinational multipliers grow with the square of the width, and their synthesis faster still.
_WIDE_PRODUCTS = "montred_r2l"
_WIDE_PRODUCTS_NBITS = 128
_WIDE_PRODUCTS_FPGA_NBITS = 256
_WIDE_PRODUCTS_WEIGHT = 8.0


def jobs(max_nbits: int) -> list[Job]:
    """Give cycles and flow of all designs, and the calls on the processor."""
    found = [_cycles_job(x) for x in _configurations(max_nbits)]
    for x in _configurations(max_nbits):
        wide = x.design.name == _WIDE_PRODUCTS
        if x.nbits <= (_WIDE_PRODUCTS_NBITS if wide else _MOST_FLOW_NBITS):
            found.append(flow_job(x, _WIDE_PRODUCTS_WEIGHT if wide else 1.0))
        if x.design.name in PRINTED and (x.nbits <= _WIDE_PRODUCTS_FPGA_NBITS or not wide):
            found.append(fpga_job(x, _FAMILY))
    if max_nbits >= CALL_NBITS:
        found += [_call_job(name, x) for name in CALLS for x in OPERATIONS]
    return found


def _configurations(max_nbits: int) -> Iterator[Configuration]:
    for nbits in WIDTHS:
        for design in map(catalog.get, NAMES):
            if nbits <= max_nbits and nbits in design.widths:
                yield design.configure(nbits)


def _cycles_job(configuration: Configuration) -> Job:
    name = f"cycles {configuration.name}"
    arguments = (configuration, {"document": STROBE}, KEYS)
    return Job(name, key_cycles, arguments, configuration.nbits)


def _call_job(column: str, operation: str) -> Job:
    arguments = (*CALLS[column], CALL_NBITS, operation)
    return Job(f"{operation} {column} {CALL_NBITS}", call_cycles, arguments, CALL_NBITS)


class Figures:
    """Measured figures; None wherever there are none.

    Parameters
    ----------
    findings : mapping
        Results of the jobs.
    max_nbits : int
        Greatest width in bits.
    """

    def __init__(self, findings: Findings, max_nbits: int) -> None:
        self._findings = findings
        self._configurations = {(x.design.name, x.nbits): x for x in _configurations(max_nbits)}
        self.widths = tuple(n for n in WIDTHS if n <= max_nbits)

    def record(self, name: str, nbits: int, key: str) -> Any:
        """Entry of a design's record."""
        configuration = self._configurations.get((name, nbits))
        record = configuration and record_of(self._findings, configuration)
        return record[key] if record else None

    def fpga(self, name: str, nbits: int, resource: str) -> int | None:
        """Resource of the document's family of FPGAs, by our estimate."""
        configuration = self._configurations.get((name, nbits))
        found = configuration and self._findings.get(fpga_job(configuration, _FAMILY).name)
        return found[resource] if found else None

    def cycles(self, name: str, nbits: int, handshake: str = "circuit") -> float | None:
        """Mean cycles of an operation."""
        configuration = self._configurations.get((name, nbits))
        found = configuration and self._findings.get(_cycles_job(configuration).name)
        return found[handshake] if found else None

    def period_ns(self, name: str, nbits: int) -> float | None:
        """Smallest clock period in ns."""
        return self.record(name, nbits, "min_period_ns")

    def time_ms(self, name: str, nbits: int) -> float | None:
        """Mean time of an operation in ms."""
        return product(self.cycles(name, nbits), self.period_ns(name, nbits), 1e-6)

    def call(self, column: str, operation: str) -> int | None:
        """Cycles of a call on the processor, less those of the dummy's."""
        found = self._findings.get(_call_job(column, operation).name)
        return found["cycles"] - found["dummy_cycles"] if found else None

    def any_of(self, names: Iterable[str]) -> list[str]:
        """Designs that have any figure."""

        def has(name: str, nbits: int) -> bool:
            kinds = (
                self.cycles,
                self.period_ns,
                lambda name, nbits: self.fpga(name, nbits, "alms"),
            )
            return any(kind(name, nbits) is not None for kind in kinds)

        return [x for x in names if any(has(x, n) for n in self.widths)]
