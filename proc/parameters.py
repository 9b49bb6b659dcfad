"""Parameters of a system's processor and software; the accelerator has parameters of its own."""

from collections.abc import Sequence
from typing import Any

from rsaxcel.plan.parameters import Parameter, parse_parameters
from rsaxcel.proc.instruction_sets import INSTRUCTION_SETS, PARAMETER, RV32IM

# Prefix of the processor's parameters. Without it, parameters of the processor's divider would have
# the names of those of a divider in the accelerator.
PREFIX = "proc_"
DIVIDER = PREFIX + "divider"

#: Parameters that change the processor's circuit and its cycles, but no result.
PROCESSOR_PARAMETERS = (
    Parameter(
        PREFIX + "product_stage",
        lambda nbits: "M",
        lambda nbits: ("M", "X"),
        "stage of the processor in which a product is available to the next instruction: M, with a "
        "register behind the multiplier, or X",
    ),
    Parameter(
        DIVIDER,
        lambda nbits: "skipping",
        lambda nbits: ("skipping", "restoring", "aligning"),
        "divider of the processor: skips leading zero bytes of the quotient (skipping), or not "
        "(restoring), or first aligns the divisor to skip leading zeros (aligning)",
    ),
    Parameter(
        DIVIDER + "_bits_per_cycle",
        lambda nbits: 2,
        lambda nbits: (1, 2, 4, 8),
        "quotient bits per cycle of the processor's divider",
    ),
    Parameter(
        PARAMETER,
        lambda nbits: RV32IM.name,
        lambda nbits: tuple(INSTRUCTION_SETS),
        "instructions of the processor: RV32IM, or TinyRV2 of McNay's course, alone or with what "
        "he adds: divu and remu (divu), mulhu, lbu; the circuits for other instructions are left "
        "out, and programs that contain them are refused",
    ),
)

_WORD_NBITS = 32
#: Form of the programs of systems at the xcel interface.
SOFTWARE = Parameter(
    "software",
    lambda nbits: "tuned",
    lambda nbits: ("tuned", "printed") if nbits <= _WORD_NBITS else ("tuned",),
    "form of the programs: tuned, or as McNay's document has them (printed): naive and montgomery "
    "by its listings 3 and 4; what it does not print, in the cycles that it counts",
)


def parse_own(
    parameters: Sequence[Parameter], left: dict[str, Any], nbits: int
) -> tuple[tuple[str, Any], ...]:
    """Remove the values of a system's own parameters from ``left``, and parse them.

    ``ValueError`` also for a choice of a divider for a processor that has none.
    """
    values = parse_parameters(parameters, left, nbits)
    isa = INSTRUCTION_SETS[dict(values)[PARAMETER]]
    for parameter, (name, value) in zip(parameters, values, strict=True):
        usual = parameter.default(nbits)
        if name.startswith(DIVIDER) and value != usual and not isa.divides:
            why = f"with {PARAMETER}={isa.name}, which has no division"
            raise ValueError(f"{name}={value}: {usual} (no effect) allowed {why}")
    return values


def circuit_arguments(values: dict[str, Any]) -> dict[str, Any]:
    """Arguments of the processor's circuit, from the values of a system's parameters by name."""
    return {
        parameter.name.removeprefix(PREFIX): values[parameter.name]
        for parameter in PROCESSOR_PARAMETERS
    }
