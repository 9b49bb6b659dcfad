"""MontMulRem: unrolled Montgomery multiplication (McNay, algorithm 4)."""

from rsaxcel.fl.multipliers.contract import REGISTERED, MontgomeryMultiplier
from rsaxcel.plan.parameters import Parameter

CARRY_SAVE = (
    "carry_save"  #: a stage adds all rows in a carry-save sum, which is not in the document
)
PIPELINED = "pipelined"  #: value of the parameter `operands`: registers in every stage


class MontMulRem(MontgomeryMultiplier):
    """``a * b / R mod m``, unrolled over all bits of ``a`` and pipelined."""

    # The width is limited, because the unrolled circuit grows with the square of the width.
    widths = range(2, 257)
    label = "Montgomery, unrolled"
    source = "McNay 2023, algorithm 4 and figures 8, 9"
    parameters = (
        Parameter(
            "stages",
            lambda nbits: max(1, nbits // 8),
            lambda nbits: range(1, nbits + 1),
            "pipeline stages, which is the latency in cycles",
        ),
        Parameter(
            "add_red",
            lambda nbits: "select",
            lambda nbits: ("select", "serial", "own_sum", CARRY_SAVE),
            "AddReds of a stage in series, as in figure 8a (serial) or 8b, with one sum of operand "
            "and modulus for all (select) or for each (own_sum), or in parallel as rows of one "
            "carry-save sum, with fewer glitches (carry_save)",
        ),
        Parameter(
            "operands",
            lambda nbits: PIPELINED,
            lambda nbits: (PIPELINED, REGISTERED),
            "each stage has registers for its operands, and a product begins in every cycle "
            "(pipelined), or one product at a time has one set of registers (registered)",
        ),
    )
