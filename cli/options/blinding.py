"""The options of commands that vary the moduli of a design by two primes."""

import click

from rsaxcel.cli.options.common import gathered, together
from rsaxcel.fl.blinded_key import LEAST_NBITS, MOST_NBITS, Variation


def variation_text(variation: Variation) -> tuple[str, ...]:
    """Return the options that ask for a variation."""
    factors = [f"--blind-moduli {variation.factor_nbits}"] if variation.factor_nbits else []
    return (*factors, *["--swap-primes"] * variation.swaps)


def refused_option(variation: Variation) -> str:
    """Return the option with which a message about a refused variation begins."""
    # The option that multiplies primes comes first: multiplied primes may be swapped, too.
    return variation_text(variation)[0].replace(" ", "=")


VARIATION_OPTIONS = ("--blind-moduli", "--swap-primes")
"""Options of ``variation_options``."""

variation_options = together(
    click.option(
        "--blind-moduli",
        type=click.IntRange(LEAST_NBITS, MOST_NBITS),
        metavar="BITS",
        help="Designs by two primes: multiply each prime of the key by a random prime of BITS "
        "bits, new in each operation. The design has to be 2 BITS wider than the key.",
    ),
    click.option(
        "--swap-primes",
        is_flag=True,
        help="Designs by two primes: draw the order of the two primes in each operation.",
    ),
    gathered(
        "variation",
        lambda nbits, swaps: Variation(nbits or 0, swaps),
        "blind_moduli",
        "swap_primes",
    ),
)
"""Adds --blind-moduli and --swap-primes to a command, which gets both as ``variation``."""
