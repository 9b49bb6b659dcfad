"""Circuits of some twenty lines of hand-written Verilog, which tests make known by their names."""

from pathlib import Path

from rsaxcel.catalog.given import GivenEntry, GivenMultiplierEntry
from rsaxcel.plan.modulus_constants import ModulusConstant, PowerOfTwo

NAME = "tiny_power"

TEXT = Path(__file__).with_name("tiny_power.v").read_text("utf-8")

ENTRY = GivenEntry(
    NAME,
    "squares and multiplies, each in a cycle",
    range(4, 33),
    lambda nbits: TEXT.replace("N = 8", f"N = {nbits}"),
    odd_modulus=False,
)

PRODUCT = "tiny_product"

PRODUCT_TEXT = Path(__file__).with_name("tiny_product.v").read_text("utf-8")

PRODUCT_ENTRY = GivenMultiplierEntry(
    PRODUCT,
    "adds and doubles, once for each bit of b",
    range(4, 65),
    lambda nbits: PRODUCT_TEXT.replace("N = 8", f"N = {nbits}"),
    odd_modulus=False,
)

MONT_NAME = "tiny_mont"

MONT_TEXT = Path(__file__).with_name("tiny_mont.v").read_text("utf-8")

MONT_ENTRY = GivenEntry(
    MONT_NAME,
    "Montgomery's, with R^2 from the host",
    range(4, 33),
    lambda nbits: MONT_TEXT.replace("N = 8", f"N = {nbits}"),
    odd_modulus=True,
    host_constants=lambda nbits: (
        ModulusConstant("r2", nbits, PowerOfTwo(2 * nbits), "R^2 mod m"),
    ),
    exponent_dependent=False,
    base_dependent=False,
)
