"""Blocks that divide."""

from __future__ import annotations

from rsaxcel.lab.proofs.blocks.block import Block, BlockPort, Specification
from rsaxcel.rtl.lib.aligning_divider import AligningDivider
from rsaxcel.rtl.lib.divider import Divider, check_divider


def _ports(n: int) -> tuple[tuple[BlockPort, ...], tuple[BlockPort, ...]]:
    inputs = (BlockPort("high", n), BlockPort("low", n), BlockPort("divisor", n))
    return inputs, (BlockPort("quotient", n), BlockPort("remainder", n))


_RIGHT = (
    "DIVISOR == 0 ? (QUOTIENT == {ones} && REMAINDER == LOW) : "
    "(QUOTIENT*DIVISOR + REMAINDER == HIGH*{weight} + LOW && REMAINDER < DIVISOR)"
)


def _divider(n: int, bits_per_cycle: int, skip_nbits: int) -> Specification:
    check_divider(n, n, bits_per_cycle, skip_nbits)
    return Specification(
        lambda: Divider(n, n, bits_per_cycle, skip_nbits),
        *_ports(n),
        _RIGHT.format(ones=(1 << n) - 1, weight=1 << n),
        "HIGH < DIVISOR || (HIGH == 0 && DIVISOR == 0)",
        cycles=n // bits_per_cycle + 1,
        stream=True,
        fixed=not skip_nbits,
    )


def _aligning_divider(n: int, bits_per_cycle: int) -> Specification:
    check_divider(n, n, bits_per_cycle)
    return Specification(
        lambda: AligningDivider(n, n, bits_per_cycle),
        *_ports(n),
        _RIGHT.format(ones=(1 << n) - 1, weight=1 << n),
        "HIGH == 0",
        cycles=2 * (n // bits_per_cycle) + 2,
        stream=True,
        fixed=False,
    )


_MEANING = (
    "quotient * divisor + remainder = dividend and remainder < divisor; by 0, as in RISC-V: a "
    "quotient of ones, and the dividend as remainder"
)

DIVIDERS = (
    Block(
        "divider",
        _MEANING,
        _divider,
        params={"bits_per_cycle": 1, "skip_nbits": 0},
        variants=({}, {"bits_per_cycle": 4}, {"skip_nbits": 2}),
    ),
    Block(
        "aligning_divider",
        _MEANING,
        _aligning_divider,
        params={"bits_per_cycle": 1},
        variants=({}, {"bits_per_cycle": 2}),
    ),
)
