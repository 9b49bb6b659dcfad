"""The operations that all run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eval.report.published import Published
from eval.report.subjects import STANDARD_NBITS
from fl.keys import Key, seeded_key
from flow.kit import CLOCK_NS
from flow.requests import OPERATIONS, bases, default_exponents

STANDARD_CLOCK_NS = CLOCK_NS


@dataclass(frozen=True)
class Workload:
    """Operations that every accelerator runs, as RTL and as a netlist.

    Parameters
    ----------
    key : Key
        RSA key; its modulus serves all operations.
    exponents : mapping of str to int
        Exponent of each operation.
    bases : mapping of str to tuple of int
        What is raised to them, below the modulus.
    """

    key: Key
    exponents: Mapping[str, int]
    bases: Mapping[str, tuple[int, ...]]

    def as_json(self) -> dict[str, Any]:
        """For the report's files."""
        return {
            "modulus": self.key.n,
            "key_e": self.key.e,
            "key_d": self.key.d,
            "exponents": dict(self.exponents),
            "bases": {name: list(values) for name, values in self.bases.items()},
        }


def standard_workload(published: Published) -> Workload:
    """Encryption and decryption with the flow's default exponents."""
    exponents = default_exponents(STANDARD_NBITS)
    drawn = {name: bases(STANDARD_NBITS, x, OPERATIONS)[1] for name, x in exponents.items()}
    return Workload(
        seeded_key(STANDARD_NBITS), exponents, {name: tuple(x) for name, x in drawn.items()}
    )
