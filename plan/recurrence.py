"""Recurrence of the bit-serial multipliers: signed or unsigned running values.

Signed values need one addition in an iteration, and a correction of the sign after the last one.
Unsigned values need a second adder, which adds or subtracts m after the addition.
"""

from rsaxcel.plan.parameters import Parameter

SIGNED, UNSIGNED = "signed", "unsigned"

#: Parameter of multipliers, and of units that compute constants by a multiplier.
RECURRENCE = Parameter(
    "recurrence",
    lambda nbits: SIGNED,
    lambda nbits: (SIGNED, UNSIGNED),
    "kind of running values (unsigned: as Li and Chu print them)",
)


def finish_cycles(recurrence: str) -> int:
    """Return the cycles between the last iteration and the result: one, for the sign, or none."""
    return int(recurrence == SIGNED)
