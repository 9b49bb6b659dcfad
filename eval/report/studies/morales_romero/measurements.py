"""What is measured for Tables 1 to 5, and access to it by column and width."""

import random
from dataclasses import dataclass
from functools import cache
from typing import Any

import catalog
from catalog import Configuration, MultiplierConfiguration
from eval.report.studies.cycles import operation_cycles
from eval.report.studies.grid import product
from eval.report.studies.study import Findings, Job, flow_job, fpga_job, record_of
from fl.multipliers.contract import WordMultiplier
from fl.steps import walk

DOCUMENT = "morales_romero"
DESIGN = "systolic_l2r_always"
MULTIPLIER = "systolic"
FPGA = "xc7"
PRINTED_NBITS = 1024
"""Width of Tables 4 and 5."""

_MORE_BITS = 2
"""Exponent bits by which two exponentiations differ whose cycles tell those of a product."""


@dataclass(frozen=True)
class Width:
    """A column of Tables 1 to 3.

    Parameters
    ----------
    nbits : int
        Width of the modulus in bits.
    printed : int
        Width that the document states, in ``printed / 16`` words; that of the exponents, too.
    """

    nbits: int
    printed: int

    @property
    def multiplier(self) -> MultiplierConfiguration:
        """The multiplier alone."""
        return catalog.multipliers()[MULTIPLIER].configure(self.nbits)

    def exponentiator(self, more_bits: int = 0) -> Configuration:
        """Exponentiation with exponents as long as printed, or longer."""
        return catalog.get(DESIGN).configure(self.nbits, exponent_nbits=self.printed + more_bits)


def _column(nbits: int) -> str:
    return f"{nbits}_bits"


# Two bits less are what the document's number of words has room for.
WIDTHS = {
    _column(nbits): Width(nbits, printed)
    for printed in (512, PRINTED_NBITS, 2048)
    for nbits in (printed - 2, printed)
}
"""Widths of the modulus by column."""

EXPONENTIATORS = {name: x for name, x in WIDTHS.items() if x.printed == PRINTED_NBITS}
"""Those of Table 5."""

CELLS = {_column(nbits): nbits for nbits in (256, 512, 1024)}
"""Widths that are synthesized for standard cells, by column."""


def jobs(max_nbits: int) -> list[Job]:
    """Give cycles and FPGA resources of the printed widths, and the flow of some of them."""
    found = [_flow_job(nbits) for nbits in CELLS.values() if nbits <= max_nbits]
    for width in _up_to(max_nbits).values():
        found.append(fpga_job(width.multiplier, FPGA))
        found += [_cycles_job(width.exponentiator(bits)) for bits in (0, _MORE_BITS)]
        if width.printed == PRINTED_NBITS:
            found.append(fpga_job(width.exponentiator(), FPGA))
    return found


def _up_to(max_nbits: int) -> dict[str, Width]:
    return {name: width for name, width in WIDTHS.items() if width.printed <= max_nbits}


def _flow_job(nbits: int) -> Job:
    return flow_job(catalog.get(DESIGN).configure(nbits))


def _cycles_job(configuration: Configuration) -> Job:
    exponent = _exponent(configuration.exponent_nbits)
    arguments = (configuration, exponent)
    return Job(f"operation {configuration.name}", operation_cycles, arguments, configuration.nbits)


def _exponent(nbits: int) -> int:
    """Exponent of exactly so many bits."""
    return random.Random(nbits).getrandbits(nbits) | 1 << nbits - 1


@cache
def products(configuration: Configuration) -> int:
    """Products that an exponentiation with an exponent of full size consists of."""
    state = configuration.golden.begin(0, _exponent(configuration.exponent_nbits), 3)
    (program,) = configuration.programs
    return sum(len(step) for step in walk(program, state, lambda a, b: 0))


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
        self.widths = _up_to(max_nbits)
        self.exponentiators = {n: x for n, x in EXPONENTIATORS.items() if n in self.widths}
        self.cells = {name: nbits for name, nbits in CELLS.items() if nbits <= max_nbits}

    def elements(self, column: str) -> int | None:
        """Count the processing elements of the row, a word each."""
        width = self.widths.get(column)
        golden = width and width.multiplier.golden
        return golden.words if isinstance(golden, WordMultiplier) else None

    def product_cycles(self, column: str) -> float | None:
        """Cycles between dependent products, on the circuit."""
        if column not in self.widths:
            return None
        short, long = (self.widths[column].exponentiator(bits) for bits in (0, _MORE_BITS))
        fewer, more = (self._operation(x, "cycles") for x in (short, long))
        if fewer is None or more is None:
            return None
        return (more - fewer) / (products(long) - products(short))

    def products(self, column: str) -> int | None:
        """Products of an exponentiation whose exponent has the printed width."""
        return products(self.widths[column].exponentiator()) if column in self.widths else None

    def cycles(self, column: str) -> int | None:
        """Cycles of that exponentiation, on the circuit."""
        return self._exponentiation(column, "cycles")

    def products_cycles(self, column: str) -> float | None:
        """Cycles of its products."""
        return product(self.products(column), self.product_cycles(column))

    def control_cycles(self, column: str) -> float | None:
        """Cycles of it in which no product is under way."""
        cycles, of_products = self.cycles(column), self.products_cycles(column)
        return None if cycles is None or of_products is None else cycles - of_products

    def load_cycles(self, column: str) -> int | None:
        """Cycles in which its operands are loaded before."""
        return self._exponentiation(column, "load_cycles")

    def multiplier(self, column: str, resource: str) -> Any:
        """FPGA resource of the multiplier."""
        width = self.widths.get(column)
        return width and self._fpga(width.multiplier, resource)

    def exponentiator(self, column: str, resource: str) -> Any:
        """FPGA resource of the whole."""
        width = self.exponentiators.get(column)
        return width and self._fpga(width.exponentiator(), resource)

    def record(self, column: str) -> Any:
        """Record of the flow."""
        if column not in self.cells:
            return None
        configuration = catalog.get(DESIGN).configure(self.cells[column])
        return record_of(self._findings, configuration)

    def cells_product_us(self, column: str) -> float | None:
        """Time of a product in us at the smallest period of the cells."""
        record = self.record(column)
        period_ns = record and record["min_period_ns"]
        return product(self.product_cycles(column), period_ns, 1e-3)

    def _exponentiation(self, column: str, entry: str) -> int | None:
        width = self.widths.get(column)
        return self._operation(width.exponentiator(), entry) if width else None

    def _operation(self, configuration: Configuration, entry: str) -> int | None:
        found = self._findings.get(_cycles_job(configuration).name)
        return found and found[entry]

    def _fpga(self, configuration: Configuration | MultiplierConfiguration, resource: str) -> Any:
        found = self._findings.get(fpga_job(configuration, FPGA).name)
        return found and found[resource]
