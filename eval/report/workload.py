"""What is measured: the standard designs and the operations that they run."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import designs
from designs import Configuration
from eval.report.published import Published
from fl.keys import Key, seeded_key

STANDARD_DESIGNS = ("mulrem_r2l", "mont_r2l")
STANDARD_NBITS = 32
STANDARD_CLOCK_NS = 3.0
_MESSAGES = 10


@dataclass(frozen=True)
class Workload:
    """Operations that every design runs.

    Parameters
    ----------
    key : Key
        RSA key; its modulus serves all operations.
    exponents : mapping of str to int
        Exponent of each operation.
    bases : tuple of int
        What is raised to them, below the modulus.
    """

    key: Key
    exponents: Mapping[str, int]
    bases: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        """For the report's files."""
        return {
            "modulus": self.key.n,
            "key_e": self.key.e,
            "key_d": self.key.d,
            "exponents": dict(self.exponents),
            "bases": list(self.bases),
        }


def standard_workload(published: Published) -> Workload:
    """Encryption and decryption with the exponents that the document prints."""
    key = seeded_key(STANDARD_NBITS)
    draw = random.Random(f"report/{STANDARD_NBITS}")
    return Workload(
        key,
        {"encrypt": published.value("e"), "decrypt": published.value("d")},
        tuple(draw.randrange(key.n) for _ in range(_MESSAGES)),
    )


def standard_configurations() -> dict[str, Configuration]:
    """Configure the designs to measure."""
    return {name: designs.get(name).configure(STANDARD_NBITS) for name in STANDARD_DESIGNS}
