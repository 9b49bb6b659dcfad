"""The entries of the registry: the documents' designs and ours, and nothing else.

A multiplier is known by its name as soon as a design uses it. Any other choice that fits can be put
in the place of an entry's wherever parameters are taken (``catalog.fit``).
"""

import cl.multipliers.digit_serial
import cl.multipliers.mont_mul
import cl.multipliers.mont_mul_csa
import cl.multipliers.mont_mul_rem
import cl.multipliers.mont_red
import cl.multipliers.mul_rem
import cl.multipliers.ssmm
import cl.multipliers.systolic
import fl.multipliers.digit_serial
import fl.multipliers.mont_mul
import fl.multipliers.mont_mul_csa
import fl.multipliers.mont_mul_rem
import fl.multipliers.mont_red
import fl.multipliers.mul_rem
import fl.multipliers.ssmm
import fl.multipliers.systolic
import rtl.multipliers.digit_serial.digit_serial
import rtl.multipliers.mont_mul
import rtl.multipliers.mont_mul_csa
import rtl.multipliers.mont_mul_rem
import rtl.multipliers.mont_red
import rtl.multipliers.mul_rem
import rtl.multipliers.ssmm
import rtl.multipliers.systolic.systolic
from catalog.design import Design
from fl.units import Classes

MUL_REM = Classes(
    fl.multipliers.mul_rem.MulRem,
    cl.multipliers.mul_rem.MulRem,
    rtl.multipliers.mul_rem.MulRem,
)
MONT_MUL_REM = Classes(
    fl.multipliers.mont_mul_rem.MontMulRem,
    cl.multipliers.mont_mul_rem.MontMulRem,
    rtl.multipliers.mont_mul_rem.MontMulRem,
)
MONT_RED = Classes(
    fl.multipliers.mont_red.MontRed,
    cl.multipliers.mont_red.MontRed,
    rtl.multipliers.mont_red.MontRed,
)
MONT_MUL = Classes(
    fl.multipliers.mont_mul.MontMul,
    cl.multipliers.mont_mul.MontMul,
    rtl.multipliers.mont_mul.MontMul,
)
MONT_MUL_CSA = Classes(
    fl.multipliers.mont_mul_csa.MontMulCsa,
    cl.multipliers.mont_mul_csa.MontMulCsa,
    rtl.multipliers.mont_mul_csa.MontMulCsa,
)
SSMM = Classes(
    fl.multipliers.ssmm.Ssmm,
    cl.multipliers.ssmm.Ssmm,
    rtl.multipliers.ssmm.Ssmm,
)
SYSTOLIC = Classes(
    fl.multipliers.systolic.Systolic,
    cl.multipliers.systolic.Systolic,
    rtl.multipliers.systolic.systolic.Systolic,
)
DIGIT_SERIAL = Classes(
    fl.multipliers.digit_serial.DigitSerial,
    cl.multipliers.digit_serial.DigitSerial,
    rtl.multipliers.digit_serial.digit_serial.DigitSerial,
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
    # How Li and Chu's exponentiators enter the Montgomery domain: algorithms 2 and 4, section IV.
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
        source="Li and Chu, algorithm 2",
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
        source="Li and Chu, algorithm 4",
    ),
    # A shift-sub unit would set the clock by its full-width adders.
    Design(
        id=8,
        name="montmul_csa_r2l",
        summary="bit-serial Montgomery products in carry-save form",
        multiplier=MONT_MUL_CSA,
        r_squared="doubling",
        schedule="r2l",
        lanes=2,
        source="Li and Chu, algorithm 4 with section II.B",
    ),
    Design(
        id=9,
        name="montmul_csa_r2l_shared",
        summary="bit-serial Montgomery products in carry-save form, all in one unit",
        multiplier=MONT_MUL_CSA,
        r_squared="doubling",
        schedule="r2l",
        lanes=1,
        source="Li and Chu, algorithm 4 with section II.B",
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
        source="Li and Chu, algorithm 6",
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
        source="Morales-Romero et al., algorithms 3 to 5, figures 1 to 6",
    ),
    Design(
        id=13,
        name="digit_serial_r2l",
        summary="Montgomery products digit by digit, two in lock step (P- and Z-processor)",
        multiplier=DIGIT_SERIAL,
        r_squared="host",
        schedule="r2l_every_square",
        lanes=2,
        source="Cilardo et al., algorithms 17.1.1 and 17.1.2, figures 17.1 and 17.2",
    ),
)
"""Designs that come with the product."""
