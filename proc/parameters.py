"""Parameters of a system's processor and software; the accelerator has parameters of its own."""

from typing import Any

from plan.parameters import Parameter

PREFIX = "proc_"
"""Prefix of the processor's parameters. Without the prefix, parameters of the processor's divider
would have the same names as those of a divider in the accelerator."""

PROCESSOR_PARAMETERS = (
    Parameter(
        PREFIX + "product_stage",
        lambda nbits: "M",
        lambda nbits: ("M", "X"),
        "stage of the processor in which a product is available to the next instruction: M, with a "
        "register behind the multiplier, or X",
    ),
    Parameter(
        PREFIX + "divider",
        lambda nbits: "skipping",
        lambda nbits: ("skipping", "restoring", "aligning"),
        "divider of the processor: skips leading zero bytes of the quotient (skipping), or not "
        "(restoring), or first aligns the divisor to skip leading zeros (aligning)",
    ),
    Parameter(
        PREFIX + "divider_bits_per_cycle",
        lambda nbits: 2,
        lambda nbits: (1, 2, 4, 8),
        "quotient bits per cycle of the processor's divider",
    ),
)
"""Parameters of the processor; they change its circuit and its cycles, but no result."""

_WORD_NBITS = 32
SOFTWARE = Parameter(
    "software",
    lambda nbits: "tuned",
    lambda nbits: ("tuned", "printed") if nbits <= _WORD_NBITS else ("tuned",),
    "form of the programs: tuned, or as McNay's document has them (printed): naive and montgomery "
    "by its listings 3 and 4; what it does not print, in the cycles that it counts",
)
"""Parameter of systems at the processor's xcel interface: the form of their programs."""


def circuit_arguments(values: dict[str, Any]) -> dict[str, Any]:
    """Arguments of the processor's circuit, from the values of a system's parameters by name."""
    return {
        parameter.name.removeprefix(PREFIX): values[parameter.name]
        for parameter in PROCESSOR_PARAMETERS
    }
