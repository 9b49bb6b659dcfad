"""``Block``: a component of ``rtl`` with a specification by hand, as Verilog formulas on integers.

In a formula, ``S_OUT`` is the value of the port ``s_out``, and ``ROWS_0``, ... are those of a list;
they have ``VALUE_NBITS`` bits, which is enough for the formulas' sums and products.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rsaxcel.lab.proofs.claim import check_parameters, check_width

VALUE_NBITS = 32  #: width of the integers in formulas, which are signed


@dataclass(frozen=True)
class BlockPort:
    """A port of a block, or a list of ports."""

    name: str  #: name of the port in the component; of a stream: name of the field
    nbits: int
    signed: bool = False
    count: int = 0  #: number of ports in the list; 0: one port
    formula: str = ""  #: value of an input that follows from other inputs

    def names(self) -> list[str]:
        """Name of each port in the list."""
        return [f"{self.name}_{i}" for i in range(self.count)] if self.count else [self.name]


@dataclass(frozen=True)
class Specification:
    """Ports of a block at a width, and what it computes."""

    component: Callable[[], Any]
    inputs: tuple[BlockPort, ...]  #: the first ones change fastest in an enumeration
    outputs: tuple[BlockPort, ...]
    right: str  #: formula that is true if the outputs are right
    legal: str = "1"  #: formula that is true if the outputs have to be right
    cycles: int = 0  #: clock cycles until outputs are right; of a stream, until the latest response
    stream: bool = False  #: ports are the fields of recv and send
    fixed: bool = True  #: each response of a stream comes after exactly `cycles` cycles


@dataclass(frozen=True)
class Block:
    """A component that can be specified at any width."""

    name: str  #: name as users type it
    statement: str  #: result of the component, in one line
    at: Callable[..., Specification]  #: function of a width in bits and parameters
    nbits: int = 8  #: width of the standard claim
    most_nbits: int = 10  #: greatest width for which a proof is tried
    least_nbits: int = 2  #: least width for which a proof is tried
    params: Mapping[str, int] = field(default_factory=dict)  #: parameters with their defaults
    variants: tuple[Mapping[str, int], ...] = ({},)  #: parameters of the standard claims

    def specified(self, nbits: int, params: Mapping[str, int]) -> Specification:
        """Specification at a width; ``ValueError`` if the width or a parameter is not allowed."""
        check_width(self.name, nbits, self.least_nbits, self.most_nbits)
        check_parameters(self.name, params, self.params)
        return self.at(nbits, **{**self.params, **params})


def total(terms: Iterator[str] | list[str]) -> str:
    """Return the formula of a sum."""
    return f"({' + '.join(terms)})"


def congruent(x: str, y: str, nbits: int) -> str:
    """Return the formula that two integers are equal modulo a power of two."""
    return f"((({x}) - ({y})) & {(1 << nbits) - 1}) == 0"
