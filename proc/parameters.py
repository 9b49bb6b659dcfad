"""Parameters of a system besides those of its accelerator, declared as units declare theirs."""

from typing import Any

from plan.parameters import Parameter

PREFIX = "proc_"
"""Start of the names of the processor's parameters; accelerators have dividers, too."""

PROCESSOR_PARAMETERS = (
    Parameter(
        PREFIX + "product_stage",
        lambda nbits: "M",
        lambda nbits: ("M", "X"),
        "stage of the processor that has a product for the next instruction: M, with a register "
        "behind the multiplier, or X",
    ),
    Parameter(
        PREFIX + "divider",
        lambda nbits: "skipping",
        lambda nbits: ("skipping", "restoring", "aligning"),
        "divider of the processor: leading zero bytes of the quotient are skipped (skipping), or "
        "not (restoring), or the divisor is shifted up first and takes them off (aligning)",
    ),
    Parameter(
        PREFIX + "divider_bits_per_cycle",
        lambda nbits: 2,
        lambda nbits: (1, 2, 4, 8),
        "quotient bits per cycle of the processor's divider",
    ),
)
"""Parameters of the processor; they change cycles and circuit, and no result."""

_WORD_NBITS = 32
SOFTWARE = Parameter(
    "software",
    lambda nbits: "tuned",
    lambda nbits: ("tuned", "printed") if nbits <= _WORD_NBITS else ("tuned",),
    "form of the programs naive and montgomery: ours, or as McNay's listings 3 and 4 have them",
)
"""Parameter of a system without an accelerator."""


def circuit_arguments(values: dict[str, Any]) -> dict[str, Any]:
    """Arguments of the processor's circuit that the values of its parameters stand for."""
    return {
        parameter.name.removeprefix(PREFIX): values[parameter.name]
        for parameter in PROCESSOR_PARAMETERS
    }
