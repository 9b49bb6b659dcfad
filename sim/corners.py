"""Corners of operands: the ends of each range, and products that are multiples of the modulus."""

import random

Operands = tuple[int, int, int]


def moduli(nbits: int) -> list[int]:
    """Moduli at both ends of a width, and around its upper half; the least ones break a rule."""
    top, most = 1 << nbits - 1, (1 << nbits) - 1
    listed = (0, 1, 2, 3, 4, 5, top - 1, top, top + 1, most - 2, most - 1, most)
    return sorted({x for x in listed if 0 <= x <= most})


def residues(modulus: int) -> list[int]:
    """Give the ends and the middle of the range below a modulus."""
    listed = (0, 1, 2, modulus >> 1, modulus - 2, modulus - 1)
    return sorted({x for x in listed if 0 <= x < modulus})


def exponents(nbits: int) -> list[int]:
    """No product, one or two, and the longest exponents."""
    most = (1 << nbits) - 1
    return sorted({x for x in (0, 1, 2, 3, 1 << nbits - 1, most - 1, most) if x >= 0})


def draw_corner(
    draw: random.Random, nbits: int, odd: bool, constant_modulus: int, exponent_nbits: int
) -> Operands:
    """Draw a corner that breaks no rule: a, b and modulus, or base, exponent and modulus.

    Half of them have a product that is a multiple of the modulus, where any modulus is allowed and
    so wide that it has two factors. Where the modulus must be odd, an even one becomes the next odd
    one.

    Parameters
    ----------
    draw
        Draws as often whatever the other parameters are.
    nbits, odd, constant_modulus
        Width of the operands in bits; whether the modulus must be odd; the only one, or 0.
    exponent_nbits
        Width of the exponent in bits; 0 for a product.
    """
    if draw.random() < 1 / 2 and nbits >= 4 and not constant_modulus:
        return _multiple(draw, nbits, exponent_nbits)
    drawn = _pick(draw, [x for x in moduli(nbits) if x >= 2])
    modulus = constant_modulus or drawn | odd
    first = _pick(draw, residues(modulus))
    seconds = exponents(exponent_nbits) if exponent_nbits else residues(modulus)
    return first, _pick(draw, seconds), modulus


def _multiple(draw: random.Random, nbits: int, exponent_nbits: int) -> Operands:
    """Draw an odd modulus x y, a multiple of x and one of y; of a power, x is y."""
    x_nbits = draw.randint(2, nbits // 2)
    x = _odd(draw, x_nbits)
    if exponent_nbits:
        return x * draw.randrange(x), _pick(draw, exponents(exponent_nbits)), x * x
    y = _odd(draw, draw.randint(2, nbits - x_nbits))
    return x * draw.randrange(y), y * draw.randrange(x), x * y


def _odd(draw: random.Random, nbits: int) -> int:
    """Draw an odd number of so many bits."""
    return draw.getrandbits(nbits) | 1 << nbits - 1 | 1


def _pick(draw: random.Random, values: list[int]) -> int:
    """Choose one by one draw, however many there are: the next draws stay the same."""
    return values[int(draw.random() * len(values))]
