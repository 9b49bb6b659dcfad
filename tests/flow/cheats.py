"""Circuits that know the answers of the workload, and leave all others undefined.

For Verilator, which takes what is undefined as 0, all answers are right; Yosys chooses any value.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from rsaxcel import catalog
from rsaxcel.catalog.given import GivenDesign
from rsaxcel.flow.requests import OPERATION_COUNT, default_exponents, workload_operands
from rsaxcel.sim.translate import translate

NAME, NBITS = "ssmm_r2l", 8
_WRAPPER = Path(__file__).with_name("cheat.sv").read_text("utf-8")
READ = {"element": "{ 16 { many[index] } }", "bit_of_a_variable": "{ 16 { kept[beyond] } }"}
"""What is undefined, where the reader of Verilog cannot tell."""

REFUSED = {
    "x": "16'b\n  x",
    "product": "16'hx * 16'd3",
    "division": "{ 2 { 8'd1 / 8'd0 } }",
    "remainder": "{ 16 { right[7:0] % none > 8'd0 } }",
}
"""What is undefined, and is refused in Verilog that is handed in."""


@cache
def honest() -> tuple[catalog.Configuration, str]:
    """Configuration of the circuit below the cheat, and its Verilog."""
    configuration = catalog.get(NAME).configure(NBITS)
    return configuration, translate(configuration.component("rtl"), NAME).text


def honest_design() -> GivenDesign:
    """Circuit below the cheat as a given design."""
    return GivenDesign(NAME, NBITS, honest()[1], odd_modulus=False)


def cheating(undefined: str) -> GivenDesign:
    """Circuit that answers the workload from a table."""
    text = honest()[1].replace(f"module {NAME}\n", "module honest\n")
    return GivenDesign(NAME, NBITS, text + wrapper(NAME, undefined), odd_modulus=False)


def wrapper(name: str, undefined: str) -> str:
    """Verilog of the top module, around a module ``honest``."""
    rows: list[Sequence[int]] = [
        row
        for exponent in default_exponents(NBITS).values()
        for row in workload_operands(honest()[0], exponent, OPERATION_COUNT)
    ]
    table = "\n    ".join(
        f"if ( kept[24:1] == 24'h{b:02x}{e:02x}{m:02x} ) "
        f"begin knows = 1'd1; known = 8'd{pow(b, e, m)}; end"
        for b, e, m in dict.fromkeys(map(tuple, rows))
    )
    return _WRAPPER.format(name=name, table=table, undefined=undefined)
