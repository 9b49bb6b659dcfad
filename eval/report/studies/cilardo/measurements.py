"""What is measured for figures 17.3 and 17.4, and against the designs of other documents."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import catalog
from catalog import Configuration
from eval.report.studies.cycles import operation_cycles
from eval.report.studies.grid import product
from eval.report.studies.study import Findings, Job, flow_job, fpga_job, record_of
from fl.keys import public_exponent

DOCUMENT = "cilardo"
DESIGN = "digit_serial_r2l"
NBITS = 1024
COLUMNS = {f"S_{digit_nbits}": digit_nbits for digit_nbits in (32, 64, 128, 256)}
LANES = {2: "with the Z-processor", 1: "without the Z-processor"}
FPGA = "xc7"

WIDTHS = (256, 512, 1024)


@dataclass(frozen=True)
class Ranked:
    """A column of the ranking."""

    design: str
    params: Mapping[str, Any]

    def configuration(self, nbits: int) -> Configuration:
        """Configure the design at a width."""
        return catalog.get(self.design).configure(nbits, **self.params)

    def job(self, nbits: int) -> Job:
        """Its way through the flow."""
        return flow_job(self.configuration(nbits))


RANKED = {
    "digit_serial_32": Ranked(DESIGN, {"digit_nbits": 32}),
    "digit_serial_64": Ranked(DESIGN, {"digit_nbits": 64}),
    "systolic_l2r_always": Ranked("systolic_l2r_always", {}),
    "ssmm_r2l": Ranked("ssmm_r2l", {}),
    "montmul_r2l": Ranked("montmul_r2l", {}),
}


def configuration(column: str, lanes: int) -> Configuration:
    """Design of a column."""
    params = {"digit_nbits": COLUMNS[column], "lanes": lanes}
    return catalog.get(DESIGN).configure(NBITS, **params)


def jobs(max_nbits: int) -> list[Job]:
    """Give cycles, flow and FPGA resources of every S, and the flows of the ranking."""
    found = []
    if max_nbits >= NBITS:
        for design in _configurations():
            found += [
                _cycles_job(design),
                flow_job(design),
                fpga_job(design, FPGA),
            ]
    found += [x.job(nbits) for x in RANKED.values() for nbits in WIDTHS if nbits <= max_nbits]
    return found


def _configurations() -> Iterator[Configuration]:
    for lanes in LANES:
        for column in COLUMNS:
            yield configuration(column, lanes)


def _cycles_job(design: Configuration) -> Job:
    return Job(
        f"operation {design.name}", operation_cycles, (design, public_exponent(NBITS)), NBITS
    )


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
        self.widths = tuple(n for n in WIDTHS if n <= max_nbits)

    def cycles(self, column: str, lanes: int) -> int | None:
        """Cycles of an encryption, on the circuit."""
        found = self._findings.get(_cycles_job(configuration(column, lanes)).name)
        return found and found["cycles"]

    def record(self, column: str, lanes: int) -> Any:
        """Record of the flow."""
        return record_of(self._findings, configuration(column, lanes))

    def time_ms(self, column: str, lanes: int) -> float | None:
        """Time of an encryption in ms, at the smallest period."""
        record = self.record(column, lanes)
        period_ns = record and record["min_period_ns"]
        return product(self.cycles(column, lanes), period_ns, 1e-6)

    def area_time_um2_ms(self, column: str, lanes: int) -> float | None:
        """Cell area by time of an encryption."""
        record = self.record(column, lanes)
        area_um2 = record and record["area_um2"]
        return product(area_um2, self.time_ms(column, lanes))

    def fpga(self, column: str, lanes: int) -> Any:
        """FPGA resources."""
        return self._findings.get(fpga_job(configuration(column, lanes), FPGA).name)

    def ranked(self, column: str, nbits: int) -> Any:
        """Record of the flow of a column of the ranking."""
        return self._findings.get(RANKED[column].job(nbits).name)

    def ranked_time_ms(self, column: str, nbits: int) -> float | None:
        """Time of a decryption in ms, at the smallest period."""
        record = self.ranked(column, nbits)
        return record and product(
            record["operations"]["decrypt"]["cycles"], record["min_period_ns"], 1e-6
        )

    def ranked_area_time_mm2_ms(self, column: str, nbits: int) -> float | None:
        """Cell area by time of a decryption."""
        record = self.ranked(column, nbits)
        return record and product(record["area_um2"], self.ranked_time_ms(column, nbits), 1e-6)
