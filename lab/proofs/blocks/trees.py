"""Blocks that add up many numbers: carry-save adders, compressors, prefix adders, reductions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rsaxcel.lab.proofs.blocks.block import Block, BlockPort, Specification, congruent, total
from rsaxcel.plan.compressors import plan_product, plan_residue, plan_square
from rsaxcel.plan.compressors.netlist import COMPRESSOR_5_3
from rsaxcel.rtl.lib.carry_save import CarrySave, CarrySaveTree
from rsaxcel.rtl.lib.compressors import (
    BANKS,
    BrentKungAdder,
    ModularProduct,
    ModularResidue,
    ModularSquare,
)
from rsaxcel.rtl.lib.prefix_carries import PrefixCarries

#: Default modulus of the circuits for one modulus: of 8 bits, not near a power of two.
_MODULUS = 239


def _carry_save(n: int) -> Specification:
    return Specification(
        lambda: CarrySave(n),
        (BlockPort("x", n), BlockPort("y", n), BlockPort("z", n), BlockPort("carry_in", 1)),
        (BlockPort("sum", n), BlockPort("carry", n)),
        congruent("SUM + CARRY", "X + Y + Z + CARRY_IN", n),
    )


def _carry_save_tree(n: int, rows: int, left: int) -> Specification:
    if not 2 <= left < rows:
        raise ValueError(f"left={left}: 2 to {rows - 1} are allowed")
    inputs = BlockPort("rows", n, count=rows), BlockPort("carry_in", 1, count=min(rows - left, 2))
    outputs = (BlockPort("sums", n, count=left),)
    added, sums = (
        total([name.upper() for port in ports for name in port.names()])
        for ports in (inputs, outputs)
    )
    return Specification(
        lambda: CarrySaveTree(n, rows, left), inputs, outputs, congruent(added, sums, n)
    )


def _compressors_5_3(n: int) -> Specification:
    names = ("x", "y", "z", "v", "w")
    bits = (
        "({} == {})".format(
            total([f"(({name.upper()} >> {i}) & 1)" for name in names]),
            total(
                [
                    f"{weight} * (({name} >> {i}) & 1)"
                    for name, weight in (("SUM", 1), ("CARRY", 2), ("CARRY_4", 4))
                ]
            ),
        )
        for i in range(n)
    )
    return Specification(
        lambda: BANKS[COMPRESSOR_5_3](n),
        tuple(BlockPort(name, n) for name in names),
        (BlockPort("sum", n), BlockPort("carry", n), BlockPort("carry_4", n)),
        " && ".join(bits),
    )


def _prefix_carries(n: int) -> Specification:
    return Specification(
        lambda: PrefixCarries(n),
        (BlockPort("makes", n), BlockPort("passes", n)),
        (BlockPort("carries", n),),
        "CARRIES == (MAKES | (PASSES & (2*CARRIES)))",
    )


def _brent_kung_adder(n: int) -> Specification:
    return Specification(
        lambda: BrentKungAdder(n),
        (BlockPort("a", n), BlockPort("b", n), BlockPort("carry_in", 1)),
        (BlockPort("sum", n), BlockPort("carry", 1)),
        f"{1 << n} * CARRY + SUM == A + B + CARRY_IN",
    )


def _modular(component: Callable[..., Any], plan: Callable[..., Any], value: str) -> Callable:
    names = [name for name in ("a", "b", "x") if name.upper() in value]

    def at(n: int, modulus: int) -> Specification:
        if modulus.bit_length() > n or modulus < 2:
            raise ValueError(f"modulus={modulus}: 2 to {(1 << n) - 1} are allowed")
        made = plan(modulus, n) if names == ["x"] else plan(modulus)
        largest = (modulus - 1) ** 2 if names != ["x"] else (1 << n) - 1
        multiples = (f"{value} == R + {k * modulus}" for k in range(largest // modulus + 1))
        legal = [f"{name.upper()} < {modulus}" for name in names if name != "x"]
        return Specification(
            lambda: component(made),
            tuple(BlockPort(name, made.nbits) for name in names),
            (BlockPort("r", made.result_nbits),),
            f"R < {modulus} && ({' || '.join(multiples)})",
            " && ".join(legal) or "1",
        )

    return at


TREES = (
    Block("carry_save", "sum + carry = x + y + z + carry_in, modulo 2^nbits", _carry_save),
    Block(
        "carry_save_tree",
        "the rows at the output add up to the rows and carries at the input, modulo 2^nbits",
        _carry_save_tree,
        params={"rows": 4, "left": 2},
        variants=({}, {"rows": 5}),
    ),
    Block(
        "compressors_5_3",
        "in each position, x + y + z + v + w = sum + 2 * carry + 4 * carry_4",
        _compressors_5_3,
        most_nbits=16,
    ),
    Block(
        "prefix_carries",
        "each carry is made in its position, or passed on from the one below",
        _prefix_carries,
        most_nbits=16,
    ),
    Block(
        "brent_kung_adder",
        "2^nbits * carry + sum = a + b + carry_in",
        _brent_kung_adder,
        most_nbits=16,
    ),
    Block(
        "modular_product",
        "r = a * b mod the constant modulus",
        _modular(ModularProduct, plan_product, "A*B"),
        params={"modulus": _MODULUS},
        variants=tuple({"modulus": m} for m in (_MODULUS, 129, 170, 255)),
    ),
    Block(
        "modular_square",
        "r = a * a mod the constant modulus",
        _modular(ModularSquare, plan_square, "A*A"),
        params={"modulus": _MODULUS},
    ),
    Block(
        "modular_residue",
        "r = x mod the constant modulus",
        _modular(ModularResidue, plan_residue, "X"),
        nbits=16,
        most_nbits=16,
        params={"modulus": _MODULUS},
    ),
)
