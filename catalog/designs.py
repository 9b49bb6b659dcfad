"""Designs: what the registry lists, with the designs of the documents and of this project.

A multiplier is registered with the first design that uses it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rsaxcel import cl, fl, rtl
from rsaxcel.catalog.choices import check_width, refuse_parameter, resolve
from rsaxcel.catalog.configuration import (
    Configuration,
    MultiplierConfiguration,
    configuration_class,
)
from rsaxcel.catalog.multipliers import check_outside, design_widths
from rsaxcel.catalog.units import BuiltIn, Classes, Unit
from rsaxcel.cl import multipliers as cl_multipliers
from rsaxcel.fl import multipliers as fl_multipliers
from rsaxcel.plan.parameters import Parameter, parse_parameters
from rsaxcel.rtl import multipliers as rtl_multipliers

DEFAULT_NBITS = 32  # default width of operands in bits


class Entry:
    """What the registry lists: a name for circuits of several widths."""

    if TYPE_CHECKING:

        @property
        def widths(self) -> range:
            """Widths of operands that are supported, in bits."""

        def configure(self, nbits: int, /, **params: Any) -> Any:
            """Make the circuit of a width; ``ValueError`` lists the allowed values."""

    @property
    def default_nbits(self) -> int:
        """Width of operands in bits that is nearest to ``DEFAULT_NBITS``."""
        return max(self.widths[0], min(DEFAULT_NBITS, self.widths[-1]))

    @property
    def default(self) -> Any:
        """The circuit with its default parameters, at its default width."""
        return self.configure(self.default_nbits)


@dataclass(frozen=True)
class Design(Entry):
    """An exponentiator with a name: one choice on each axis; ``resolve`` derives the empty ones."""

    id: int  # stable, at least 1: software tells accelerators apart by it; 0: not in the registry
    name: str
    summary: str  # one line
    multiplier: Classes  # of every lane
    schedule: str  # key of plan.schedules.SCHEDULES
    lanes: int
    source: str  # document with section or algorithm
    conversions: str = ""  # where they run; see plan.domains.montgomery
    r_squared: str = ""  # source of R**2 mod m
    one: str = ""  # source of R mod m
    # "pseudo_modulus", "crt"; empty: Montgomery if the multiplier divides by R, else plain
    domain: str = ""
    reduction: str = ""  # key of catalog.choices.REDUCTIONS; empty: the first one that fits

    @property
    def widths(self) -> range:
        """Widths of operands that are supported, in bits."""
        return design_widths(self.multiplier.fl)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of multiplier, domain, units that compute constants of m, and schedule."""
        return resolve(self, self.default_nbits, {}).parameters

    def configure(self, nbits: int = DEFAULT_NBITS, /, **params: Any) -> Configuration:
        """Make a configuration of the design; width, choices and parameters are checked.

        ``params`` holds choices on the axes, and parameters, each as a value or as text;
        ``ValueError`` lists the allowed values.
        """
        choices = resolve(self, nbits, params)
        return configuration_class(choices)(self, nbits, choices)


@dataclass(frozen=True)
class MultiplierEntry(Entry):
    """A multiplier of the registry, to be simulated and synthesized alone."""

    classes: Classes

    @property
    def name(self) -> str:
        return self.classes.name

    @property
    def summary(self) -> str:
        """One line of text."""
        doc = (self.classes.fl.__doc__ or "").partition("\n")[0]
        return doc.replace("``", "").rstrip(".")

    @property
    def source(self) -> str:
        """Where the multiplier comes from."""
        return self.classes.fl.source

    @property
    def widths(self) -> range:
        return self.classes.fl.widths

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return self.classes.fl.parameters

    def configure(self, nbits: int = DEFAULT_NBITS, /, **params: Any) -> MultiplierConfiguration:
        """Make a configuration of the multiplier; width and parameters (or texts) are checked."""
        check_width(nbits, self.widths, self.name)
        check_outside(self.classes)
        left = dict(params)
        values = parse_parameters(self.parameters, left, nbits)
        for name, value in left.items():
            refuse_parameter(name, value, self.name, [p.name for p in self.parameters])
        return MultiplierConfiguration(self, nbits, Unit(self.classes, values))


