"""Corner cases to test: operands at the ends of ranges, and products that are 0 mod the modulus."""

import random
from math import isqrt

Operands = tuple[int, int, int]


def moduli(nbits: int) -> list[int]:
    """Moduli to test: ends of a width, around ``2**(nbits - 1)``, and the invalid 0 and 1."""
    top, most = 1 << nbits - 1, (1 << nbits) - 1
    listed = (0, 1, 2, 3, 4, 5, top - 1, top, top + 1, most - 2, most - 1, most)
    return sorted({x for x in listed if 0 <= x <= most})


def residues(modulus: int) -> list[int]:
    """Residues to test: at the ends and in the middle of the range below a modulus."""
    listed = (0, 1, 2, modulus >> 1, modulus - 2, modulus - 1)
    return sorted({x for x in listed if 0 <= x < modulus})


def exponents(nbits: int, least: int = 0) -> list[int]:
    """Exponents to test: the smallest and largest of a width, and ``2**(nbits - 1)``."""
    most = (1 << nbits) - 1
    return sorted({x for x in (0, 1, 2, 3, 1 << nbits - 1, most - 1, most) if x >= least})


def draw_corner(
    draw: random.Random,
    nbits: int,
    odd: bool,
    constant_modulus: int,
    exponent_nbits: int,
    least_modulus: int = 2,
    least_exponent: int = 0,
) -> Operands:
    """Draw a corner case (a, b, modulus) of a product or (base, exponent, modulus) of a power.

    Half of the cases (all, if the modulus is constant or ``nbits`` is below 4) are at the ends of
    ranges; in the others, the product is a multiple of the modulus. All cases meet the input rules;
    a modulus that must be ``odd`` is increased by 1. ``exponent_nbits`` is 0 for a product.
    Modulus and exponent are not below the least ones.
    """
    if draw.random() < 1 / 2 and nbits >= 4 and not constant_modulus:
        return _multiple(draw, nbits, exponent_nbits, least_modulus, least_exponent)
    drawn = _pick(draw, [x for x in moduli(nbits) if x | odd >= least_modulus])
    modulus = constant_modulus or drawn | odd
    first = _pick(draw, residues(modulus))
    seconds = exponents(exponent_nbits, least_exponent) if exponent_nbits else residues(modulus)
    return first, _pick(draw, seconds), modulus


def _multiple(
    draw: random.Random, nbits: int, exponent_nbits: int, least_modulus: int, least_exponent: int
) -> Operands:
    """Draw operands whose product, or power if the exponent is 2 or more, is 0 mod the modulus.

    Product: modulus x*y with odd x and y; one operand is a multiple of x, the other of y. Power:
    modulus x*x, base a multiple of x.
    """
    x_nbits = draw.randint(2, nbits // 2)
    x = _odd(draw, x_nbits)
    if exponent_nbits:
        if x * x < least_modulus:
            x = (
                draw.randint(isqrt(least_modulus) + 1 >> 1, isqrt((1 << nbits) - 1) - 1 >> 1) << 1
                | 1
            )
        exponent = _pick(draw, exponents(exponent_nbits, least_exponent))
        return x * draw.randrange(x), exponent, x * x
    y = _odd(draw, draw.randint(2, nbits - x_nbits))
    return x * draw.randrange(y), y * draw.randrange(x), x * y


def _odd(draw: random.Random, nbits: int) -> int:
    return draw.getrandbits(nbits) | 1 << nbits - 1 | 1


def _pick(draw: random.Random, values: list[int]) -> int:
    """Choose a value with exactly one draw, so that later draws do not depend on the list."""
    return values[int(draw.random() * len(values))]
