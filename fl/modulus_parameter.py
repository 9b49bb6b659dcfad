"""The parameter ``modulus`` of circuits that are built for one modulus."""

from dataclasses import dataclass
from typing import Any

from rsaxcel.fl.pseudo_modulus import family_member
from rsaxcel.plan.parameters import Parameter


@dataclass(frozen=True)
class ModulusParameter(Parameter):
    """Parameter whose value is a modulus, 2 or more and at most ``nbits`` bits, in hexadecimal."""

    def parse(self, value: Any, nbits: int) -> str:
        """Convert a number, or hexadecimal text with or without ``0x``, to text with ``0x``."""
        try:
            # `int` alone would accept spaces and underscores.
            text = value if isinstance(value, str) and value.isalnum() else ""
            modulus = int(text, 16) if isinstance(value, str) else value
        except ValueError:
            modulus = 0
        if type(modulus) is not int or modulus not in self.allowed(nbits):
            allowed = self.describe_allowed(nbits)
            raise ValueError(f"{self.name}={value}: {allowed} allowed at {nbits} bits")
        return hex(modulus)

    def describe_allowed(self, nbits: int) -> str:
        return f"2 to {hex((1 << nbits) - 1)} in hexadecimal"


#: Modulus of a circuit for one modulus; by default the largest member of Vassoler's family (section
#: 4.1) that fits: (2**nbits - 1) / 3 at even widths.
MODULUS = ModulusParameter(
    "modulus",
    lambda nbits: hex(family_member(nbits // 2 * 2)),
    lambda nbits: range(2, 1 << nbits),
    "the modulus that the circuit is for, in hexadecimal",
)