_LEVELS = fl_multipliers, cl_multipliers, rtl_multipliers

MUL_REM = BuiltIn("mul_rem", _LEVELS, lambda at: at.mul_rem.MulRem)
MONT_MUL_REM = BuiltIn("mont_mul_rem", _LEVELS, lambda at: at.mont_mul_rem.MontMulRem)
MONT_RED = BuiltIn("mont_red", _LEVELS, lambda at: at.mont_red.MontRed)
MONT_MUL = BuiltIn("mont_mul", _LEVELS, lambda at: at.mont_mul.MontMul)
MONT_MUL_CSA = BuiltIn("mont_mul_csa", _LEVELS, lambda at: at.mont_mul_csa.MontMulCsa)
MONT_ORUP = BuiltIn("mont_orup", _LEVELS, lambda at: at.mont_orup.MontOrup)
SSMM = BuiltIn("ssmm", _LEVELS, lambda at: at.ssmm.Ssmm)
SYSTOLIC = BuiltIn("systolic", _LEVELS, lambda at: at.systolic.Systolic)
DIGIT_SERIAL = BuiltIn("digit_serial", _LEVELS, lambda at: at.digit_serial.DigitSerial)
COMPRESSOR_TREE = BuiltIn("compressor_tree", _LEVELS, lambda at: at.compressor_tree.CompressorTree)
DIRECT = BuiltIn("direct", _LEVELS, lambda at: at.direct.Direct)
MONT_MUL_UNREDUCED = BuiltIn(
    "mont_mul_unreduced", _LEVELS, lambda at: at.mont_mul_unreduced.MontMulUnreduced
)

