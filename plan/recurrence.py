"""Recurrence of the bit-serial multipliers: whether running values are signed, or below m."""

from plan.parameters import Parameter

SIGNED, UNSIGNED = "signed", "unsigned"

RECURRENCE = Parameter(
    "recurrence",
    lambda nbits: SIGNED,
    lambda nbits: (SIGNED, UNSIGNED),
    "running values: signed, corrected once at the end; or unsigned, with m subtracted in each "
    "iteration (Montgomery: at the end), as Li and Chu print it",
)
"""Parameter of multipliers, and of units that compute constants by a multiplier."""


def finish_cycles(recurrence: str) -> int:
    """Give the cycles between the last iteration and the result: one, for the sign, or none."""
    return int(recurrence == SIGNED)
