"""Vassoler: reductions on their own (figures 24 to 26), and repeated products (algorithm 3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rsaxcel.eval.facts.fact import CELLS
from rsaxcel.eval.measure.cycles import workload
from rsaxcel.eval.measure.flows import AS_FAST_AS_CAN_BE_NS, outline
from rsaxcel.eval.measure.job import Measurement
from rsaxcel.eval.report.spec import Column, Panel, Plot, Row, Table
from rsaxcel.fl.pseudo_modulus import FAMILY_COFACTOR, family_member

REDUCERS = ("compressor_tree_reducer", "remainder_reducer")
LENGTHS = (8, 16, 24, 30)
"""Widths in bits of the pseudo-moduli 3m; m has a bit less, in a circuit of the same width."""

INPUT_NBITS = 32
MODULI: dict[str, Callable[[int], int]] = {
    "m": family_member,
    "3m": lambda nbits: FAMILY_COFACTOR * family_member(nbits),
}
EXCESS: dict[str, Callable[[int], int]] = {
    f"{INPUT_NBITS} bits": lambda nbits: INPUT_NBITS - nbits,
    "nbits + 1 bits": lambda nbits: 1,
}
"""Bits by which an operand is wider than the circuit's modulus, by the operand's width in words."""

COUNTED, COUNTED_NBITS = "dm_r2l_shared", 32
"""Design with products of one cycle, so that its cycles count the products; and its width."""

REPEATED = {"schedule": "repeated", "exponent_nbits": 17}
EXPONENTS = {"exponent_17": 17, "exponent_65537": 65537}
_CLOCK = AS_FAST_AS_CAN_BE_NS


def _choices(nbits: int, kind: str, excess: Callable[[int], int]) -> dict[str, Any]:
    return {"modulus": hex(MODULI[kind](nbits)), "excess_nbits": excess(nbits)}


def measurements(max_nbits: int, library: str) -> list[Measurement]:
    """Measurements of the reducers, and of the cycles of repeated products and of a binary scan."""
    found = [
        outline(name, nbits, library, **_choices(nbits, kind, excess))
        for nbits in LENGTHS
        if nbits <= max_nbits
        for kind in MODULI
        for excess in EXCESS.values()
        for name in REDUCERS
    ]
    if max_nbits >= COUNTED_NBITS:
        asked: Any = {"exponents": EXPONENTS, "operands": 1}
        compositions: tuple[Any, ...] = ({}, REPEATED)
        found += [workload(COUNTED, COUNTED_NBITS, **asked, **x) for x in compositions]
    return found


def _panel(quantity: str, title: str, excess: Callable[[int], int]) -> Panel:
    """Panel over the width: one line for each reducer and kind of modulus."""
    series = [
        Column(f"{x}, modulo {y}", {"subject": x, "choices": {"modulus": y}})
        for x in REDUCERS
        for y in MODULI
    ]
    points = [
        {"nbits": n, "choices": lambda x, n=n: _choices(n, x["modulus"], excess)} for n in LENGTHS
    ]
    where = {"library": CELLS, "clock_ns": _CLOCK}
    return Panel("nbits", quantity, series, points, where, title, log="xy")


PLOTS = (
    Plot(
        "vassoler_reductions",
        "Reductions modulo m and 3m over the width (figures 24 to 26)",
        "Delay of a reduction by a tree and by an operator, over the width of the pseudo-modulus, "
        "for operands of 32 bits and for operands one bit wider than the pseudo-modulus.",
        [
            (_panel("critical_path_ns", f"operands of {name}", excess),)
            for name, excess in EXCESS.items()
        ],
        7.2,
        ("vassoler_reductions",),
    ),
)
TABLES = (
    Table(
        "vassoler_repeated",
        "Repeated products (algorithm 3) and a binary scan (algorithm 5), one multiplier",
        [
            Column("r2l", {"choices": {}}, label="right-to-left binary"),
            Column("repeated", {"choices": REPEATED}, label="repeated"),
        ],
        [
            Row("cycles", {"operation": x}, label=f"e = {e}", prints=False, key=x)
            for x, e in EXPONENTS.items()
        ],
        {"subject": COUNTED, "nbits": COUNTED_NBITS},
        ("vassoler_repeated",),
    ),
)
NOTES = {
    "vassoler_reductions": f"""Combinational reductions on their own, at
        {", ".join(map(str, LENGTHS))} bits, from port to port, synthesized for {_CLOCK} ns, which
        none can meet. Moduli m = (2^nbits - 1) / 3 and pseudo-moduli 3m, as in the document, whose
        tests 2 to 16 have n = 2 to 30. There and here the operand has 32 bits, or a bit more than
        the modulus; there the operator alone was tried in this second form, and the device is a
        Cyclone V, whose figures are curves without numbers. An operand is below 2^k times
        the modulus here, where k is the difference of the widths. Figure 27, products by the
        operator of operands that are wider than the modulus, has no counterpart: operands of our
        multipliers are residues, as in figures 28 and 29.""",
    "vassoler_repeated": f"""Cycles of an exponentiation with {COUNTED} at {COUNTED_NBITS} bits,
        whose product takes a cycle. The document says that algorithm 3 needs O(e) products; its
        designs scan the exponent bit by bit (algorithms 5 and 6), and it prints no figure of
        algorithm 3.""",
}
