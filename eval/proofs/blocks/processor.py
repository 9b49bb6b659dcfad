"""Multiplier and divider of the processor: arithmetic that the claims ``instruction`` leave out."""

from __future__ import annotations

from eval.proofs.blocks.block import Block, Port, Specification
from proc.isa import XLEN
from proc.pipeline.muldiv import MulDiv
from rtl.lib.multiplier import Multiplier


def _multiplier(n: int) -> Specification:
    inputs = (Port("a", n), Port("b", n))
    return Specification(lambda: Multiplier(n), inputs, (Port("product", 2 * n),), "PRODUCT == A*B")


def _wide(x: str, signed: bool) -> str:
    return f"64'($signed({x}))" if signed else f"64'({x})"


def _high(a_signed: bool, b_signed: bool) -> str:
    return f"32'(({_wide('a', a_signed)} * {_wide('b', b_signed)}) >> 32)"


_OVERFLOW = "(a == 32'h80000000 && b == 32'hffffffff)"
# Result of each value of funct3, as the RISC-V manual defines it.
_RESULTS = (
    "32'(a * b)",
    _high(True, True),
    _high(True, False),
    _high(False, False),
    f"(b == 0 ? 32'hffffffff : {_OVERFLOW} ? a : 32'($signed(a) / $signed(b)))",
    "(b == 0 ? 32'hffffffff : a / b)",
    f"(b == 0 ? a : {_OVERFLOW} ? 32'd0 : 32'($signed(a) % $signed(b)))",
    "(b == 0 ? a : a % b)",
)


def _operand(name: str, n: int) -> str:
    """Give the formula of an operand: n bits with a sign, at the bottom or at the top."""
    return f"({name}_TOP != 0 ? ({name} << {XLEN - n}) : {name})"


def _muldiv(n: int, bits_per_cycle: int, aligning: int) -> Specification:
    kind = "aligning" if aligning else "skipping"
    chosen = "".join(f"funct3 == {k} ? {x} : " for k, x in enumerate(_RESULTS)) + "32'd0"
    return Specification(
        lambda: MulDiv(kind, bits_per_cycle),
        (
            *(Port("x", n, signed=True), Port("y", n, signed=True)),
            *(Port("x_top", 1), Port("y_top", 1), Port("funct3", 3)),
            Port("a", XLEN, formula=_operand("X", n)),
            Port("b", XLEN, formula=_operand("Y", n)),
        ),
        (Port("result", XLEN),),
        f"result == ({chosen})",
        cycles=2 * (XLEN // bits_per_cycle) + 2 if aligning else XLEN // bits_per_cycle + 2,
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
        nbits=6,
        most_nbits=9,
        params={"bits_per_cycle": 2, "aligning": 0},
        variants=({}, {"aligning": 1}),
    ),
)
