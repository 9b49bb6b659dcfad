"""The registry: every design as a choice on each axis, and nothing else.

Adding a design adds an entry to ``DESIGNS``; a multiplier is known by its name as soon as a design
uses it. Tests, engines, flow and evaluation take a ``Configuration`` and iterate over the registry.
"""

from dataclasses import replace

from fl.configuration import LEVELS, Configuration, MultiplierConfiguration
from fl.design import Design, MultiplierEntry
from fl.domains import HOST, PLAIN, montgomery
from fl.units import Unit

__all__ = [
    "DESIGNS",
    "LEVELS",
    "Configuration",
    "Design",
    "MultiplierConfiguration",
    "MultiplierEntry",
    "find",
    "get",
    "multipliers",
]


def _with_one_lane(design: Design) -> tuple[Design, Design]:
    """Give a design of two lanes, and the same on one lane that does the conversions, too."""
    shared = replace(
        design,
        name=f"{design.name}_shared",
        summary=f"{design.summary}, all in one unit",
        schedule="schedules:RIGHT_TO_LEFT_SHARED",
    )
    return design, shared


# How Li and Chu's exponentiators enter the Montgomery domain: algorithms 2 and 4, section IV.
_LI_CHU_MONTGOMERY = montgomery(conversions="shared", r_squared="ssmm")

DESIGNS: dict[str, Design] = {
    design.name: design
    for design in (
        Design(
            name="mulrem_r2l",
            summary="product and remainder, two in parallel (RSAXcel)",
            multiplier="multipliers.mul_rem:MulRem",
            domain=PLAIN,
            schedule="schedules:RIGHT_TO_LEFT",
            store="registers",
            widths=range(8, 4097),
            source="McNay 2023, section 3.1, figures 5 to 7",
        ),
        Design(
            name="mont_r2l",
            summary="unrolled, pipelined Montgomery products in five units (RSAMontXcel)",
            multiplier="multipliers.mont_mul_rem:MontMulRem",
            domain=montgomery(conversions="dedicated", r_squared="division"),
            schedule="schedules:RIGHT_TO_LEFT",
            store="registers",
            widths=range(8, 257),
            source="McNay 2023, section 3.2, figures 8 to 14",
        ),
        Design(
            name="mont_r2l_shared",
            summary="unrolled, pipelined Montgomery products, all in one unit",
            multiplier="multipliers.mont_mul_rem:MontMulRem",
            domain=montgomery(conversions="shared", r_squared="division"),
            schedule="schedules:RIGHT_TO_LEFT_SHARED",
            store="registers",
            widths=range(8, 257),
            source="McNay 2023, section 3.2, with one of its five units",
        ),
        *_with_one_lane(
            Design(
                name="montred_r2l",
                summary="full products with bit-serial Montgomery reduction",
                multiplier="multipliers.mont_red:MontRed",
                domain=_LI_CHU_MONTGOMERY,
                schedule="schedules:RIGHT_TO_LEFT",
                store="registers",
                widths=range(8, 257),
                source="Li and Chu, algorithm 2",
            )
        ),
        *_with_one_lane(
            Design(
                name="montmul_r2l",
                summary="bit-serial Montgomery products",
                multiplier="multipliers.mont_mul:MontMul",
                domain=_LI_CHU_MONTGOMERY,
                schedule="schedules:RIGHT_TO_LEFT",
                store="registers",
                widths=range(8, 4097),
                source="Li and Chu, algorithm 4",
            )
        ),
        *_with_one_lane(
            Design(
                name="montmul_csa_r2l",
                summary="bit-serial Montgomery products in carry-save form",
                multiplier="multipliers.mont_mul_csa:MontMulCsa",
                # a shift-sub unit would set the clock by its full-width adders
                domain=montgomery(conversions="shared", r_squared="doubling"),
                schedule="schedules:RIGHT_TO_LEFT",
                store="registers",
                widths=range(8, 4097),
                source="Li and Chu, algorithm 4 with section II.B",
            )
        ),
        *_with_one_lane(
            Design(
                name="ssmm_r2l",
                summary="shift-sub products",
                multiplier="multipliers.ssmm:Ssmm",
                domain=PLAIN,
                schedule="schedules:RIGHT_TO_LEFT",
                store="registers",
                widths=range(8, 4097),
                source="Li and Chu, algorithm 6",
            )
        ),
        Design(
            name="systolic_l2r_always",
            summary="Montgomery products in a systolic row of radix-2^k elements",
            multiplier="multipliers.systolic:Systolic",
            domain=montgomery(conversions="shared", r_squared=HOST, one=HOST),
            schedule="schedules:LEFT_TO_RIGHT_ALWAYS",
            store="words",
            widths=range(8, 4097),
            source="Morales-Romero et al., algorithms 3 to 5, figures 1 to 6",
        ),
        Design(
            name="digit_serial_r2l",
            summary="Montgomery products digit by digit, two in lock step (P- and Z-processor)",
            multiplier="multipliers.digit_serial:DigitSerial",
            domain=montgomery(conversions="shared", r_squared=HOST),
            schedule="schedules:RIGHT_TO_LEFT_EVERY_SQUARE",
            store="words",
            widths=range(8, 4097),
            source="Cilardo et al., algorithms 17.1.1 and 17.1.2, figures 17.1 and 17.2",
        ),
    )
}
"""Every design by its name."""


LEAST_PRODUCT_NBITS = 2
"""Least width of a multiplier on its own; its moduli are 2 and 3."""


def multipliers() -> dict[str, MultiplierEntry]:
    """Every multiplier of the registry by its name, at the widths of the designs that use it.

    On its own it may be narrower than they are.
    """
    found: dict[str, MultiplierEntry] = {}
    for design in DESIGNS.values():
        name = Unit(design.multiplier).module
        known = found.get(name)
        widest = max(design.widths[-1], known.widths[-1] if known else 0)
        widths = range(LEAST_PRODUCT_NBITS, widest + 1)
        found[name] = MultiplierEntry(name, design.multiplier, widths)
    return found


def get(name: str) -> Design:
    """Design by its name; ``ValueError`` lists the names there are."""
    if name not in DESIGNS:
        raise ValueError(f"design {name!r} is unknown; allowed: {', '.join(DESIGNS)}")
    return DESIGNS[name]


def find(name: str) -> Design | MultiplierEntry:
    """Design or multiplier by its name; ``ValueError`` lists the names there are."""
    entries = DESIGNS | multipliers()
    if name not in entries:
        raise ValueError(f"design {name!r} is unknown; allowed: {', '.join(entries)}")
    return entries[name]
