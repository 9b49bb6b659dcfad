"""Multiplier and divider of the processor: arithmetic that the claims ``instruction`` leave out."""

from __future__ import annotations

from rsaxcel.lab.proofs.blocks.block import Block, BlockPort, Specification
from rsaxcel.proc.isa import XLEN
from rsaxcel.proc.pipeline.muldiv import MulDiv
from rsaxcel.rtl.lib.multiplier import Multiplier


def _multiplier(n: int) -> Specification:
    inputs = (BlockPort("a", n), BlockPort("b", n))
    return Specification(
        lambda: Multiplier(n), inputs, (BlockPort("product", 2 * n),), "PRODUCT == A*B"
    )


_SIGNED_DIVISION = "(funct3 == 4 || funct3 == 6)"
#: Parts from which the results are made: the product of the operands as signed or unsigned numbers,
#: and quotient and remainder of their magnitudes.
_PARTS = (
    BlockPort(
        "p",
        2 * XLEN,
        formula="64'($signed({(funct3 == 1 || funct3 == 2) && a[31], a})) * "
        "64'($signed({funct3 == 1 && b[31], b}))",
    ),
    BlockPort("u", XLEN, formula=f"{_SIGNED_DIVISION} && a[31] ? -a : a"),
    BlockPort("v", XLEN, formula=f"{_SIGNED_DIVISION} && b[31] ? -b : b"),
    BlockPort("q", XLEN, formula="u / v"),
    BlockPort("r", XLEN, formula="u % v"),
)
#: Result of each value of funct3, as the RISC-V manual defines it. The quotient is rounded towards
#: zero; the remainder has the sign of the dividend.
_RESULTS = (
    "p[31:0]",
    *3 * ("p[63:32]",),
    "(b == 0 ? 32'hffffffff : a[31] != b[31] ? -q : q)",
    "(b == 0 ? 32'hffffffff : q)",
    "(b == 0 ? a : a[31] ? -r : r)",
    "(b == 0 ? a : r)",
)


def _operand(name: str, n: int) -> str:
    """Return the formula of a signed operand: the lowest n bits, or the highest (``_TOP``)."""
    return f"({name}_TOP != 0 ? ({name} << {XLEN - n}) : {name})"


def _muldiv(n: int, bits_per_cycle: int, aligning: int) -> Specification:
    kind = "aligning" if aligning else "skipping"
    chosen = "".join(f"funct3 == {k} ? {x} : " for k, x in enumerate(_RESULTS)) + "32'd0"
    return Specification(
        lambda: MulDiv(kind, bits_per_cycle),
        (
            BlockPort("x", n, signed=True),
            BlockPort("y", n, signed=True),
            BlockPort("x_top", 1),
            BlockPort("y_top", 1),
            BlockPort("funct3", 3),
            BlockPort("a", XLEN, formula=_operand("X", n)),
            BlockPort("b", XLEN, formula=_operand("Y", n)),
            *_PARTS,
        ),
        (BlockPort("result", XLEN),),
        f"result == ({chosen})",
        cycles=2 * (XLEN // bits_per_cycle) + 3 if aligning else XLEN // bits_per_cycle + 2,
        stream=True,
        fixed=False,
    )


PROCESSOR = (
    Block("multiplier", "the product is a * b, unsigned", _multiplier),
    Block(
        "muldiv",
        "products, quotients and remainders of RISC-V's M extension, of 32-bit operands that are a "
        "number with a sign in this many bits, or that number in the highest bits",
        _muldiv,
        nbits=4,
        most_nbits=9,
        params={"bits_per_cycle": 2, "aligning": 0},
        variants=({}, {"aligning": 1}),
    ),
)
