"""What passes from stage to stage."""

from pymtl3 import Bits1, Bits4, Bits5, Bits32, mk_bitstruct

from proc.pipeline.decoder import ControlSignals

Result = mk_bitstruct("Result", {"writes": Bits1, "rd": Bits5, "value": Bits32})
"""Value for a register other than x0, if ``writes``."""

ExecuteMsg = mk_bitstruct(
    "ExecuteMsg",
    {
        "control": ControlSignals,
        "writes": Bits1,
        "cause": Bits4,
        "pc": Bits32,
        "inst": Bits32,
        "op1": Bits32,
        "op2": Bits32,
        "data": Bits32,
        "target": Bits32,
    },
)
"""D to X: ``writes`` without x0, ``data`` to store, ``target`` of a branch or jump.

``cause`` is not 0 where the program ends with this instruction.
"""

MemoryMsg = mk_bitstruct(
    "MemoryMsg",
    {
        "control": ControlSignals,
        "writes": Bits1,
        "cause": Bits4,
        "pc": Bits32,
        "inst": Bits32,
        "result": Bits32,
    },
)
"""X to M: ``result`` of the ALU, or the target of a jump that fails."""
