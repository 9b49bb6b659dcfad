"""``Block``: a component of ``rtl`` with a specification by hand, as Verilog formulas on integers.

In a formula, the name of a port in capitals is the integer at that port: ``S_OUT`` is the value of
the port ``s_out``. Element i of a list of ports ``rows`` is ``ROWS_0``, ``ROWS_1``, ... These
integers have ``VALUE_NBITS`` bits, which is enough for the sums and products of the formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rsaxcel.eval.proofs.limits import check_parameters, check_width
from rsaxcel.store.errors import UserError

VALUE_NBITS = 32
"""Width of the integers in formulas, which are signed."""


@dataclass(frozen=True)
class Port:
    """A port of a block, or a list of ports.

    Parameters
    ----------
    name
        Name in the component; of a stream's message: name of the field.
    nbits
        Width in bits.
    signed
        Whether the number is signed.
    count
        Number of ports in the list; 0: one port.
    formula
        Of an input that follows from other inputs: its value.
    """

    name: str
    nbits: int
    signed: bool = False
    count: int = 0
    formula: str = ""

    def names(self) -> list[str]:
        """Name of each port in the list."""
        return [f"{self.name}_{i}" for i in range(self.count)] if self.count else [self.name]


@dataclass(frozen=True)
class Specification:
    """Ports of a block at a width, and what it computes.

    Parameters
    ----------
    component
        Makes the component.
    inputs, outputs
        Ports; those that come first change fastest in an enumeration.
    right
        Formula: the outputs are right.
    legal
        Formula: inputs for which the outputs have to be right.
    cycles
        Clock cycles, while the inputs stay, until the outputs are right; of a stream: from the
        request to the latest response.
    stream
        Whether the ports are the fields of the messages ``recv`` and ``send``.
    fixed
        Of a stream: whether each response comes after exactly ``cycles`` cycles.
    """

    component: Callable[[], Any]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    right: str
    legal: str = "1"
    cycles: int = 0
    stream: bool = False
    fixed: bool = True


@dataclass(frozen=True)
class Block:
    """A component that can be specified at any width.

    Parameters
    ----------
    name
        Name, as users type it.
    statement
        What it computes, in one line.
    at
        Returns the specification for a width in bits and the values of the parameters.
    nbits
        Width of the standard claim.
    most_nbits, least_nbits
        Largest and smallest width for which a proof is tried.
    params
        Default value of each parameter.
    variants
        Parameters of the standard claims that differ from the defaults.
    """

    name: str
    statement: str
    at: Callable[..., Specification]
    nbits: int = 8
    most_nbits: int = 10
    least_nbits: int = 2
    params: Mapping[str, int] = field(default_factory=dict)
    variants: tuple[Mapping[str, int], ...] = ({},)

    def specified(self, nbits: int, params: Mapping[str, int]) -> Specification:
        """Specification at a width.

        Raises
        ------
        UserError
            If the width or a parameter is not allowed.
        """
        check_width(self.name, nbits, self.least_nbits, self.most_nbits)
        check_parameters(self.name, params, self.params)
        try:
            return self.at(nbits, **{**self.params, **params})
        except ValueError as error:
            raise UserError(str(error)) from error


def total(terms: Iterator[str] | list[str]) -> str:
    """Give the formula of a sum."""
    return f"({' + '.join(terms)})"


def congruent(x: str, y: str, nbits: int) -> str:
    """Give the formula that two integers are equal modulo a power of two."""
    return f"((({x}) - ({y})) & {(1 << nbits) - 1}) == 0"
