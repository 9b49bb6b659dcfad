"""Exponentiation by repeated products: one product for each unit of the exponent."""

from rsaxcel.fl.status import InputRuleError, Status, check_below, check_fits

EXPONENT_NBITS = 16  # longest exponent: 65535 products


def repeated_products(base: int, exponent: int, modulus: int) -> int:
    """Give ``base^exponent mod modulus`` (1 for exponent 0), a product per unit of the exponent.

    ``InputRuleError`` unless the base is below the modulus, 2 or more, and the exponent has at most
    16 bits. Source: Vassoler 2023, algorithm 3.
    """
    check_fits("exponent", exponent, EXPONENT_NBITS)
    if modulus < 2:
        raise InputRuleError(Status.MODULUS_TOO_SMALL, f"modulus {modulus} is below 2")
    check_below("base", base, modulus)
    result = 1
    for _ in range(exponent):
        result = result * base % modulus
    return result
