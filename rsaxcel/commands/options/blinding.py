"""The option of commands that blind the moduli of a design by two primes."""

import click

from fl.blinded_key import LEAST_NBITS, MOST_NBITS

blind_moduli_option = click.option(
    "--blind-moduli",
    type=click.IntRange(LEAST_NBITS, MOST_NBITS),
    callback=lambda context, parameter, nbits: nbits or 0,
    metavar="BITS",
    help="Designs by two primes: multiply each prime of the key by a random prime of BITS bits, "
    "new in each operation. The design has to be 2 BITS wider than the key.",
)
"""Adds --blind-moduli to a command; 0: the moduli are not blinded."""