BUILT_IN: tuple[Design, ...] = (
    Design(
        id=1,
        name="mulrem_r2l",
        summary="product and remainder, two in parallel (RSAXcel)",
        multiplier=MUL_REM,
        schedule="r2l",
        lanes=2,
        source="McNay 2023, section 3.1, figures 5 to 7",
    ),
    Design(
        id=2,
        name="mont_r2l",
        summary="unrolled, pipelined Montgomery products in five units (RSAMontXcel)",
        multiplier=MONT_MUL_REM,
        conversions="dedicated",
        r_squared="division",
        schedule="r2l",
        lanes=2,
        source="McNay 2023, section 3.2, figures 8 to 14",
    ),
    Design(
        id=3,
        name="mont_r2l_shared",
        summary="unrolled, pipelined Montgomery products, all in one unit",
        multiplier=MONT_MUL_REM,
        r_squared="division",
        schedule="r2l",
        lanes=1,
        source="McNay 2023, section 3.2, with one of its five units",
    ),
    # Li and Chu, algorithms 2 and 4 and section IV: the multipliers of the loop also convert to and
    # from the Montgomery domain. This is the default on the axis ``conversions``.
    Design(
        id=4,
        name="montred_r2l",
        summary="full products with bit-serial Montgomery reduction",
        multiplier=MONT_RED,
        r_squared="ssmm",
        schedule="r2l",
        lanes=2,
        source="Li and Chu, algorithm 2",
    ),
    Design(
        id=5,
        name="montred_r2l_shared",
        summary="full products with bit-serial Montgomery reduction, all in one unit",
        multiplier=MONT_RED,
        r_squared="ssmm",
        schedule="r2l",
        lanes=1,
        source="Li and Chu, algorithm 2, with one of its two multipliers",
    ),
    Design(
        id=6,
        name="montmul_r2l",
        summary="bit-serial Montgomery products",
        multiplier=MONT_MUL,
        r_squared="ssmm",
        schedule="r2l",
        lanes=2,
        source="Li and Chu, algorithm 4",
    ),
    Design(
        id=7,
        name="montmul_r2l_shared",
        summary="bit-serial Montgomery products, all in one unit",
        multiplier=MONT_MUL,
        r_squared="ssmm",
        schedule="r2l",
        lanes=1,
        source="Li and Chu, algorithm 4, with one of its two multipliers",
    ),
    # A doubling unit computes R^2 mod m here: the full-width adders of a shift-sub unit (ssmm)
    # would limit the clock of carry-save multipliers.
    Design(
        id=8,
        name="montmul_csa_r2l",
        summary="bit-serial Montgomery products in carry-save form",
        multiplier=MONT_MUL_CSA,
        r_squared="doubling",
        schedule="r2l",
        lanes=2,
        source="Li and Chu, algorithm 4; section II.B mentions the carry-save form",
    ),
    Design(
        id=9,
        name="montmul_csa_r2l_shared",
        summary="bit-serial Montgomery products in carry-save form, all in one unit",
        multiplier=MONT_MUL_CSA,
        r_squared="doubling",
        schedule="r2l",
        lanes=1,
        source="Li and Chu, algorithm 4; section II.B mentions the carry-save form",
    ),
    Design(
        id=10,
        name="ssmm_r2l",
        summary="shift-sub products",
        multiplier=SSMM,
        schedule="r2l",
        lanes=2,
        source="Li and Chu, algorithm 6",
    ),
    Design(
        id=11,
        name="ssmm_r2l_shared",
        summary="shift-sub products, all in one unit",
        multiplier=SSMM,
        schedule="r2l",
        lanes=1,
        source="Li and Chu, algorithm 6, with one of its two multipliers",
    ),
    Design(
        id=12,
        name="systolic_l2r_always",
        summary="Montgomery products in a systolic row of radix-2^k elements",
        multiplier=SYSTOLIC,
        r_squared="host",
        one="host",
        schedule="l2r_always",
        lanes=1,
        source="Morales-Romero et al., algorithms 3 to 5, sections 3 and 4",
    ),
    Design(
        id=13,
        name="digit_serial_r2l",
        summary="Montgomery products digit by digit, two in lock step (P- and Z-processor)",
        multiplier=DIGIT_SERIAL,
        r_squared="host",
        schedule="r2l_every_square",
        lanes=2,
        source="Cilardo et al., algorithms 17.1.1 and 17.1.2, section 17.2",
    ),
    # Vassoler's three multipliers (dm, cm, mm). There are designs with two lanes (figures 16 to 19)
    # and with one lane (figures 37 and 38, "shared"); "pm": modulo a multiple of m.
    Design(
        id=14,
        name="dm_r2l",
        summary="products and remainders by a constant modulus",
        multiplier=DIRECT,
        reduction="remainder",
        schedule="r2l",
        lanes=2,
        source="Vassoler 2023, figure 16",
    ),
    Design(
        id=15,
        name="dm_r2l_shared",
        summary="products and remainders by a constant modulus, all in one unit",
        multiplier=DIRECT,
        reduction="remainder",
        schedule="r2l",
        lanes=1,
        source="Vassoler 2023, figure 37",
    ),
    Design(
        id=16,
        name="cm_r2l",
        summary="compressor-tree products modulo a constant",
        multiplier=COMPRESSOR_TREE,
        schedule="r2l",
        lanes=2,
        source="Vassoler 2023, figure 16",
    ),
    Design(
        id=17,
        name="cm_r2l_shared",
        summary="compressor-tree products modulo a constant, all in one unit",
        multiplier=COMPRESSOR_TREE,
        schedule="r2l",
        lanes=1,
        source="Vassoler 2023, figure 37",
    ),
    Design(
        id=18,
        name="mm_r2l",
        summary="bit-serial Montgomery products without final subtraction",
        multiplier=MONT_MUL_UNREDUCED,
        r_squared="host",
        schedule="r2l",
        lanes=2,
        source="Vassoler 2023, algorithm 6, figure 18",
    ),
    Design(
        id=19,
        name="mm_r2l_shared",
        summary="bit-serial Montgomery products without final subtraction, all in one unit",
        multiplier=MONT_MUL_UNREDUCED,
        r_squared="host",
        schedule="r2l",
        lanes=1,
        source="Vassoler 2023, algorithm 6, on one multiplier",
    ),
    Design(
        id=20,
        name="dm_pm_r2l",
        summary="products and remainders by a pseudo-modulus",
        multiplier=DIRECT,
        domain="pseudo_modulus",
        reduction="remainder",
        schedule="r2l",
        lanes=2,
        source="Vassoler 2023, figure 17",
    ),
    Design(
        id=21,
        name="dm_pm_r2l_shared",
        summary="products and remainders by a pseudo-modulus, all in one unit",
        multiplier=DIRECT,
        domain="pseudo_modulus",
        reduction="remainder",
        schedule="r2l",
        lanes=1,
        source="Vassoler 2023, figure 38",
    ),
    Design(
        id=22,
        name="cm_pm_r2l",
        summary="compressor-tree products modulo a pseudo-modulus",
        multiplier=COMPRESSOR_TREE,
        domain="pseudo_modulus",
        schedule="r2l",
        lanes=2,
        source="Vassoler 2023, figure 17",
    ),
    Design(
        id=23,
        name="cm_pm_r2l_shared",
        summary="compressor-tree products modulo a pseudo-modulus, all in one unit",
        multiplier=COMPRESSOR_TREE,
        domain="pseudo_modulus",
        schedule="r2l",
        lanes=1,
        source="Vassoler 2023, figure 38",
    ),
    Design(
        id=24,
        name="mm_pm_r2l",
        summary="unreduced bit-serial Montgomery products modulo 3m",
        multiplier=MONT_MUL_UNREDUCED,
        r_squared="host",
        domain="pseudo_modulus",
        schedule="r2l",
        lanes=2,
        source="Vassoler 2023, algorithm 6, figure 19",
    ),
    Design(
        id=25,
        name="mm_pm_r2l_shared",
        summary="unreduced bit-serial Montgomery products modulo 3m, all in one unit",
        multiplier=MONT_MUL_UNREDUCED,
        r_squared="host",
        domain="pseudo_modulus",
        schedule="r2l",
        lanes=1,
        source="Vassoler 2023, figure 19, on one multiplier",
    ),
    Design(
        id=26,
        name="orup_window",
        summary="quotient-pipelined Montgomery products of a high radix, in fixed windows",
        multiplier=MONT_ORUP,
        r_squared="host",
        schedule="fixed_window",
        lanes=1,
        source="Orup 1995, with signed digits, residues in digits and fixed windows",
    ),
    Design(
        id=27,
        name="crt_window",
        summary="an RSA private operation by its two primes, on two high-radix lanes",
        multiplier=MONT_ORUP,
        domain="crt",
        schedule="fixed_window",
        lanes=2,
        source="Quisquater and Couvreur 1982 on Orup's products; lanes also reduce and recombine",
    ),
    Design(
        id=28,
        name="crt_window_shared",
        summary="an RSA private operation by its two primes, on one high-radix lane",
        multiplier=MONT_ORUP,
        domain="crt",
        schedule="fixed_window",
        lanes=1,
        source="Quisquater and Couvreur 1982 on Orup's products; one half after the other",
    ),
)
"""Built-in designs, in the order of their numbers."""

_UNITS = (
    BuiltIn("subtraction_reducer", (fl, cl, rtl), lambda at: at.reducers.SubtractionReducer),
    BuiltIn("compressor_tree_reducer", (fl, cl, rtl), lambda at: at.reducers.CompressorTreeReducer),
    BuiltIn("remainder_reducer", (fl, cl, rtl), lambda at: at.reducers.RemainderReducer),
)

REDUCERS = {unit.name: MultiplierEntry(unit) for unit in _UNITS}
"""Every reducer by its name; a reducer is a unit like a multiplier, but no choice on an axis."""
