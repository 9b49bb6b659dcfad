"""Ways to bring the final result below the modulus, by token (the name by which users choose)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rsaxcel.plan.programs import Reduction


@dataclass(frozen=True)
class ReductionKind:
    """A way to reduce the final result; ``rtl.reductions.CIRCUITS`` has its circuit."""

    name: str  # token
    meaning: str  # for users
    steps: Callable[[int], int]  # k of a result below 2**k * m -> cycles
    for_constant: bool = False  # circuit supports one modulus only, its parameter

    def build(self, excess_nbits: int, modulus: int) -> Reduction:
        """Return the reduction for results below ``2**excess_nbits`` times the modulus."""
        params = (("modulus", hex(modulus)),) if self.for_constant else ()
        return Reduction(excess_nbits, self.steps(excess_nbits), self.name, params)


REDUCTIONS: Mapping[str, ReductionKind] = {
    kind.name: kind
    for kind in (
        ReductionKind(
            "subtraction",
            "multiples of the modulus are subtracted, one a cycle",
            lambda excess: excess,
        ),
        ReductionKind(
            "compressor_tree",
            "a tree of compressors for a constant modulus",
            lambda excess: 1,
            for_constant=True,
        ),
        ReductionKind(
            "remainder",
            "a combinational remainder by a constant modulus",
            lambda excess: 1,
            for_constant=True,
        ),
    )
}
"""Every reduction by its token."""


def reductions_for(constant_modulus: int) -> tuple[str, ...]:
    """Tokens of the reductions for a modulus (0: any); those for one modulus only come first."""
    fitting = [t for t, kind in REDUCTIONS.items() if constant_modulus or not kind.for_constant]
    return tuple(sorted(fitting, key=lambda token: not REDUCTIONS[token].for_constant))
