"""What brings the last result below the modulus, by the tokens with which it is chosen."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fl.programs import Reduction
from rtl.reductions.compressor_tree import CompressorTree
from rtl.reductions.remainder import Remainder
from rtl.reductions.subtraction import Subtraction


@dataclass(frozen=True)
class ReductionKind:
    """A way to reduce.

    Parameters
    ----------
    meaning : str
        In words, for users.
    circuit : type
        Combinational component.
    steps : callable
        Excess in bits to the cycles that it takes.
    for_constant : bool
        Whether it is for one modulus only, which is its parameter.
    """

    meaning: str
    circuit: type
    steps: Callable[[int], int]
    for_constant: bool = False

    def build(self, excess_nbits: int, modulus: int) -> Reduction:
        """Give the reduction of results below ``2**excess_nbits`` times the modulus."""
        params = (("modulus", hex(modulus)),) if self.for_constant else ()
        return Reduction(excess_nbits, self.steps(excess_nbits), self.circuit, params)


REDUCTIONS: Mapping[str, ReductionKind] = {
    "subtraction": ReductionKind(
        "multiples of the modulus are subtracted, one a cycle", Subtraction, lambda excess: excess
    ),
    "compressor_tree": ReductionKind(
        "a tree of compressors for the one modulus", CompressorTree, lambda excess: 1, True
    ),
    "remainder": ReductionKind(
        "a combinational remainder by the one modulus", Remainder, lambda excess: 1, True
    ),
}
"""Every way by its token."""


def reductions_for(constant_modulus: int) -> tuple[str, ...]:
    """Tokens of those that fit; what is made for one modulus comes first."""
    fitting = [t for t, kind in REDUCTIONS.items() if constant_modulus or not kind.for_constant]
    return tuple(sorted(fitting, key=lambda token: not REDUCTIONS[token].for_constant))
