"""The options of commands that vary the moduli of a design by two primes."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from rsaxcel.cli.options.common import together
from rsaxcel.fl.blinded_key import LEAST_NBITS, MOST_NBITS, Variation


def variation_text(variation: Variation) -> tuple[str, ...]:
    """Give the options that ask for a variation."""
    factors = [f"--blind-moduli {variation.factor_nbits}"] if variation.factor_nbits else []
    return (*factors, *["--swap-primes"] * variation.swaps)


def refused_option(variation: Variation) -> str:
    """Name the option that a message about a refusal of a variation begins with.

    If primes are multiplied, it is the option for this: whatever is multiplied may be swapped.
    """
    return variation_text(variation)[0].replace(" ", "=")


def _variation(command: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(command)
    def called(*args: Any, **options: Any) -> Any:
        drawn = Variation(options.pop("blind_moduli") or 0, options.pop("swap_primes"))
        return command(*args, variation=drawn, **options)

    return called


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
    _variation,
)
"""Adds --blind-moduli and --swap-primes to a command, which gets both as ``variation``."""
