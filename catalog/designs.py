"""Designs: entries of the registry, with the designs of the documents and of this project.

A multiplier is registered with the first design that uses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rsaxcel.catalog.choices import check_width, refuse_parameter, resolve
from rsaxcel.catalog.configuration import (
    Configuration,
    MultiplierConfiguration,
    configuration_class,
)
from rsaxcel.catalog.multipliers import check_outside, design_widths
from rsaxcel.catalog.units import BuiltIn, Classes, Unit
from rsaxcel.plan.parameters import Parameter, parse_parameters

DEFAULT_NBITS = 32  #: default width of operands in bits


class Entry:
    """Entry of the registry: a name for circuits of several widths."""

    if TYPE_CHECKING:

        @property
        def widths(self) -> Sequence[int]:
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
    """An exponentiator with a name: one choice on each axis; ``resolve`` derives empty choices."""

    #: number by which software tells accelerators apart: stable, at least 1; 0: not in the registry
    id: int
    name: str
    summary: str
    multiplier: Classes  #: multiplier of every lane
    schedule: str  #: key of plan.schedules.SCHEDULES
    lanes: int
    source: str  #: document with section or algorithm
    conversions: str = ""  #: place of conversions; see plan.domains.montgomery
    r_squared: str = ""  #: source of R**2 mod m
    one: str = ""  #: source of R mod m
    #: "pseudo_modulus", "crt"; empty: Montgomery if the multiplier divides by R, else plain
    domain: str = ""
    reduction: str = ""  #: key of catalog.choices.REDUCTIONS; empty: the first one that fits
    control: str = ""  #: token of the axis ``control``; empty: handshakes start the lanes

    @property
    def widths(self) -> Sequence[int]:
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
        return configuration_class(choices)(self, choices.nbits, choices.multiplier, choices)


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
        """Document from which the multiplier comes."""
        return self.classes.fl.source

    @property
    def widths(self) -> Sequence[int]:
        return self.classes.fl.widths

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return self.classes.fl.parameters

    def configure(self, nbits: int = DEFAULT_NBITS, /, **params: Any) -> MultiplierConfiguration:
        """Make a configuration of the multiplier; width and parameters (or texts) are checked."""
        nbits = check_width(nbits, self.widths, self.name)
        check_outside(self.classes)
        left = dict(params)
        values = parse_parameters(self.parameters, left, nbits)
        for name, value in left.items():
            refuse_parameter(name, value, self.name, [p.name for p in self.parameters])
        return MultiplierConfiguration(self, nbits, Unit(self.classes, values))


MUL_REM = BuiltIn("mul_rem", "multipliers", lambda at: at.MulRem)
MONT_MUL_REM = BuiltIn("mont_mul_rem", "multipliers", lambda at: at.MontMulRem)
MONT_RED = BuiltIn("mont_red", "multipliers", lambda at: at.MontRed)
MONT_MUL = BuiltIn("mont_mul", "multipliers", lambda at: at.MontMul)
MONT_MUL_CSA = BuiltIn("mont_mul_csa", "multipliers", lambda at: at.MontMulCsa)
MONT_ORUP = BuiltIn("mont_orup", "multipliers", lambda at: at.MontOrup)
SSMM = BuiltIn("ssmm", "multipliers", lambda at: at.Ssmm)
SYSTOLIC = BuiltIn("systolic", "multipliers", lambda at: at.Systolic)
DIGIT_SERIAL = BuiltIn("digit_serial", "multipliers", lambda at: at.DigitSerial)
COMPRESSOR_TREE = BuiltIn("compressor_tree", "multipliers", lambda at: at.CompressorTree)
INTERLEAVED = BuiltIn("interleaved", "multipliers", lambda at: at.Interleaved)
DIRECT = BuiltIn("direct", "multipliers", lambda at: at.Direct)
MONT_MUL_UNREDUCED = BuiltIn("mont_mul_unreduced", "multipliers", lambda at: at.MontMulUnreduced)
MONT_MAC = BuiltIn("mont_mac", "multipliers", lambda at: at.MontMac)

#: Columns: number, name, summary; multiplier, schedule, lanes, source; choices that do not follow
#: from the others.
BUILT_IN: tuple[Design, ...] = (
    Design(1, "mulrem_r2l", "product and remainder, two in parallel (RSAXcel)",
           MUL_REM, "r2l", 2, "McNay 2023, section 3.1, figures 5 to 7"),
    Design(2, "mont_r2l", "unrolled, pipelined Montgomery products in five units (RSAMontXcel)",
           MONT_MUL_REM, "r2l", 2, "McNay 2023, section 3.2, figures 8 to 14",
           conversions="dedicated", r_squared="division"),
    Design(3, "mont_r2l_shared", "unrolled, pipelined Montgomery products, all in one unit",
           MONT_MUL_REM, "r2l", 1, "McNay 2023, section 3.2, with one of its five units",
           r_squared="division"),
    # Li and Chu, algorithms 2 and 4 and section IV: the multipliers of the loop also convert to and
    # from the Montgomery domain. This is the default on the axis ``conversions``.
    Design(4, "montred_r2l", "full products with bit-serial Montgomery reduction",
           MONT_RED, "r2l", 2, "Li and Chu, algorithm 2", r_squared="ssmm"),
    Design(5, "montred_r2l_shared",
           "full products with bit-serial Montgomery reduction, all in one unit",
           MONT_RED, "r2l", 1, "Li and Chu, algorithm 2, with one of its two multipliers",
           r_squared="ssmm"),
    Design(6, "montmul_r2l", "bit-serial Montgomery products",
           MONT_MUL, "r2l", 2, "Li and Chu, algorithm 4", r_squared="ssmm"),
    Design(7, "montmul_r2l_shared", "bit-serial Montgomery products, all in one unit",
           MONT_MUL, "r2l", 1, "Li and Chu, algorithm 4, with one of its two multipliers",
           r_squared="ssmm"),
    # A doubling unit computes R^2 mod m here: the full-width adders of a shift-sub unit (ssmm)
    # would limit the clock of carry-save multipliers.
    Design(8, "montmul_csa_r2l", "bit-serial Montgomery products in carry-save form",
           MONT_MUL_CSA, "r2l", 2,
           "Li and Chu, algorithm 4; section II.B mentions the carry-save form",
           r_squared="doubling"),
    Design(9, "montmul_csa_r2l_shared",
           "bit-serial Montgomery products in carry-save form, all in one unit",
           MONT_MUL_CSA, "r2l", 1,
           "Li and Chu, algorithm 4; section II.B mentions the carry-save form",
           r_squared="doubling"),
    Design(10, "ssmm_r2l", "shift-sub products",
           SSMM, "r2l", 2, "Li and Chu, algorithm 6"),
    Design(11, "ssmm_r2l_shared", "shift-sub products, all in one unit",
           SSMM, "r2l", 1, "Li and Chu, algorithm 6, with one of its two multipliers"),
    Design(12, "systolic_l2r_always",
           "Montgomery products in a systolic row of radix-2^k elements",
           SYSTOLIC, "l2r_always", 1, "Morales-Romero et al., algorithms 3 to 5, sections 3 and 4",
           r_squared="host", one="host"),
    Design(13, "digit_serial_r2l",
           "Montgomery products digit by digit, two in lock step (P- and Z-processor)",
           DIGIT_SERIAL, "r2l_every_square", 2,
           "Cilardo et al., algorithms 17.1.1 and 17.1.2, section 17.2", r_squared="host"),
    # Vassoler's three multipliers (dm, cm, mm). There are designs with two lanes (figures 16 to 19)
    # and with one lane (figures 37 and 38, "shared"); "pm": modulo a multiple of m.
    Design(14, "dm_r2l", "products and remainders by a constant modulus",
           DIRECT, "r2l", 2, "Vassoler 2023, figure 16", reduction="remainder"),
    Design(15, "dm_r2l_shared", "products and remainders by a constant modulus, all in one unit",
           DIRECT, "r2l", 1, "Vassoler 2023, figure 37", reduction="remainder"),
    Design(16, "cm_r2l", "compressor-tree products modulo a constant",
           COMPRESSOR_TREE, "r2l", 2, "Vassoler 2023, figure 16"),
    Design(17, "cm_r2l_shared", "compressor-tree products modulo a constant, all in one unit",
           COMPRESSOR_TREE, "r2l", 1, "Vassoler 2023, figure 37"),
    Design(18, "mm_r2l", "bit-serial Montgomery products without final subtraction",
           MONT_MUL_UNREDUCED, "r2l", 2, "Vassoler 2023, algorithm 6, figure 18", r_squared="host"),
    Design(19, "mm_r2l_shared",
           "bit-serial Montgomery products without final subtraction, all in one unit",
           MONT_MUL_UNREDUCED, "r2l", 1, "Vassoler 2023, algorithm 6, on one multiplier",
           r_squared="host"),
    Design(20, "dm_pm_r2l", "products and remainders by a pseudo-modulus",
           DIRECT, "r2l", 2, "Vassoler 2023, figure 17", domain="pseudo_modulus",
           reduction="remainder"),
    Design(21, "dm_pm_r2l_shared", "products and remainders by a pseudo-modulus, all in one unit",
           DIRECT, "r2l", 1, "Vassoler 2023, figure 38", domain="pseudo_modulus",
           reduction="remainder"),
    Design(22, "cm_pm_r2l", "compressor-tree products modulo a pseudo-modulus",
           COMPRESSOR_TREE, "r2l", 2, "Vassoler 2023, figure 17", domain="pseudo_modulus"),
    Design(23, "cm_pm_r2l_shared",
           "compressor-tree products modulo a pseudo-modulus, all in one unit",
           COMPRESSOR_TREE, "r2l", 1, "Vassoler 2023, figure 38", domain="pseudo_modulus"),
    Design(24, "mm_pm_r2l", "unreduced bit-serial Montgomery products modulo 3m",
           MONT_MUL_UNREDUCED, "r2l", 2, "Vassoler 2023, algorithm 6, figure 19", r_squared="host",
           domain="pseudo_modulus"),
    Design(25, "mm_pm_r2l_shared",
           "unreduced bit-serial Montgomery products modulo 3m, all in one unit",
           MONT_MUL_UNREDUCED, "r2l", 1, "Vassoler 2023, figure 19, on one multiplier",
           r_squared="host", domain="pseudo_modulus"),
    Design(26, "orup_window",
           "quotient-pipelined Montgomery products of a high radix, in fixed windows",
           MONT_ORUP, "fixed_window", 1,
           "Orup 1995, with signed digits, residues in digits and fixed windows", r_squared="host"),
    Design(27, "crt_window", "an RSA private operation by its two primes, on two high-radix lanes",
           MONT_ORUP, "fixed_window", 2,
           "Quisquater and Couvreur 1982 on Orup's products; lanes also reduce and recombine",
           domain="crt"),
    Design(28, "crt_window_shared",
           "an RSA private operation by its two primes, on one high-radix lane",
           MONT_ORUP, "fixed_window", 1,
           "Quisquater and Couvreur 1982 on Orup's products; one half after the other",
           domain="crt"),
    Design(29, "interleaved_l2r", "interleaved products on the registers of the exponentiation",
           INTERLEAVED, "l2r", 1, "Blakley 1983, with signed running values; rsaxcel",
           control="merged"),
    Design(30, "ssmm_l2r", "shift-sub products on the registers of the exponentiation",
           SSMM, "l2r", 1, "Li and Chu, algorithm 5; control by rsaxcel", control="merged"),
    Design(31, "mont_mac_r2l", "Montgomery products by full products, three on one multiplier",
           MONT_MAC, "r2l", 2, "Montgomery 1985; rsaxcel", r_squared="host"),
    Design(32, "mont_mac_r2l_shared",
           "Montgomery products by full products, all on one multiplier",
           MONT_MAC, "r2l", 1, "Montgomery 1985; rsaxcel", r_squared="host"),
)  # fmt: skip
"""Built-in designs, in the order of their numbers."""

_UNITS = (
    BuiltIn("subtraction_reducer", "reducers", lambda at: at.SubtractionReducer),
    BuiltIn("compressor_tree_reducer", "reducers", lambda at: at.CompressorTreeReducer),
    BuiltIn("remainder_reducer", "reducers", lambda at: at.RemainderReducer),
)

REDUCERS = {unit.name: MultiplierEntry(unit) for unit in _UNITS}
"""Every reducer by its name; a reducer is a unit like a multiplier, but no choice on an axis."""
